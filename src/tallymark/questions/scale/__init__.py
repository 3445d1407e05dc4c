"""The same scores told otherwise: coarser scales, other rules, pass or fail, recalibrated."""
