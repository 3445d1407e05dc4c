"""Influence by an imaginary step is the derivative, and analytic errors follow from it."""

import math

import numpy as np
import pytest

from tallymark.agreement.kappa import cohen_kappa
from tallymark.agreement.weights import distance
from tallymark.catalogue.reasons import TWO_POINTS
from tallymark.inference import Settings, estimate
from tallymark.inference.bootstrap import jackknife
from tallymark.inference.influence import influence, standard_error
from tests.inference.data import continuous, formula, scores, units
from tests.laws.cases import CASES, Scores

ANALYTIC = Settings(interval="analytic")


def by_difference(value, own, step=1e-4):
    """Central differences of the statistic by the weight of each unit, times n; 0 on average."""
    moved = np.repeat(own.times[None, :].astype(float), own.times.size, axis=0)
    aside = step * np.eye(own.times.size)
    up, down = (value(own.build(own.sums(moved + sign * aside))) for sign in (1, -1))
    slopes = (up - down) / (2 * step) * own.size
    return slopes - (own.times @ slopes) / own.size


def some_scores(raters):
    rng = np.random.default_rng(11)
    gold = rng.integers(0, 4, (40, 1))
    return Scores(np.clip(gold + rng.integers(-1, 2, (40, raters)), 0, 3) * 1.0, np.arange(1.0, 5))


SMOOTH = [case for case in CASES if case.tally != "ranks" and case.row.analytic]


@pytest.mark.parametrize("case", SMOOTH, ids=str)
def test_the_imaginary_step_gives_the_derivative(case):
    bound = case.row.bind(case.params)
    two = TWO_POINTS in case.row.undefined
    data = some_scores(2 if case.tally in ("table", "cells", "moments", "errors", "gaps") else 3)
    if two:
        data = Scores(np.minimum(data.positions, 1), data.points[:2])
    own = data.units()[case.tally]
    value = bound.linear or bound.value
    assert influence(value, own) == pytest.approx(by_difference(value, own), abs=1e-5)


@pytest.mark.parametrize("name", ["spearman", "kendall_tau_b"])
@pytest.mark.parametrize("make", [scores, continuous])
def test_the_influence_of_rank_statistics_is_the_derivative(name, make):
    own, statistic = units("ranks", *make(12)), formula(name)
    assert statistic.influence is not None
    found = statistic.influence(own.tally)
    expected = by_difference(statistic.value, own)
    centred = found - (own.times @ found) / own.size
    assert centred == pytest.approx(expected, abs=1e-4)


def test_influence_is_the_jackknife_to_first_order():
    own, value = units("moments", *continuous(13, n=800)), formula("lin_ccc").value
    left_out = jackknife([value], own)[0]
    pseudo = (own.size - 1) * (float(value(own.tally)) - left_out)
    assert influence(value, own) == pytest.approx(pseudo, abs=0.02, rel=0.02)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic", "ordinal"])
def test_the_error_of_kappa_is_that_of_fleiss_cohen_and_everitt(weights):
    own = units("cells", *scores(14, n=90))
    table, w = own.tally.counts / 90, 1 - distance(own.tally.points, weights)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    pa, pe = (table * w).sum(), rows @ w @ columns
    means = (w @ columns)[:, None] + (rows @ w)[None, :]
    inner = (table * (w * (1 - pe) - means * (1 - pa)) ** 2).sum() - (pa * pe - 2 * pe + pa) ** 2
    expected = math.sqrt(inner / 90) / (1 - pe) ** 2
    found = influence(lambda tally: cohen_kappa(tally, weights=weights), own)
    assert standard_error(found, own.times) == pytest.approx(expected, rel=1e-10)


def test_the_error_of_concordance_is_its_influence_form():
    first, second = continuous(15)
    a, b = first - first.mean(), second - second.mean()
    top, gap = 2 * np.mean(a * b), first.mean() - second.mean()
    below = np.mean(a * a) + np.mean(b * b) + gap**2
    top_of, below_of = 2 * a * b - top, (first - second) ** 2 + 2 * a * b - below
    expected = math.sqrt(np.mean((top_of / below - top * below_of / below**2) ** 2) / first.size)
    found = estimate(formula("lin_ccc"), units("moments", first, second), ANALYTIC)
    assert found.se_analytic == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("lin_ccc", "moments"), ("cohen_kappa[linear]", "cells"), ("kendall_tau_b", "ranks")],
)
def test_with_clusters_influences_are_added_within_each(name, kind):
    first, second = scores(16, n=120)
    clusters = np.repeat(np.arange(40), 3)
    statistic = formula(name)
    found = estimate(statistic, units(kind, first, second, clusters), ANALYTIC).se_analytic
    one = units(kind, first, second, np.arange(120))  # every response its own cluster
    if statistic.influence is not None:
        moves = one.rows @ statistic.influence(one.tally)
    else:
        moves = influence(statistic.linear or statistic.value, one)
    moves = moves - moves.mean()
    expected = math.sqrt((np.add.reduceat(moves, np.arange(0, 120, 3)) ** 2).sum()) / 120
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", ["lin_ccc", "rmse", "mae"])
def test_clusters_of_one_response_give_the_error_of_responses(name):
    first, second = continuous(17)
    alone = estimate(formula(name), units("moments", first, second), ANALYTIC)
    each = estimate(formula(name), units("moments", first, second, np.arange(60)), ANALYTIC)
    assert each.se_analytic == pytest.approx(alone.se_analytic, rel=1e-9)


def test_errors_of_a_mean_are_those_of_the_textbook():
    first, second = continuous(18)
    found = estimate(formula("bias"), units("moments", first, second), ANALYTIC)
    expected = np.std(second - first, ddof=1) / math.sqrt(60)
    assert found.se_analytic == pytest.approx(expected, rel=1e-10)
