"""A policy's limits held against the numbers of an evaluation: met, not met, undecided."""
