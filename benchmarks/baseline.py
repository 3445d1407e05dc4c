"""Reference scorers on 13,000 generated essays of 300 words: time and memory of the whole command.

python benchmarks/baseline.py    writes benchmarks/baseline.md
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import tallymark as tm
from tallymark.results.cells import csv_of_columns

ESSAYS, WORDS, PROMPTS = 13_000, 300, 8
PAUSE = 0.5
"""Seconds between two looks at what the command and its workers hold."""
PAGE = Path(__file__).with_suffix(".md")
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    with TemporaryDirectory() as folder:
        file, out = Path(folder) / "essays.csv", Path(folder) / "floor"
        made = tm.simulation.corpus(ESSAYS, prompts=PROMPTS, words=WORDS).columns()
        columns = [[name, *map(str, cells)] for name, cells in made.items()]
        file.write_text(csv_of_columns(columns), "utf-8")
        asked = ["--text", "text", "--human", "h1", "--human", "h2", "--prompt", "prompt"]
        command = [sys.executable, "-m", "tallymark", "baseline", str(file), *asked]
        first = _measured([*command, "--out", str(out)])
        again = _measured([*command, "--out", str(out)])
    text = (
        PAGE.read_text("utf-8").partition("\n| ")[0] if PAGE.exists() else "# Reference scorers\n"
    )
    rows = [f"| {title} | {cpu:.0f} | {wall:.0f} | {load:.1f} | {most:.0f} |" for title, (cpu, wall, load, most) in
            (("from nothing", first), ("again, every fold in the cache", again))]  # fmt: skip
    head = "|  | CPU s | seconds | load | MB |\n| --- | --: | --: | --: | --: |"
    PAGE.write_text("\n".join([text.rstrip() + "\n", head, *rows, ""]), "utf-8")
    print(PAGE.read_text("utf-8"))


def _measured(command: list[str]) -> tuple[float, float, float, float]:
    """CPU seconds, seconds, load of the machine, and the most memory held at once, workers and all."""
    start, cpu, most, loads = time.perf_counter(), {}, 0.0, []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            here = _family(running.pid)
            cpu |= {pid: seconds for pid in here if (seconds := _seconds(pid))}
            most = max(most, sum(map(_held, here)))
            loads.append(os.getloadavg()[0])
            time.sleep(PAUSE)
        if running.returncode:
            raise RuntimeError(f"the command ended with exit code {running.returncode}")
    return sum(cpu.values()), time.perf_counter() - start, sum(loads) / len(loads), most


def _family(pid: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(int(child)))]


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def _held(pid: int) -> float:
    """Megabytes of a process; what several share is divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    main()
