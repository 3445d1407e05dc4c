"""One file for each experiment; a file that is here is an experiment of the lab."""
