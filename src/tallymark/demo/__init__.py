"""The bundled scores that ``tallymark demo`` evaluates; README.md beside them tells the truth."""

from pathlib import Path

SCORES = Path(__file__).with_name("scores.csv")
"""About 1,200 responses, two raters, two systems."""
