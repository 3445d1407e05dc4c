"""The command line, in this process."""

import pytest

from tallymark.cli.main import main
from tests.routing.data import responses, write


@pytest.fixture
def run(capsys):
    """``run("route", "certify", ...)`` returns the exit code and what was printed."""

    def run_here(*args):
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return end.value.code, " ".join((out + err).split())

    return run_here


@pytest.fixture
def calibration(tmp_path):
    """A file of 600 labelled responses."""
    return write(tmp_path / "cal.csv", responses(600, 1))


ASKED = (
    "--human", "h1", "--system", "engine", "--confidence", "sure", "--scale", "1:6",
    "--lambda", ".4", "--alpha", ".05",
)  # fmt: skip


@pytest.fixture
def routing(tmp_path, calibration, run):
    """A routing file made from them."""
    out = tmp_path / "routing.json"
    code, _ = run("route", "certify", calibration, *ASKED, "--out", out)
    assert code == 0
    return out
