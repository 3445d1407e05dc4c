"""Our words as the names of systems, raters, groups, prompts and traits change no number."""

import math
from functools import cache
from typing import Any

import pytest

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.results import Kind
from tests.laws.naming import (
    PLAIN,
    ROLES,
    WORDS,
    called,
    cells,
    digits,
    scores_of,
    stands_as_often,
)

QUICK: dict[str, Any] = {"scale": "1:4", "replicates": 100}


def analyses(words, facet):
    """Every analysis, with the prompts or the traits as what is reported on."""
    columns, (rater, system, *_) = scores_of(words), words
    keys: dict[str, Any] = {"humans": [rater, "h2", "h3"], "groups": ["gender"], **QUICK}
    keys |= {"prompt": "essay"} if facet == "prompt" else {"trait": "trait"}
    people = {name: column for name, column in columns.items() if name not in (system, "other")}
    entrants: dict[str, Any] = {"systems": [system, "other"], "statistics": ["qwk", "smd"]}
    sure: dict[str, Any] = {"confidences": {system: "sure"}, "systems": [system]}
    return [
        tm.evaluate(columns, policy="llm-judge", **sure, **keys),
        tm.compare(columns, **entrants, **keys),
        tm.raters(people, **keys),
        tm.ceiling(columns, references={system: 0.8}, **keys),
    ]


plain = cache(analyses)


def numbers(evaluation):
    """Every number; of one that is named after a rater, without that name."""
    return sorted(
        (e.name if "rater" in e.params else e.text, e.n, "undefined" if math.isnan(e.value) else f"{e.value:.10g}",
         evaluation.subsets[e.subset].n)
        for e in evaluation.estimates
    )  # fmt: skip


def screen(evaluation):
    lines = summary(evaluation, width=100, full=True)
    assert len(lines) > 10
    return plain_text(lines)


def named_as_given(evaluation, words, facet):
    """Subsets call the system, the rater and the parts of the data as the table does."""
    named = {(s.subject.kind, s.subject.name) for s in evaluation.subsets}
    named |= {(s.against.kind, s.against.name) for s in evaluation.subsets}
    if evaluation.kind != "raters":
        kind = Kind.PUBLISHED if evaluation.kind == "ceiling" else Kind.SYSTEM
        assert (kind, words[1]) in named
    assert evaluation.kind != "raters" or (Kind.RATER, words[0]) in named
    ours = {Kind.SYSTEM, Kind.RATER, Kind.PUBLISHED, Kind.BASELINE}
    assert all(bool(name) == (kind in ours) for kind, name in named)
    part = words[2 if facet == "prompt" else 4]
    assert {getattr(s, facet) for s in evaluation.subsets} == {None, part, "zzz"}
    if evaluation.kind == "evaluate":
        assert {s.group for s in evaluation.subsets} == {None, words[3], "zzz"}
    assert type(evaluation).from_json(evaluation.to_json()).subsets == evaluation.subsets


def same_numbers(words, facet, *, ends):
    """Values and their places are the same; so are ends of intervals where parts keep their name."""
    for usual, ours in zip(plain(PLAIN, facet), analyses(words, facet), strict=True):
        assert numbers(ours) == numbers(usual)
        named_as_given(ours, words, facet)
        assert len({s.id for s in ours.subsets}) == len({s.id for s in usual.subsets})
        texts = screen(usual), screen(ours)
        if ends:
            assert digits(texts[1]) == digits(texts[0])
        else:  # draws are keyed by the labels of parts
            assert len(digits(texts[1])) == len(digits(texts[0]))
        pages = cells(report(usual)), cells(report(ours))
        for role, name, word in zip(ROLES, PLAIN, words, strict=True):
            assert stands_as_often(word, name, pages[1], pages[0]), (ours.kind, role, word)
            assert name not in texts[0] or word in texts[1], (ours.kind, role, word)


@pytest.mark.parametrize(("first", "facet"), [(0, "prompt"), (2, "trait")])
def test_words_of_ours_in_every_place_change_no_number(first, facet):
    same_numbers(called(first), facet, ends=False)


def test_a_system_called_people_and_a_rater_called_severity_change_no_digit():
    same_numbers(("severity", "people", *PLAIN[2:]), "prompt", ends=True)


@pytest.mark.slow
@pytest.mark.parametrize("facet", ["prompt", "trait"])
@pytest.mark.parametrize("first", range(len(WORDS)))
def test_every_word_of_ours_in_every_place_changes_no_number(first, facet):
    words = called(first)
    same_numbers(words, facet, ends=False)
    if facet == "prompt":
        same_numbers((*words[:2], *PLAIN[2:]), facet, ends=True)
