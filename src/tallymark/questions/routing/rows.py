"""Decisions as rows: one for each response, in a frame or in a file."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tallymark.errors import OptionError
from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.decisions import Decisions, Floats
from tallymark.results.cells import csv_lines, inert

ACCEPT, HUMAN = "accept", "human"


def columns_of(decisions: Decisions) -> dict[str, Sequence[Any]]:
    """Return the columns of the decisions; the id is the row where there is none."""
    n, prompts = decisions.confidence.size, decisions.prompts
    return {
        "id": range(1, n + 1) if decisions.ids is None else decisions.ids.tolist(),
        "prompt": [None] * n if prompts is None else prompts.tolist(),
        "score": [
            score if score is None else decisions.scale.called(score)
            for score in _known(decisions.scores)
        ],
        "confidence": _known(decisions.confidence),
        "decision": [ACCEPT if yes else HUMAN for yes in decisions.accepted.tolist()],
        "reason": decisions.reasons.tolist(),
    }


def _known(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124 - NaN


def write_decisions(decisions: Decisions, routing: Routing, path: "str | os.PathLike[str]") -> None:
    """Write one line per response, whole or not at all; a device or link is written to."""
    path = Path(path)
    plain = not path.is_symlink() and (path.is_file() or not path.exists())
    written = path.with_name(f".{path.name}.{os.getpid()}.part") if plain else path
    try:
        with written.open("w", encoding="utf-8", newline="") as file:
            file.writelines(csv_lines(map(inert, line) for line in _lines(decisions, routing)))
        if plain:
            written.replace(path)
    except OSError as problem:
        raise OptionError(f"cannot write {path}: {problem.strerror or problem}") from None
    finally:
        if plain:
            written.unlink(missing_ok=True)


def _lines(decisions: Decisions, routing: Routing) -> Iterator[tuple[Any, ...]]:
    """The names of the columns as the calibration has them, then the rows."""
    mapped = "" if routing.system_scale is None else "_on_gold_scale"
    names = {"id": "row" if routing.id is None else routing.id, "prompt": routing.prompt}
    names["score"] = f"{routing.system}{mapped}"
    columns = columns_of(decisions)
    if decisions.prompts is None or routing.prompt is None:
        del columns["prompt"]
    yield tuple(names.get(name, name) for name in columns)
    yield from zip(*columns.values(), strict=True)
