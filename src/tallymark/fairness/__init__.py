"""Does it hold for every group? Pure formulas of tallies that keep the groups apart."""
