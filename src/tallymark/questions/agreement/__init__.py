"""Agreement: how well systems agree with the gold, and how far off they are."""
