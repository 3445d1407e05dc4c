"""Each rater beside the others, and over time."""
