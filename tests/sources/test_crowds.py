"""More raters than can be told apart are refused, and the refusal names the options that help."""

import numpy as np
import pytest

from tallymark.errors import DataError
from tallymark.sources import Roles, given, read_scores


@pytest.fixture(autouse=True)
def three_at_most(monkeypatch):
    monkeypatch.setattr(given, "MOST_RATERS", 3)


def scores(raters):
    return np.random.default_rng(1).integers(1, 4, (raters, 20)).tolist()


def read(table, **roles):
    return read_scores(table, roles=Roles(**roles), people_only=True)


def test_columns():
    table = {f"rater{i}": own for i, own in enumerate(scores(4))}
    with pytest.raises(DataError, match=r"has 4 raters, and at most 3 .*; name .*: --human COL$"):
        read(table)
    assert read(table, humans=("rater0", "rater2")).humans == ("rater0", "rater2")


def test_slots():
    table = dict(zip(("score_1", "score_2"), scores(2), strict=True))
    table |= {"rater_1": ["a", "b"] * 10, "rater_2": ["c", "d"] * 10}
    with pytest.raises(DataError, match=r"has 4 raters.* --human score_1 --human score_2$"):
        read(table)
    assert read(table, humans=("score_1", "score_2")).humans == ("score_1", "score_2")


def test_long():
    table = {"response": [*range(20)] * 4, "score": np.ravel(scores(4)).tolist()}
    table["rater"] = [rater for rater in "abcd" for _ in range(20)]
    told = r"has 4 raters.*: --response response --rater rater --score score --human NAME$"
    with pytest.raises(DataError, match=told):
        read(table)
    named = {"response": "response", "rater": "rater", "score": "score"}
    assert read(table, humans=("a", "d"), **named).humans == ("a", "d")
