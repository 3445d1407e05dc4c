"""What an evaluation holds at once does not grow with runs, points, prompts or systems."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tallymark.catalogue import find
from tallymark.study.units import Rows, units_of

TARGETS = Path(__file__).parents[2] / "benchmarks" / "targets.py"


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["repeats", "twelve", "five", "compare", "raters", "millions"])
def test_no_shape_takes_more_than_300_megabytes_above_the_interpreter(shape):
    ran = subprocess.run(
        [sys.executable, str(TARGETS), "--only", shape], capture_output=True, text=True, check=True
    )
    lines = [line.split("|") for line in ran.stdout.splitlines() if "MB above" in line]
    assert lines
    for _, what, megabytes, *_ in lines:
        assert float(megabytes) <= 300, what


def test_wide_units_are_dealt_into_fewer_shards():
    # 20 raters on 10 points: 190 pairs with 21 sums each
    rng = np.random.default_rng(3)
    for n in (2000, 3000, 5000):
        scores = rng.integers(1, 11, (n, 20)).astype(float)
        rows = Rows(scores, np.ones(n, np.int64), np.arange(1.0, 11.0))
        units = units_of("pairwise", rows, [find("mean_pairwise_kappa")])
        assert units.rows.size <= 10_000_000
        assert units.n == n


def test_rows_that_stand_for_many_responses_are_units_themselves():
    # dealt one by one, 400 million responses would take gigabytes
    rng = np.random.default_rng(4)
    scores = np.round(rng.standard_normal((5000, 2)), 4)
    rows = Rows(scores, np.full(5000, 80_000), np.array([-5.0, 5.0]))
    units = units_of("moments", rows)
    assert (units.kind, units.times.size, units.n) == ("responses", 5000, 400_000_000)
