"""Verdicts on little or missing evidence."""

import math

import pytest

import tallymark as tm
from tallymark.questions.verdict import say
from tallymark.questions.verdict.criteria import criterion_words
from tallymark.questions.verdict.headline import answer, in_short, judgement
from tallymark.results import Lack
from tallymark.verdict.policy import policy_of
from tests.verdict.made import (
    limit,
    overall,
    policy,
    told,
    verdict_of,
)

HALF = limit(at_least=0.70)


def test_a_policy_without_any_evidence_settles_nothing():
    optional = limit("self_consistency[exact]", "Same score", at_least=0.9, optional=True)
    verdict = verdict_of(overall(0.8, 0.75, 0.85), policy(optional))
    (one,) = verdict.systems
    assert (one.state, one.criteria) == ("undecided", ())
    assert str(judgement(one, verdict)).endswith("No limit has any evidence.")


def test_missing_evidence_is_listed():
    made = verdict_of(overall(0.8, 0.75, 0.85), policy_of("williamson2012"))
    (one,) = made.systems
    assert (made.state, one.state) == ("undecided", "undecided")
    others, people, by_group = map(str, say.missing(one))
    assert others == "r, SMD: it was not computed on these data"
    assert people.startswith("Degradation of QWK, Degradation of r: no response was rated by two")
    assert by_group == ("SMD of each group: name the column with --group (optional)")
    states = {c.title: c.state for c in one.criteria}
    assert states["Degradation of QWK"] == "not computable"


def test_of_many_open_limits_two_are_named_and_above_their_table_none():
    made = verdict_of(overall(0.8, 0.75, 0.85), policy_of("williamson2012"))
    (one,) = made.systems
    open_ = [criterion.title for criterion in one.criteria if criterion.state != "met"]
    words = str(answer(one, made))
    assert f"{len(open_)} are open: {open_[0]} (not known); {open_[1]} (not known)" in words
    assert words.endswith(f"; and {len(open_) - 2} more.")
    assert str(in_short(one, made)).endswith(f"{len(open_)} are open.")


@pytest.mark.parametrize("lack", Lack)
def test_every_lack_is_said(lack):
    assert str(say.why_missing(lack, "every group"))


def test_optional_evidence_may_be_missing():
    optional = limit("self_consistency[exact]", "Same score", at_least=0.9, optional=True)
    made = verdict_of(overall(0.8, 0.75, 0.85), policy(HALF, optional))
    assert made.state == "met"
    (words,) = say.missing(made.systems[0])
    assert str(words) == (
        "Same score: no repeated runs of the system were named; name them with --repeat "
        "SYSTEM=COLUMN,COLUMN (optional)"
    )
    assert str(say.states(made)) == "Verdict: met, as far as tested"
    assert str(judgement(made.systems[0], made)) == (
        "engine meets the limit of own that could be tested. Not tested: Same score."
    )


def test_a_constant_system_is_not_computable_and_says_why():
    made = tm.evaluate(
        {"h1": [1, 2, 3, 4] * 30, "engine": [3] * 120}, scale="1:4", replicates=100,
        policy="llm-judge",
    )  # fmt: skip
    states = {c.title: c for c in told(made).systems[0].criteria}
    # every resample of a constant gives the same value: there is no interval to decide by
    assert (states["QWK"].state, states["QWK"].passes) == ("undecided", False)
    assert "but there is no interval" in str(criterion_words(made, states["QWK"]))
    assert states["Degradation of QWK"].state == "not computable"


def test_one_response_settles_nothing():
    made = tm.evaluate(
        {"h1": [1], "engine": [2]}, scale="1:4", replicates=100, policy="williamson2012"
    )
    assert told(made).state == "undecided"


def test_a_system_without_scores_has_no_evidence():
    columns = {"h1": [1, 2, 3, 4] * 10, "h2": [1, 2, 3, 3] * 10, "s": [2, 2, 3, 4] * 10}
    silent = {**columns, "t": [math.nan] * 40}
    found = tm.evaluate(
        silent, humans=["h1", "h2"], systems=["s", "t"], scale="1:4", replicates=100,
        policy="williamson2012",
    )  # fmt: skip
    why = {str(criterion_words(found, one)) for one in told(found).systems[1].criteria}
    assert why == {"Missing: the system scored none of the responses that were used."}
