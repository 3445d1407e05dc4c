"""Every row of the catalogue is reported by something, and every number reported has a row."""

from functools import cache
from typing import Any

import numpy as np

import tallymark as tm
from tallymark.catalogue import BY_NAME
from tests.routing.data import PLAIN, responses, terms

N = 360
QUICK: dict[str, Any] = {"replicates": 100}
PEOPLE: dict[str, Any] = {"humans": ["h1", "h2", "h3"], "scale": "1:4"}


def table() -> dict[str, Any]:
    """Scores with all that some question needs: runs, a confidence, groups, prompts and batches."""
    rng, at = np.random.default_rng(3), np.arange(N)
    truth = rng.normal(2.5, 1, N)
    near = lambda sd: np.clip(np.round(truth + rng.normal(0, sd, N)), 1, 4)  # noqa: E731
    columns: dict[str, Any] = {"h1": near(0.4), "h2": near(0.5), "h3": near(0.6)}
    columns |= {"e1": near(0.5), "e2": near(0.5), "other": near(0.8)}
    columns["sure"] = np.round(np.clip(1 - abs(columns["e1"] - truth) / 2, 0, 1), 2)
    columns["gold"] = np.maximum(columns["h1"], columns["h2"])
    columns |= {"pass1": (columns["h1"] > 2) * 1, "pass2": (columns["h2"] > 2) * 1}
    columns |= {"passed": (columns["e1"] > 2) * 1, "week": at % 4, "essay": at % 4}
    columns |= {f"p{point}": 0.1 + 0.6 * (columns["e1"] == point) for point in range(1, 5)}
    columns["size"] = 100 + 20 * truth + rng.normal(0, 20, N)
    columns["gender"] = np.array(["f", "m"])[at // 2 % 2]
    return columns


def _read_once(data: dict[str, Any]) -> dict[str, Any]:
    """The same, with one rating of every second response."""
    one, at = np.arange(N) % 3, np.arange(N)
    return {
        name: np.where((at % 2 == 0) & (one != i), np.nan, data[name])
        for i, name in enumerate(("h1", "h2", "h3"))
    }


@cache
def reported() -> frozenset[str]:
    """The names of all numbers in all analyses of the table."""
    data = table()
    pairs: dict[str, Any] = {"humans": ["h1", "h2"], "scale": "1:4", "gold": "gold"}
    found = [
        tm.evaluate(
            data, **PEOPLE, **QUICK, systems=["e1"], groups=["gender"], cuts=[3], length="size",
            probe_scores={"row": [*range(1, N + 1)], "probe": ["empty"] * N, "e1": [1.0] * N},
            confidences={"e1": "sure"}, repeats={"e1": ["e1", "e2"]},
            probabilities={"e1": ["p1", "p2", "p3", "p4"]},
        ),
        tm.evaluate(
            data, humans=["pass1", "pass2"], systems=["passed"], scale="0:1", **QUICK
        ),
        tm.evaluate(data, humans=["h1"], systems=["e1"], categories="1,2,3,4"),
        tm.compare(data, **PEOPLE, **QUICK, systems=["e1", "other"], prompt="essay"),
        tm.raters(data, **PEOPLE, **QUICK, batch="week"),
        tm.raters(_read_once(data), **PEOPLE, **QUICK),
        tm.ceiling(data, **pairs, **QUICK, references={"a paper": 0.8}),
    ]  # fmt: skip
    people = {**PLAIN, **terms(), "humans": ("h1", "h2")}
    found.append(tm.route.certify(responses(600, 12, people=2), **people).evaluation)
    return frozenset(e.name for one in found for e in one.estimates)


def test_every_number_has_a_row_and_every_row_a_number():
    assert reported() == set(BY_NAME)
