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
    WORDS,
    called,
    cells,
    digits,
    scores_of,
    stands_as_often,
)

QUICK: dict[str, Any] = {"scale": "1:4", "replicates": 100, "interval": "analytic"}


def analyses(words):
    """Every analysis, with prompts and traits as what is reported on."""
    columns, (rater, system, *_) = scores_of(words), words
    keys: dict[str, Any] = {"humans": [rater, "h2", "h3"], "groups": ["gender"], **QUICK}
    both = {"prompt": "essay", "trait": "trait", **keys}
    people = {name: column for name, column in columns.items() if name not in (system, "other")}
    entrants: dict[str, Any] = {"systems": [system, "other"], "statistics": ["qwk", "smd"]}
    sure: dict[str, Any] = {"confidences": {system: "sure"}, "systems": [system]}
    rest = {name: column for name, column in columns.items() if name != "trait"}
    return [
        tm.evaluate(columns, policy="llm-judge", **sure, **both),
        tm.compare(columns, trait="trait", **entrants, **keys),
        tm.compare(rest, prompt="essay", **entrants, **keys),
        tm.raters(people, **both),
        tm.ceiling(columns, references={system: 0.8}, **both),
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


def named_as_given(evaluation, words):
    """Subsets call the system, the rater and the parts of the data as the table does."""
    named = {(s.subject.kind, s.subject.name) for s in evaluation.subsets}
    named |= {(s.against.kind, s.against.name) for s in evaluation.subsets}
    if evaluation.kind != "raters":
        kind = Kind.PUBLISHED if evaluation.kind == "ceiling" else Kind.SYSTEM
        assert (kind, words[1]) in named
    assert evaluation.kind != "raters" or (Kind.RATER, words[0]) in named
    ours = {Kind.SYSTEM, Kind.RATER, Kind.PUBLISHED, Kind.BASELINE, Kind.WITHOUT}
    assert all(bool(name) == (kind in ours) for kind, name in named)
    assert type(evaluation).from_json(evaluation.to_json()).subsets == evaluation.subsets


def parts(evaluation):
    """Which prompts, groups and traits are reported on."""
    keys = ("prompt", "group", "trait")
    return [{getattr(subset, key) for subset in evaluation.subsets} for key in keys]


def same_numbers(words):
    """Values, ends of intervals and their places are the same; names are as given."""
    name_of = dict(zip(PLAIN, words, strict=True))
    for usual, ours in zip(plain(PLAIN), analyses(words), strict=True):
        assert numbers(ours) == numbers(usual)
        named_as_given(ours, words)
        renamed = [{name_of.get(str(part), part) for part in some} for some in parts(usual)]
        assert parts(ours) == renamed
        assert len({s.id for s in ours.subsets}) == len({s.id for s in usual.subsets})
        texts = screen(usual), screen(ours)
        assert digits(texts[1]) == digits(texts[0])
        pages = cells(report(usual)), cells(report(ours))
        for name, word in name_of.items():
            assert stands_as_often(word, name, pages[1], pages[0]), (ours.kind, name, word)
            assert name not in texts[0] or word in texts[1], (ours.kind, name, word)


@pytest.mark.parametrize("first", [0, len(WORDS) // 2])
def test_words_of_ours_in_every_place_change_no_number(first):
    same_numbers(called(first))


def test_a_system_called_people_and_a_rater_called_severity_change_no_digit():
    same_numbers(("severity", "people", *PLAIN[2:]))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(len(WORDS)))
def test_every_word_of_ours_in_every_place_changes_no_number(first):
    same_numbers(called(first))
