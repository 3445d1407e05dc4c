"""Beside RSMTool's rsmeval: ``python benchmarks/rsmeval.py`` writes rsmeval.md.

Makes an environment for RSMTool, or takes the Python that TALLYMARK_RSMTOOL names; says why when
it cannot. Both programs evaluate the same configurations, with two raters and a group column.
"""

import compileall
import json
import os
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from clock import Used, program
from peers import environment

HERE = Path(__file__).parent
PACKAGES = ("rsmtool==12.0.0", "pandas<3")  # RSMTool 12 fails on files with gaps under pandas 3
SIZES = (200, 100_000)
ROUNDS = 3
OURS = "from tallymark.cli.main import main; main()"
THEIRS = "from rsmtool.rsmeval import main; main()"
CPU_TARGET, MEMORY_TARGET = 30, 300


def main() -> None:
    compileall.compile_dir(HERE.parent / "src", quiet=1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # templates are compiled in the first run
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    python = peer()
    if python is None:
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        found = {size: measured(folder, size, python) for size in SIZES}
    page = _page(found)
    (HERE / "rsmeval.md").write_text(page, "utf-8")
    print(page)


def peer() -> str | None:
    """The Python that has RSMTool; None, and said why, where it cannot be had."""
    return os.environ.get("TALLYMARK_RSMTOOL") or environment(*PACKAGES)


def measured(folder: Path, size: int, peer: str) -> dict[str, Used]:
    """The best of some runs of each program; they take turns."""
    configuration = _experiment(folder, size)
    commands = {
        "Tallymark": (sys.executable, OURS, "rsmeval", str(folder / f"ours{size}")),
        "RSMTool": (peer, THEIRS, "run", str(folder / f"theirs{size}")),
    }
    runs: dict[str, list[Used]] = {name: [] for name in commands}
    for i in range(ROUNDS):
        for name, (python, code, word, out) in commands.items():
            print(f"measuring: {size} rows, {name}, run {i + 1} ...", file=sys.stderr, flush=True)
            arguments = ["-c", code, word, str(configuration), out, "-f"]
            runs[name].append(program(arguments, python=python))
    return {name: min(found) for name, found in runs.items()}


def _experiment(folder: Path, size: int) -> Path:
    """Human scores 1 to 6, a second one for three in ten, and unrounded system scores."""
    rng = random.Random(1)
    lines = ["id,h1,h2,score,group"]
    for i in range(size):
        true = rng.gauss(3.5, 1)
        human = [min(max(round(true + rng.gauss(0, 0.5)), 1), 6) for _ in range(2)]
        second = human[1] if rng.random() < 0.3 else ""
        group = rng.choices("ABCD", (4, 3, 2, 1))[0]
        lines.append(f"r{i},{human[0]},{second},{true + rng.gauss(0, 0.5)!r},{group}")
    (folder / f"scores{size}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    fields = {
        "experiment_id": f"rows{size}",
        "predictions_file": f"scores{size}.csv",
        "system_score_column": "score",
        "human_score_column": "h1",
        "second_human_score_column": "h2",
        "id_column": "id",
        "trim_min": 1,
        "trim_max": 6,
        "subgroups": ["group"],
    }
    path = folder / f"rows{size}.json"
    path.write_text(json.dumps(fields), "utf-8")
    return path


def _page(found: dict[int, dict[str, Used]]) -> str:
    lines = [
        "# Beside RSMTool's rsmeval",
        "",
        "Whole programs in one run, best of three, two raters and one column of four groups. RSMTool",
        "12 writes its report and gives no intervals; Tallymark writes the same tables, and an",
        "interval for each statistic. Memory is that of the largest process. Written by",
        "`python benchmarks/rsmeval.py`.",
        "",
        "| rows | RSMTool, CPU s | Tallymark, CPU s | times less | target | RSMTool, MB | Tallymark, MB | at most |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for size, used in found.items():
        theirs, ours = used["RSMTool"], used["Tallymark"]
        lines.append(
            f"| {size:,} | {theirs.seconds:.1f} | {ours.seconds:.2f} | "
            f"{theirs.seconds / ours.seconds:.0f} | {CPU_TARGET} | {theirs.megabytes:.0f} | "
            f"{ours.megabytes:.0f} | {MEMORY_TARGET} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
