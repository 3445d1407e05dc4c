"""The closed-form interval: derivatives against hand-made ones, ends against BCa, laws of both."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.catalogue import find
from tallymark.inference import Formula, Settings, Units, estimate, estimate_all
from tallymark.inference.abc import abc_each, reaches
from tallymark.inference.formula import Joint
from tallymark.inference.joint_formulas import Expanded, OnUnits, bend_each, expand
from tallymark.study.average import averaged, joint
from tallymark.study.units import Rows, units_of

RATIO = Formula(name="bias", value=lambda sums: sums[..., 0] / sums[..., 1])


def expanded(formula, units):
    (made,) = expand([formula], units)
    assert made is not None
    return made


def of_rows(rows, times=None):
    times = np.ones(len(rows), np.int64) if times is None else np.asarray(times)
    return Units(times, lambda sums: sums, int(times.sum()), rows=np.asarray(rows, float))


def pairs(n, seed=0, k=4):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, n)
    given = np.clip(gold + rng.integers(-1, 2, n), 0, k - 1)
    scores = np.stack([gold, given], axis=1).astype(float)
    return Rows(scores, np.ones(n, np.int64), np.arange(float(k)))


def test_the_derivatives_of_a_ratio_are_those_by_hand():
    # x / y of (1, 2), (3, 1), (2, 4), twice: T = (12, 14), n = 6, means 2 and 7/3
    rows, times = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 4.0]]), np.array([2, 2, 2])
    made = expanded(RATIO, of_rows(rows, times))
    x, y = 12.0, 14.0
    dx, dy = rows[:, 0] - 2, rows[:, 1] - 7 / 3
    first = dx / y - x * dy / y**2
    second = -2 * dx * dy / y**2 + 2 * x * dy**2 / y**3
    assert made.value == x / y
    assert made.moves == pytest.approx(first, rel=1e-12)
    assert made.bias == pytest.approx((times @ second) / 2, rel=1e-8)


def test_few_and_many_units_take_two_ways_to_one_interval():
    rows, times = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 4.0]]), np.array([20, 30, 10])
    told_once = estimate(RATIO, of_rows(rows, times))
    apart = estimate(RATIO, of_rows(np.repeat(rows, times, axis=0)))
    cells = replace(
        of_rows(rows, times), rows=None, build=lambda counts: counts @ rows
    )  # units are the sums
    by_unit = estimate(RATIO, cells)
    for other in (apart, by_unit):
        for field in ("value", "se", "low", "high"):
            assert getattr(other, field) == pytest.approx(getattr(told_once, field), rel=1e-9)


def test_the_mean_has_the_interval_of_johnson():
    """Of a mean ABC is known: bias 0, curvature 0, z0 = a, so lambda = (a + z) / (1 - a (a + z))^2."""
    values = np.array([0.0, 0, 1, 2, 2, 3, 9, 4, 1, 0, 2, 5])
    mean = Formula(name="bias", value=lambda sums: sums[..., 0] / np.real(sums[..., 1]))
    units = of_rows(np.stack([values, np.ones_like(values)], axis=1))
    made = estimate(mean, units)
    apart, n = values - values.mean(), values.size
    se = math.sqrt(apart @ apart) / n
    a = (apart**3).sum() / (6 * (apart @ apart) ** 1.5)
    from scipy.stats import norm, t

    z0 = norm.ppf(2 * norm.cdf(a) / 2)
    z = t.ppf(0.975, n - 1) * math.sqrt(n / (n - 1))
    ends = [(w / (1 - a * w) ** 2) * se + values.mean() for w in (z0 - z, z0 + z)]
    assert (made.low, made.high) == pytest.approx(ends, rel=1e-8)
    assert made.method == "expanded ABC over responses"


@pytest.mark.parametrize("name", ["qwk", "gwet_ac[quadratic]", "pearson", "kendall_tau_b", "r2"])
def test_it_lies_where_many_resamples_put_it(name):
    formula = find(name)
    kind = {"pearson": "moments", "kendall_tau_b": "ranks", "r2": "moments"}.get(name, "cells")
    units = units_of(kind, pairs(400))
    here = estimate(formula, units)
    there = estimate(formula, units, Settings(interval="bca", replicates=20_000))
    assert "ABC" in here.method
    assert here.low == pytest.approx(there.low, abs=0.12 * here.se)
    assert here.high == pytest.approx(there.high, abs=0.12 * here.se)


def test_it_needs_no_seed():
    units = units_of("cells", pairs(60))
    first, second = (estimate(find("qwk"), units, Settings(seed=seed)) for seed in (1, 2))
    assert first == second


def test_a_statistic_that_jumps_is_resampled_and_the_method_says_so():
    def jump(sums):
        return np.where(np.real(sums[..., 0] / sums[..., 1]) > 1.001, 1.0, 0.0) + sums[..., 0] * 0

    rng = np.random.default_rng(1)
    units = of_rows(np.stack([rng.normal(1, 1, 50), np.ones(50)], axis=1))
    rounded = Formula(
        name="bias", value=lambda sums: np.round(np.real(sums[..., 0] / sums[..., 1]), 1)
    )
    for formula in (rounded, replace(rounded, value=jump)):
        made = estimate(formula, units)
        assert "ABC" not in made.method
        assert made.method == "" or "bootstrap" in made.method


def test_a_mean_over_parts_is_that_of_one_formula_of_all_sums():
    """By the expansions of its parts, and of the sums of all parts at once."""
    parts = [units_of("moments", pairs(n, seed)) for seed, n in enumerate((40, 60, 90))]
    together, pearson = joint(parts), find("pearson")
    for fisher_z in (False, True):
        mean = averaged(pearson, over="prompt", fisher_z=fisher_z)
        whole = replace(mean, joint=None)
        # what was worked out is kept with the units: others for the other way
        by_part, at_once = expanded(mean, together), expanded(whole, joint(parts))
        assert by_part.value == pytest.approx(at_once.value)
        assert by_part.bias == pytest.approx(at_once.bias, rel=1e-5)
        # at once the parts' shares of all responses vary too, which moves no mean
        assert by_part.moves == pytest.approx(at_once.moves, rel=1e-9, abs=1e-12)
        made = abc_each([OnUnits([mean], together)], 0.95)[0][0]
        assert made.se == pytest.approx(math.sqrt(together.times @ at_once.moves**2))


PRODUCT, QUOTIENT = (
    lambda values: values[..., 0] * values[..., 1],
    lambda values: values[..., 0] / values[..., 1],
)
MEAN = Formula(name="bias", value=lambda sums: sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("shared", [True, False])
def test_the_bias_of_a_function_of_two_means_is_that_of_the_delta_method(shared):
    """E[xy] - E x E y is their covariance; E[x/y] - E x / E y is x v(y) / y^3 - cov / y^2."""
    rng = np.random.default_rng(2)
    x, y = rng.gamma(2, 1, 9), rng.gamma(3, 1, 9)
    one, two = (of_rows(np.stack([z, np.ones(9)], axis=1)) for z in (x, y))
    ids = np.arange(9)
    together = joint([replace(one, ids=ids), replace(two, ids=ids if shared else ids + 9)])
    assert together.disjoint is not shared
    var = np.var(y) / 9
    cov = np.mean((x - x.mean()) * (y - y.mean())) / 9 * shared
    expected = (cov, x.mean() * var / y.mean() ** 3 - cov / y.mean() ** 2)
    for of, bias in zip((PRODUCT, QUOTIENT), expected, strict=True):
        formula = replace(MEAN, value=Joint((MEAN,), of).value, joint=Joint((MEAN,), of))
        assert expanded(formula, together).bias == pytest.approx(bias, rel=1e-6, abs=1e-12)


def test_the_curvature_of_a_function_of_parts_is_that_of_all_sums_at_once():
    parts = [units_of("moments", pairs(n, seed)) for seed, n in enumerate((14, 20))]
    pearson = find("pearson")
    product = Joint((pearson,), lambda values: (values[..., 0] * values[..., 1]) ** 3)
    by_part = replace(pearson, value=product.value, joint=product, range=(-1.0, 1.0))
    at_once = replace(by_part, joint=None)
    expansions, bends = [], []
    for formula in (by_part, at_once):
        together = joint(parts)  # what was worked out is kept with the units
        expansions.append(expanded(formula, together))
        bends += bend_each([Expanded([formula], expansions[-1:], together)])[0]
    assert expansions[0].bias == pytest.approx(expansions[1].bias, rel=1e-5)
    assert bends[0] == pytest.approx(bends[1], rel=1e-5)


def test_the_reach_of_parts_is_satterthwaites():
    from scipy.stats import t

    parts = [units_of("moments", pairs(n, seed)) for seed, n in enumerate((12, 30))]
    together = joint(parts)
    mean = averaged(find("bias"), over="prompt")
    made = expanded(mean, together)
    squares = [np.sum(made.moves[place] ** 2 * together.times[place]) for place in together.places]
    sizes = np.array([12, 30])
    df = sum(squares) ** 2 / np.sum(np.square(squares) / (sizes - 1))
    raised = np.sum(squares * sizes / (sizes - 1)) / sum(squares)
    assert reaches(made.moves[None], together, 0.95)[0] == pytest.approx(
        t.ppf(0.975, df) * math.sqrt(raised)
    )


def test_a_difference_is_a_function_of_two_statistics_of_the_same_responses():
    rows = pairs(80)
    other = replace(rows, scores=np.stack([rows.scores[:, 0], np.roll(rows.scores[:, 1], 1)], 1))
    ids = np.arange(80)
    units = [replace(units_of("moments", r), ids=ids) for r in _apart(rows, other)]
    together = joint(units)
    pearson = find("pearson")
    difference = Joint((pearson,), lambda values: values[..., 0] - values[..., 1])
    formula = replace(pearson, value=difference.value, joint=difference, range=(-2.0, 2.0))
    both = [expanded(pearson, part) for part in units]
    made = expanded(formula, together)
    assert made.moves == pytest.approx(both[0].moves - both[1].moves, abs=1e-14)
    assert made.bias == pytest.approx(both[0].bias - both[1].bias)
    found = estimate_all([formula], together)[0]
    assert found.low < found.value < found.high


def _apart(*every):
    """The same rows with a cluster each, so that equal ones stay apart and in order."""
    return [replace(rows, clusters=np.arange(rows.counts.size)) for rows in every]


def test_fifty_equal_pairs_are_not_certainty():
    found = tm.estimate("percent_agreement", [1] * 50, [1] * 50, scale=[0, 1], interval="abc")
    assert math.isnan(found.low)
    assert found.why
