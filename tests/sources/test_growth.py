"""Reading costs what the shape of a table is worth: 60 CPU seconds and 1 GB at most."""

import subprocess
import sys
from pathlib import Path

import pytest

GROWTH = Path(__file__).parents[2] / "benchmarks" / "growth.py"
SHAPES = (
    "2,000 unused columns",
    "one line of 3 GB, packed",
    "1,000 raters, wide",
    "1,000 raters, long",
    "2,000 raters in slots",
    "200 systems",
    "500 prompts",
    "20,000 distinct values",
)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_takes_more_than_a_minute_or_a_gigabyte_to_read(shape):
    ran = subprocess.run(
        [sys.executable, str(GROWTH), "--read", shape], capture_output=True, text=True, check=True
    )
    cells = ran.stdout.splitlines()[-1].split("|")[1:6]
    _, code, seconds, gigabytes, said = (cell.strip() for cell in cells)
    assert code == "0" or said.startswith("refused")
    assert float(seconds) < 60
    assert float(gigabytes) < 1
