"""Errors by group: against plain least squares, and what is known about simulated groups."""

import numpy as np
import pytest

from tallymark.fairness.adjusted_effects import true_effect_contrast
from tallymark.fairness.contrasts import GroupCells
from tallymark.fairness.errors_by_group import (
    csd,
    csd_effects,
    interval,
    osa,
    osa_effects,
    osd,
    osd_effects,
    residual_rows,
    share,
    significance,
    standard_errors,
)
from tallymark.tally import GroupErrors, GroupRatings


def data(n=400, groups=4, effect=0.0, seed=1):
    rng = np.random.default_rng(seed)
    group, human = rng.integers(0, groups, n), rng.integers(1, 5, n)
    return group, human, rng.normal(0, 0.7, n) + effect * (group == 1) + 0.1 * human


def tally(group, human, error):
    points, score = np.unique(human, return_inverse=True)
    sums = np.zeros((group.max() + 1, points.size, 4))
    np.add.at(sums, (group, score), GroupErrors.rows(error))
    return GroupErrors(sums)


def cells(group, rows):
    one = np.ones(len(group))
    return GroupCells.of(
        np.arange(len(group)), group, one, rows, one.astype(np.int64), int(group.max()) + 1
    )


def effects(kind, group, human, error):
    """The contrast of one kind."""
    if kind != "csd":
        rows = np.stack([np.ones(len(error)), error, error**2], axis=1)
        return {"osa": osa_effects, "osd": osd_effects}[kind](cells(group, rows))
    found, score = tally(group, human, error), np.unique(human, return_inverse=True)[1]
    return csd_effects(found, cells(group, residual_rows(found, group, score, error)))


def fit(y, *columns):
    """Coefficients, residuals and inverse of a plain least squares with intercept."""
    x = np.column_stack([np.ones(len(y)), *columns])
    beta = np.linalg.lstsq(x, y, rcond=None)[0]
    return beta, y - x @ beta, x


def adjusted(y, *columns):
    _, left, x = fit(y, *columns)
    total = ((y - y.mean()) ** 2).sum()
    return 1 - (left @ left / (len(y) - x.shape[1])) / (total / (len(y) - 1))


def dummies(codes):
    return np.eye(codes.max() + 1)[codes][:, 1:]


def test_shares_of_variance_equal_those_of_plain_least_squares():
    group, human, error = data(effect=0.3)
    g, h, found = dummies(group), dummies(human - 1), tally(group, human, error)
    assert osa(found) == pytest.approx(adjusted(error**2, g), abs=1e-9)
    assert osd(found) == pytest.approx(adjusted(error, g), abs=1e-9)
    assert csd(found) == pytest.approx(adjusted(error, g, h) - adjusted(error, h), abs=1e-9)


@pytest.mark.parametrize("kind", ["osa", "osd", "csd"])
def test_effects_and_both_standard_errors_equal_those_of_plain_least_squares(kind):
    group, human, error = data(effect=0.3)
    y = error**2 if kind == "osa" else error
    given = [dummies(human - 1)] if kind == "csd" else []
    beta, left, x = fit(y, dummies(group), *given)
    inverse = np.linalg.inv(x.T @ x)
    leverage = np.einsum("ni,ij,nj->n", x, inverse, x)
    classic = inverse * (left @ left / (len(x) - x.shape[1]))
    robust = inverse @ ((x.T * (left / (1 - leverage)) ** 2) @ x) @ inverse
    errors = standard_errors(tally(group, human, error), kind)
    assert effects(kind, group, human, error).values[1:] == pytest.approx(beta[1:4], abs=1e-8)
    assert errors.classic[1:] == pytest.approx(np.sqrt(np.diag(classic)[1:4]), abs=1e-8)
    assert errors.robust[1:] == pytest.approx(np.sqrt(np.diag(robust)[1:4]), abs=1e-8)


def test_stacked_groups_give_what_each_gives_alone():
    one, other = (tally(*data(seed=seed)) for seed in (1, 2))
    both = GroupErrors(np.stack([one.sums, other.sums]))
    for formula in (osa, osd, csd):
        assert formula(both) == pytest.approx(np.stack([formula(one), formula(other)]), abs=1e-9)


def test_groups_without_a_score_in_common_cannot_be_compared_at_the_same_score():
    group, human = np.repeat([0, 1, 2], 40), np.tile([1, 2], 60)
    human[group == 2] += 2
    error = np.random.default_rng(0).normal(size=120)
    assert np.isnan(effects("csd", group, human, error).values).tolist() == [False, False, True]


def test_p_values_are_uniform_where_groups_do_not_differ():
    found = [significance(tally(*data(n=150, seed=s)), "csd")[1] for s in range(300)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.04)
    assert np.mean(found) == pytest.approx(0.5, abs=0.06)


def test_the_interval_holds_the_true_share_also_where_it_is_zero():
    hits = [interval(tally(*data(n=150, seed=s)), "osd", level=0.95)[0] <= 1e-9 for s in range(300)]
    assert np.mean(hits) == pytest.approx(0.975, abs=0.03)


@pytest.mark.parametrize("kind", ["osa", "osd", "csd"])
@pytest.mark.parametrize("true", [0.0, 0.1])
def test_the_interval_of_a_share_holds_estimate_and_truth_and_has_width(kind, true):
    """300 samples of 90 responses; normal errors, half of the groups above the others."""
    rng, held = np.random.default_rng(5), 0
    side, size = np.array([1.0, -1, 1, -1]), np.sqrt(true / (1 - true))
    for _ in range(300):
        group, human = rng.integers(0, 4, 90), rng.integers(1, 5, 90)
        error = rng.normal(size=90) + size * side[group]
        found = tally(group, human, error)
        low, high = interval(found, kind, level=0.95)
        assert 0 <= low <= share(found, kind) <= high
        assert low < high
        held += low <= (0.0 if kind == "osa" else true) <= high
    assert held / 300 >= 0.95 - 0.0378  # three standard errors


def test_errors_that_do_not_vary_leave_the_shares_undefined():
    group, human, _ = data()
    found = tally(group, human, np.zeros(len(group)))
    assert np.isnan([osa(found), osd(found), csd(found)]).all()


def test_conditioning_on_the_human_score_flags_a_fair_system_and_the_true_score_does_not():
    # groups differ by .6 in ability; the system is the true score plus noise: fair
    rng = np.random.default_rng(3)
    n = 100_000
    group = rng.integers(0, 2, n)
    truth = rng.normal(size=n) + 0.6 * group
    ratings = truth[:, None] + rng.normal(0, 0.6, (n, 2))
    system = truth + rng.normal(0, 0.3, n)
    given = group, np.round(ratings[:, 0] * 2), system - ratings[:, 0]
    assert effects("osd", *given).values[1] == pytest.approx(0.0, abs=0.02)
    assert effects("csd", *given).values[1] == pytest.approx(0.16, abs=0.03)
    found = true_effect_contrast(cells(group, GroupRatings.rows(ratings, system)))
    assert found.values[1] == pytest.approx(0.0, abs=0.02)


def test_the_effect_given_the_true_score_finds_what_was_built_in():
    rng = np.random.default_rng(4)
    n = 50_000
    group = rng.integers(0, 3, n)
    truth = rng.normal(size=n) - 0.4 * (group == 1)
    ratings = truth[:, None] + rng.normal(0, 0.6, (n, 2))
    ratings[rng.random(n) < 0.6, 1] = np.nan
    system = 0.8 * truth + rng.normal(0, 0.4, n) - 0.5 * (group == 2)
    found = true_effect_contrast(cells(group, GroupRatings.rows(ratings, system)))
    assert found.values == pytest.approx([0, 0, -0.5], abs=0.03)
