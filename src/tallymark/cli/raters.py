"""``tallymark raters``: how well do people agree, who is severe, and who uses the scale?"""

from pathlib import Path
from typing import Any

from tallymark.cli.config import reading

EXAMPLES = """\b
Examples:
  tallymark raters scores.csv
  tallymark raters scores.csv --human 'rater_*' --scale 1:6 --group gender
  tallymark raters ratings.csv --response essay --rater who --score score
  tallymark raters scores.csv --batch week
  tallymark raters pool.csv --human score_1@rater_1 --human score_2@rater_2 --out report/
"""


@reading("raters", EXAMPLES)
def raters(file: Path, out: Path | None, *, as_json: bool, **given: Any) -> None:
    """Evaluate the people who scored the responses in FILE; no system is needed.

    FILE is CSV, TSV, Parquet, JSON lines or Excel: one row per response with a column for each
    rater, or one row per rating. Ratings may be missing.
    """
    from tallymark.analyses.raters import rated
    from tallymark.cli.running import show_asked

    show_asked(rated, "raters", file, given, out, as_json=as_json)
