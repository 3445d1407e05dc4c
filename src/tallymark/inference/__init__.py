"""Intervals and tests for any formula on any tally: NumPy, and SciPy's quantiles."""

from tallymark.inference.estimate import estimate, estimate_all, estimate_each
from tallymark.inference.formula import Formula, MeanOf, Settings
from tallymark.inference.joint_formulas import OnUnits
from tallymark.inference.units import Units

__all__ = [
    "Formula",
    "MeanOf",
    "OnUnits",
    "Settings",
    "Units",
    "estimate",
    "estimate_all",
    "estimate_each",
]
