"""Moved tables keep what they say they keep, and the printed diagonal swaps come out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tallymark.agreement.chance import gwet_ac
from tallymark.agreement.kappa import cohen_kappa
from tallymark.diagnosis.moving import (
    agreement_exchanged,
    agreement_moved,
    chance_mixed,
    errors_scaled,
    point_raised,
    points_merged,
)
from tallymark.tally import PairCounts

K = 4
POINTS = np.array([0.0, 1.0, 2.0, 4.0])
TABLES = arrays(np.int64, (K, K), elements=st.integers(0, 40)).filter(
    lambda table: (table.sum(axis=1) > 0).all()
)
SHARES = st.floats(0.0, 1.0)
PLACES = st.integers(0, K - 1)
OFF = ~np.eye(K, dtype=bool)
PARTS = 1e-30
SWAPPED = {(900, 82, 35): 0.853, (1000, 12, 5): 0.8548}
"""Doewes et al., Figures 3 and 5: the printed QWK after the agreement at 1 and 3 is exchanged."""


def pairs(table):
    return PairCounts(np.asarray(table, dtype=np.float64), POINTS)


def qwk(table):
    return float(cohen_kappa(table, weights="quadratic"))


@given(TABLES, PLACES, PLACES, SHARES)
def test_moved_agreement_keeps_every_disagreement_and_the_number_of_agreements(t, i, j, share):
    moved = agreement_moved(pairs(t), i, j, share).counts
    assert moved[OFF] == pytest.approx(t[OFF])
    assert np.trace(moved) == pytest.approx(np.trace(t))


@given(TABLES, PLACES, PLACES)
def test_agreement_exchanged_twice_is_the_table(t, i, j):
    once = agreement_exchanged(pairs(t), i, j)
    assert agreement_exchanged(once, i, j).counts.tolist() == t.tolist()
    assert once.counts[OFF].tolist() == t[OFF].tolist()


@given(TABLES, PLACES, st.floats(0.01, 0.99))
def test_a_raised_point_keeps_what_the_second_rater_gives_at_each_point(t, i, share):
    raised = point_raised(pairs(t), i, share).counts
    rows = raised.sum(axis=1)
    assert rows.sum() == pytest.approx(t.sum())
    assert rows[i] == pytest.approx(share * t.sum())
    assert raised / rows[:, None] == pytest.approx(t / t.sum(axis=1)[:, None])


@given(TABLES, st.floats(0.0, 3.0))
def test_scaled_errors_keep_the_first_raters_scores_and_the_kinds_of_error(t, times):
    scaled = errors_scaled(pairs(t), times).counts
    assert scaled.sum(axis=1) == pytest.approx(t.sum(axis=1))
    assert (scaled >= -1e-9).all()
    for row, before in zip(scaled * OFF, t * OFF, strict=True):
        assert row * before.sum() == pytest.approx(before * row.sum(), abs=1e-6)


@given(TABLES, SHARES)
def test_mixing_with_chance_keeps_margins_and_scales_every_kappa(t, share):
    mixed = chance_mixed(pairs(t), share)
    assert mixed.counts.sum(axis=0) == pytest.approx(t.sum(axis=0))
    assert mixed.counts.sum(axis=1) == pytest.approx(t.sum(axis=1))
    for weights in ("identity", "linear", "quadratic"):
        before = float(cohen_kappa(pairs(t), weights=weights))
        after = float(cohen_kappa(mixed, weights=weights))
        assert after == pytest.approx((1 - share) * before, abs=1e-9, nan_ok=True)


@given(TABLES, st.integers(2, K))
def test_merged_points_keep_the_responses(t, bins):
    made = points_merged(pairs(t), bins)
    assert made.counts.sum() == t.sum()
    assert made.points.size == bins
    assert bins < K or made.counts.tolist() == t.tolist()


@given(TABLES)
def test_nothing_moved_is_the_table(t):
    table, at = pairs(t), 1
    same = [
        agreement_moved(table, 0, 1, 0.0),
        point_raised(table, at, float(t[at].sum() / t.sum())),
        errors_scaled(table, 1.0),
        chance_mixed(table, 0.0),
        points_merged(table, K),
    ]
    for made in same:
        assert made.counts == pytest.approx(t, abs=1e-9)


@pytest.mark.parametrize(
    "move",
    [
        lambda table: agreement_moved(table, 0, 2, 0.3),
        lambda table: agreement_exchanged(table, 0, 2),
        lambda table: point_raised(table, 1, 0.5),
        lambda table: errors_scaled(table, 1.4),
        lambda table: chance_mixed(table, 0.2),
        lambda table: points_merged(table, 3),
    ],
)
def test_stacked_tables_move_as_one_at_a_time_and_have_derivatives(move):
    t = np.array([[9, 2, 1, 0], [3, 8, 2, 1], [0, 4, 7, 2], [1, 0, 2, 6]])
    both = move(PairCounts(np.stack([t, t.T]) * 1.0, POINTS)).counts
    assert both[0] == pytest.approx(move(pairs(t)).counts)
    assert both[1] == pytest.approx(move(pairs(t.T)).counts)
    step = np.zeros((K, K), dtype=complex)
    step[1, 2] = PARTS * 1j
    slope = gwet_ac(move(PairCounts(t + step, POINTS)), weights="quadratic").imag / PARTS
    ahead, behind = (
        float(gwet_ac(move(pairs(t + way * 1e-4 * (step != 0))), weights="quadratic"))
        for way in (1, -1)
    )
    assert slope == pytest.approx((ahead - behind) / 2e-4, abs=1e-7)


def test_a_point_that_is_never_given_cannot_be_raised():
    table = PairCounts(np.array([[3.0, 1.0], [0.0, 0.0]]), np.arange(2.0))
    assert np.isnan(point_raised(table, 1, 0.5).counts).any()


@pytest.mark.parametrize(("agreed", "printed"), SWAPPED.items())
def test_the_printed_swap_comes_out(agreed, printed):
    table = np.array([[151, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])
    table[[1, 2, 3], [1, 2, 3]] = agreed
    whole = PairCounts(table, np.arange(4.0))
    assert qwk(agreement_exchanged(whole, 1, 3)) == pytest.approx(printed, abs=6e-5)
