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


@pytest.fixture(scope="session")
def calibration(tmp_path_factory):
    """A file of 600 labelled responses."""
    return write(tmp_path_factory.mktemp("calibration") / "cal.csv", responses(600, 1))


ASKED = (
    "--human", "h1", "--system", "engine", "--confidence", "sure", "--scale", "1:6",
    "--lambda", ".4", "--alpha", ".05",
)  # fmt: skip


@pytest.fixture(scope="session")
def routing(calibration):
    """A routing file made from them."""
    out = calibration.parent / "routing.json"
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["route", "certify", str(calibration), *ASKED, "--out", str(out)])
    return out
