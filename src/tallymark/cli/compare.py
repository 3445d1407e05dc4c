"""``tallymark compare``: which system is better, on the same responses, and how sure are we?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    COLUMNS,
    MANY,
    PATH,
    SHOWN,
    STATISTICS,
    Command,
    contest_options,
    option,
    output_options,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow

EXAMPLES = """\b
Examples:
  tallymark compare scores.csv --human h1 --human h2 --system engine --system chatbot
  tallymark compare scores.csv --human h1 --system '*_shot' --scale 1:6 --out comparison/
  tallymark compare people.csv --human h1 --id essay --predictions a.csv --predictions new=b.csv
  tallymark compare scores.csv --by mae
"""
PREDICTIONS = "A table with the id and one column of scores, a system; repeat it for each."
BY = "Rank by this statistic, such as qwk, pearson or mae."


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@option(COLUMNS, "--predictions", "[NAME=]FILE", PREDICTIONS, **MANY)
@contest_options
@option(STATISTICS, "--by", "NAME", BY, default="qwk", **SHOWN)
@config_option
@output_options
def compare(file: Path, out: Path | None, *, as_json: bool, **asked: Any) -> None:
    """Compare the systems in FILE with each other on the responses that all of them scored.

    Differences of all pairs have intervals and tests, adjusted for their number; the ranking says
    which ranks these data settle.
    """
    from tallymark.cli.running import show

    reads = [file, *(Path(one.partition("=")[2] or one) for one in asked["predictions"])]
    show(lambda: _evaluated(file, asked), out, as_json=as_json, reads=reads)


def _evaluated(
    file: Path, asked: Mapping[str, Any]
) -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
    """Return what was found, and which rows were not used."""
    from tallymark.cli.progress import progress
    from tallymark.cli.running import reading_of, settings_of
    from tallymark.evaluation.asked import ASKED, Asked
    from tallymark.evaluation.comparison.compare import read_joined
    from tallymark.evaluation.comparison.contest import compare_scores

    settings = settings_of(asked)
    wanted = Asked(**{key: asked[key] for key in ASKED if key in asked})
    roles, reading = reading_of(asked)
    with progress() as report:
        scores = read_joined(file, roles, asked["predictions"], reading)
        found = compare_scores(scores, settings, wanted, by=asked["by"], progress=report)
    return found, scores.excluded
