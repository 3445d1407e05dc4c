"""``tallymark evaluate``: how well do systems agree with people, overall and for everyone?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    asked,
    option,
    output_options,
    verdict_options,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow

EXAMPLES = """\b
Examples:
  tallymark evaluate scores.csv
  tallymark evaluate scores.csv --human h1 --human h2 --system engine --scale 1:6
  tallymark evaluate scores.csv --resolve mean --group gender --out report/
  tallymark evaluate ratings.parquet --response id --rater who --score score --system gpt
  tallymark evaluate scores.csv --policy williamson2012 --gate --summary verdict.md
  tallymark evaluate scores.csv --config exam.toml --json > evaluation.json

\b
A file for --config holds the same options:
  human = ["h1", "h2"]
  scale = "1:6"
  [prompts."essay 1"]
  scale = "0:12"
  system-scale = "0:100"
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@asked("evaluate")
@verdict_options
@config_option("evaluate")
@option(OUTPUT, "--full", None, "Print all results.", is_flag=True)
@output_options
def evaluate(
    file: Path,
    out: Path | None,
    *,
    gate: bool,
    summary: Path | None,
    full: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Evaluate every system in FILE against the people who scored the same responses.

    FILE is CSV, TSV, Parquet, JSON lines or Excel: one row per response with a column for each
    rater and system, or one row per rating.
    """
    from tallymark.cli.running import check_gate, show
    from tallymark.study.request import Request

    request, more = Request.of("evaluate", given), dict[str, str | bytes]()
    check_gate(request.policy, gate=gate)

    def run() -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
        from tallymark.analyses.evaluate import evaluated
        from tallymark.cli.progress import progress

        with progress() as report:
            result = evaluated(
                file, request, listed="ids" if out is None else "rows", progress=report
            )
        if out is not None:
            from tallymark.analyses.files import disagreements_csv

            more["disagreements.csv"] = disagreements_csv(result.worst, result.scale)
        return result.evaluation, result.excluded

    show(
        run,
        out,
        as_json=as_json,
        markdown_to=summary,
        more=more,
        gate=gate,
        full=full,
    )
