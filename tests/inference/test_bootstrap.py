"""Resampling counts is resampling rows."""

import inspect

import numpy as np
import pytest
import scipy.stats

from tallymark.accuracy.error import mae
from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.inference.bootstrap import jackknife, replicate, resamples
from tallymark.inference.interval import bca, percentile
from tallymark.inference.units import SHARDS, Units
from tallymark.tally import PairMoments, PairPatterns
from tests.inference.data import continuous, formula, scores, units
from tests.laws.cases import tally_of

POINTS = np.arange(1.0, 5)
FEW, MANY = np.array([1, 2, 1, 3]), np.array([40, 20, 0, 140])


def drawn(times, replicates=40_000, seed=0):
    blocks = list(resamples(times, replicates, np.random.default_rng(seed)))
    return np.concatenate(blocks)


@pytest.mark.parametrize("times", [FEW, MANY], ids=["row by row", "multinomial"])
def test_resamples_have_the_size_the_means_and_the_covariances_of_the_multinomial(times):
    found, n = drawn(times), times.sum()
    assert found.shape == (40_000, 4)
    assert (found.sum(axis=1) == n).all()
    share = times / n
    expected = n * (np.diag(share) - np.outer(share, share))
    assert found.mean(axis=0) == pytest.approx(times, abs=0.01 * n)
    assert np.cov(found.T, ddof=0) == pytest.approx(expected, abs=0.02 * expected.max())


def test_both_ways_of_drawing_have_the_same_distribution():
    # 8 of 2 units are drawn row by row, the same as 1,000 times as many by a multinomial would be
    by_row = drawn(np.array([3, 5]))[:, 0]
    exact = scipy.stats.binom(8, 3 / 8)
    counted = np.bincount(by_row, minlength=9)
    assert scipy.stats.chisquare(counted, exact.pmf(np.arange(9)) * by_row.size).pvalue > 0.001
    multinomial = drawn(np.array([30, 50]))[:, 0]
    binomial = scipy.stats.binom(80, 3 / 8).rvs(40_000, random_state=1)
    assert scipy.stats.ks_2samp(multinomial, binomial).pvalue > 0.001


@pytest.mark.parametrize("name", ["cohen_kappa[quadratic]", "gwet_ac", "lin_ccc", "kendall_tau_b"])
def test_the_count_bootstrap_equals_the_row_bootstrap_in_distribution(name):
    first, second = scores(1, n=50)
    statistic = formula(name).value
    kind = {"lin_ccc": "moments", "kendall_tau_b": "ranks"}.get(name, "cells")
    rng = np.random.default_rng(2)
    by_count = replicate([statistic], units(kind, first, second), replicates=2000, seed=(1, 0))[0]
    rows = rng.integers(0, 50, (2000, 50))
    tallies = [tally_of(kind, np.stack([first[row], second[row]], axis=1), POINTS) for row in rows]
    by_row = [float(statistic(tally)) for tally in tallies]
    assert scipy.stats.ks_2samp(by_count, by_row).pvalue > 0.001


def test_the_weighted_sums_of_continuous_scores_equal_the_row_bootstrap():
    first, second = continuous(3, n=80)
    rng = np.random.default_rng(4)
    by_count = replicate([pearson], units("moments", first, second), replicates=3000, seed=(1, 0))[
        0
    ]
    rows = rng.integers(0, 80, (3000, 80))
    by_row = [np.corrcoef(first[row], second[row])[0, 1] for row in rows]
    assert scipy.stats.ks_2samp(by_count, by_row).pvalue > 0.001


def test_all_formulas_see_the_same_resamples():
    first, second = scores(5)
    own = units("moments", first, second)
    one, other = replicate([lin_ccc, lin_ccc], own, replicates=200, seed=(1, 0))
    assert (one == other).all()


def test_resamples_of_shards_are_kept_and_the_same_as_drawn_anew():
    shards = np.random.default_rng(3).normal(size=(SHARDS, 8))
    own = Units(np.ones(SHARDS, dtype=np.int64), PairMoments, SHARDS, rows=np.abs(shards))
    kept = [replicate([mae], own, replicates=150, seed=(5, 6))[0] for _ in range(2)]
    anew = resamples(own.times, 150, np.random.default_rng((5, 6)))
    expected = np.concatenate([mae(own.build(own.sums(block))) for block in anew])
    assert (kept[0] == kept[1]).all()
    assert kept[0] == pytest.approx(expected)


def test_the_jackknife_leaves_out_one_response_at_a_time():
    first, second = scores(6, n=12)
    own = units("moments", first, second)
    expected = sorted(
        float(lin_ccc(PairPatterns.of(np.delete(first, i), np.delete(second, i)).moments()))
        for i in range(12)
    )
    found = np.repeat(jackknife([lin_ccc], own)[0], own.times)
    assert sorted(found) == pytest.approx(expected)


def correlation(a, b, axis):
    """Pearson's r along an axis, which SciPy's own takes from version 1.14 on."""
    a, b = (one - one.mean(axis=axis, keepdims=True) for one in (a, b))
    return (a * b).sum(axis) / np.sqrt((a**2).sum(axis) * (b**2).sum(axis))


def test_the_interval_is_that_of_scipy_on_the_same_statistic():
    first, second = continuous(7, n=60)
    own = units("moments", first, second)
    replicates = replicate([pearson], own, replicates=20_000, seed=(1, 0))[0]
    value, left_out = float(pearson(own.tally)), jackknife([pearson], own)[0]
    ours = {
        "BCa": bca(value, replicates, left_out, own.times, 0.95),
        "percentile": percentile(replicates, 0.95),
    }
    taken = inspect.signature(scipy.stats.bootstrap).parameters
    seeded = "rng" if "rng" in taken else "random_state"  # its name before SciPy 1.15
    for method, found in ours.items():
        peer = scipy.stats.bootstrap(
            (first, second),
            correlation,
            paired=True,
            method=method,
            n_resamples=20_000,
            **{seeded: np.random.default_rng(9)},
        ).confidence_interval
        assert found == pytest.approx([peer.low, peer.high], abs=0.006), method


def test_acceleration_of_equal_responses_counts_each_of_them():
    # the same data, told once with counts and told row by row
    first, second = scores(10, n=40)
    own = units("moments", first, second)
    left_out = jackknife([lin_ccc], own)[0]
    value = float(lin_ccc(own.tally))
    replicates = replicate([lin_ccc], own, replicates=2000, seed=(0, 0))[0]
    told = bca(value, replicates, np.repeat(left_out, own.times), np.ones(40, dtype=int), 0.95)
    assert bca(value, replicates, left_out, own.times, 0.95) == pytest.approx(told)


def test_replicates_equal_up_to_rounding_count_half():
    replicates = np.tile([0.5 - 1e-15, 0.5 + 1e-15, 0.5, 0.4, 0.6], 400)
    times, left_out = np.ones(4, dtype=int), np.array([0.1, 0.2, 0.3, 0.4])
    low, high = bca(0.5, replicates, left_out, times, 0.95)
    assert (low, high) == pytest.approx((0.4, 0.6))


def test_the_correction_stays_inside_the_replicates_at_extreme_levels():
    replicates = np.linspace(0, 1, 2000)
    left_out = np.array([0.0] * 49 + [1.0])
    for value in (0.0, 0.001, 0.999, 1.0):
        for outlier in (left_out, -left_out):
            times = np.ones(50, dtype=int)
            low, high = bca(value, replicates, outlier, times, 0.99999)
            assert 0 <= low <= high <= 1


def test_resamples_of_many_units_by_way_of_poisson_counts_are_multinomial():
    times = np.random.default_rng(1).integers(1, 60, 400)
    size = int(times.sum())
    weights = drawn(times, replicates=4000)
    assert (weights.sum(axis=1) == size).all()
    share = times / size
    # z scores of 400 means and variances, and of a sum in which counts hang together
    means = (weights.mean(axis=0) - times) / np.sqrt(times * (1 - share) / 4000)
    assert np.abs(means).max() < 4.5
    ratio = weights.var(axis=0) / (times * (1 - share))
    assert ratio.mean() == pytest.approx(1, abs=0.01)
    half = weights[:, :200].sum(axis=1)
    p = share[:200].sum()
    assert half.var() == pytest.approx(size * p * (1 - p), rel=0.1)


def test_too_many_poisson_counts_are_drawn_anew():
    # of so few responses the Poisson total often exceeds the size
    times = np.full(300, 6)

    class Generous:
        """A generator whose Poisson counts are always too many."""

        def __init__(self) -> None:
            self.own = np.random.default_rng(0)
            self.integers, self.multinomial = self.own.integers, self.own.multinomial

        def poisson(self, _, size):
            return np.broadcast_to(times + 1, size).copy()

    (block,) = resamples(times, 50, Generous())  # type: ignore[arg-type]
    assert (block.sum(axis=1) == times.sum()).all()
    assert block.std() > 1


def test_sums_that_are_many_are_held_in_parts(monkeypatch):
    some, value = units("cells", *scores(3)), formula("cohen_kappa").value
    whole = replicate([value], some, replicates=300, seed=(1, 2))
    monkeypatch.setattr("tallymark.inference.bootstrap.SUMS", 7 * some.width)
    assert np.array_equal(replicate([value], some, replicates=300, seed=(1, 2)), whole)
