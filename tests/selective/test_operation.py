"""Cost, monitoring, few labels, the alternative annotator, and "no worse than a second human"."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, ks_2samp, ttest_1samp, wilcoxon

from tallymark.errors import DataError, OptionError
from tallymark.selective.alt_test import _signed_ranks, alt_test
from tallymark.selective.certify import certify
from tallymark.selective.cost import Prices, Workload, cost, errors_per_1000
from tallymark.selective.few_labels import ppi_mean
from tallymark.selective.humans import no_worse, score_statistic, score_upper
from tallymark.selective.monitor import bin_edges, binned, e_detector, e_process, ks, psi
from tallymark.selective.plan import search_labels, search_power


def test_cost_where_nothing_is_saved():
    dear = cost(Workload(100, 0.1), Prices(machine=2, human=1, fixed=5))
    assert dear.saving < 0
    assert np.isnan(dear.break_even)
    assert dear.net_saving == pytest.approx(100 * dear.saving - 5)
    second = cost(Workload(100, 0.5, p_hm=0.2), Prices(0.1, 1, 2))
    assert second.second_rater == pytest.approx(0.1 + 1 + 0.4)
    assert second.readings_second_rater == pytest.approx(1.2)
    assert errors_per_1000(0, 0, 0.5, 0.06) == pytest.approx(60)


@pytest.mark.parametrize(
    ("work", "prices", "message"),
    [
        (Workload(1, 1.2), Prices(), "coverage must be a share"),
        (Workload(1, 0.5, audit=-1), Prices(), "audit must be a share"),
        (Workload(1, 0.5), Prices(human=-1), "price human must be 0 or more"),
        (Workload(1, 0.5, base="triple"), Prices(), "single or double"),  # type: ignore[arg-type]
    ],
)
def test_costs_are_checked(work, prices, message):
    with pytest.raises(OptionError, match=message):
        cost(work, prices)


def test_an_e_process_by_hand():
    # 3 errors: (.06 / .02)^3 = 27 >= 20; one good audit before takes .94 / .98
    assert e_process([0, 1, 1, 1], 0.02).alarm == 4
    assert np.exp(e_process([0, 1], 0.02).log_evidence[-1]) == pytest.approx(3 * 0.94 / 0.98)
    assert e_process([], 0.02).valid


@given(st.lists(st.booleans(), max_size=60))
def test_detectors_are_sums_and_maxima_of_restarted_processes(errors):
    gain = np.array([np.log(3) if wrong else np.log(0.94 / 0.98) for wrong in errors])
    starts = [[gain[j : i + 1].sum() for j in range(i + 1)] for i in range(len(errors))]
    added = e_detector(errors, 0.02).log_evidence
    assert added == pytest.approx([np.log(np.exp(s).sum()) for s in starts], abs=1e-9)
    best = e_detector(errors, 0.02, kind="cusum").log_evidence
    assert best == pytest.approx([max(s) for s in starts], abs=1e-9)


def test_watches_keep_what_they_say():
    rng = np.random.default_rng(0)
    streams = rng.random((400, 600)) < 0.02
    false = np.mean([e_process(stream, 0.02).alarm > 0 for stream in streams])
    assert false <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    worse = rng.random((100, 600)) < 0.08
    assert np.mean([e_process(stream, 0.02).alarm > 0 for stream in worse]) > 0.98
    assert np.median([e_detector(stream, 0.02).alarm for stream in worse]) < 100


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (lambda: e_process([0, 2], 0.02), "list of 0"),
        (lambda: e_process([0, 1], 0.02, worse=0.01), "alpha < worse"),
        (lambda: e_process([0, 1], 0.02, delta=0), "delta must lie"),
        (lambda: e_detector([0, 1], 0.02, run_length=1), "run_length"),
        (
            lambda: e_detector([0, 1], 0.02, kind="page"),  # type: ignore[arg-type]
            "shiryaev_roberts or cusum",
        ),
        (lambda: psi([1, 2], [1, 2, 3]), "same bins"),
        (lambda: ks([], [1]), "reference must be numbers"),
    ],
)
def test_watches_are_checked(of, message):
    with pytest.raises((DataError, OptionError), match=message):
        of()


def test_shifts_beside_scipy_and_under_no_shift():
    rng = np.random.default_rng(0)
    old, new = rng.random(3000), rng.random(2000) ** 1.2
    beside = ks_2samp(old, new, method="asymp")
    found = ks(old, new)
    assert found.value == pytest.approx(beside.statistic)
    assert found.p == pytest.approx(beside.pvalue, rel=0.1)
    told, times = np.unique(new.round(1), return_counts=True)
    assert ks(old.round(1), told, None, times) == ks(old.round(1), new.round(1))
    edges = bin_edges(old)
    assert binned(old, edges).tolist() == [300] * 10
    assert psi(binned(old, edges), binned(new, edges)).p < 0.001
    p = []
    for _ in range(300):
        one, other = rng.random(1000), rng.random(500)
        cuts = bin_edges(one)
        p.append(psi(binned(one, cuts), binned(other, cuts)).p)
    assert 0.01 < np.mean(np.array(p) < 0.05) < 0.1
    assert bin_edges([1, 1, 2, 3, 3], counts=[1, 1, 1, 1, 5]).tolist() == [1, 2]
    assert psi([5], [3]) == (0, 1)


@pytest.mark.parametrize("new", [[30, 12, 8], [25, 0, 20], [3, 2, 4, 1, 0, 6, 2, 2, 3, 1]])
def test_the_p_value_of_psi_is_pearsons_test_of_homogeneity(new):
    old = [40, 10, 5, 7, 3, 30, 12, 8, 9, 4][: len(new)]
    expected = chi2_contingency([old, new], correction=False).pvalue
    assert psi(old, new).p == pytest.approx(expected)
    # a bin that nobody fell in, then or now, adds no degree of freedom
    assert psi([*old, 0], [*new, 0]) == psi(old, new)


def test_a_mean_of_few_labels_is_better_and_its_interval_holds():
    rng = np.random.default_rng(0)
    estimates, alone, held = [], [], 0
    for _ in range(400):
        truth = rng.normal(3, 1.2, 1100)
        machine, human = truth + rng.normal(0, 0.4, 1100), truth + rng.normal(0, 0.4, 1100)
        found = ppi_mean(human[:100], machine[:100], machine[100:])
        held += found.low <= 3 <= found.high
        estimates.append(found.estimate)
        alone.append(human[:100].mean())
    assert np.std(estimates) < 0.7 * np.std(alone)
    assert held / 400 >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 400)
    constant = ppi_mean([1, 2], [3, 3], [3, 3, 3])
    assert (constant.lam, constant.estimate) == (0, 1.5)
    with pytest.raises(DataError, match="two labelled"):
        ppi_mean([1], [1], [1, 2])


def test_the_alternative_annotator_with_gaps():
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, 120).astype(float)
    ratings = np.stack([truth + rng.integers(-1, 2, 120) for _ in range(4)], axis=1)
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    ratings[25:, 3] = np.nan
    good = alt_test(truth, ratings, epsilon=0.1)
    assert good.raters.tolist() == [0, 1, 2, 3]
    assert good.tests == ("t", "t", "t", "Wilcoxon")  # the last shares 25 responses only
    assert good.passed
    assert good.advantage > 0.5
    bad = alt_test(6 - truth, ratings, epsilon=0.1)
    assert not bad.passed
    # t test of the first rater, one response at a time
    ahead = []
    for own, row in zip(truth, ratings, strict=True):
        others = row[1:][~np.isnan(row[1:])]
        if not np.isnan(row[0]) and others.size:
            ours, theirs = (-np.sqrt(np.mean((others - x) ** 2)) for x in (own, row[0]))
            ahead.append(float(theirs >= ours) - float(ours >= theirs))
    assert good.p[0] == pytest.approx(ttest_1samp(ahead, 0.1, alternative="less").pvalue)
    same = alt_test(truth, np.stack([truth] * 3, axis=1), epsilon=0.1, score="accuracy")
    assert same.p.tolist() == [0, 0, 0]
    few = alt_test([1], [[1, 2, 2]], epsilon=0.1)
    assert np.isnan(few.winning_rate)
    assert not few.passed
    with pytest.raises(DataError, match="three raters or more"):
        alt_test([1, 2], [[1, 1], [2, 2]], epsilon=0.1)


def test_the_alternative_annotator_on_few_responses_is_wilcoxons_test():
    rng = np.random.default_rng(4)
    above = rng.normal(-0.3, 1, 14)
    exact = wilcoxon(above, alternative="less", method="exact").pvalue
    assert _signed_ranks(above) == pytest.approx(exact)


def test_the_alternative_annotator_over_clusters_is_less_sure():
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 30).astype(float).repeat(8)
    noise = rng.integers(-1, 2, (30, 3)).repeat(8, axis=0)  # a rater errs alike within a cluster
    cluster = np.arange(30).repeat(8)
    system = truth + rng.integers(-1, 2, 30).repeat(8)
    plain = alt_test(system, truth[:, None] + noise, epsilon=0.1)
    within = alt_test(system, truth[:, None] + noise, epsilon=0.1, cluster=cluster)
    one = alt_test(system[::8], (truth[:, None] + noise)[::8], epsilon=0.1)
    assert within.tests == ("t over clusters",) * 3
    assert within.p == pytest.approx(one.p)  # clusters of equal responses count once
    assert (np.abs(within.p - 0.5) <= np.abs(plain.p - 0.5)).all()


def test_the_score_bound_of_a_paired_difference():
    # at a difference of 0 the score statistic is McNemar's
    assert score_statistic(9, 4, 100, 0) == pytest.approx(5 / np.sqrt(13))
    # two-sided 95 % of no discordant pair: z² / (n + z²)
    assert score_upper(0, 0, 50, 0.025) == pytest.approx(1.959964**2 / (50 + 1.959964**2), rel=1e-6)
    bound = score_upper(7, 3, 80, 0.05)
    assert score_statistic(7, 3, 80, bound) == pytest.approx(-1.6448536, abs=1e-6)
    machine, human = np.repeat([1, 0], [30, 70]), np.repeat([0, 1, 0], [25, 10, 65])
    score = no_worse(machine, human, margin=0.4)
    exact = no_worse(machine, human, margin=0.4, method="exact")
    assert score.difference == exact.difference == pytest.approx(0.2)
    assert exact.upper > score.upper
    told = no_worse([1, 1, 0, 0], [0, 1, 1, 0], margin=0.4, counts=[25, 5, 5, 65])
    assert told == score


@pytest.mark.parametrize("method", ["score", "exact"])
def test_a_machine_that_is_worse_is_seldom_shown_to_be_no_worse(method):
    rng = np.random.default_rng(0)
    shown = 0
    for _ in range(600):  # the machine errs in .08, the human in .05: exactly the margin
        machine, human = rng.random(300) < 0.08, rng.random(300) < 0.05
        shown += no_worse(machine, human, margin=0.03, method=method).shown
    assert shown / 600 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)


def test_comparisons_with_people_are_checked():
    with pytest.raises(DataError, match="same responses"):
        no_worse([1], [0, 1], margin=0.1)
    with pytest.raises(OptionError, match="margin must be above 0"):
        no_worse([1], [0], margin=0)
    with pytest.raises(OptionError, match="score or exact"):
        no_worse([1], [0], margin=0.1, method="wald")  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "total"), [(124, 124), (124, 207), (300, 400), (420, 420)])
def test_the_power_of_the_search_is_that_of_certify(n, total):
    rng, runs = np.random.default_rng(1), 600
    confidence, found = np.arange(total)[::-1] / total, []
    for _ in range(runs):
        errors = (rng.random(total) < 0.01) | (np.arange(total) >= n)
        found.append(certify(confidence, errors, alpha=0.05))
    whole, some = search_power(n, total, 0.05, 0.05, 0.01)
    error = 3 * np.sqrt(0.25 / runs)
    assert np.mean([one.n >= n for one in found]) == pytest.approx(whole, abs=error)
    assert np.mean([one.certified for one in found]) == pytest.approx(some, abs=error)


def test_labels_for_the_search_are_enough_or_there_are_none():
    labels = search_labels(0.05, 0.05, 0.01, 0.6, 0.8)
    assert search_power(int(0.6 * labels), int(labels), 0.05, 0.05, 0.01).whole >= 0.8
    assert np.isnan(search_labels(0.02, 0.05, 0.02, 1.0, 0.8))
    assert np.isnan(search_labels(0.02, 0.05, 0.019, 1.0, 0.8))
    assert search_power(30, 1000, 0.05, 0.05, 0.0) == (0, 0)
