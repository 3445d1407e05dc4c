"""Sparse ratings, in any shape: no default leaves out a response, and each gold has its rater."""

import json
import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import Evaluation
from tallymark.sources import Roles, read_scores
from tests.sparse import Sparse, as_long, as_slots, as_wide, sparse_ratings

DESIGNS: dict[str, dict[str, int]] = {
    "one rating each": {"raters": 6, "fewest": 1, "most": 1},
    "one or two": {"raters": 3, "fewest": 1, "most": 2},
    "a pool": {"raters": 10, "fewest": 3, "most": 5},
    "a crowd": {"raters": 40, "fewest": 1, "most": 3},
    "nobody in common": {"raters": 20, "fewest": 2, "most": 2},
    "all by all": {"raters": 4, "fewest": 4, "most": 4},
}
HELD_BACK = ("prompt and group unknown", "a silent rater", "")


def made(design: str, seed: int, awkward: str) -> Sparse:
    sparse = sparse_ratings(80, seed=seed, **DESIGNS[design])
    if awkward == "a silent rater":
        return sparse._replace(
            raters=(*sparse.raters, "nobody"),
            ratings=np.vstack([sparse.ratings, np.full(80, np.nan)]),
        )
    if awkward:
        for name in ("essay", "gender"):
            sparse.columns[name] = np.where(np.arange(80) % 5, sparse.columns[name], None)
    return sparse


def tables(sparse: Sparse):
    keys: dict[str, Any] = {"systems": ("engine",), "prompt": "essay", "groups": ("gender",)}
    long = [
        row | {n: None if v == "None" else v for n, v in row.items()} for row in as_long(sparse)
    ]
    wide = Roles(humans=sparse.raters, id="text", **keys)
    rated = Roles(response="text", rater="who", score="given", **keys)
    yield "wide", as_wide(sparse), wide
    yield "long", long, rated
    yield "slots", as_slots(sparse), Roles(humans=tuple(sparse.slots), id="text", **keys)


def firsts(sparse: Sparse) -> dict[str, int]:
    """Who gave the first rating present, counted the long way."""
    counts: dict[str, int] = {}
    for response in sparse.ratings.T:
        name = next(
            r for r, given in zip(sparse.raters, response, strict=True) if not np.isnan(given)
        )
        counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("awkward", HELD_BACK)
def test_no_response_is_lost_and_every_gold_has_its_rater(design, awkward):
    sparse = made(design, 1, awkward)
    for shape, table, roles in tables(sparse):
        facts = read_scores(table, roles=roles).facts
        assert (facts.read, facts.used, facts.exclusions) == (80, 80, ()), shape
        assert dict(facts.golds[0].first) == firsts(sparse), shape


@pytest.mark.parametrize("run", [tm.evaluate, tm.compare])
@pytest.mark.parametrize("design", ["a pool", "a crowd"])
def test_the_numbers_of_golds_by_rater_are_in_the_json_and_in_the_words(run, design):
    sparse = made(design, 3, "")
    sparse.columns["other"] = np.clip(sparse.columns["engine"] + 0.4, 1, 5)
    options: dict[str, Any] = {
        "humans": list(sparse.raters),
        "systems": ["engine", "other"],
        "id": "text",
    }
    found: Evaluation = run(as_wide(sparse), **options)
    data = json.loads(found.to_json())["data"]
    assert dict(data["gold_raters"]) == firsts(sparse)
    named = data["gold"].removeprefix("first rating present: ").replace(" responses", "")
    assert sum(int(part.rpartition(" ")[2]) for part in named.split(", ")) == data["used"] == 80
    assert len(named) < 200
    page = " ".join(re.sub("<[^>]+>", "", found.to_html()).split())
    assert data["gold"] in page


def test_golds_that_are_no_single_rating_are_not_counted_by_rater():
    sparse = made("a pool", 4, "")
    options: dict[str, Any] = {"humans": list(sparse.raters), "systems": ["engine"], "id": "text"}
    assert tm.evaluate(as_wide(sparse), resolve="mean", **options).data.gold_raters == ()
