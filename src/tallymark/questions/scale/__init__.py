"""The same scores on coarser scales, under other rules, as pass or fail, and recalibrated."""
