"""Our words as the names of systems, raters, groups, prompts and traits change no number."""

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.summary import summary
from tallymark.cli.main import tallymark
from tallymark.results import Kind

N = 40
ROLES = ("h1", "engine", "essay", "gender", "trait")
QUICK: dict[str, Any] = {"scale": "1:4", "replicates": 100}
BASELINES = ("majority score", "random score", "mean score", "second human")
WORDS = sorted([*(kind.value for kind in Kind), *BASELINES, "severity (rater)", "people (system)"])
"""Our words for scorers and comparisons, and those that names were once marked with."""
PLAIN = tuple("zz" + role for role in ROLES)


def called(first, step=4):
    """Give each role a word of its own; every ``step`` is a word further on."""
    return tuple(WORDS[(first + step * i) % len(WORDS)] for i in range(len(ROLES)))


def scores_of(words):
    """A table in which a rater, a system, a prompt, a group and a trait have these names."""
    rng = np.random.default_rng(0)
    truth, at = rng.normal(2.5, 1, N), np.arange(N)
    near = lambda sd: np.clip(np.round(truth + rng.normal(0, sd, N)), 1, 4)  # noqa: E731
    rater, system, prompt, group, trait = words
    columns = {rater: near(0.4), "h2": near(0.4), "h3": near(0.5), system: near(0.5)}
    columns |= {"other": near(0.7), "sure": rng.random(N)}
    columns["essay"] = np.array([prompt, "zzz"])[at % 2]
    columns["gender"] = np.array([group, "zzz"])[at // 2 % 2]
    columns["trait"] = np.array([trait, "zzz"])[at // 4 % 2]
    return columns


def analyses(words, facet):
    """Every analysis, with the prompts or the traits as what is reported on."""
    columns, (rater, system, *_) = scores_of(words), words
    keys: dict[str, Any] = {"humans": [rater, "h2", "h3"], "groups": ["gender"], **QUICK}
    keys |= {"prompt": "essay"} if facet == "prompt" else {"trait": "trait"}
    people = {name: column for name, column in columns.items() if name not in (system, "other")}
    entrants: dict[str, Any] = {"systems": [system, "other"], "statistics": ["qwk", "smd"]}
    sure: dict[str, Any] = {"confidences": {system: "sure"}}
    return [
        tm.evaluate(columns, policy="llm-judge", **sure, **entrants, **keys),
        tm.compare(columns, **entrants, **keys),
        tm.raters(people, **keys),
        tm.ceiling(columns, references={system: 0.8}, **keys),
    ]


plain = cache(analyses)


def numbers(found):
    """Every number; of one that is named after a rater, without that name."""
    return sorted(
        (e.name if "rater" in e.params else e.text, e.n, "undefined" if math.isnan(e.value) else f"{e.value:.10g}",
         found.subsets[e.subset].n)
        for e in found.estimates
    )  # fmt: skip


def shown(found):
    lines = summary(found, width=100, full=True)
    assert len(lines) > 10
    return sorted(re.findall(r"\d*\.\d+", "\n".join(line.text for line in lines)))


def named_as_given(found, words):
    """The system and the rater are called in subsets and on screens as in the table."""
    named = {(s.subject.kind, s.subject.name) for s in found.subsets}
    named |= {(s.against.kind, s.against.name) for s in found.subsets}
    if found.kind != "raters":
        kind = Kind.PUBLISHED if found.kind == "ceiling" else Kind.SYSTEM
        assert (kind, words[1]) in named
    assert found.kind != "raters" or (Kind.RATER, words[0]) in named
    ours = {Kind.SYSTEM, Kind.RATER, Kind.PUBLISHED, Kind.BASELINE}
    assert all(bool(name) == (kind in ours) for kind, name in named)
    assert type(found).from_json(found.to_json()).subsets == found.subsets


def same_numbers(words, facet, *, ends):
    """Values and their places are the same; so are ends of intervals where parts keep their name."""
    for usual, ours in zip(plain(PLAIN, facet), analyses(words, facet), strict=True):
        assert numbers(ours) == numbers(usual)
        named_as_given(ours, words)
        assert len({s.id for s in ours.subsets}) == len({s.id for s in usual.subsets})
        if ends:
            assert shown(ours) == shown(usual)
        else:  # draws are keyed by the labels of parts
            assert len(shown(ours)) == len(shown(usual))
        report(ours)


@pytest.mark.parametrize("first", range(4))
def test_each_word_of_ours_in_some_place_changes_no_number(first):
    same_numbers(called(first), "prompt", ends=False)


def test_a_system_called_people_and_a_rater_called_severity_change_no_digit():
    same_numbers(("severity", "people", *PLAIN[2:]), "prompt", ends=True)


@pytest.mark.slow
@pytest.mark.parametrize("facet", ["prompt", "trait"])
@pytest.mark.parametrize("first", range(len(WORDS)))
def test_every_word_of_ours_in_every_place_changes_no_number(first, facet):
    words = called(first)
    same_numbers(words, facet, ends=False)
    same_numbers((*words[:2], *PLAIN[2:]), facet, ends=True)


def routed(path, words):
    columns = scores_of(words)
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    asked = ["route", "certify", str(path), "--human", words[0], "--human", "h2"]
    asked += ["--system", words[1], "--confidence", "sure", "--alpha", "0.3", "--scale", "1:4"]
    found = CliRunner().invoke(tallymark, [*asked, "--prompt", "essay", "--group", "gender"])
    assert found.exit_code in (0, 3), found.output
    return re.findall(r"\d*\.\d+", found.output)


def test_routing_knows_a_system_or_rater_by_any_name(tmp_path):
    usual = sorted(routed(tmp_path / "plain.csv", PLAIN))
    for first in range(0, len(WORDS), 5):
        assert sorted(routed(tmp_path / f"{first}.csv", called(first, 1))) == usual
