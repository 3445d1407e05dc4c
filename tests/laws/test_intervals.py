"""Every interval holds its estimate and has width, or there is a reason."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallymark.inference import Settings, estimate
from tallymark.study.panel import fitted
from tallymark.study.units import Rows
from tests.laws.cases import PAIRWISE, PANELS, Lazy, Scores, cases, scores

few = settings(max_examples=20)
KINDS = st.sampled_from([None, None, "percentile", "analytic"])


def sound(found):
    """Whether value, interval and reason of an estimate go together."""
    numbers = (found.value, found.low, found.high)
    if any(map(math.isnan, numbers)):
        return bool(found.why) and math.isnan(found.low) and math.isnan(found.high)
    if any(map(math.isinf, numbers)):
        return False
    return found.low <= found.value <= found.high and (found.low < found.high or bool(found.why))


def check(data, kind, tallies, clusters=None):
    rows = Rows(data.values, np.ones(len(data.positions), np.int64), data.points, clusters)
    units = Lazy(rows, {})
    for case in cases("", tallies):
        own = units[case.tally]
        formula = case.row.bind(case.params)
        formula = fitted(formula, case.tally, own) if case.tally in PANELS else formula
        found = estimate(formula, own, Settings(replicates=100, interval=kind))
        assert sound(found), f"{case}, {kind}: {found}"


def never(k, n=12):
    """Two raters who never agree."""
    first = np.arange(n) % k
    return Scores(np.stack([first, (first + 1) % k], axis=1).astype(float), np.arange(1.0, k + 1))


def rarely_twice():
    """Three pairs of ratings, as far apart as can be, among responses rated once."""
    gap = math.nan
    twice = [[0, 4, gap], [0, 4, gap], [0, gap, 4]]
    once = [
        [1, gap, gap],
        [2, gap, gap],
        [gap, 1, gap],
        [gap, 3, gap],
        [gap, 3, gap],
        [gap, gap, 2],
    ]
    return Scores(np.array(twice + once), np.arange(1.0, 6))


@few
@given(scores(), KINDS)
@example(never(2), None)
@example(never(3), None)
@example(never(5), None)
def test_of_two_raters(data, kind):
    check(data, kind, PAIRWISE)


@few
@given(scores(raters=3, gaps=True), KINDS)
@example(rarely_twice(), None)
def test_of_panels(data, kind):
    check(data, kind, PANELS)


@few
@given(scores(low=4), st.integers(1, 6))
def test_of_clusters(data, clusters):
    codes = np.arange(len(data.positions)) % clusters
    check(data, None, PAIRWISE, codes)


@few
@given(scores(raters=3, low=4, gaps=True), st.integers(1, 6))
def test_of_panels_in_clusters(data, clusters):
    codes = np.arange(len(data.positions)) % clusters
    check(data, None, PANELS, codes)


@pytest.mark.parametrize("n", [1, 2, 3, 50])
@pytest.mark.parametrize("k", [2, 3, 6])
def test_of_one_response_that_stands_out(k, n):
    first = np.zeros(n)
    second = first.copy()
    second[-1] = k - 1
    check(Scores(np.stack([first, second], axis=1), np.arange(1.0, k + 1)), None, PAIRWISE)
