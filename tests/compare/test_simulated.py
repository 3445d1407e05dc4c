"""Error rates in populations with a known truth; docs/compare.md holds the numbers measured."""

import numpy as np
import pytest

from tests.compare.populations import (
    KINDS,
    covered,
    nearly_identical,
    p_values,
    qwk,
    size_for,
    wrongly_ranked,
)

pytestmark = pytest.mark.slow
OTHERS = ("severity", "compression", "slips")


@pytest.fixture(scope="module")
def sizes():
    return {
        wanted: {kind: size_for(kind, wanted) for kind in KINDS} for wanted in (0.65, 0.7, 0.75)
    }


@pytest.mark.parametrize("other", OTHERS)
def test_equal_qwk_from_different_errors_is_rarely_called_different(sizes, other):
    own = sizes[0.7]
    p = p_values(("noise", other), (own["noise"], own[other]), 200, 400, permutations=300)
    studentised = (p[:, 0] <= 0.05).mean()
    # 400 runs: a true .05 lies within .024 and .082 with probability .99
    assert 0.02 <= studentised <= 0.085


@pytest.mark.parametrize("other", OTHERS)
def test_intervals_of_differences_hold_the_truth(sizes, other):
    own = sizes[0.7]
    held = covered(("noise", other), (own["noise"], own[other]), 0.0, 200, 300, replicates=400)
    assert held >= 0.915


def test_wrong_ranks_are_rarely_called_settled(sizes):
    kinds, true = ("noise", "severity", "compression", "slips"), (0.75, 0.7, 0.7, 0.65)
    given = [sizes[q][kind] for q, kind in zip(true, kinds, strict=True)]
    wrong, _, _ = wrongly_ranked(kinds, given, true, 200, 200, permutations=300)
    assert wrong <= 0.06


def test_populations_agree_as_well_as_they_say(sizes):
    rng = np.random.default_rng(3)
    truth = rng.normal(3.5, 1.2, 300_000)
    gold = KINDS["noise"](truth, rng, 0.5)
    for kind, size in sizes[0.7].items():
        assert qwk(gold, KINDS[kind](truth, rng, size)) == pytest.approx(0.7, abs=0.006)


@pytest.mark.parametrize("changed", [0.04, 0.10])
def test_intervals_of_near_identical_systems_hold_no_difference(changed):
    found = [one for one in nearly_identical(changed, 0.8, 200, 300) if not np.isnan(one.low)]
    assert np.mean([one.low <= 0 <= one.high for one in found]) >= 0.95
