"""The experiments of the lab: a file for each source, whose ``EXPERIMENTS`` are found by themselves."""
