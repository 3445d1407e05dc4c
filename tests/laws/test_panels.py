"""What must hold for statistics of more than two raters, with gaps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.cases import KINDS, PAIRWISE, Scores, cases, scores, tally_of

PANELS = tuple(kind for kind in KINDS if kind not in PAIRWISE)
few = settings(max_examples=20)
panels = scores(raters=3, gaps=True)


def same(found, expected, case, tolerance=1e-9):
    assert found == pytest.approx(expected, abs=tolerance, rel=tolerance, nan_ok=True), str(case)


@few
@given(panels, st.randoms(use_true_random=False))
def test_neither_the_order_of_responses_nor_of_raters_matters(data, random):
    order = random.sample(range(len(data.positions)), len(data.positions))
    raters = random.sample(range(3), 3)
    here = data.units()
    there = Scores(data.positions[order][:, raters], data.points).units()
    for case in [*cases("responses", PANELS), *cases("raters", PANELS)]:
        same(case.value(there[case.tally].tally), case.value(here[case.tally].tally), case)


@few
@given(panels, st.data())
def test_tallies_of_disjoint_responses_add(data, draw):
    cut = draw.draw(st.integers(0, len(data.positions)))
    parts = data.values[:cut], data.values[cut:]
    for case in cases("adding", PANELS):
        one, other, whole = (tally_of(case.tally, p, data.points) for p in (*parts, data.values))
        same(case.value(one + other), case.value(whole), case)


@few
@given(panels, st.integers(0, 2**32 - 1))
def test_stacked_tallies_give_what_each_gives_alone(data, seed):
    units = data.units()
    for case in cases("stacking", PANELS):
        own = units[case.tally]
        weights = np.random.default_rng(seed).integers(0, 3, (2, 3, own.times.size))
        stacked = case.value(own.build(own.sums(weights)))
        assert stacked.shape == (2, 3), str(case)
        for place in np.ndindex(2, 3):
            same(stacked[place], case.value(own.build(own.sums(weights[place]))), case)


@few
@given(scores(raters=3))
def test_values_lie_in_their_range_and_are_never_infinite(data):
    units = data.units()
    for case in cases("", PANELS):
        value = float(case.value(units[case.tally].tally))
        low, high = case.row.range
        assert not math.isinf(value), str(case)
        if case in cases("range", PANELS):
            assert math.isnan(value) or low - 1e-9 <= value <= high + 1e-9, str(case)


@few
@given(panels)
def test_gaps_do_not_make_a_value_infinite(data):
    units = data.units()
    for case in cases("range", PANELS):
        value = float(case.value(units[case.tally].tally))
        assert not math.isinf(value), str(case)
        assert math.isnan(value) or value <= 1 + 1e-9, str(case)


@few
@given(scores(raters=1, low=2))
def test_perfect_agreement_gives_the_best_value(data):
    units = Scores(np.repeat(data.positions, 3, axis=1), data.points).units()
    for case in cases("perfect", PANELS):
        value = float(case.value(units[case.tally].tally))
        assert math.isnan(value) or value == pytest.approx(1.0, abs=1e-9), str(case)


@few
@given(scores())
def test_two_raters_are_a_panel_of_two(data):
    units = data.units()
    by_name = {(case.name, *case.params.items()): case for case in cases("", PAIRWISE)}
    twins = {"fleiss_kappa": "scott_pi", "conger_kappa": "cohen_kappa"}
    for case in cases("", PANELS):
        name = twins.get(case.name, case.name)
        pair = by_name.get((name, *case.params.items()))
        if pair is not None:
            here, there = (c.value(units[c.tally].tally) for c in (pair, case))
            same(there, here, case)


@few
@given(scores(raters=3))
def test_intraclass_correlation_needs_two_responses_that_differ(data):
    units = data.units()
    constant = len(data.positions) < 2 or np.ptp(data.positions) == 0
    for case in cases("", ("complete",)):
        value = float(case.value(units["complete"].tally))
        if constant:
            assert math.isnan(value), str(case)
        elif np.ptp(data.positions.sum(axis=1)) > 0:
            assert not math.isnan(value), str(case)
