"""Our words as the names of systems, raters, groups, prompts and traits change no number."""

import math
import re
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.render.report.html import report
from tallymark.render.text import summary
from tallymark.results.ours import OURS

N = 60
ROLES = ("h1", "engine", "essay", "gender", "trait")
QUICK: dict[str, Any] = {"scale": "1:4", "replicates": 100}


def scores_of(place, word):
    """A table in which ``word`` stands in one place, and the names of its columns."""
    rng = np.random.default_rng(0)
    truth, at = rng.normal(2.5, 1, N), np.arange(N)
    near = lambda sd: np.clip(np.round(truth + rng.normal(0, sd, N)), 1, 4)  # noqa: E731
    name = {role: word if role == place else role for role in ROLES}
    values = {"h1": near(0.4), "h2": near(0.4), "h3": near(0.5), "engine": near(0.5)}
    values |= {"other": near(0.7), "sure": rng.random(N)}
    for role in ("essay", "gender", "trait"):
        values[role] = np.array([word if role == place else "a", "b"])[
            (at // (1 + (role == "trait"))) % 2
        ]
    columns = {
        name.get(key, key) if key in ("h1", "engine") else key: v for key, v in values.items()
    }
    return columns, name


def analyses(place, word):
    columns, name = scores_of(place, word)
    humans = [name["h1"], "h2", "h3"]
    keys: dict[str, Any] = {"prompt": "essay", "groups": ["gender"], **QUICK}
    keys |= {"trait": "trait"} if place == "trait" else {}
    systems = [name["engine"], "other"]
    return [
        tm.evaluate(
            columns, humans=humans, systems=systems, confidences={name["engine"]: "sure"},
            policy="llm-judge", **keys,
        ),
        tm.compare(columns, humans=humans, systems=systems, **keys),
        tm.raters({key: columns[key] for key in columns if key not in systems}, humans=humans, **keys),
        tm.ceiling(columns, humans=humans, references={word: 0.8}, **keys),
    ]  # fmt: skip


def numbers(found):
    return [
        (e.text, e.n, None if math.isnan(e.value) else e.value, found.subsets[e.subset].n)
        for e in found.estimates
    ]


WORDS = sorted(OURS)
CASES = [
    (place, word)
    for i, word in enumerate(WORDS)
    for j, place in enumerate(ROLES)
    if (7 * i + j) % 15 == 0 or (word, place) in (("people", "engine"), ("severity", "h1"))
]
"""Every third word in some place, and those that once ended in an error of ours."""


@pytest.mark.parametrize(("place", "word"), CASES)
def test_no_number_changes_with_a_name(place, word):
    for plain, ours in zip(analyses(place, "zz"), analyses(place, word), strict=True):
        assert sorted(map(str, numbers(ours))) == sorted(map(str, numbers(plain)))
        assert len({s.id for s in ours.subsets}) == len({s.id for s in plain.subsets})
        shown = [
            "\n".join(line.text for line in summary(f, width=100, full=True)) for f in (plain, ours)
        ]
        assert len(shown[0].splitlines()) > 10
        digits = [sorted(re.findall(r"\d*\.\d+", text)) for text in shown]
        if place in ("h1", "engine"):
            assert digits[0] == digits[1]
        else:  # draws are keyed by the labels of parts, so that ends of intervals differ
            assert len(digits[0]) == len(digits[1])
        report(ours)


@pytest.mark.parametrize("word", ["people", "severity"])
def test_routing_knows_a_system_or_rater_by_any_name(tmp_path, word):
    for place in ("engine", "h1"):
        shown = []
        for given in ("zz", word):
            columns, name = scores_of(place, given)
            path = tmp_path / f"{place} {given}.csv"
            rows = zip(*columns.values(), strict=True)
            lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
            path.write_text("\n".join(lines) + "\n", "utf-8")
            words = ["route", "certify", str(path), "--human", name["h1"], "--human", "h2"]
            words += ["--system", name["engine"], "--confidence", "sure", "--alpha", "0.3"]
            found = CliRunner().invoke(tallymark, [*words, "--scale", "1:4"])
            assert found.exit_code in (0, 3), found.output
            shown.append(re.findall(r"\d*\.\d+", found.output))
        assert shown[0] == shown[1]
