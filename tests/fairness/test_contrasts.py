"""Contrasts: values, errors and joint draws, each against a plain computation of its own."""

import numpy as np
import pytest

from tallymark.fairness.adjusted_effects import true_effect_contrast
from tallymark.fairness.contrasts import (
    GroupCells,
    contrast,
    influences,
    joint_draws,
    p_values,
    spread,
)
from tallymark.tally import GroupRatings


def sample(n=60, groups=4, clusters=None, seed=0):
    rng = np.random.default_rng(seed)
    group = np.sort(rng.integers(0, groups, n))
    x = rng.normal(size=n) + 0.1 * group
    rows = np.stack([np.ones(n), x, x**2], axis=1)
    unit = np.arange(n) if clusters is None else rng.integers(0, clusters, n)
    return group, unit, rows


def cells_of(group, unit, rows):
    """Cells by a plain loop."""
    found: dict[tuple[int, int], np.ndarray] = {}
    for g, u, row in zip(group, unit, rows, strict=True):
        found[g, u] = found.get((g, u), 0) + np.append(row, 1.0)
    keys = np.array(list(found))
    sums = np.array(list(found.values()))
    times = np.ones(unit.max() + 1, dtype=np.int64)
    return GroupCells.of(
        keys[:, 1], keys[:, 0], sums[:, -1], sums[:, :-1], times, int(group.max()) + 1
    )


def mean_less_all(own, other, _):
    """Something smooth and not linear: the mean over the standard deviation of the others."""
    spread = np.sqrt(other[..., 2] / other[..., 0] - (other[..., 1] / other[..., 0]) ** 2)
    return (own[..., 1] / own[..., 0] - other[..., 1] / other[..., 0]) / spread


def numerical(value, group, unit, rows, beside, pool):
    """Derivative by the weight of each unit, by finite differences of the whole computation."""

    def at(weights):
        each = weights[unit][:, None] * rows
        sums = np.stack([each[group == g].sum(axis=0) for g in range(group.max() + 1)])
        total = sums.sum(axis=0)
        other = {"all": total + 0 * sums, "rest": total - sums, "first": sums[:1] + 0 * sums}
        return value(sums, other[beside], pool(sums).sum(axis=0) if pool else np.zeros(0))

    one, step = np.ones(unit.max() + 1), 1e-5
    found = []
    for u in range(one.size):
        up, down = one.copy(), one.copy()
        up[u], down[u] = 1 + step, 1 - step
        found.append((at(up) - at(down)) / (2 * step))
    return np.array(found)


@pytest.mark.parametrize("beside", ["all", "rest", "first"])
@pytest.mark.parametrize("clusters", [None, 12])
@pytest.mark.parametrize("pooled", [False, True])
def test_what_moves_a_group_is_the_derivative_of_the_whole_computation(beside, clusters, pooled):
    group, unit, rows = sample(clusters=clusters)
    cells = cells_of(group, unit, rows)

    def pool(sums):
        return (sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0])[..., None]

    def value(own, other, shared):
        found = mean_less_all(own, other, shared)
        return found * shared[..., 0] if pooled else found

    found = contrast(value, cells, beside, pool if pooled else None)
    expected = numerical(value, group, unit, rows, beside, pool if pooled else None)
    moved = influences(found)
    assert moved == pytest.approx(expected, abs=1e-5)
    # the raw error is the root of the sum of squares, whatever the structure
    assert spread(found).raw == pytest.approx(
        np.where(found.values == 0, spread(found).raw, np.sqrt((moved**2).sum(axis=0))), abs=1e-8
    )


def test_two_groups_are_welch_s_t_test():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], [40, 9])
    x = rng.normal(size=49) * np.where(group == 1, 2.0, 1.0)  # more spread in the small group
    cells = cells_of(group, np.arange(49), np.stack([np.ones(49), x], axis=1))
    found = contrast(lambda a, b, _: a[..., 1] / a[..., 0] - b[..., 1] / b[..., 0], cells, "first")
    errors, expected = spread(found), ttest_ind(x[group == 1], x[group == 0], equal_var=False)
    assert errors.df[1] == pytest.approx(expected.df)
    assert p_values(found, errors)[1] == pytest.approx(expected.pvalue)


def test_a_small_group_of_equal_responses_is_not_certain():
    x = np.concatenate([np.tile([0.0, 1.0], 100), np.zeros(12)])
    group = np.repeat([0, 1], [200, 12])
    cells = cells_of(group, np.arange(212), np.stack([np.ones(212), x], axis=1))
    found = contrast(lambda a, b, _: a[..., 1] / a[..., 0] - b[..., 1] / b[..., 0], cells, "first")
    usual = np.var(x[:200]) * 200 / 212  # of all groups together, within groups
    least = np.sqrt(usual / 12 * 12 / 11 + np.var(x[:200], ddof=1) / 200)
    assert spread(found).se[1] == pytest.approx(least)


def test_one_response_has_no_error_and_the_same_group_no_effect():
    group, unit, rows = sample()
    group = np.append(group, 4)
    unit, rows = np.append(unit, 60), np.append(rows, [[1.0, 0.0, 0.0]], axis=0)
    found = contrast(
        lambda a, b, _: a[..., 1] / a[..., 0] - b[..., 1] / b[..., 0],
        cells_of(group, unit, rows),
        "first",
    )
    errors = spread(found)
    assert np.isnan(errors.se[[0, 4]]).all()
    assert not np.isnan(errors.se[1:4]).any()


@pytest.mark.parametrize("at_once", [2_000_000, 1000])
def test_draws_have_unit_spread_and_depend_on_each_other_as_the_groups_do(at_once, monkeypatch):
    monkeypatch.setattr("tallymark.fairness.contrasts.AT_ONCE", at_once)  # few groups, and many
    group, unit, rows = sample(clusters=20)
    cells = cells_of(group, unit, rows)
    found = [contrast(mean_less_all, cells, beside) for beside in ("all", "rest")]
    drawn = np.concatenate(list(joint_draws([(f, spread(f)) for f in found], draws=20_000)))
    every = np.concatenate([influences(one) for one in found], axis=1)
    expected = every.T @ every
    scale = np.sqrt(np.diag(expected))
    assert drawn.T @ drawn / len(drawn) == pytest.approx(
        expected / np.outer(scale, scale), abs=0.04
    )


def test_the_effect_given_the_true_score_is_that_of_plain_moments():
    rng = np.random.default_rng(1)
    group = np.sort(rng.integers(0, 3, 80))
    ratings = rng.normal(size=(80, 1)) + rng.normal(0, 0.5, (80, 2))
    system, mean = ratings.mean(axis=1) + rng.normal(size=80), ratings.mean(axis=1)
    rows = GroupRatings.rows(ratings, system)
    found = true_effect_contrast(cells_of(group, np.arange(80), rows))
    parts = [group == g for g in range(3)]
    noise = ratings.var(axis=1, ddof=1).mean() / 2  # of a mean of two ratings
    shared = sum(np.cov(system[p], mean[p])[0, 1] * (p.sum() - 1) for p in parts)
    true = sum((np.var(mean[p], ddof=1) - noise) * (p.sum() - 1) for p in parts)
    level = np.array([system[p].mean() - shared / true * mean[p].mean() for p in parts])
    assert found.values == pytest.approx(level - level[0])
