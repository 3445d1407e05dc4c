"""The rate of critical errors: by hand, between people, by prompt, and on continuous scores."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.selective.curve import critical_errors
from tallymark.sources import PromptOptions
from tests.said import notes

BRIEF: dict[str, Any] = {"statistics": ["csrate"], "replicates": 200}


def by_text(evaluation, subset):
    place = next(i for i, s in enumerate(evaluation.subsets) if s.id == subset)
    return evaluation.numbers[place]


def test_a_gap_of_exactly_lambda_times_the_range_is_critical():
    gold, system = [0, 10, 20, 40, 100], [7, 10, 26, 40, 90]
    found = tm.estimate("csrate", gold, system, scale="0:100", lambda_=0.07)
    assert found.value == pytest.approx(2 / 5)
    assert found.text == "csrate[0.07]"


@pytest.mark.parametrize("lambda_", [0.05, 0.2, 1 / 3, 0.5, 1.0])
def test_it_is_the_mean_of_the_critical_errors(lambda_):
    rng = np.random.default_rng(3)
    gold, system = rng.integers(0, 7, 500), rng.integers(0, 7, 500)
    expected = critical_errors(gold, system, lambda_, 6).mean()
    assert tm.metrics.csrate(gold, system, lambda_=lambda_, scale="0:6") == pytest.approx(expected)


def test_scores_on_no_points_are_compared_as_they_are():
    rng = np.random.default_rng(4)
    gold = rng.random(400) * 10
    system = np.clip(gold + rng.normal(0, 2, 400), gold.min(), gold.max())
    columns = {"gold": gold, "engine": system}
    found = tm.evaluate(columns, gold="gold", systems=["engine"], **BRIEF)
    expected = critical_errors(gold, system, 0.2, np.ptp(gold)).mean()
    assert by_text(found, "engine")["csrate[0.2]"].value == pytest.approx(expected)


def test_a_scale_of_one_point_has_no_critical_errors_and_says_why():
    found = tm.estimate("csrate", [2, 2, 2], [2, 2, 2], scale="2", interval="analytic")
    assert np.isnan(found.value)
    assert "one point" in found.why


def test_a_prompt_may_have_its_own_lambda():
    gold, system = [0, 1, 2, 3, 4] * 8, [1, 1, 2, 3, 4] * 8
    columns = {"h1": gold, "engine": system, "prompt": ["a"] * 20 + ["b"] * 20}
    own = {"b": PromptOptions(lambda_=0.5)}
    roles: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "prompts": own}
    found = tm.evaluate(columns, scale="0:4", **roles, **BRIEF)
    assert by_text(found, "engine|prompt=a")["csrate[0.2]"].value == pytest.approx(0.2)
    assert by_text(found, "engine|prompt=b")["csrate[0.5]"].value == 0


def test_people_stand_beside_systems():
    h1, h2 = [1, 2, 3, 4, 5, 6] * 10, [1, 2, 3, 4, 5, 3] * 10
    columns = {"h1": h1, "h2": h2, "engine": [1, 2, 3, 1, 5, 6] * 10}
    found = tm.evaluate(columns, scale="1:6", lambda_=0.4, replicates=100)
    people = by_text(found, "engine against people")
    assert people["human_human[csrate[0.4]]"].value == pytest.approx(1 / 6)
    assert people["human_system[csrate[0.4]]"].value == pytest.approx((1 / 6 + 2 / 6) / 2)
    assert found.definitions["degradation[csrate[0.4]]"].better == "lower"
    assert by_text(found, "h2 against h1")["csrate[0.4]"].value == pytest.approx(1 / 6)


def test_the_table_by_lambda_tells_people_and_systems():
    h1, h2 = [1, 2, 3, 4, 5, 6] * 10, [2, 2, 3, 4, 5, 3] * 10
    columns = {"h1": h1, "h2": h2, "engine": [1, 2, 3, 1, 5, 6] * 10}
    found = tm.evaluate(columns, scale="1:6", lambda_=0.35, replicates=100)
    table = next(t for t in found.tables if t.name == "critical_errors_by_lambda")
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert rows[0.2]["people"] == pytest.approx(2 / 6)
    assert rows[0.35]["people"] == pytest.approx(1 / 6)
    assert rows[0.35]["engine"] == pytest.approx(1 / 6)
    assert (rows[0.2]["people: errors"], rows[0.35]["engine: errors"]) == (20, 10)
    low, high = rows[0.5]["engine low"], rows[0.5]["engine high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert low < 1 / 6 < high
    gap = next(e for e in found.estimates if e.name == "human_gap")
    assert gap.value == pytest.approx((1 + 3) / 6 / 5)
    assert gap.low < gap.value < gap.high


def test_an_impossible_lambda_is_refused():
    with pytest.raises(tm.OptionError, match="lambda"):
        tm.evaluate({"h1": [1, 2], "engine": [1, 2]}, lambda_=0.0)


def test_a_lambda_that_calls_every_disagreement_critical_is_told():
    columns = {"h": [1, 2, 3, 4, 5, 6], "s": [1, 2, 3, 4, 5, 5]}

    def told(**asked):
        found = tm.evaluate(columns, humans=["h"], systems=["s"], scale="1:6", **asked)
        return [text for text in notes(found) if "any error" in text]

    assert told() == ["lambda 0.2 makes any error on 1:6 critical; --critical 2 needs 2 points"]
    assert told(lambda_=0.4) == []
