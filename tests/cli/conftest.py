"""Running the command line, in this process or as a program of its own."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tallymark.cli.main import main

SCORES = "id,h1,engine,gender\n" + "".join(
    f"R{i},{1 + i % 4},{1 + (i * 7) % 4},{'xy'[i % 2]}\n" for i in range(40)
)


class Ended(NamedTuple):
    """How a run ended and what it wrote."""

    code: str | int | None
    out: str
    err: str


@pytest.fixture
def run(capsys) -> Iterator[Callable[..., Ended]]:
    """``run("evaluate", "x.csv")`` runs the command line in this process."""

    def run_here(*args):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Ended(end.value.code, out, err)

    before = signal.getsignal(signal.SIGINT)
    yield run_here
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def program():
    """``program("--version")`` runs the command line as a program of its own."""

    def run_there(*args, **settings):
        return subprocess.run(
            [sys.executable, "-m", "tallymark", *map(str, args)],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
            **settings,
        )

    return run_there


@pytest.fixture
def scores(tmp_path):
    """A small file of scores."""
    path = tmp_path / "scores.csv"
    path.write_text(SCORES, "utf-8")
    return path
