"""Margins and agreement are as set, whatever they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.errors import OptionError
from tallymark.simulation import Rater, System, joint, pairs, simulate

K = 4
shares = st.lists(st.integers(1, 20), min_size=K, max_size=K)


@settings(max_examples=40, deadline=None)
@given(
    gold=shares, system=shares, place=st.floats(0, 1), errors=st.sampled_from(["near", "anywhere"])
)
def test_a_table_has_the_margins_and_the_agreement_asked_for(gold, system, place, errors):
    rows, columns = np.array(gold) / sum(gold), np.array(system) / sum(system)
    in_order = np.minimum.outer(np.cumsum(rows), np.cumsum(columns))
    in_order = np.diff(np.diff(in_order, axis=0, prepend=0), axis=1, prepend=0)
    most = in_order.trace() if errors == "near" else np.minimum(rows, columns).sum()
    least = rows @ columns
    if most < least:  # two scores in the same order agree less often than independent ones
        return
    agreement = least + place * (most - least)
    table = joint(gold, system, agreement=agreement, errors=errors)
    assert table.min() >= 0
    assert table.sum(axis=1) == pytest.approx(rows, abs=1e-8)
    assert table.sum(axis=0) == pytest.approx(columns, abs=1e-8)
    assert table.trace() == pytest.approx(agreement, abs=1e-8)


def test_near_errors_are_smaller_than_errors_anywhere():
    gold, system = [1, 4, 6, 3], [1, 3, 5, 5]
    apart = np.abs(np.subtract.outer(range(K), range(K)))
    near, anywhere = (
        (joint(gold, system, agreement=0.6, errors=e) * apart).sum() for e in ("near", "anywhere")
    )
    assert near < 0.85 * anywhere


def test_an_agreement_that_the_margins_do_not_allow_is_refused_with_what_they_do():
    with pytest.raises(OptionError, match=r"between 0\.5, .* and 0\.6, .* got 0\.9"):
        joint([1, 1], [9, 1], agreement=0.9)


def test_drawn_pairs_have_the_shares_of_the_table_and_the_seed_decides():
    table = joint([1, 2, 1], [1, 1, 1], agreement=0.7)
    gold, system = pairs(40_000, table, scale="1:3", seed=5)
    assert (gold == system).mean() == pytest.approx(0.7, abs=0.01)
    assert np.bincount(gold.astype(int))[1:] / 40_000 == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
    again = pairs(40_000, table, scale="1:3", seed=5)
    assert all(np.array_equal(a, b) for a, b in zip((gold, system), again, strict=True))
    with pytest.raises(OptionError, match="the table must be 4 x 4"):
        pairs(5, table, scale="1:4")


def test_raters_and_systems_take_the_margins_asked_for_and_keep_their_order():
    margin = (0.5, 0.3, 0.2)
    made = simulate(
        1_000,
        scale="1:3",
        raters=[Rater("h1", noise=0.3, margin=margin)],
        systems=[System("engine", noise=0.3, margin=(1, 1, 2)), System("exact", margin=margin)],
        seed=3,
    )
    assert np.bincount(made.ratings[:, 0].astype(int))[1:].tolist() == [500, 300, 200]
    assert np.bincount(made.scores["engine"][:, 0].astype(int))[1:].tolist() == [250, 250, 500]
    exact = made.scores["exact"][:, 0]
    assert all(made.truth[exact == a].max() <= made.truth[exact > a].min() for a in (1, 2))


@pytest.mark.parametrize(
    ("rater", "message"),
    [
        (Rater("h1", margin=(1, 2)), "h1: margin needs one number per scale point, 3, got 2"),
        (Rater("h1", margin=(0, 0, 0)), "h1: margin must be 0 or more and not all 0"),
        (Rater("h1", margin=(1, 1, 1), rounded=False), "h1: margin needs scores on the points"),
    ],
)
def test_an_impossible_margin_is_refused(rater, message):
    with pytest.raises(OptionError, match=message):
        simulate(9, scale="1:3", raters=[rater])
