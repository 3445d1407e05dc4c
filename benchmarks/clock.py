"""CPU seconds of calls side by side, and of whole programs."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any, NamedTuple


class Used(NamedTuple):
    """What a program used."""

    seconds: float
    megabytes: float
    output: str


def side_by_side(
    calls: Mapping[str, Callable[[], Any]], *, enough: float = 2.0
) -> dict[str, float]:
    """Return the best CPU seconds of each call.

    The calls take turns, so that a slow moment of the machine meets all of them; each is made at
    least three times, and cheap ones until they took ``enough`` seconds together.
    """
    best = dict.fromkeys(calls, float("inf"))
    spent, rounds = 0.0, 0
    while rounds < 3 or (spent < enough and rounds < 200):
        for name, call in calls.items():
            start = process_time()
            call()
            took = process_time() - start
            best[name] = min(best[name], took)
            spent += took
        rounds += 1
    return best


def programs_side_by_side(
    programs: Mapping[str, Sequence[str]], *, rounds: int = 7
) -> dict[str, Used]:
    """Return the best run of each program; they take turns."""
    runs: dict[str, list[Used]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, arguments in programs.items():
            runs[name].append(program(arguments))
    return {name: min(found) for name, found in runs.items()}


LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(pid, 0)
with open(int(sys.argv[1]), "w") as out:
    print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=out)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A program's peak memory counts from that of the one which started it: start it from a small one."""


def program(arguments: Sequence[str], *, python: str = sys.executable) -> Used:
    """Run Python with these arguments; its CPU time and memory come from the system."""
    reading, writing = os.pipe()
    launcher = [sys.executable, "-S", "-E", "-c", LAUNCHER, str(writing), python, *arguments]
    ran = subprocess.run(
        launcher, stdout=subprocess.PIPE, text=True, pass_fds=[writing], check=False
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        seconds, memory = map(float, told.read().split())
    if ran.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with exit code {ran.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, kilobytes elsewhere
    return Used(seconds, memory / unit, ran.stdout)
