"""A policy's limits held against what was found: met, not met, undecided."""
