"""Near the data ordinal alpha of fewer sums has the same value and derivatives."""

import numpy as np
import pytest
from msgspec.structs import replace

from tallymark.catalogue import find
from tallymark.study.units import Rows, units_of

ALPHA = find("krippendorff_alpha", {"metric": "ordinal"})


def ratings(raters, *, n=60, gaps=0.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(5, 2, (n, 1))
    scores = np.clip(np.rint(truth + rng.normal(0, 1, (n, raters))), 0, 10)
    scores[rng.random(scores.shape) < gaps] = np.nan
    return Rows(scores, rng.integers(1, 4, n), np.arange(11.0))


def along(units, direction, size):
    return float(ALPHA.value(units.build(units.sums(units.times + size * direction))))


def second(units, direction, step=1e-3):
    before, here, after = (along(units, direction, size) for size in (-step, 0.0, step))
    return (after - before) / (2 * step), (after - 2 * here + before) / step**2


CASES = {
    "two": ratings(2),
    "three with gaps": ratings(3, gaps=0.3, seed=1),
    "weighted": replace(ratings(2, seed=2), weights=np.linspace(1, 3, 60)),
    "clustered": replace(ratings(2, seed=3), clusters=np.arange(60) % 20),
}


@pytest.mark.parametrize("rows", CASES.values(), ids=CASES.keys())
def test_value_and_two_derivatives_are_those_of_all_cells(rows):
    exact = units_of("ordinal", rows)
    near = exact.nearby
    assert near is not None
    assert near.width == 2 * 11 + 1
    assert (near.times == exact.times).all()
    assert float(ALPHA.value(near.tally)) == pytest.approx(
        float(ALPHA.value(exact.tally)), abs=1e-13
    )
    rng = np.random.default_rng(4)
    for direction in rng.normal(size=(6, exact.times.size)):
        slope, bend = second(exact, direction)
        assert second(near, direction) == pytest.approx((slope, bend), rel=2e-4, abs=1e-7)


def test_the_third_derivative_is_not():
    exact = units_of("ordinal", ratings(2))
    assert exact.nearby is not exact
    direction = np.random.default_rng(5).normal(size=exact.times.size)
    far = along(exact, direction, 0.5) - along(exact.nearby, direction, 0.5)
    assert 1e-8 < abs(far) < 1e-2
