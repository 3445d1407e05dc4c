"""``tallymark raters``: how well do people agree, who is severe, and who uses the scale?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import PATH, Command, output_options, people_options, rater_options

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow

EXAMPLES = """\b
Examples:
  tallymark raters scores.csv
  tallymark raters scores.csv --human 'rater_*' --scale 1:6 --group gender
  tallymark raters ratings.csv --response essay --rater who --score score
  tallymark raters scores.csv --batch week
  tallymark raters pool.csv --human score_1@rater_1 --human score_2@rater_2 --out report/
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@people_options
@rater_options
@config_option
@output_options
def raters(file: Path, out: Path | None, *, as_json: bool, **asked: Any) -> None:
    """Evaluate the people who scored the responses in FILE; no system is needed.

    FILE is CSV, TSV, Parquet, JSON lines or Excel: one row per response with a column for each
    rater, or one row per rating. Ratings may be missing.
    """
    from tallymark.cli.running import show

    show(lambda: _evaluated(file, asked), out, as_json=as_json, reads=[file])


def _evaluated(
    file: Path, asked: Mapping[str, Any]
) -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
    """Return what was found, and which rows were not used."""
    from tallymark.cli.progress import progress
    from tallymark.cli.running import scores_of, settings_of
    from tallymark.evaluation.raters import rate_the_raters

    settings = settings_of(asked)
    with progress() as report:
        scores = scores_of(file, asked, people_only=True)
        chosen = {key: asked[key] for key in ("cross", "severity")}
        found = rate_the_raters(scores, settings, **chosen, progress=report)
    return found, scores.excluded
