"""``tallymark evaluate``: how well do systems agree with people, overall and for everyone?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    option,
    output_options,
    system_options,
    verdict_options,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow, Scores
    from tallymark.sources.worst import Worst

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
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@system_options
@verdict_options
@config_option
@option(OUTPUT, "--full", None, "Print all that was found.", is_flag=True)
@output_options
def evaluate(
    file: Path,
    out: Path | None,
    *,
    policy: str | None,
    gate: bool,
    summary: Path | None,
    full: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Evaluate every system in FILE against the people who scored the same responses.

    FILE is CSV, TSV, Parquet, JSON lines or Excel: one row per response with a column for each
    rater and system, or one row per rating.
    """
    from tallymark.cli.running import policy_named, show

    limits = policy_named(policy, gate=gate)
    more: dict[str, str | bytes] = {}

    def run() -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
        from tallymark.evaluation.verdict.judged import judged
        from tallymark.render.tables import disagreements_csv

        found, scores = _evaluated(file, asked, "ids" if out is None else "rows")
        more["disagreements.csv"] = disagreements_csv(scores.worst)
        return (found if limits is None else judged(found, limits)), scores.excluded

    show(
        run,
        out,
        as_json=as_json,
        reads=[file, *([] if policy is None else [Path(policy)])],
        markdown_to=summary,
        more=more,
        gate=gate,
        full=full,
    )


def _evaluated(file: Path, asked: Mapping[str, Any], worst: "Worst") -> "tuple[Evaluation, Scores]":
    """Return what was found, and the scores as they were read."""
    from tallymark.analyses.evaluate import evaluate_scores
    from tallymark.cli.progress import progress
    from tallymark.cli.running import scores_of, settings_of
    from tallymark.evaluation.asked import ASKED, Asked

    settings = settings_of(asked)
    wanted = Asked(**{key: asked[key] for key in ASKED if key in asked})
    with progress() as report:
        scores = scores_of(file, asked, worst=worst)
        found = evaluate_scores(scores, settings, wanted, progress=report)
    return found, scores
