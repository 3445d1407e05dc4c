"""The average row of the benchmark table is that of Uto (2026), Table 2: the plain mean of eight prompts."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.verdict.benchmark import benchmark, benchmark_rows
from tests.verdict.uto import AVERAGE, HALF, eighth, printed


def test_one_prompt_gives_all_three_averages_as_plain_means():
    fits = eighth()
    assert fits
    assert max(fits) - min(fits) < 0.005


def test_the_average_row_of_eight_prompts_with_these_ceilings_is_as_printed():
    ceilings, n = [*printed()[:, 0], float(np.mean(eighth()))], 400
    table: dict[str, list[float]] = {"prompt": [], "h1": [], "h2": [], "engine": []}
    truth, side = np.repeat(np.linspace(2, 8, n // 2), 2), np.tile([1.0, -1.0], n // 2)
    for prompt, ceiling in enumerate(ceilings, start=1):
        off = side * math.sqrt(truth.var(ddof=1) * (1 - ceiling**2))
        table["prompt"] += [prompt] * n
        table["h1"] += (truth + off).tolist()
        table["h2"] += (truth - off).tolist()
        table["engine"] += truth.tolist()
    found = tm.evaluate(
        table, humans=["h1", "h2"], systems="engine", prompt="prompt", resolve="mean"
    )
    shown = benchmark(found)
    assert shown is not None
    columns, rows = benchmark_rows(shown)
    average = dict(zip(columns, rows[-1], strict=True))
    assert average["prompt"] == "Avg."
    assert average["theoretical"] == pytest.approx(AVERAGE["theoretical"], abs=HALF)
    # the ceilings are printed to three decimals; the goldens allow .0015 for it
    assert average["human-like"] == pytest.approx(AVERAGE["human-like"], abs=0.0015)
