"""The average row of Uto (2026), Table 2: the plain mean of eight prompts, of which seven are goldens.

The eighth is not at hand. If "Avg." is the plain mean, each of its three numbers says what the eighth must be; the
identity of two raters ties the three together, so that one number has to satisfy all.
"""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.verdict.benchmark import benchmark, benchmark_rows
from tests.goldens import goldens

AVERAGE = {"theoretical": 0.926, "human-like": 0.805, "human-human": 0.754}
"""As printed."""
HALF = 0.0005
"""Half a unit of the last printed decimal."""


def printed():
    """The seven rows as printed: theoretical, human-like, QWK of two people."""
    rows = [goldens()[f"papers:uto.identity.asap{i}"] for i in range(1, 8)]
    names = ("printed_human_like", "printed_qwk_hh")
    return np.array([[g.input["theoretical"], *(g.expected[n] for n in names)] for g in rows])


def two_raters(theoretical):
    """The human-like ceiling and the agreement of two people that go with it."""
    mean = theoretical**2
    return np.array([theoretical, mean / math.sqrt(2 - mean), mean / (2 - mean)])


def eighth():
    """The theoretical ceilings of the eighth prompt with which the three averages are as printed."""
    tol = goldens()["papers:uto.identity.asap1"].tol
    assert isinstance(tol, dict)
    off = np.array([0, tol["human_like_vs_printed"], tol["rho_X_vs_printed_qwk_hh"]]) / 8
    fits = []
    for theoretical in np.arange(0.5, 1, 0.001):
        means = (printed().sum(axis=0) + two_raters(theoretical)) / 8
        if (np.abs(means - [*AVERAGE.values()]) <= HALF + off).all():
            fits.append(float(theoretical))
    return fits


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
