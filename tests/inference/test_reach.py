"""ABC reaches further for few responses, and where some carry the statistic; or there is none."""

import math

import numpy as np
import pytest
from scipy import stats

import tallymark as tm
from tallymark.catalogue import find
from tallymark.inference.abc import reaches
from tallymark.inference.joint_formulas import expand
from tallymark.study.units import Rows, units_of

POINTS = np.arange(1.0, 7.0)


def scores(errors):
    gold = np.resize([2.0, 3.0, 4.0], len(errors))
    return gold, gold + np.asarray(errors, dtype=np.float64)


def reach_of_mse(errors):
    rows = Rows(np.stack(scores(errors), axis=1), np.ones(len(errors), np.int64), POINTS)
    units = units_of("moments", rows)
    (made,) = expand([find("mse")], units)
    assert made is not None
    return reaches(made.moves[None], units, 0.95)[0]


def by_scipy(squares, skewness):
    """As derived for a mean: z = 1.96 makes (3 z^2 + 5) / 12 of the kurtosis that is left."""
    n, z = len(squares), stats.norm.ppf(0.975)
    t = stats.t.ppf(0.975, n - 1) * math.sqrt(n / (n - 1))
    kurtosis = stats.kurtosis(squares, fisher=False) / n - 3 / (n - 1)
    return t * (1 + (3 * z * z + 5) / 12 * (kurtosis - skewness * stats.skew(squares) ** 2 / n))


def test_heavy_tails_lengthen_the_reach():
    errors = [0] * 30 + [1] * 12 + [-1] * 4 + [2] * 3 + [-2]
    assert reach_of_mse(errors) == pytest.approx(by_scipy(np.square(errors), 0.75), rel=1e-9)
    assert reach_of_mse(errors) > reach_of_mse([0] * 40 + [1] * 10)


def test_an_outcome_of_two_values_has_the_reach_of_t():
    found = reach_of_mse([0] * 40 + [1] * 10)
    assert found == pytest.approx(stats.t.ppf(0.975, 49) * math.sqrt(50 / 49), rel=1e-9)


def test_the_scale_does_not_matter():
    gold, given = scores([0] * 30 + [1] * 12 + [-1] * 4 + [2] * 4)
    mse, rmse = (tm.estimate(name, gold, given) for name in ("mse", "rmse"))
    assert "ABC" in mse.method
    assert [rmse.low**2, rmse.high**2] == pytest.approx([mse.low, mse.high], rel=1e-6)


@pytest.mark.parametrize(("name", "least"), [("macro_mae", 8), ("macro_rmse", 20)])
@pytest.mark.parametrize("interval", [None, "bca"])
def test_a_rare_gold_score_leaves_macro_errors_without_an_interval(name, least, interval):
    def of(rare):
        gold = np.repeat([1.0, 2.0, 4.0], [40, 30, rare])
        given = gold + np.resize([0, 1, 0, 0, -1, 0, 1], gold.size)
        return tm.estimate(name, gold, given, interval=interval)

    few, enough = of(least - 1), of(least)
    assert math.isnan(few.low)
    assert few.value > 0
    assert few.why == (
        f"score 4 has {least - 1} responses: the interval needs {least} at every gold score"
    )
    assert enough.low < enough.value < enough.high
    assert enough.why == ""
