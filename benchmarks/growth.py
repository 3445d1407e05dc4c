"""What a shape costs that nobody asked for: CPU seconds and memory of one command on each.

python benchmarks/growth.py [--read] [NAME ...] (with --read, files are only read): each shape runs
in a process of its own, which is ended after 120 CPU seconds or at 8 GB; the target is 60 s and
1 GB, or a refusal that names the option that helps. What was measured: growth.md.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

LIMITED = ["prlimit", "--cpu=120", f"--as={8 << 30}"]
READ = """
import sys
from tallymark.errors import TallymarkError
from tallymark.sources import Roles, read_scores
path, command, *more = sys.argv[1:]
try:
    read_scores(path, roles=Roles(groups=tuple(more[1:])), people_only=command == "raters")
except TallymarkError as error:
    sys.exit(f"refused: {error}")
"""
RNG = np.random.default_rng(1)
Lines = Iterable[Iterable[object]]


def write(path: Path, rows: Lines) -> None:
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")


def near(true: np.ndarray, points: int = 4) -> np.ndarray:
    return np.clip(true + RNG.integers(-1, 2, true.shape), 1, points)


def unused(path: Path, columns: int) -> list[str]:
    true = RNG.integers(1, 5, 50)
    rows = np.column_stack([near(true), near(true), RNG.random((50, columns)).round(4)])
    write(path, [["h1", "engine", *(f"feature{i}" for i in range(columns))], *rows.tolist()])
    return ["evaluate"]


def many(path: Path, count: int, key: str, rows: int = 5000) -> list[str]:
    true = RNG.integers(1, 5, rows)
    cells = np.column_stack([near(true), near(true), near(true), RNG.integers(0, count, rows)])
    write(path, [["h1", "h2", "engine", key], *cells.tolist()])
    return ["evaluate"]


def values(path: Path, count: int) -> list[str]:
    true = RNG.permutation(count) / count
    cells = np.column_stack([true, true + RNG.normal(0, 0.1, count)]).round(9)
    write(path, [["h1", "engine"], *cells.tolist()])
    return ["evaluate"]


def systems(path: Path, count: int) -> list[str]:
    true = RNG.integers(1, 5, 300)
    cells = np.column_stack([near(true), near(true), *(near(true) for _ in range(count))])
    write(path, [["h1", "h2", *(f"system_{i}" for i in range(count))], *cells.tolist()])
    return ["evaluate"]


def wide_raters(path: Path, count: int) -> list[str]:
    true = RNG.integers(1, 5, 300)
    cells = np.column_stack([near(true) for _ in range(count)])
    write(path, [[f"rater{i}" for i in range(count)], *cells.tolist()])
    return ["raters"]


def long_raters(path: Path, count: int) -> list[str]:
    responses = max(500, 2 * count)
    true = RNG.integers(1, 5, responses)
    rows = [
        [f"r{i}", f"p{rater}", int(near(true[i : i + 1])[0])]
        for i in range(responses)
        for rater in RNG.choice(count, 3, replace=False)
    ]
    write(path, [["response", "rater", "score"], *rows])
    return ["raters"]


def pool(path: Path, count: int) -> list[str]:
    true = RNG.integers(1, 5, 6000)
    who = RNG.integers(0, count, (6000, 2))
    cells = np.column_stack([near(true), near(true), near(true)])
    rows = [[a, f"p{x}", b, f"q{y}", c] for (a, b, c), (x, y) in zip(cells, who, strict=True)]
    write(path, [["score_1", "rater_1", "score_2", "rater_2", "engine"], *rows])
    return ["evaluate"]


def endless(path: Path) -> list[str]:
    block = b"1" * (1 << 20)
    with gzip.open(path, "wb") as out:
        out.write(b"h1,engine\n1,1\n")
        for _ in range(3000):
            out.write(block)
    return ["evaluate"]


SHAPES: dict[str, tuple[str, Callable[[Path], list[str]]]] = {
    "2,000 unused columns": ("csv", lambda path: unused(path, 2000)),
    "one line of 3 GB, packed": ("csv.gz", endless),
    "100 raters, wide": ("csv", lambda path: wide_raters(path, 100)),
    "1,000 raters, wide": ("csv", lambda path: wide_raters(path, 1000)),
    "200 raters, long": ("csv", lambda path: long_raters(path, 200)),
    "1,000 raters, long": ("csv", lambda path: long_raters(path, 1000)),
    "2,000 raters in slots": ("csv", lambda path: pool(path, 2000)),
    "200 systems": ("csv", lambda path: systems(path, 200)),
    "500 prompts": ("csv", lambda path: many(path, 500, "prompt")),
    "5,000 groups": ("csv", lambda path: [*many(path, 5000, "g", 20000), "--group", "g"]),
    "20,000 distinct values": ("csv", lambda path: values(path, 20000)),
}


def measure(name: str, folder: Path, *, read: bool) -> str:
    ending, make = SHAPES[name]
    path = folder / f"scores.{ending}"
    command, *more = make(path)
    program = ["-c", READ, str(path), command, *more] if read else ["-m", "tallymark", command]
    with (folder / "said").open("wb") as said:
        child = subprocess.Popen(
            [*LIMITED, sys.executable, *program, *([] if read else [str(path), *more])],
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        _, status, used = os.wait4(child.pid, 0)
    words = (folder / "said").read_text("utf-8", "replace").strip()[-150:]
    seconds = used.ru_utime + used.ru_stime
    code = os.waitstatus_to_exitcode(status)
    return f"| {name} | {code} | {seconds:.1f} | {used.ru_maxrss / 1e6:.2f} | {words} |"


def main() -> None:
    print("| shape | exit code | CPU s | GB | said |\n|---|---|---|---|---|")
    asked = [name for name in sys.argv[1:] if name != "--read"]
    for name in asked or SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            print(measure(name, Path(folder), read="--read" in sys.argv), flush=True)


if __name__ == "__main__":
    main()
