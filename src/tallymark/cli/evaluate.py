"""``tallymark evaluate``: how well do systems agree with people, overall and for everyone?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    Command,
    column_options,
    output_options,
    score_options,
    statistic_options,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow, Roles, Scores

EXAMPLES = """\b
Examples:
  tallymark evaluate scores.csv
  tallymark evaluate scores.csv --human h1 --human h2 --system engine --scale 1:6
  tallymark evaluate scores.csv --resolve mean --group gender --out report/
  tallymark evaluate ratings.parquet --response id --rater who --score score --system gpt
  tallymark evaluate scores.csv --config exam.toml --json > evaluation.json

\b
A file for --config holds the same options:
  human = ["h1", "h2"]
  scale = "1:6"
  [prompts."essay 1"]
  scale = "0:12"
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@column_options
@score_options
@statistic_options
@config_option
@output_options
def evaluate(file: Path, out: Path | None, *, as_json: bool, **asked: Any) -> None:
    """Evaluate every system in FILE against the people who scored the same responses.

    FILE is CSV, TSV, Parquet, JSON lines or Excel: one row per response with a column for each
    rater and system, or one row per rating.
    """
    from tallymark.cli.printing import line_width, print_lines
    from tallymark.render.files import check_folder, write_folder
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal
    from tallymark.render.text import summary

    if out is not None:
        check_folder(out)
    found, excluded = _evaluated(file, asked)
    written = [] if out is None else write_folder(found, excluded, out)
    if as_json:
        click.echo(found.to_json().encode())  # JSON is UTF-8, whatever the terminal speaks
        return
    lines = summary(found, width=line_width())
    if out is not None:
        lines.append(Line(f"{len(written)} files written to {literal(str(out))}"))
    print_lines(lines)


def _evaluated(
    file: Path, asked: Mapping[str, Any]
) -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
    """Return what was found, and which rows were not used."""
    from tallymark.cli.progress import progress
    from tallymark.evaluation.evaluate import evaluate_scores
    from tallymark.evaluation.names import find
    from tallymark.inference import Settings

    settings = Settings(**{key: asked[key] for key in ("level", "interval", "replicates", "seed")})
    for name in asked["statistics"]:  # a misspelt name is told before the data are read
        find(name)
    with progress() as report:
        scores = _scores(file, asked)
        found = evaluate_scores(
            scores,
            settings,
            statistics=asked["statistics"],
            cross=asked["cross"],
            progress=report,
        )
    return found, scores.excluded


def _scores(file: Path, asked: Mapping[str, Any]) -> "Scores":
    from tallymark.sources import PromptOptions, read_scores

    same = ("scale", "system_scale", "resolve", "adjudication", "adjacency", "missing", "exclude")
    prompts = {
        prompt: PromptOptions(**{_keyword(key): value for key, value in own.items()})
        for prompt, own in dict(asked["prompts"] or {}).items()
    }
    return read_scores(
        file, roles=_roles(asked), prompts=prompts, **{key: asked[key] for key in same}
    )


def _keyword(key: str) -> str:
    return "lambda_" if key == "lambda" else key


def _roles(asked: Mapping[str, Any]) -> "Roles":
    from tallymark.sources import Roles

    single = ("gold", "prompt", "trait", "cluster", "fold", "id", "response", "rater", "score")
    return Roles(
        humans=asked["humans"],
        systems=asked["systems"],
        groups=asked["groups"],
        confidences=dict(asked["confidences"]),
        repeats={name: (columns,) for name, columns in dict(asked["repeats"]).items()},
        **{key: asked[key] for key in single},
    )
