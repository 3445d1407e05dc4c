"""Which metric to trust: the table of properties, values on changed data, the recommendation."""

from functools import cache

import numpy as np
import pytest

import tallymark as tm
from tallymark import metrics
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tests.said import read


def columns(n=400, seed=6, spread=1.3):
    rng = np.random.default_rng(seed)
    true = rng.normal(3.5, spread, n)

    def score(noise):
        return np.clip(np.rint(true + rng.normal(0, noise, n)), 1, 6)

    return {"h1": score(0.5), "h2": score(0.5), "engine": score(0.6)}


@cache
def evaluated(second=True, spread=1.3):
    humans = ["h1", "h2"] if second else ["h1"]
    data = columns(spread=spread)
    if not second:
        del data["h2"]
    return tm.evaluate(data, humans=humans, systems=["engine"], scale="1:6", replicates=100)


def table(evaluation):
    found = next(t for t in evaluation.tables if t.name == "metrics_here")
    return {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}


def trust(evaluation):
    found = next(d for d in evaluation.diagnoses if d.name == "metric_to_trust")
    return read(evaluation, found)


def test_values_are_those_of_the_evaluation():
    ev = evaluated()
    known = {text: e.value for text, e in ev.numbers[0].items()}
    for text, row in table(ev).items():
        if text != "prmse":
            assert row["value"] == pytest.approx(known[text])
    assert table(ev)["percent_agreement"]["distance_to_agreement"] == pytest.approx(0)
    pa = ev.numbers[0]["gwet_ac[quadratic]"].parts["pa"]
    assert table(ev)["gwet_ac[quadratic]"]["distance_to_agreement"] == pytest.approx(
        known["gwet_ac[quadratic]"] - pa
    )


def test_a_scorer_that_reads_nothing():
    data = columns()
    gold = data["h1"]
    points, counts = np.unique(gold, return_counts=True)
    always = np.full(gold.size, points[np.argmax(counts)])
    rows = {text: row["always_most_common"] for text, row in table(evaluated()).items()}
    assert rows["cohen_kappa[quadratic]"] == 0
    assert rows["pearson"] is None
    assert rows["percent_agreement"] == pytest.approx(np.mean(gold == always))
    expected = metrics.gwet_ac(gold, always, weights="quadratic", scale="1:6")
    assert rows["gwet_ac[quadratic]"] == pytest.approx(expected)


def test_only_brennan_prediger_and_agreement_ignore_where_the_agreement_sits():
    for text, row in table(evaluated()).items():
        if text == "prmse":
            continue
        moved = max(
            abs(row[column] - row["value"])
            for column in ("if_even", "where_qwk_is_lowest", "where_qwk_is_highest")
        )
        still = text in ("brennan_prediger[quadratic]", "percent_agreement")
        assert (moved < 1e-9) == still


def test_the_recommendation_with_double_scores_and_a_ceiling():
    told = trust(evaluated())
    assert not told.loud
    assert told.words.startswith("PRMSE")
    assert "beside its ceiling" in told.words
    assert told.numbers["ceiling"] > told.numbers["qwk"]


def test_the_recommendation_without_double_scores():
    told = trust(evaluated(second=False))
    assert told.words.startswith("AC2")
    assert "for order" in told.words
    assert "ceiling" not in told.words


def test_ac_is_not_recommended_where_a_constant_reaches_as_much():
    told = trust(evaluated(second=False, spread=0.5))
    assert "says little here, for a scorer that always gives" in told.words
    assert told.numbers["most_common_ac"] >= told.numbers["gwet_ac"] - 0.1


def test_the_terminal_says_it():
    text = plain_text(summary(evaluated()))
    assert "Which metric to trust here" in text
    assert "! " not in text


def test_loud_findings_stand_right_after_the_headline():
    rng = np.random.default_rng(0)
    data = {name: rng.choice([1, 2, 3], 600, p=[0.02, 0.96, 0.02]) for name in ("h", "<b>engine")}
    ev = tm.evaluate(data, humans=["h"], systems=["<b>engine"], scale="1:3", replicates=200)
    lines = plain_text(summary(ev)).splitlines()
    at = lines.index("What these numbers hide")
    assert lines[at + 1].startswith("! ")
    assert at < next(i for i, line in enumerate(lines) if line.startswith("  Which metric"))
    loud = [d for d in ev.diagnoses if d.loud]
    assert sum(line.startswith("! ") for line in lines) == len({d.name for d in loud})


def test_json_round_trip():
    ev = evaluated()
    again = tm.Evaluation.from_json(ev.to_json())
    assert again.to_json() == ev.to_json()
    assert again.tables == ev.tables


def test_prmse_is_not_the_metric_to_trust_where_chance_cannot_explain_that_it_is_above_1():
    data = columns()
    data["engine"] = (data["h1"] + data["h2"]) / 2
    found = tm.evaluate(data, humans=["h1", "h2"], systems=["engine"], scale="1:6", replicates=100)
    told = trust(found)
    assert told.words.startswith("Not PRMSE")
    assert "first" not in told.words
    assert "shares errors with the raters" in told.words
