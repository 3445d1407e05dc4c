"""A statistic on many tables at once is what it is on each of them."""

from functools import partial

import numpy as np
import pytest

import tallymark as tm
from tallymark.lab.cards import every_text
from tallymark.lab.contenders import contender
from tallymark.simulation import joint
from tallymark.tally import PairCounts

POINTS = np.arange(1.0, 5.0)


@pytest.fixture(scope="module")
def tables():
    """Tables of three samples, and an empty one."""
    shares = joint([1, 3, 3, 1], [1, 2, 3, 2], agreement=0.6).ravel()
    drawn = np.random.default_rng(3).multinomial(120, shares, size=3)
    return PairCounts(np.concatenate([drawn, 0 * drawn[:1]]).reshape(-1, 4, 4), POINTS)


@pytest.mark.parametrize("text", every_text())
def test_stacked_tables_give_what_each_gives_alone(text, tables):
    found = contender(text).value(tables)
    assert np.isnan(found[-1])
    for value, table in zip(found[:-1], tables.counts, strict=False):
        gold, system = (
            np.repeat(c, table.ravel()) for c in (np.repeat(POINTS, 4), np.tile(POINTS, 4))
        )
        alone = tm.estimate(text, gold, system, scale="1:4").value
        assert value == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_leading_axes_stay(tables):
    two = PairCounts(np.stack([tables.counts] * 2), POINTS)
    assert contender("qwk").value(two).shape == (2, 4)


def test_anything_that_can_be_called_has_a_name(tables):
    class Half:
        def __call__(self, gold, system):
            return 0.5 * (gold.size == system.size)

    for given in (Half(), partial(np.vdot), np.vdot, tm.metrics.pearson):
        entry = contender(given)
        assert entry.name.count(":") == 1
        assert entry.value(tables).shape == (4,)


def test_a_name_and_an_alias_are_one_statistic():
    assert contender("wtkappa").name == contender("cohen_kappa[quadratic]").name
    assert contender("alpha").name == "krippendorff_alpha[interval]"
