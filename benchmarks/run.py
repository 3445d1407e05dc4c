"""Speed beside other programs, written to results.md, and the targets, written to targets.md.

Everything is measured in programs of its own; this one only starts them and compares.
"""

import compileall
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import targets
from clock import Used, program, programs_side_by_side
from peers import IRRCAC, PINGOUIN, found_by
from report import Measured, Panels, write

HERE = Path(__file__).parent
SIZES = ("1000", "100000", "1000000")

TALLYMARK = "from tallymark.cli.main import main; main()"
EMPTY_CLICK = "import click; click.version_option('1')(click.command()(lambda: None))()"
SCAN = "from files import scan; import sys; scan(sys.argv[1])"
EVALUATE = (
    "import sys, tallymark; "
    "tallymark.evaluate(sys.argv[1], humans=['h1', 'h2'], systems=['engine'], scale='1:6')"
)


def main() -> None:
    compileall.compile_dir(HERE.parent / "src", quiet=1)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(HERE), os.environ.get("PYTHONPATH")])
    )
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    with TemporaryDirectory() as name:
        folder = Path(name)
        _say("making scores")
        program([str(HERE / "data.py"), name])
        _say("the command line")
        commands = _commands()
        _say("files of a million rows")
        files = {kind: _file(folder / f"{kind}-1000000.csv") for kind in ("whole", "continuous")}
        _say("scores in memory, beside scikit-learn and SciPy (a minute)")
        arrays = json.loads(program([str(HERE / "arrays.py"), name]).output)
        _say("panels, beside krippendorff")
        panels = json.loads(program([str(HERE / "panels.py"), name]).output)
        megabytes = program([str(HERE / "panels.py"), name, "alone"]).megabytes
        _say("scores in memory and panels, beside irrCAC")
        irrcac = found_by(IRRCAC, "irrcac.py", [name, *SIZES])
        _say("intraclass correlations, beside pingouin")
        pingouin = found_by(PINGOUIN, "intraclass.py", [name])
    beside = Panels(panels, irrcac, pingouin, megabytes)
    write(HERE / "results.md", Measured(arrays, irrcac, commands, files, beside))
    targets.main([])


def _say(what: str) -> None:
    print(f"measuring: {what} ...", file=sys.stderr, flush=True)


def _commands() -> dict[str, Used]:
    return programs_side_by_side(
        {
            "empty click": ["-c", EMPTY_CLICK, "--version"],
            "version": ["-c", TALLYMARK, "--version"],
        }
    )


def _file(path: Path) -> dict[str, float]:
    """CPU seconds of the steps, and the memory of whole programs."""
    found: dict[str, float] = json.loads(program([str(HERE / "files.py"), str(path)]).output)
    whole = programs_side_by_side(
        {"scan": ["-c", SCAN, str(path)], "evaluate": ["-c", EVALUATE, str(path)]}, rounds=3
    )
    return found | {f"{name} MB": used.megabytes for name, used in whole.items()}


if __name__ == "__main__":
    main()
