"""Every number of every analysis has its interval or says why not; undefined is NaN with a reason."""

import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.verdict.criteria import criterion as sentence
from tests.laws.test_intervals import sound

N = 40
RNG = np.random.default_rng(0)
TRUTH = RNG.normal(size=N)
HUMAN = np.clip(np.round(3 + TRUTH), 1, 5)
SECOND = np.clip(np.round(3 + TRUTH + RNG.normal(0, 0.5, N)), 1, 5)
CONSTANT = np.full(N, 3.0)
CASES = {
    "usual": (HUMAN, SECOND, np.clip(3 + TRUTH + RNG.normal(0, 0.4, N), 1, 5)),
    "constant system": (HUMAN, SECOND, CONSTANT),
    "one score": (CONSTANT, CONSTANT, CONSTANT),
    "no difference": (HUMAN, HUMAN, HUMAN),
    "continuous": (HUMAN + RNG.normal(0, 0.1, N), SECOND + RNG.normal(0, 0.1, N), 3 + TRUTH),
    "two points": (TRUTH > 0, TRUTH > 0.2, TRUTH > -0.2),
    "three responses": (HUMAN[:3], SECOND[:3], HUMAN[:3]),
    "one response": (HUMAN[:1], SECOND[:1], HUMAN[:1]),
}


def columns_of(case):
    first, second, system = (np.asarray(scores, dtype=float) for scores in CASES[case])
    place = np.arange(first.size)
    return {
        "h1": first,
        "h2": second,
        "engine": system,
        "sure": np.random.default_rng(1).random(first.size),
        "group": np.array(list("xyz"))[place % 3],
        "essay": np.array(list("ab"))[place % 2],
    }


def check(found):
    for estimate in found.estimates:
        where = f"{found.subsets[estimate.subset].id}: {estimate.text}"
        numbers = (estimate.value, estimate.low, estimate.high)
        assert not any(map(math.isinf, numbers)), where
        assert not any(map(math.isnan, numbers)) or estimate.why, where
        assert sound(estimate), f"{where}: {estimate}"


@pytest.mark.parametrize("case", CASES)
def test_of_an_evaluation(case):
    found = tm.evaluate(
        columns_of(case),
        humans=["h1", "h2"],
        systems=["engine"],
        confidences={"engine": "sure"},
        groups=["group"],
        prompt="essay",
        policy="llm-judge",
        replicates=100,
    )
    check(found)
    assert found.verdict is not None
    for criterion in found.verdict.systems[0].criteria:
        assert str(sentence(found, criterion))
        assert math.isnan(criterion.value) == (criterion.passes is None)


@pytest.mark.parametrize("case", ["usual", "constant system", "three responses"])
def test_of_people_ceilings_and_comparisons(case):
    columns = columns_of(case)
    people: dict[str, Any] = {"humans": ["h1", "h2"], "replicates": 100}
    two = {name: columns[name] for name in ("h1", "h2")}
    check(tm.raters(two, **people))
    check(tm.ceiling(two, **people))
    other = {**two, "engine": columns["engine"], "copy": columns["h2"]}
    check(tm.compare(other, systems=["engine", "copy"], **people))
