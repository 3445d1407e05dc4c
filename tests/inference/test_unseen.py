"""Intervals of statistics that few large errors carry allow for one larger than any seen."""

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import t

from tallymark.catalogue import find
from tallymark.inference import estimate
from tallymark.study.measured import home
from tallymark.study.units import Rows, units_of


def rows_of(errors: dict[int, int], k: int) -> Rows:
    """Responses at the lowest of k points whose system scores are off by so much, so often."""
    scores = np.array([[0.0, error] for error in errors])
    return Rows(scores, np.array([*errors.values()]), np.arange(float(k)))


def interval(text: str, rows: Rows, *, unseen: bool = True) -> tuple[float, float]:
    formula = find(text)
    units = units_of(home(formula), rows, [formula])
    estimated = estimate(formula if unseen else replace(formula, unseen=False), units)
    return estimated.low, estimated.high


def furthest_mean(right: int, off: int, unseen: float) -> float:
    """The largest mean squared error that is likely, if some may be off by more than one point.

    Over all shares of responses that are off by one point and whose squared error is the unseen one:
    none of our formulas.
    """
    n = right + off
    some, more = np.linspace(0.001, 0.999, 1999)[:, None], np.linspace(0, 0.1, 2001)
    with np.errstate(invalid="ignore", divide="ignore"):
        likely = off * np.log(some * n / off) + right * np.log((1 - some - more) * n / right)
    least = -(t.ppf(0.975, n - 1) ** 2) / 2 * n / (n - 1)
    return float(np.where(likely >= least, some + more * unseen, 0.0).max())


def test_the_end_is_the_furthest_that_the_likelihood_allows():
    errors = {0: 41, 1: 9}
    _, high = interval("mse", rows_of(errors, 6))
    # off by two points or, one time in four, by three: .75 * 4 + .25 * 9
    assert high == pytest.approx(furthest_mean(41, 9, 5.25), abs=5e-4)
    assert high > interval("mse", rows_of(errors, 6), unseen=False)[1] + 0.03


def test_a_scale_that_allows_no_second_step_has_the_first():
    _, high = interval("mse", rows_of({0: 41, 1: 9}, 3))
    assert high == pytest.approx(furthest_mean(41, 9, 4.0), abs=5e-4)


def test_only_the_end_on_the_side_of_the_error_moves():
    rows = rows_of({0: 41, 1: 9}, 6)
    for text, side in (("mse", 1), ("rmse", 1), ("brennan_prediger[quadratic]", 0)):
        ends, before = interval(text, rows), interval(text, rows, unseen=False)
        assert ends[1 - side] == before[1 - side]
        assert ends[side] != before[side]


def test_no_error_is_larger_than_the_scale():
    for errors, k in (({0: 41, 1: 9}, 2), ({0: 40, 1: 9, 3: 1}, 4)):
        for text in ("mse", "brennan_prediger[quadratic]", "gwet_ac[quadratic]"):
            rows = rows_of(errors, k)
            assert interval(text, rows) == interval(text, rows, unseen=False)


def test_an_agreement_that_is_a_function_of_mse_has_the_same_interval():
    rng = np.random.default_rng(5)
    for _ in range(20):
        k = int(rng.integers(3, 8))
        gold = rng.integers(0, k, 60)
        given = np.clip(gold + rng.choice([-1, 0, 0, 0, 0, 1], 60), 0, k - 1)
        scores = np.stack([gold, given], axis=1).astype(float)
        rows = Rows(scores, np.ones(60, np.int64), np.arange(float(k)))
        low, high = interval("mse", rows)
        # mean squared distance of two points drawn evenly: (k^2 - 1) / 6
        chance = (k * k - 1) / 6
        expected = (1 - high / chance, 1 - low / chance)
        assert interval("brennan_prediger[quadratic]", rows) == pytest.approx(expected, abs=1e-9)


def test_where_agreement_does_not_depend_on_how_far_scores_lie_apart_nothing_moves():
    rows = rows_of({0: 41, 1: 9}, 6)
    for text in ("gwet_ac[identity]", "brennan_prediger[identity]"):
        assert interval(text, rows) == interval(text, rows, unseen=False)


def test_responses_that_show_enough_large_errors_are_left_as_they_are():
    rows = rows_of({0: 700, 1: 200, 2: 70, 3: 20, 4: 10}, 6)
    assert interval("mse", rows) == interval("mse", rows, unseen=False)


ON_TWO_GOLDS = Rows(
    np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 4.0]]),
    np.array([20, 5, 22, 3]),
    np.arange(6.0),
)


@pytest.mark.parametrize(
    "text",
    [
        "cohen_kappa[quadratic]",
        "scott_pi[quadratic]",
        "krippendorff_alpha[interval]",
        "lin_ccc",
        "pearson",
        "r2",
    ],
)
def test_what_squared_errors_lower_has_a_lower_low_end(text):
    ends, before = (interval(text, ON_TWO_GOLDS, unseen=unseen) for unseen in (True, False))
    assert ends[1] == before[1]
    assert ends[0] < before[0] - 0.002


@pytest.mark.parametrize("text", ["cohen_kappa[identity]", "scott_pi[identity]"])
def test_a_larger_error_is_no_worse_where_all_errors_are_alike(text):
    assert interval(text, ON_TWO_GOLDS) == interval(text, ON_TWO_GOLDS, unseen=False)
