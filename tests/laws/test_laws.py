"""What must hold for every statistic of the catalogue on two scores."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.catalogue import BY_NAME, FORMULAS, find, level_of, reasons
from tallymark.results import Key
from tests.laws.cases import CASES, EXEMPT, KINDS, NAMES, PAIRWISE, Scores, cases, scores, tally_of

LAWS = ("responses", "raters", "relabelling", "perfect", "adding", "stacking", "undefined")
few = settings(max_examples=20)


def same(found, expected, case, tolerance=1e-10):
    assert found == pytest.approx(expected, abs=tolerance, rel=tolerance, nan_ok=True), str(case)


@pytest.mark.parametrize("law", LAWS)
def test_no_statistic_is_left_out_of_a_law_without_a_reason(law):
    exempt = EXEMPT.get(law, {})
    tallies = KINDS
    assert {case.name for case in cases(law, tallies)} | exempt.keys() == set(NAMES)
    assert exempt.keys() <= set(NAMES)
    assert all(exempt.values())


def test_every_named_parameter_and_tally_is_tried():
    tried = {(case.name, case.tally, *case.params.values()) for case in CASES}
    for row in FORMULAS:
        for values in row.choices.values():
            wanted = {(row.name, t, v) for t in row.tallies for v in values if v != "ordinal"}
            assert wanted <= tried
            assert {(row.name, v) for v in values} <= {(name, v[-1]) for name, *v in tried}


@few
@given(scores(), st.randoms(use_true_random=False))
def test_the_order_of_responses_does_not_matter(data, random):
    order = random.sample(range(len(data.positions)), len(data.positions))
    shuffled = Scores(data.positions[order], data.points)
    here, there = data.units(), shuffled.units()
    for case in cases("responses"):
        expected = case.value(here[case.tally].tally)
        assert case.value(there[case.tally].tally) == pytest.approx(
            expected, abs=1e-12, nan_ok=True
        ), str(case)


@few
@given(scores())
def test_the_order_of_raters_does_not_matter_where_a_statistic_is_symmetric(data):
    here, there = data.units(), Scores(data.positions[:, ::-1], data.points).units()
    for case in cases("raters"):
        if case.row.symmetric:
            same(case.value(there[case.tally].tally), case.value(here[case.tally].tally), case)


def test_the_order_of_raters_matters_where_a_statistic_is_not_symmetric():
    for k in (2, 3):
        rows = [[0, 0], *[[0, 1]] * 3, *[[1, 1]] * 4, [k - 1, 0]]
        positions = np.array(rows, dtype=float)
        here = Scores(positions, np.arange(float(k))).units()
        there = Scores(positions[:, ::-1], np.arange(float(k))).units()
        for case in cases("raters"):
            two = reasons.TWO_POINTS in case.row.undefined
            if not case.row.symmetric and not (two and k != 2):
                one, other = (float(case.value(u[case.tally].tally)) for u in (here, there))
                assert abs(one - other) > 0.01, str(case)


OF_ONE_LABEL = {
    "sensitivity", "specificity", "precision", "negative_predictive_value", "f1", "positive_rate",
    "class_recall", "class_precision", "class_f1",
}  # fmt: skip
RATES = ("positive_rate[gold]", "positive_rate[system]")
TURNED = {"sensitivity": "specificity", "precision": "negative_predictive_value"}
RANKED = {"spearman", "kendall_tau_b"}
LINEAR = {"lin_ccc", "pearson", "r2", "csrate", "sd_ratio"}
STANDARDIZED = {"smd"}
IN_SCORE_UNITS = {"bias": -1, "mae": 1, "rmse": 1, "macro_mae": 1, "macro_rmse": 1}
SQUARED_UNITS = {"mse"}
SIGNED = {"prevalence_index", "bias_index"}
SHIFTED = {"adjacent_agreement"}


def meaning(case):
    """What a statistic sees in the points: their names, order, distances or ratios."""
    key = Key(case.name, **case.row.check(case.params))
    if level_of(key) == "nominal" and case.name not in SIGNED | OF_ONE_LABEL:
        return "names"
    if case.name in RANKED or case.distance == "ordinal":
        return "order"
    if case.name in LINEAR or case.distance in ("linear", "quadratic"):
        return "distances"
    if case.distance == "ratio":
        return "ratios"
    for meaning, names in (
        ("labels", OF_ONE_LABEL),
        ("units", IN_SCORE_UNITS),
        ("squares", SQUARED_UNITS),
        ("standard", STANDARDIZED),
        ("sign", SIGNED),
        ("steps", SHIFTED),
    ):
        if case.name in names:
            return meaning
    return ""


def test_every_statistic_declares_what_the_points_mean_to_it():
    assert [str(case) for case in cases("relabelling") if not meaning(case)] == []


@few
@given(scores(), st.randoms(use_true_random=False))
def test_names_of_points_may_be_exchanged_where_only_equality_counts(data, random):
    new = np.array(random.sample(range(data.points.size), data.points.size), dtype=float)
    here, there = data.units(), Scores(new[data.positions.astype(int)], data.points).units()
    for case in cases("relabelling"):
        if meaning(case) == "names":
            same(case.value(there[case.tally].tally), case.value(here[case.tally].tally), case)


@few
@given(scores())
def test_a_reversed_scale_changes_at_most_the_sign(data):
    last = data.points.size - 1
    here, there = data.units(), Scores(last - data.positions, data.points).units()
    for case in cases("relabelling"):
        if meaning(case) in ("ratios", "labels"):
            continue
        turns = case.name in SIGNED | STANDARDIZED or IN_SCORE_UNITS.get(case.name) == -1
        sign = -1 if turns else 1
        expected = sign * case.value(here[case.tally].tally)
        same(case.value(there[case.tally].tally), expected, case)


@few
@given(scores(), st.sampled_from([0.5, 2.0, 3.0]), st.sampled_from([-7.0, 0.0, 1.5, 40.0]))
def test_other_units_and_another_zero_change_only_what_is_in_score_units(data, unit, shift):
    here = data.units()
    there = Scores(data.positions, data.points * unit + shift).units()
    multiplied = Scores(data.positions, data.points * unit).units()
    shifted = Scores(data.positions, data.points + shift).units()
    by_meaning = {"ratios": multiplied, "steps": shifted}
    for case in cases("relabelling"):
        other = by_meaning.get(meaning(case), there)[case.tally].tally
        factor = {"units": unit, "squares": unit**2}.get(meaning(case), 1)
        same(case.value(other), factor * case.value(here[case.tally].tally), case, 1e-9)


@few
@given(scores())
def test_only_the_order_counts_where_a_statistic_is_ordinal(data):
    here, there = data.units(), Scores(data.positions, np.exp(data.points)).units()
    for case in cases("relabelling"):
        if meaning(case) in ("order", "names", "sign"):
            same(case.value(there[case.tally].tally), case.value(here[case.tally].tally), case)


@few
@given(scores())
def test_what_is_of_one_label_is_that_of_the_other_on_a_reversed_scale(data):
    last = data.points.size - 1
    here, there = data.units(), Scores(last - data.positions, data.points).units()
    for name, other in TURNED.items():
        first, second = (find(each).value for each in (name, other))
        same(first(there["table"].tally), second(here["table"].tally), name)
    for name in ("class_recall", "class_precision", "class_f1"):
        first, second = (find(name, {"label": label}).value for label in (0, last))
        same(first(there["cells"].tally), second(here["cells"].tally), name)


@few
@given(scores(raters=2))
def test_what_a_number_repeats_on_two_points_is_what_its_row_says(data):
    rows = [row for row in FORMULAS if row.on_two_points]
    gold, system = (data.positions % 2).T
    if not len(gold):
        return
    known = {
        text: tm.estimate(text, gold, system, scale="0,1", interval="analytic").value
        for text in ("percent_agreement", "mcc", "cohen_kappa[identity]", *RATES)
    }
    for row in rows:
        said = row.on_two_points
        for text, value in sorted(known.items(), key=lambda pair: -len(pair[0])):
            said = said.replace(text, f"({value!r})")
        value = tm.estimate(row.name, gold, system, scale="0,1", interval="analytic").value
        expected = eval(said, {"sqrt": math.sqrt, "nan": math.nan})  # noqa: S307
        same(value, expected, row.name, 1e-9)


@few
@given(scores())
def test_values_lie_in_their_range_and_are_never_infinite(data):
    units = data.units()
    for case in cases(""):
        value = float(case.value(units[case.tally].tally))
        low, high = case.row.bind(case.params).range
        assert math.isnan(value) or low - 1e-9 <= value <= high + 1e-9, str(case)
        assert not math.isinf(value), str(case)


@few
@given(scores(raters=1))
def test_perfect_agreement_gives_the_best_value(data):
    units = Scores(np.repeat(data.positions, 2, axis=1), data.points).units()
    best = {"higher": 1.0, "lower": 0.0, "zero": 0.0}
    for case in cases("perfect"):
        if case.row.better == "neither":
            continue
        value = float(case.value(units[case.tally].tally))
        if not math.isnan(value):
            same(value, best[case.row.better], case)


@few
@given(scores(), st.data())
def test_tallies_of_disjoint_responses_add(data, draw):
    # every point occurs in both parts, so that tallies by gold score have the same points
    every = np.repeat(np.arange(data.points.size, dtype=float)[:, None], 2, axis=1)
    cut = draw.draw(st.integers(0, len(data.positions)))
    parts = [
        Scores(np.concatenate([every, part]), data.points).values
        for part in (data.positions[:cut], data.positions[cut:])
    ]
    for case in cases("adding"):
        one, other = (tally_of(case.tally, part, data.points) for part in parts)
        whole = tally_of(case.tally, np.concatenate(parts), data.points)
        same(case.value(one + other), case.value(whole), case)


@few
@given(scores(low=1), st.integers(0, 2**32 - 1))
def test_stacked_tallies_give_what_each_gives_alone(data, seed):
    units = data.units()
    for case in cases("stacking"):
        own = units[case.tally]
        weights = np.random.default_rng(seed).integers(0, 3, (2, 3, own.times.size))
        stacked = case.value(own.build(own.sums(weights)))
        assert stacked.shape == (2, 3), str(case)
        for place in np.ndindex(2, 3):
            same(stacked[place], case.value(own.build(own.sums(weights[place]))), case)


def undefined(case, data):
    """Whether the statistic has no value on these data, by what its documentation says."""
    seen = data.positions
    if not len(seen):
        return True
    gold, system = seen[:, 0], seen[:, -1]
    two, given = data.points.size == 2, {"gold": gold, "system": system}
    label = case.params.get("label", 0)
    return {
        BY_NAME["sensitivity"].undefined: not two or not (gold == 1).any(),
        BY_NAME["specificity"].undefined: not two or not (gold == 0).any(),
        BY_NAME["precision"].undefined: not two or not (system == 1).any(),
        BY_NAME["negative_predictive_value"].undefined: not two or not (system == 0).any(),
        BY_NAME["f1"].undefined: not two or not (seen == 1).any(),
        BY_NAME["balanced_accuracy"].undefined: np.ptp(gold) == 0,
        BY_NAME["mcc"].undefined: any(np.ptp(scores) == 0 for scores in given.values()),
        BY_NAME["class_recall"].undefined: not (gold == label).any(),
        BY_NAME["class_precision"].undefined: not (system == label).any(),
        BY_NAME["class_f1"].undefined: not (seen == label).any(),
        BY_NAME["macro_f1"].undefined: False,
        reasons.ONE_POINT: np.unique(seen).size == 1,
        reasons.ONE_POINT_SCALE: data.points.size == 1,
        reasons.TWO_POINTS: data.points.size != 2,
        reasons.CONSTANT: (np.ptp(seen, axis=0) == 0).any(),
        reasons.NO_PAIRS: False,
        BY_NAME["krippendorff_alpha"].undefined: np.unique(seen).size == 1,
        BY_NAME["r2"].undefined: np.ptp(seen[:, 0]) == 0,
        BY_NAME["smd"].undefined: np.ptp(seen[:, 0]) == 0
        and (case.params.get("kind") in ("unpooled", "johnson") or np.ptp(seen[:, 1]) == 0),
    }[case.row.undefined]


@few
@given(scores())
def test_a_statistic_is_undefined_exactly_where_it_says_so(data):
    units = data.units()
    for case in cases("undefined"):
        value = float(case.value(units[case.tally].tally))
        assert math.isnan(value) == undefined(case, data), f"{case}: {value}"


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: row.name)
def test_an_undefined_estimate_says_why(row):
    nobody = tm.estimate(
        row.name, [1, None], [None, 2], scale="1:3", missing="drop", interval="analytic"
    )
    assert math.isnan(nobody.value)
    assert nobody.why == "no response has both scores"
    same_point = tm.estimate(row.name, [2, 2, 2], [2, 2, 2], scale="1:3", interval="analytic")
    said = bool(same_point.why) and same_point.why in row.undefined  # all reasons, or one of them
    assert said == math.isnan(same_point.value)


def test_names_are_those_of_the_published_results():
    found = [Key(row.name, **row.check({})) for row in FORMULAS]
    assert found == [
        "percent_agreement",
        "adjacent_agreement[1]",
        "csrate[0.2]",
        "cohen_kappa[identity]",
        "scott_pi[identity]",
        "fleiss_kappa[identity]",
        "conger_kappa[identity]",
        "gwet_ac[identity]",
        "brennan_prediger[identity]",
        "mean_pairwise_kappa[identity]",
        "krippendorff_alpha[interval]",
        "icc[2,1]",
        "lin_ccc",
        "pearson",
        "spearman",
        "kendall_tau_b",
        "bias",
        "mae",
        "mse",
        "rmse",
        "r2",
        "smd[unpooled]",
        "sd_ratio",
        "macro_mae",
        "macro_rmse",
        "sensitivity",
        "specificity",
        "precision",
        "negative_predictive_value",
        "f1",
        "balanced_accuracy",
        "mcc",
        "positive_rate[gold]",
        "class_recall[0]",
        "class_precision[0]",
        "class_f1[0]",
        "macro_precision",
        "macro_f1",
        "pabak",
        "prevalence_index",
        "bias_index",
        "prevalence_doewes",
    ]
    assert len({row.name for row in FORMULAS}) == len(FORMULAS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_name_with_its_parameters_is_read_back(case):
    params = case.row.check(case.params)
    if case.name == "krippendorff_alpha" and params.get("weights") in ("ordinal", "ratio"):
        return  # the same words name its metrics, which are meant when nothing else is said
    assert find(Key(case.name, **params)).params == params


def test_two_scores_have_a_pairwise_tally_or_are_a_panel():
    for row in FORMULAS:
        assert set(row.tallies) <= set(KINDS)
        # one of scores on points, and one of continuous scores
        assert sum(kind in PAIRWISE for kind in row.tallies if kind != "gaps") <= 1


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("step", [0.5, 1.0, 2.0])
def test_a_statistic_is_settled_where_no_scores_can_move_it(k, step):
    rng = np.random.default_rng(0)
    points = np.arange(k) * step + 1
    samples = [Scores(rng.integers(0, k, (12, 2)).astype(float), points).units() for _ in range(40)]
    for case in cases("", ("table", "cells", "panel")):
        if case.row.score != "rounded":
            continue
        values = [float(case.value(units[case.tally].tally)) for units in samples]
        known = [value for value in values if not math.isnan(value)]
        constant = len(known) == len(values) and np.ptp(known) < 1e-12
        params = case.row.check(case.params)
        assert case.row.settled_on(points, params) == constant, str(case)


def test_what_is_settled_is_not_shown_and_undefined_where_it_is_asked_for():
    columns = {"h": [0, 1, 1, 0, 1, 0] * 5, "s": [0, 1, 0, 0, 1, 1] * 5}
    found = tm.evaluate(columns, humans=["h"], systems=["s"], replicates=100)
    assert not any(e.name == "adjacent_agreement" for e in found.estimates)
    asked = tm.evaluate(
        columns,
        humans=["h"],
        systems=["s"],
        statistics=["adjacent_agreement", "qwk"],
        replicates=100,
    )
    one = next(e for e in asked.estimates if e.name == "adjacent_agreement")
    assert math.isnan(one.value)
    assert "whatever the scores" in one.why
