"""What Tallymark promises to cost, and what it costs: ``targets.py [--only NAME ...]``.

Every target is a shape of simulated scores (shapes.py) and one command, run in a program of its own;
the system tells its CPU seconds and peak memory. Ratios are taken in one run. All targets together
are written to targets.md; with --only they are printed.
"""

import compileall
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import files
import rsmeval
import shapes
from clock import Used, program, programs_side_by_side
from peers import IRRCAC, found_by

HERE = Path(__file__).parent
TALLYMARK = "from tallymark.cli.main import main; main()"
BARE = ["-c", "pass"]
MEMORY = 300
"""Megabytes above the bare interpreter, whatever the shape."""
PANELS = ("AC2", "Fleiss, quadratic", "alpha, interval")
SCAN = "import sys; from files import scan; scan(sys.argv[1])"


class Line(NamedTuple):
    """A target and what was measured; ``most`` is a limit from above, else from below."""

    what: str
    unit: str
    limit: float
    found: float
    most: bool = True

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.found <= self.limit if self.most else self.found >= self.limit


def run(arguments: Sequence[str]) -> Used:
    """One command of ours."""
    return program(["-c", TALLYMARK, *arguments])


def costs(what: str, arguments: Sequence[str], seconds: float, rounds: int = 1) -> list[Line]:
    """Seconds and memory of a command; the best of some rounds."""
    used = [run(arguments) for _ in range(rounds)]
    above = min(one.megabytes for one in used) - program(BARE).megabytes
    return [
        Line(what, "CPU s", seconds, min(one.seconds for one in used)),
        Line(what, "MB above the interpreter", MEMORY, above),
    ]


def small(folder: Path) -> list[Line]:
    """200 responses: plain, with parts, and with a report."""
    plain, parts = shapes.small(folder), shapes.small_parts(folder)
    commands = {
        "plain": plain,
        "parts": parts,
        "report": [*plain, "--out", str(folder / "report")],
    }
    best = programs_side_by_side(
        {name: ["-c", TALLYMARK, *arguments] for name, arguments in commands.items()}, rounds=5
    )
    more = best["report"].seconds - best["plain"].seconds
    return [
        Line("evaluate, 200 responses", "CPU s", 0.55, best["plain"].seconds),
        Line("evaluate, 200, 4 prompts, 2 groups", "CPU s", 0.9, best["parts"].seconds),
        Line("`--out` on top, 200 responses", "CPU s", 0.25, more),
    ]


def points(folder: Path) -> list[Line]:
    """101 points over six."""
    many, few = (
        min(run(arguments).seconds for _ in range(2))
        for arguments in (shapes.points(folder, "0:100"), shapes.points(folder, "1:6"))
    )
    return [Line("0:100 over 1:6, 3,000 responses", "times", 2, many / few)]


def five(folder: Path) -> list[Line]:
    """Systems by prompts, with a policy."""
    what = "8 prompts x 5 systems x 13,000 responses, policy"
    return costs(what, shapes.five_systems(folder), 8)


def compare(folder: Path) -> list[Line]:
    """Many systems against each other."""
    return costs("compare 29 systems x 10 prompts x 5,224", shapes.compared(folder), 8)


def repeats(folder: Path) -> list[Line]:
    """Many runs of one system, on few points and on many."""
    few = costs("20 runs x 1,395 responses, 1:6", shapes.repeats(folder, "1:6"), 3)
    return few + costs("20 runs x 1,395 responses, 0:100", shapes.repeats(folder, "0:100"), 3)


def raters(folder: Path) -> list[Line]:
    """Many raters who all rated everything; memory only."""
    return costs("raters 20 x 5,000 responses, 1:10", shapes.twenty_raters(folder), 8)[1:]


def twelve(folder: Path) -> list[Line]:
    """Systems by many prompts."""
    return costs("12 systems x 86 prompts x 3,430", shapes.twelve_systems(folder), 5)


def millions(folder: Path) -> list[Line]:
    """Ten million rows of a Parquet file beside DuckDB's GROUP BY of the same columns."""
    arguments = shapes.parquet(folder, 100)
    bare = min(program(["-c", SCAN, arguments[1]]).seconds for _ in range(2))
    seconds, memory = costs("10M Parquet rows", arguments, bare + 2, rounds=2)
    return [seconds._replace(what=f"10M Parquet rows (GROUP BY: {bare:.2f} s)"), memory]


def rows(folder: Path) -> list[Line]:
    """Statistics of ten million rows over those of 100,000, and reading over a GROUP BY."""
    many, few = (
        json.loads(program([str(HERE / "files.py"), shapes.parquet(folder, times)[1]]).output)
        for times in (100, 1)
    )
    ratio = many["statistics"] / few["statistics"]
    read, ids = (many[what] / many["scan"] for what in ("read", "read with unique ids"))
    return [
        Line("statistics once tallied, 10M rows over 100,000", "times", 1.5, ratio),
        Line("reading 10M rows over DuckDB's GROUP BY", "times", 2, read),
        Line("the same, ids checked for duplicates (--id)", "times", 20, ids),
    ]


def hundred(folder: Path) -> list[Line]:
    """A hundred million rows of a Parquet file, and what the check of ids adds."""
    arguments = shapes.parquet(folder, 1000)
    best = programs_side_by_side(
        {"bare": ["-c", SCAN, arguments[1]], "ours": ["-c", TALLYMARK, *arguments]}, rounds=3
    )
    bare, used = best["bare"].seconds, best["ours"]
    few, many = (_after(shapes.parquet(folder, times)[1]) for times in (10, 1000))
    named = files.with_ids(arguments[1])
    Path(arguments[1]).unlink()
    checked = run([arguments[0], named, *arguments[2:], "--id", "id"])
    what = f"100M Parquet rows with intervals (GROUP BY: {bare:.2f} s)"
    return [
        Line(what, "CPU s", 1.6 * bare + 2, used.seconds),
        Line("100M Parquet rows with intervals", "MB", 500, used.megabytes),
        Line("statistics once tallied, 100M rows over 1M", "times", 1.2, many / few),
        Line(
            "100M Parquet rows, ids checked (--id), no target", "CPU s", math.inf, checked.seconds
        ),
    ]


def _after(path: str) -> float:
    """CPU seconds of the statistics of a file that was read."""
    return float(
        json.loads(program([str(HERE / "files.py"), path, "statistics"]).output)["statistics"]
    )


def text(folder: Path) -> list[Line]:
    """Ten million rows of a CSV file beside DuckDB's GROUP BY of the same columns."""
    arguments = shapes.parquet(folder, 100, ending="csv")
    best = programs_side_by_side(
        {"bare": ["-c", SCAN, arguments[1]], "ours": ["-c", TALLYMARK, *arguments]}, rounds=2
    )
    bare, what = best["bare"].seconds, "10M CSV rows with intervals"
    return [
        Line(f"{what} (GROUP BY: {bare:.2f} s)", "CPU s", 1.4 * bare + 2, best["ours"].seconds),
        Line(what, "MB", 500, best["ours"].megabytes),
    ]


def panels(folder: Path) -> list[Line]:
    """Ten raters of 100,000 responses with intervals, beside irrCAC."""
    program([str(HERE / "data.py"), str(folder), "panels"])
    theirs = found_by(IRRCAC, "irrcac.py", [str(folder)])
    if not theirs:
        return []
    ours = json.loads(program([str(HERE / "panels.py"), str(folder), "intervals"]).output)
    least = min(theirs[what] / ours[f"{what} with interval"] for what in PANELS)
    what = "panel of 10 x 100,000 with interval, times faster than irrCAC"
    return [Line(what, "times", 3, least, most=False)]


def beside_rsmtool(folder: Path) -> list[Line]:
    """Whole runs of rsmeval."""
    peer = rsmeval.peer()
    if peer is None:
        return []
    found = {size: rsmeval.measured(folder, size, peer) for size in rsmeval.SIZES}
    return [
        Line(
            f"rsmeval, {size:,} rows, times less CPU than RSMTool 12",
            "times",
            30,
            used["RSMTool"].seconds / used["Tallymark"].seconds,
            most=False,
        )
        for size, used in found.items()
    ]


TARGETS: dict[str, Callable[[Path], list[Line]]] = {
    "small": small,
    "points": points,
    "five": five,
    "compare": compare,
    "repeats": repeats,
    "raters": raters,
    "twelve": twelve,
    "millions": millions,
    "rows": rows,
    "hundred": hundred,
    "text": text,
    "panels": panels,
    "rsmeval": beside_rsmtool,
}
HEAD = """\
# Targets

Written by `make bench`, from one run: CPU seconds and peak memory of whole programs on simulated
scores, one thread for linear algebra, byte code compiled. Shapes are in `benchmarks/shapes.py`;
`python benchmarks/targets.py --only NAME` measures one ({names}).

|  | measured | target |  | met |
| --- | --: | --: | --- | --- |
"""


def written(lines: Sequence[Line]) -> str:
    """The rows of the table."""
    return "".join(
        f"| {line.what} | {line.found:.3g} | {'at most' if line.most else 'at least'} "
        f"{line.limit:.3g} | {line.unit} | {'yes' if line.met else '**no**'} |\n"
        for line in lines
    )


def main(asked: Sequence[str]) -> None:
    """Measure the targets that are asked for, or all of them."""
    unknown = set(asked) - set(TARGETS)
    if unknown:
        sys.exit(f"unknown target {min(unknown)!r}; choose from {', '.join(TARGETS)}")
    compileall.compile_dir(HERE.parent / "src", quiet=1)
    more = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(more)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # templates are compiled in the first run
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    page = HEAD.format(names=", ".join(TARGETS))
    for name in asked or TARGETS:
        print(f"measuring: {name} ...", file=sys.stderr, flush=True)
        with TemporaryDirectory() as folder:
            found = written(TARGETS[name](Path(folder)))
        print(found, end="", flush=True)
        page += found
    if not asked:
        (HERE / "targets.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--only"])
