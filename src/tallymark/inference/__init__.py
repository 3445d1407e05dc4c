"""Intervals and tests for any formula on any tally: NumPy, and SciPy's quantiles."""

from tallymark.inference.estimate import estimate, estimate_all
from tallymark.inference.formula import Formula, Settings
from tallymark.inference.units import Units

__all__ = ["Formula", "Settings", "Units", "estimate", "estimate_all"]
