"""What evaluate says of a confidence: curves, areas, groups, runs, development and test."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, cohen_kappa_score, roc_auc_score

import tallymark as tm
from tallymark.inference import Settings, estimate_all
from tallymark.questions.confidence.compute import area_formulas, area_units, selective
from tallymark.questions.confidence.lambdas import errors_by_lambda
from tallymark.questions.people.view import section as people
from tallymark.render.model import Table
from tallymark.selective.bounds import interval, upper
from tallymark.sources import Roles, read_scores
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.judged import Judged
from tallymark.study.parts import parts_of
from tests.routing.data import responses
from tests.said import words


def evaluated(columns, **options):
    """What evaluate says of confidences, without all that it says beside."""
    given = {
        "humans": ["h1"], "systems": ["engine"], "confidences": {"engine": "sure"}, **options
    }  # fmt: skip
    scores = read_scores(columns, roles=Roles(**given), scale="1:6")
    settings, asked = Settings(replicates=200), Asked(lambda_=0.4)
    parts = list(parts_of(scores, cross=False, lambda_=0.4))
    found = [
        f
        for system in scores.roles.systems
        for f in selective(scores, system, parts, settings, asked)
    ]
    found += errors_by_lambda(scores, settings, asked)
    return collected(scores, settings, asked, found)


def whole(evaluation):
    place = next(i for i, s in enumerate(evaluation.subsets) if s.id == "engine against confidence")
    curves = {c.name: c for c in evaluation.curves if c.subset == place}
    return evaluation.numbers[place], curves


@pytest.fixture(scope="module")
def columns():
    return responses(500, 1)


@pytest.fixture(scope="module")
def found(columns):
    return evaluated(columns, groups=["sex"], prompt="prompt")


def wrong_of(columns):
    gold, system = np.array(columns["h1"]), np.array(columns["engine"])
    return np.abs(gold - np.round(system)) >= 2


def test_three_curves_share_their_coverage_and_start_at_the_strictest(columns, found):
    _, curves = whole(found)
    risk, bound, tau = (curves[name] for name in ("risk_coverage", "risk_upper", "threshold"))
    assert risk.x == bound.x == tau.x
    assert len(risk.x) <= 400
    assert list(risk.x) == sorted(risk.x)
    assert list(tau.y) == sorted(tau.y, reverse=True)
    assert risk.x[-1] == 1
    confidence, wrong = np.array(columns["sure"]), wrong_of(columns)
    for place in (0, len(risk.x) // 2, -1):
        chosen = confidence >= tau.y[place]
        n, k = int(chosen.sum()), int(wrong[chosen].sum())
        assert risk.x[place] == pytest.approx(n / 500)
        assert risk.y[place] == pytest.approx(k / n)
        low, high = (float(end) for end in interval(k, n, 0.95))
        assert (risk.low[place], risk.high[place]) == pytest.approx((low, high))
        assert bound.y[place] == pytest.approx(float(upper(k, n, 0.05)))


def test_a_long_curve_is_thinned_and_keeps_its_ends():
    _, curves = whole(evaluated(responses(3000, 2)))
    assert len(curves["threshold"].x) <= 400
    assert curves["threshold"].x[0] <= 0.002
    assert curves["threshold"].x[-1] == 1


def test_numbers_agree_with_scikit_learn(columns, found):
    numbers, _ = whole(found)
    confidence, wrong = np.array(columns["sure"]), wrong_of(columns)
    assert numbers["auroc_cse"].value == pytest.approx(roc_auc_score(~wrong, confidence))
    assert numbers["brier_cse"].value == pytest.approx(brier_score_loss(~wrong, confidence))
    tau = np.sort(confidence)[::-1][249]
    top = confidence >= tau
    gold, system = np.array(columns["h1"])[top], np.round(np.array(columns["engine"])[top])
    expected = cohen_kappa_score(gold, system.astype(int), weights="quadratic")
    half = numbers["most_confident[cohen_kappa[quadratic],0.5]"]
    assert half.value == pytest.approx(expected)
    assert half.parts["coverage"] == pytest.approx(top.mean())
    assert half.low < half.value < half.high


def test_what_was_chosen_on_the_data_has_no_interval_and_says_so(found):
    numbers, _ = whole(found)
    reached = numbers["coverage_at[0.05,max]"]
    assert 0 < reached.value <= 1
    assert np.isnan(reached.low)
    assert "optimistic" in reached.why


@pytest.mark.parametrize("levels", [6, 0])
@pytest.mark.parametrize("clusters", [False, True])
def test_the_influence_of_an_area_is_its_derivative(levels, clusters):
    rng = np.random.default_rng(5)
    confidence = rng.integers(0, levels, 50) / levels if levels else rng.random(50)
    wrong = rng.random(50) < 0.6 * (1 - confidence)
    codes = rng.integers(0, 12, 50) if clusters else None
    given = Judged(
        confidence, wrong, np.zeros(50), np.ones(50, np.int64), codes, np.ones(50, bool), 0
    )
    units = area_units(given._replace(clusters=None))
    times, step = units.times.astype(float), 1e-4
    for formula in area_formulas():
        by_hand = [
            (formula.value(units.build(times + aside)) - formula.value(units.build(times - aside)))
            / (2 * step)
            * units.size
            for aside in step * np.eye(times.size)
        ]
        used = units.times > 0
        assert formula.influence is not None
        assert formula.influence(units.tally)[used] == pytest.approx(
            np.array(by_hand)[used], abs=1e-6
        )
    for one in estimate_all(area_formulas(), area_units(given), Settings(replicates=200)):
        assert one.low <= one.value <= one.high
        assert one.se_analytic > 0


def test_the_order_of_rows_does_not_matter(columns, found):
    order = np.random.default_rng(0).permutation(500)
    shuffled = {name: [values[i] for i in order] for name, values in columns.items()}
    again = evaluated(shuffled, groups=["sex"], prompt="prompt")
    assert again.to_json() == found.to_json()


def test_a_confidence_that_is_no_probability_is_not_calibrated(columns):
    other = {**columns, "sure": [100 * value - 7 for value in columns["sure"]]}
    numbers, curves = whole(evaluated(other))
    assert "ece_cse" not in numbers
    assert numbers["auroc_cse"].value > 0.6
    assert curves["threshold"].y[0] > 1


def test_evaluate_says_all_of_it(columns, found):
    options: dict[str, Any] = {
        "humans": ["h1"], "systems": ["engine"], "confidences": {"engine": "sure"}
    }  # fmt: skip
    every = tm.evaluate(columns, **options, scale="1:6", lambda_=0.4, replicates=200)
    assert whole(every)[0]["aurc"].low == whole(found)[0]["aurc"].low
    assert [t.name for t in every.tables].count("critical_errors_by_lambda") == 1


def test_a_group_that_is_left_to_people_is_told():
    columns = responses(800, 3)
    lower = np.array(columns["sex"]) == "x"
    columns["sure"] = np.where(lower, np.array(columns["sure"]) * 0.7, columns["sure"]).tolist()
    found = evaluated(columns, groups=["sex"])
    told = [d for d in found.diagnoses if "uneven" in d.name]
    assert [d.name for d in told] == ["uneven_coverage"]
    assert "sex x" in words(found, told[0])
    assert told[0].numbers["here"] < 0.8 * told[0].numbers["others"]


def test_a_group_whose_errors_pass_is_told():
    columns = responses(800, 4)
    gold = np.array(columns["h1"])
    hit = (np.array(columns["sex"]) == "y") & (np.arange(800) % 4 == 0)
    columns["engine"] = np.where(hit, gold + np.where(gold > 3, -3, 3), columns["engine"]).tolist()
    told = [d.name for d in evaluated(columns, groups=["sex"]).diagnoses if "uneven" in d.name]
    assert told == ["uneven_errors"]


def test_equal_groups_are_not_told():
    for seed in (5, 6):
        found = evaluated(responses(600, seed), groups=["sex"])
        assert not [d for d in found.diagnoses if "uneven" in d.name]


def test_runs_give_a_mean_curve_and_thresholds_of_dev_are_tried_on_test():
    columns = responses(60, 9)
    rng, gold = np.random.default_rng(10), np.array(columns["h1"])
    for i in (1, 2):
        columns[f"sure{i}"] = rng.random(60).round(3).tolist()
        off = np.where(gold > 3, -3, 3) * (
            rng.random(60) < 0.4 - 0.4 * np.array(columns[f"sure{i}"])
        )
        columns[f"run{i}"] = (gold + off).tolist()
    columns["fold"] = ["dev", "test"] * 30
    found = evaluated(
        columns,
        systems=["engine", "run1", "run2"],
        confidences={"engine": "sure", "run1": "sure1", "run2": "sure2"},
        repeats={"engine": ("run1", "run2")},
        fold="fold",
        prompt="prompt",
    )
    _, curves = whole(found)
    runs = [("engine", "sure"), ("run1", "sure1"), ("run2", "sure2")]
    rates, tried = [], []
    for score, sure in runs:
        wrong = np.abs(np.array(columns["h1"]) - np.round(columns[score])) >= 2
        confidence, dev = np.array(columns[sure]), np.array(columns["fold"]) == "dev"
        rates.append(wrong[~dev].mean())
        bad = confidence[dev][wrong[dev]].max(initial=-1)
        above = confidence[dev][confidence[dev] > bad]
        tau = above.min()
        test = ~dev & (confidence >= tau)
        tried.append((tau, test.sum() / 30, wrong[test].sum()))
    curve = curves["risk_coverage_runs"]
    assert curve.y[-1] == pytest.approx(np.mean(rates))
    assert (curve.low[-1], curve.high[-1]) == pytest.approx((min(rates), max(rates)))
    table = next(t for t in found.tables if t.name == "dev_test")
    row = next(row for row in table.rows if row[0] == "all")
    assert row[1:4] == (3, 30, 30)
    assert row[4:7] == pytest.approx(np.mean(tried, axis=0))


def test_repeated_runs_are_a_confidence_where_none_is_given():
    columns = responses(200, 11)
    columns |= {f"again{i}": responses(200, 11 + i)["engine"] for i in (1, 2)}
    found = evaluated(columns, confidences={}, repeats={"engine": ("again1", "again2")})
    _, curves = whole(found)
    assert set(curves["threshold"].y) <= {0.0, 1.0}


@pytest.mark.parametrize("sure", ["constant", "missing", "alone"])
def test_odd_confidences_do_not_break_it(sure):
    columns = responses(40, 12)
    if sure == "constant":
        columns["sure"] = [0.5] * 40
    elif sure == "missing":
        columns["sure"] = [None] * 40
    else:
        columns["sure"] = [0.5, *[None] * 39]
    found = evaluated(columns)
    assert tm.Evaluation.from_json(found.to_json()).to_json() == found.to_json()
    assert bool([d for d in found.diagnoses if d.name == "confidence_missing"]) == (sure == "alone")
    if sure == "constant":
        numbers, curves = whole(found)
        assert numbers["auroc_cse"].value == 0.5
        assert len(curves["threshold"].x) == 1


@pytest.mark.parametrize("errors", ["none", "all"])
def test_no_errors_and_nothing_but_errors(errors):
    columns = responses(50, 13)
    gold = np.array(columns["h1"])
    columns["engine"] = (gold if errors == "none" else gold + np.where(gold > 3, -3, 3)).tolist()
    numbers, curves = whole(evaluated(columns))
    assert np.isnan(numbers["auroc_cse"].value)
    assert numbers["auroc_cse"].why
    assert numbers["aurc"].value == (0 if errors == "none" else 1)
    assert curves["risk_coverage"].y[-1] == (0 if errors == "none" else 1)


def test_the_alternative_annotator_test_is_a_secondary_table():
    columns = responses(200, 14, people=2)
    columns["h3"] = columns["h1"]
    found = tm.evaluate(
        columns, humans=["h1", "h2", "h3"], systems=["engine"], scale="1:6", replicates=100
    )
    table = next(t for t in found.tables if t.name == "alt_test")
    assert "secondary" in table.title
    assert [row[1] for row in table.rows] == ["h1", "h2", "h3"]
    assert "alt_test" in [block.id for block in people(found).blocks if isinstance(block, Table)]
