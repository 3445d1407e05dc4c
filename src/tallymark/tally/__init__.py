"""Counts: the smallest summary of the scores that a formula needs. NumPy only; tallies add."""

from tallymark.tally.gaps import GapCounts
from tallymark.tally.groups import GroupErrors, GroupRatings
from tallymark.tally.moments import PairMoments, PointErrors
from tallymark.tally.pairs import PairCounts, PairPatterns
from tallymark.tally.panels import OneWay, PanelCounts, PanelMoments, PanelPatterns, RaterCounts
from tallymark.tally.patterns import Patterns
from tallymark.tally.rated import RatedSums
from tallymark.tally.rounding import nearest, trim

__all__ = [
    "GapCounts",
    "GroupErrors",
    "GroupRatings",
    "OneWay",
    "PairCounts",
    "PairMoments",
    "PairPatterns",
    "PanelCounts",
    "PanelMoments",
    "PanelPatterns",
    "Patterns",
    "PointErrors",
    "RatedSums",
    "RaterCounts",
    "nearest",
    "trim",
]
