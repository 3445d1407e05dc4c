"""Notes: what reference scorers prove nothing by, and what they had seen."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.scorers.out_of_fold import Sample, seen_elsewhere
from tallymark.scorers.view import by_chance

GOLD = np.tile([1, 2, 3, 4], 30)


def said(like: int, off: int = 1) -> str:
    """What is said of a scorer that gives the gold to so many of 120, and else a score far from it."""
    ridge = np.roll(GOLD, off).copy()
    ridge[:like] = GOLD[:like]
    columns = {"h1": GOLD, "length": np.roll(GOLD, 2), "ridge": ridge}
    made = tm.compare(columns, humans=["h1"], systems=["length", "ridge"], scale="1:4")
    return " ".join(map(str, by_chance(made)))


@pytest.mark.parametrize(("like", "named"), [(0, True), (48, True), (100, False)])
def test_an_agreement_that_cross_validation_may_make_is_no_proof(like, named):
    assert ("ridge" in said(like)) is named


def test_a_scorer_below_0_is_named_with_its_interval():
    words = said(100)
    assert words.startswith("QWK: length -.6")
    assert "up to one 95 % interval in six leaves 0 out" in words


def test_copies_in_other_folds_are_counted():
    texts = ["The same", "the  SAME ", "alone", "twice", "twice", "", ""]
    sample = Sample(
        texts=texts, gold=np.ones(7), parts=np.array(["p"] * 7, object), points={}, units=np.arange(7)
    )  # fmt: skip
    assert seen_elsewhere(sample, np.array([0, 1, 2, 3, 3, 0, 1])) == 2
