"""A small experiment whose numbers can be checked by hand, and ways to run it."""

import csv
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tallymark.cli.main import main
from tallymark.rsmtool.rsmeval import run_rsmeval

SCORES = """id,h1,h2,score,grade,flag,who
r1,1,1,1.5,A,0,x
r2,2,3,2.5,A,0,x
r3,3,,3.0,B,0,y
r4,4,4,9.0,B,0,y
r5,0,1,1.0,B,0,x
r6,TD,2,2.0,B,0,x
r7,2,2,error,A,0,z
r8,3,3,3.0,,1,z
"""
FIELDS: dict[str, Any] = {
    "experiment_id": "small",
    "predictions_file": "scores.csv",
    "system_score_column": "score",
    "human_score_column": "h1",
    "id_column": "id",
    "trim_min": 1,
    "trim_max": 4,
    "flag_column": {"flag": 0},
}
Table = dict[str, dict[str, str]]
"""Cells by the first cell of their row, then by the heading of their column."""


@pytest.fixture
def configured(tmp_path: Path) -> Callable[..., Path]:
    """``configured(trim_max=6)`` is a configuration beside its scores; None takes a field away."""

    def write(scores: str = SCORES, text: str | None = None, **changes: Any) -> Path:
        (tmp_path / "scores.csv").write_text(scores, "utf-8")
        fields = {**FIELDS, **changes}
        given = {field: value for field, value in fields.items() if value is not None}
        path = tmp_path / "config.json"
        path.write_text(text or json.dumps(given), "utf-8")
        return path

    return write


@pytest.fixture
def tables(configured: Callable[..., Path]) -> Callable[..., dict[str, Table]]:
    """``tables(scale_with="raw")["eval"]`` is a file that RSMTool would write."""

    def run(**changes: Any) -> dict[str, Table]:
        found = run_rsmeval(configured(**changes)).files()
        return {
            name.removeprefix("small_").removesuffix(".csv"): parsed(content.decode())
            for name, content in found.items()
            if name.endswith(".csv")
        }

    return run


def parsed(text: str, delimiter: str = ",") -> Table:
    """Read a table; a table without names of rows is numbered."""
    heading, *rows = csv.reader(text.splitlines(), delimiter=delimiter)
    names = [row[0] for row in rows]
    keys: Sequence[str] = names if len(set(names)) == len(names) else [*map(str, range(len(rows)))]
    return {key: dict(zip(heading, row, strict=True)) for key, row in zip(keys, rows, strict=True)}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., tuple[Any, str, str]]]:
    """``run("rsmeval", ...)`` is the exit code, the output and the error output."""

    def run_here(*args: object) -> tuple[Any, str, str]:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    before = signal.getsignal(signal.SIGINT)
    yield run_here
    signal.signal(signal.SIGINT, before)
