"""How good are the people? Pure formulas of tallies."""
