"""Make the bundled scores again: ``python -m tallymark.demo``."""

from tallymark.demo import SCORES
from tallymark.demo.generate import generate, to_csv

if __name__ == "__main__":
    SCORES.write_text(to_csv(generate().columns()), encoding="utf-8", newline="\n")
