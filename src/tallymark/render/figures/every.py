"""Every figure and what it takes; :data:`STYLE` is the style sheet that they share."""

from tallymark.render.figures.calibration import calibration
from tallymark.render.figures.confusion import confusion
from tallymark.render.figures.distribution import distribution
from tallymark.render.figures.heatmap import heatmap
from tallymark.render.figures.intervals import forest, intervals, ladder, strip
from tallymark.render.figures.lines import curves, d_study, lines
from tallymark.render.figures.ranking import ranking
from tallymark.render.figures.records import (
    FULL,
    NARROW,
    WIDE,
    Drawn,
    Mark,
    RaterPoint,
    Series,
    Whisker,
    both,
)
from tallymark.render.figures.risk import risk_coverage
from tallymark.render.figures.severity import severity
from tallymark.render.figures.style import DARK, STYLE

__all__ = [
    "DARK",
    "FULL",
    "NARROW",
    "STYLE",
    "WIDE",
    "Drawn",
    "Mark",
    "RaterPoint",
    "Series",
    "Whisker",
    "both",
    "calibration",
    "confusion",
    "curves",
    "d_study",
    "distribution",
    "forest",
    "heatmap",
    "intervals",
    "ladder",
    "lines",
    "ranking",
    "risk_coverage",
    "severity",
    "strip",
]
