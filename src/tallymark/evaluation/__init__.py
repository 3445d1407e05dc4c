"""One plan, one Evaluation: the catalogue, estimates by name, and the evaluation of a table."""
