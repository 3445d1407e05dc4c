"""What must hold for statistics of more than two raters, with gaps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark import metrics
from tallymark.agreement.weights import distance
from tallymark.reliability.icc import Type
from tests.laws.cases import PAIRWISE, PANELS, Scores, cases, scores, tally_of
from tests.said import notes

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
        low, high = case.row.bind(case.params).range
        assert not math.isinf(value), str(case)
        assert math.isnan(value) or low - 1e-9 <= value <= high + 1e-9, str(case)


@few
@given(panels)
def test_gaps_do_not_make_a_value_infinite(data):
    units = data.units()
    for case in cases("", PANELS):
        value = float(case.value(units[case.tally].tally))
        assert not math.isinf(value), str(case)
        assert math.isnan(value) or value <= case.row.bind(case.params).range[1] + 1e-9, str(case)


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
        elif np.ptp(data.positions.sum(axis=1)) > 0 and not case.params["type"].startswith("2"):
            # the denominator of type 2 can be 0 where raters differ less than chance gives
            assert not math.isnan(value), str(case)


@few
@given(panels, st.integers(0, 3))
def test_an_empty_rater_changes_nothing(data, place):
    here = data.units()
    there = Scores(np.insert(data.positions, place, np.nan, axis=1), data.points).units()
    for case in cases("", PANELS):
        same(case.value(there[case.tally].tally), case.value(here[case.tally].tally), case)


def random_panel(seed=0, raters=3, n=60, missing=0.3):
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, n)
    ratings = np.clip(np.rint(truth[:, None] + rng.normal(0, 0.7, (n, raters))), 1, 5)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings


@pytest.mark.parametrize(
    "name",
    [
        "percent_agreement",
        "fleiss_kappa[quadratic]",
        "conger_kappa[linear]",
        "mean_pairwise_kappa[quadratic]",
        "gwet_ac[quadratic]",
        "krippendorff_alpha[ordinal]",
        "icc[1,1]",
        "icc[1,k]",
        "icc[2,1]",
        "icc[3,k]",
    ],
)
def test_an_empty_rater_changes_no_estimate_and_no_interval(name):
    ratings = random_panel()
    wide = np.insert(ratings, 1, np.nan, axis=1)
    here, there = (
        tm.estimate(name, given, scale="1:5", missing="drop") for given in (ratings, wide)
    )
    for field in ("value", "se", "low", "high", "n", "se_analytic"):
        expected = getattr(here, field)
        assert getattr(there, field) == pytest.approx(expected, rel=1e-9, nan_ok=True), field
    assert there.method == here.method


def test_an_empty_rater_changes_nothing_about_the_others():
    ratings = random_panel(1)
    columns = {
        f"r{i}": [None if np.isnan(s) else int(s) for s in c] for i, c in enumerate(ratings.T)
    }
    names = [*columns]
    alone = tm.raters(columns, humans=names, scale="1:5", replicates=200)
    columns["idle"] = [None] * len(ratings)
    beside = tm.raters(columns, humans=[*names, "idle"], scale="1:5", replicates=200)
    for i, subset in enumerate(alone.subsets):
        place = next(j for j, s in enumerate(beside.subsets) if s.id == subset.id)
        for text, found in alone.numbers[i].items():
            there = beside.numbers[place][text]
            expected = (found.value, found.low, found.high)
            assert (there.value, there.low, there.high) == pytest.approx(
                expected, abs=1e-10, nan_ok=True
            ), text
    assert any("without any rating: idle" in finding for finding in notes(beside))


@few
@given(scores(low=2))
def test_alpha_of_two_raters_is_its_closed_form(data):
    table = data.units()["cells"].tally
    n = len(data.positions)
    for case in cases("", ("table",)):
        if case.name != "krippendorff_alpha" or case.distance in ("ordinal", "ratio"):
            continue
        weights = 1 - distance(data.points, case.distance)  # type: ignore[arg-type]
        pa = (1 - 1 / (2 * n)) * (weights * table.proportions).sum() + 1 / (2 * n)
        pe = table.shares @ weights @ table.shares
        expected = (pa - pe) / (1 - pe) if np.unique(data.positions).size > 1 else math.nan
        same(case.value(table), expected, case)


@few
@given(panels)
def test_alpha_of_sums_is_alpha_of_counted_points(data):
    units = data.units()
    (alpha,) = (case for case in cases("", ("spread",)))
    twin = next(c for c in cases("", ("pairable",)) if c.params == {"metric": "interval"})
    same(alpha.value(units["spread"].tally), twin.value(units["pairable"].tally), alpha)


@few
@given(panels, st.randoms(use_true_random=False))
def test_type_1_reliability_does_not_ask_who_gave_a_rating(data, random):
    mixed = np.array([random.sample(list(row), len(row)) for row in data.positions])
    mixed = mixed.reshape(data.positions.shape)
    here, there = data.units(), Scores(mixed, data.points).units()
    for case in cases("", ("oneway",)):
        same(case.value(there["oneway"].tally), case.value(here["oneway"].tally), case)


@few
@given(scores(raters=3, low=2))
def test_equal_numbers_of_ratings_are_a_case_of_unequal_ones(data):
    units = data.units()
    for case in cases("", ("oneway",)):
        twin = next(c for c in cases("", ("equal",)) if c.params == case.params)
        value = float(case.value(units["oneway"].tally))
        if not math.isnan(value):
            same(value, twin.value(units["equal"].tally), case, 1e-7)


def test_reliability_of_unequal_numbers_of_ratings_worked_by_hand():
    # responses of 2, 3 and 1 ratings: N 6, sum of squares 14, k0 = (6 - 14/6) / 2 = 11/6
    ratings: list[list[int | None]] = [[1, 3, None], [4, 5, 6], [None, 2, None]]
    within = (2 + 2) / (6 - 3)  # (1-2)^2 + (3-2)^2, (4-5)^2 + (6-5)^2
    grand = 21 / 6
    between = (2 * (2 - grand) ** 2 + 3 * (5 - grand) ** 2 + (2 - grand) ** 2) / 2
    true = (between - within) / (11 / 6)
    k = 3 / (1 / 2 + 1 / 3 + 1)
    assert metrics.icc(ratings, type="1,1") == pytest.approx(true / (true + within))
    assert metrics.icc(ratings, type="1,k") == pytest.approx(true / (true + within / k))
    kinds: tuple[Type, ...] = ("1,1", "1,k")
    for kind in kinds:
        found = tm.estimate("icc", ratings, type=kind).value
        assert found == pytest.approx(metrics.icc(ratings, type=kind))


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic", "ordinal"])
def test_of_two_complete_raters_every_coefficient_is_that_of_the_table(weights):
    first, second = random_panel(2, raters=2, n=200, missing=0).T
    both = np.stack([first, second], axis=1)
    given = {"weights": weights, "scale": "1:5"}
    twins = [
        ("fleiss_kappa", "scott_pi"),
        ("conger_kappa", "cohen_kappa"),
        ("mean_pairwise_kappa", "cohen_kappa"),
        ("gwet_ac", "gwet_ac"),
        ("brennan_prediger", "brennan_prediger"),
        ("krippendorff_alpha", "krippendorff_alpha"),
    ]
    for panel, pair in twins:
        found = getattr(metrics, panel)(both, **given)
        assert found == pytest.approx(getattr(metrics, pair)(first, second, **given)), panel


def test_pairs_without_a_kappa_are_left_out_of_the_mean_and_counted():
    rng = np.random.default_rng(0)
    scores = rng.integers(1, 5, (40, 3)).astype(float)
    alone = np.full((40, 1), np.nan)
    alone[0] = scores[0, 0]  # a fourth rater who shares one response with each
    rows = np.concatenate([scores, alone], axis=1)
    for weights in ("identity", "quadratic"):
        here = tm.estimate("mean_pairwise_kappa", rows, weights=weights, replicates=100)
        there = tm.estimate("mean_pairwise_kappa", scores, weights=weights, replicates=100)
        assert here.parts["pairs"] + here.parts["pairs_left_out"] == 6
        if scores[0].max() == scores[0].min():
            assert here.value == pytest.approx(there.value)
        assert "pairs_left_out" not in there.parts
    every = tm.estimate("mean_pairwise_kappa", np.full((5, 3), 2.0), scale="1:4")
    assert math.isnan(every.value)
    assert every.why


def test_an_evaluation_says_which_pairs_were_left_out():
    first = np.tile([1.0, 2, 3, 4], 10)
    columns = {
        "h1": first,
        "h2": np.roll(first, 1),
        "h3": np.where(np.arange(40) < 1, 1.0, np.nan),
    }
    found = tm.raters(columns, humans=["h1", "h2", "h3"], scale="1:4", replicates=100)
    told = next(e for e in found.estimates if e.text == "mean_pairwise_kappa[quadratic]")
    kappa = tm.estimate("cohen_kappa", first, np.roll(first, 1), weights="quadratic", scale="1:4")
    # h3 shares one response: the same score as h1, which leaves no kappa, another than h2
    assert "1 of 3 pairs of raters left out" in told.why
    assert told.value == pytest.approx((kappa.value + 0.0) / 2)
