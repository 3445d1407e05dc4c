"""Do two or more raters agree? Pure formulas of tallies; they know nothing of files or screens."""
