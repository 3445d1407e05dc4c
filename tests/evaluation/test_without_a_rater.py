"""Each rater left out in turn: the numbers of the others alone, loud where one rater decides."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import find
from tallymark.inference.expansion import expand_functions
from tallymark.inference.formula import name_of
from tallymark.questions.people.contrasts import Paired, single
from tallymark.questions.people.say import FINDINGS
from tallymark.questions.people.view import system_sentences
from tallymark.results import (
    AMONG_PEOPLE,
    PEOPLE,
    Evaluation,
    Finding,
    system_called,
    without_rater,
)
from tallymark.study.units import Rows
from tests.said import read
from tests.sparse import Sparse, as_wide, sparse_ratings

DEGRADATION = "degradation[cohen_kappa[quadratic]]"
ALPHA = "krippendorff_alpha[interval]"


def complete(noise: dict[str, float], *, engine: float, seed: int = 1, n: int = 300) -> Sparse:
    """Every rater rates every response, with errors of their own; below 0 at random."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3.5, 1.2, n)

    def given(sd: float) -> Any:
        if sd < 0:
            return rng.integers(1, 7, n).astype(float)
        return np.clip(np.round(truth + rng.normal(0, sd, n)), 1, 6)

    place = np.arange(n)
    columns = {
        "text": np.array([f"t{i}" for i in place]),
        "engine": given(engine),
        "who": np.array([f"c{i // 4}" for i in place]),
        "essay": np.array(["a", "b"])[place % 2],
    }
    ratings = np.array([given(sd) for sd in noise.values()])
    return Sparse(tuple(noise), ratings, columns, len(noise))


THREE = {"r1": 0.5, "r2": 0.7, "r3": 0.9}
DESIGNS: dict[str, tuple[Sparse, dict[str, Any]]] = {
    "three": (complete(THREE, engine=0.6), {"scale": "1:6"}),
    "clusters": (complete(THREE, engine=0.6), {"scale": "1:6", "cluster": "who"}),
    "a sparse panel": (sparse_ratings(200, raters=5, seed=2), {"scale": "1:5"}),
    "a pool": (sparse_ratings(150, raters=16, fewest=1, most=3, seed=3), {"scale": "1:5"}),
    "scales of their own": (
        complete(THREE, engine=0.6),
        {"prompt": "essay", "prompts": {"a": {"scale": "1:6"}, "b": {"scale": "0:6"}}},
    ),
}


def evaluated(sparse: Sparse, **options: Any) -> Evaluation:
    named = {"humans": list(sparse.raters), "systems": ["engine"], "id": "text"}
    return tm.evaluate(as_wide(sparse), **{**named, **options})


def numbers(evaluation: Evaluation, subject: Any, against: Any) -> dict[str, Any]:
    subsets = [s for s in evaluation.subsets if s.subject == subject and s.against == against]
    subsets = [s for s in subsets if s.whole or (s.average == "prompt" and not s.fisher_z)]
    return dict(evaluation.of(next(s for s in subsets if evaluation.of(s))))


@pytest.mark.parametrize("design", DESIGNS)
def test_without_a_rater_the_numbers_are_those_of_the_others_alone(design):
    sparse, options = DESIGNS[design]
    found = evaluated(sparse, **options)
    for left in (0, len(sparse.raters) - 1):
        name = sparse.raters[left]
        kept = [i for i in range(len(sparse.raters)) if i != left]
        others = sparse._replace(
            raters=tuple(sparse.raters[i] for i in kept), ratings=sparse.ratings[kept]
        )
        alone = evaluated(others, **options)
        for subject, texts in (
            (
                system_called("engine"),
                (DEGRADATION, "human_human[pearson]", "degradation[pearson]"),
            ),
            (PEOPLE, (ALPHA, "percent_agreement")),
        ):
            here = numbers(found, subject, without_rater(name))
            there = numbers(alone, subject, AMONG_PEOPLE)
            for text in texts:
                assert here[text].n == there[text].n
                ends = [[e.value, e.low, e.high] for e in (here[text], there[text])]
                np.testing.assert_allclose(ends[0][0], ends[1][0], rtol=0, atol=1e-9)
                np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=2e-3)


@pytest.mark.parametrize("kind", ["table", "moments"])
@pytest.mark.parametrize("design", ["three", "a sparse panel"])
def test_contrasts_move_as_if_all_their_sums_were_moved_one_by_one(design, kind):
    sparse, _ = DESIGNS[design]
    scores = np.vstack([sparse.ratings, sparse.columns["engine"]]).T
    rows = Rows(scores, np.ones(len(scores), dtype=np.int64), np.arange(1.0, 7))
    text = "cohen_kappa[quadratic]" if kind == "table" else "lin_ccc"
    paired = Paired.of(kind, rows, single(len(sparse.raters)), [find(text)])
    formulas = paired.formulas()
    kept = [paired.units.kept[name_of(f)] for f in formulas]
    every = expand_functions([f.value for f in formulas], [paired.units])[0]
    for known, made in zip(kept, every, strict=True):
        assert made is not None
        np.testing.assert_allclose(known.value, made.value, rtol=1e-9)
        np.testing.assert_allclose(known.moves, made.moves, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose([known.bias, known.se], [made.bias, made.se], rtol=1e-5)


def turning(evaluation: Evaluation) -> list[Finding]:
    return [f for f in evaluation.findings if f.name.endswith("_turns")]


BROKEN = {"r01": 0.4, "r02": 0.4, "r03": 0.5, "r06": -1.0}


def test_a_rater_at_random_who_makes_a_system_look_better_than_people_is_loud():
    found = evaluated(complete(BROKEN, engine=1.0), scale="1:6", policy="llm-judge")
    with_all = numbers(found, system_called("engine"), AMONG_PEOPLE)[DEGRADATION]
    without = numbers(found, system_called("engine"), without_rater("r06"))[DEGRADATION]
    assert with_all.low > 0 > without.high
    findings = {f.name: f for f in turning(found)}
    assert {name: f.loud for name, f in findings.items()} == {
        "panel_turns": False, "yardstick_turns": True, "verdict_turns": True,
    }  # fmt: skip
    assert {f.texts["rater"] for f in findings.values()} == {"r06"}
    assert abs(findings["yardstick_turns"].numbers["r"]) < 0.2
    words = read(found, findings["yardstick_turns"])
    assert " with r06, " in words.words
    assert words.advice.startswith("Look at the ratings of r06")
    beside = " ".join(map(str, system_sentences(found)))
    assert " Without r06 the difference is -." in beside
    page = evaluated(complete(BROKEN, engine=1.0), scale="1:6").to_html()
    assert page.count("Without r06 the difference is") == 2
    verdict = findings["verdict_turns"].texts
    assert found.verdict is not None
    assert verdict["state"] == found.verdict.state != verdict["without"] == "not met"


@pytest.mark.parametrize("seed", range(6))
def test_raters_who_err_alike_turn_nothing(seed):
    alike = dict.fromkeys(("r1", "r2", "r3", "r4"), 0.6)
    for engine in (0.4, 1.0):
        found = evaluated(complete(alike, engine=engine, seed=seed), scale="1:6")
        assert turning(found) == []


def test_raters_says_who_keeps_people_apart():
    sparse = complete(BROKEN, engine=1.0)
    found = tm.raters(as_wide(sparse), humans=list(sparse.raters), scale="1:6")
    (finding,) = turning(found)
    assert finding.texts == {"rater": "r06"}
    rest = numbers(found, PEOPLE, without_rater("r06"))[ALPHA]
    assert rest.low > numbers(found, PEOPLE, AMONG_PEOPLE)[ALPHA].high


def test_of_two_raters_nobody_can_be_left_out():
    found = evaluated(complete({"r1": 0.5, "r2": 0.5}, engine=0.5), scale="1:6")
    assert not any(str(s.against).startswith("people without") for s in found.subsets)


def test_the_correlation_of_a_rater_is_that_within_prompts_on_any_scales():
    sparse = complete(BROKEN, engine=1.0)
    second = np.asarray(sparse.columns["essay"]) == "b"
    sparse.ratings[:, second] += 10
    sparse.columns["engine"] = np.where(
        second, sparse.columns["engine"] + 10, sparse.columns["engine"]
    )
    own = {"a": {"scale": "1:6"}, "b": {"scale": "11:16"}}
    for options in ({"scale": "1:16"}, {"prompts": own}):  # one scale, or two
        found = tm.raters(as_wide(sparse), humans=list(sparse.raters), prompt="essay", **options)
        (finding,) = turning(found)
        assert finding.texts == {"rater": "r06"}
        assert abs(finding.numbers["r"]) < 0.2


def test_a_rater_with_one_score_for_all_has_no_correlation_to_tell():
    sparse = complete(BROKEN, engine=1.0)
    sparse.ratings[3] = 3
    found = tm.raters(as_wide(sparse), humans=list(sparse.raters), scale="1:6")
    words = [read(found, finding).words for finding in turning(found)]
    assert not any("nan" in text or "correlates" in text for text in words)


@pytest.mark.parametrize(
    ("others", "words"), [(0, ""), (1, "one other rater"), (3, "any one of 3 other raters")]
)
def test_other_raters_on_whom_it_turns_are_counted(others, words):
    texts = {"rater": "r6", "state": "met", "without": "not met", "limit": "QWK"}
    finding = Finding(
        name="verdict_turns", system="engine", texts=texts, numbers={"others": float(others)}
    )
    evaluation = tm.evaluate({"h1": [1, 2], "engine": [1, 2]})
    said = str(FINDINGS["verdict_turns"](finding, evaluation).words)
    assert said.endswith(f"It also turns without {words}." if words else "without: QWK.")
