"""Counts: the smallest summary of the scores that a formula needs. NumPy only; tallies add."""

from tallymark.tally.margins import PairMargins
from tallymark.tally.moments import LengthSums, PairMoments, PointErrors, each_sum, without_rounding
from tallymark.tally.pairs import GapCounts, PairCounts, PairPatterns
from tallymark.tally.panel_margins import PairableMargins, PanelMargins, RaterMargins
from tallymark.tally.panels import Coincidences, OneWay, PanelCounts, PanelMoments, PanelPatterns
from tallymark.tally.patterns import Patterns
from tallymark.tally.rated import GroupErrors, GroupRatings, RatedSums
from tallymark.tally.rounding import nearest, trim

__all__ = [
    "Coincidences",
    "GapCounts",
    "GroupErrors",
    "GroupRatings",
    "LengthSums",
    "OneWay",
    "PairCounts",
    "PairMargins",
    "PairMoments",
    "PairPatterns",
    "PairableMargins",
    "PanelCounts",
    "PanelMargins",
    "PanelMoments",
    "PanelPatterns",
    "Patterns",
    "PointErrors",
    "RatedSums",
    "RaterMargins",
    "each_sum",
    "nearest",
    "trim",
    "without_rounding",
]
