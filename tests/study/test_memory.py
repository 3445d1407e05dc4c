"""What an evaluation holds at once does not grow with runs, points, prompts or systems."""

import subprocess
import sys
from pathlib import Path

import pytest

TARGETS = Path(__file__).parents[2] / "benchmarks" / "targets.py"


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["repeats", "twelve", "five", "compare"])
def test_no_shape_takes_more_than_300_megabytes_above_the_interpreter(shape):
    ran = subprocess.run(
        [sys.executable, str(TARGETS), "--only", shape], capture_output=True, text=True, check=True
    )
    lines = [line.split("|") for line in ran.stdout.splitlines() if "MB above" in line]
    assert lines
    for _, what, megabytes, *_ in lines:
        assert float(megabytes) <= 300, what
