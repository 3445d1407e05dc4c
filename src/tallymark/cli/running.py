"""What commands share between parsing and rendering: reading the scores and showing the result."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from tallymark import sources
from tallymark.cli.printing import line_width, print_lines
from tallymark.inference import Settings
from tallymark.render.files import check_folder, write_folder
from tallymark.render.layout import Line
from tallymark.render.literal import literal
from tallymark.render.text import summary
from tallymark.results import Evaluation
from tallymark.sources import ExcludedRow, PromptOptions, Roles, Scores

_SETTINGS = ("level", "interval", "replicates", "seed")
_READING = (
    "scale", "system_scale", "resolve", "adjudication", "adjacency", "missing", "exclude",
    "exclude_zero", "flags", "candidate", "min_items",
)  # fmt: skip
_LISTS = ("humans", "systems", "groups")
_SINGLE = (
    "gold", "prompt", "trait", "cluster", "fold", "batch", "id", "response", "rater", "score",
)  # fmt: skip


def show(
    run: Callable[[], tuple[Evaluation, tuple[ExcludedRow, ...]]],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Run an analysis; print its summary or JSON, and write its files when a folder is named."""
    if out is not None:
        check_folder(out)
    found, excluded = run()
    written = [] if out is None else write_folder(found, excluded, out)
    if as_json:
        click.echo(found.to_json().encode())  # JSON is UTF-8, whatever the terminal speaks
        return
    lines = summary(found, width=line_width())
    if out is not None:
        lines.append(Line(f"{len(written)} files written to {literal(str(out))}"))
    print_lines(lines)


def settings_of(asked: Mapping[str, Any]) -> Settings:
    """Return how intervals are made."""
    return Settings(**{key: asked[key] for key in _SETTINGS})


def scores_of(file: Path, asked: Mapping[str, Any], *, people_only: bool = False) -> Scores:
    """Read the scores with those options that the command has."""
    prompts = {
        prompt: PromptOptions(**{_keyword(key): value for key, value in own.items()})
        for prompt, own in dict(asked["prompts"] or {}).items()
    }
    reading = {key: asked[key] for key in _READING if key in asked}
    if "flags" in reading:
        flags = dict(reading["flags"])
        reading["flags"] = {column: kept.split(",") for column, kept in flags.items()}
    roles = _roles(asked)
    return sources.read_scores(
        file, roles=roles, prompts=prompts, people_only=people_only, **reading
    )


def _keyword(key: str) -> str:
    return "lambda_" if key == "lambda" else key


def _roles(asked: Mapping[str, Any]) -> Roles:
    named = {key: asked[key] for key in (*_LISTS, *_SINGLE) if key in asked}
    repeats = dict(asked.get("repeats", {}))
    return Roles(
        confidences=dict(asked.get("confidences", {})),
        repeats={name: (columns,) for name, columns in repeats.items()},
        **named,
    )
