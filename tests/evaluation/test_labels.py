"""Scores that are words give the numbers that scikit-learn gives of the words."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

import tallymark as tm

TWO = {
    "pass and fail": ("fail", "pass"),
    "booleans": (False, True),
    "yes and no": ("no", "yes"),
    "letters of Inspect": ("I", "C"),
    "numbers": (0, 1),
}
MORE = {
    "Likert": ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    "quality": ("Poor", "Fair", "Good", "Very good", "Excellent"),
    "Inspect, partly": ("I", "P", "C"),
}
FORMS = {**TWO, **MORE}


def labelled(words, n=200, seed=20):
    """Two people and two judges, the second the worse one, with a confidence."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(words), size=n)

    def given(right):
        other = rng.integers(len(words), size=n)
        return [words[i] for i in np.where(rng.random(n) < right, truth, other)]

    return {
        "id": [*range(n)],
        "human1": given(0.9),
        "human2": given(0.85),
        "judge": given(0.8),
        "worse": given(0.5),
        "sure": rng.random(n),
    }


def places(table, name, words):
    return [words.index(word) for word in table[name]]


@pytest.mark.parametrize("form", FORMS)
def test_evaluate_and_compare_give_the_numbers_of_scikit_learn(form):
    words = FORMS[form]
    table = labelled(words)
    gold = places(table, "human1", words)
    asked: Any = {"humans": ["human1"], "systems": ["judge", "worse"]}
    asked |= {"statistics": ["exact", "kappa", "LWK", "QWK"]}
    evaluated, compared = tm.evaluate(table, **asked), tm.compare(table, **asked, test="t")
    for system in ("judge", "worse"):
        given = places(table, system, words)
        for result in (evaluated, compared):
            number = result.number
            assert number("exact", of=system).value == pytest.approx(accuracy_score(gold, given))
            for name, weights in (("kappa", None), ("LWK", "linear"), ("QWK", "quadratic")):
                expected = cohen_kappa_score(gold, given, weights=weights)
                assert number(name, of=system).value == pytest.approx(expected)


@pytest.mark.parametrize("form", FORMS)
def test_raters_give_the_numbers_of_scikit_learn(form):
    words = FORMS[form]
    table = labelled(words)
    result = tm.raters(table, humans=["human1", "human2"])
    first, second = (places(table, name, words) for name in ("human1", "human2"))
    kappa = result.number("mean_pairwise_kappa[quadratic]").value
    assert kappa == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))


@pytest.mark.parametrize("form", FORMS)
def test_tables_have_the_words(form):
    words = FORMS[form]
    table = labelled(words)
    result = tm.evaluate(table, humans=["human1"], systems=["judge"])
    shown = [str(word).lower() for word in words]
    matrix = next(matrix for matrix in result.matrices if matrix.name == "confusion")
    assert [label.lower() for label in matrix.rows] == shown
    gold, given = (places(table, name, words) for name in ("human1", "judge"))
    assert np.array_equal(matrix.values, confusion_matrix(gold, given))
    if form != "numbers":
        listed = result.table("largest_disagreements")
        place = listed.columns.index("gold")
        assert {str(row[place]).lower() for row in listed.rows} <= {*shown}


@pytest.mark.parametrize("form", FORMS)
def test_a_routing_is_the_same_in_words_and_in_their_places(form, tmp_path):
    words = FORMS[form]
    table = labelled(words, 600)
    asked: Any = {
        "system": "judge",
        "confidence": "sure",
        "alpha": 0.35,
        "critical": 1.0,
        "id": "id",
    }
    asked |= {"humans": ["human1"]}
    first = min(len(words) - 2, 1)
    numbers = {
        name: [i + first for i in places(table, name, words)] for name in ("human1", "judge")
    }
    in_words = tm.route.certify(table, **asked).routing
    in_numbers = tm.route.certify({**table, **numbers}, **asked).routing
    assert in_words.thresholds
    assert in_words.thresholds == in_numbers.thresholds
    (tmp_path / "routing.json").write_text(in_words.to_json(), encoding="utf-8")
    new = {**labelled(words, 50, seed=21), "id": [*range(1000, 1050)]}
    decisions = tm.route.apply(tmp_path / "routing.json", new)
    if form != "numbers":
        given = [str(record["score"]).lower() for record in decisions.records()]
        assert given == [str(word).lower() for word in new["judge"]]
    assert tm.route.monitor(tmp_path / "routing.json", new).audited == decisions.accepted.sum()
