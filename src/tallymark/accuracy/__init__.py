"""How well does the system predict the observed score? Pure formulas of tallies."""
