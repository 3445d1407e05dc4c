"""Certificates of fixed thresholds are those of MAPIE, another program that learns, then tests.

MAPIE's fixed sequence begins at one end of its grid, ours where enough responses are accepted: the
grids here begin there. MAPIE rounds n * (k / n) up, which for some counts gives k + 1: it is then
stricter than it need be. ``just_below`` keeps the count.
"""

import warnings

import numpy as np
import pytest

from tallymark.selective.bounds import binomial_cdf, n_min
from tallymark.selective.certify import certify
from tallymark.selective.curve import risk_coverage
from tallymark.selective.ltt import fixed_candidates, loosest

control = pytest.importorskip("mapie.risk_control", reason="MAPIE is not installed")
methods = pytest.importorskip("mapie.risk_control.methods", reason="MAPIE is not installed")
fwer = pytest.importorskip("mapie.risk_control.fwer_control", reason="MAPIE is not installed")

ALPHA, DELTA = 0.05, 0.1


def sample(seed):
    """Confidences that tell something, their errors, and a grid of which every part is tested."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(800).round(3)
    errors = rng.random(800) < rng.choice([0, 0.02, 0.06]) + rng.random() * (1 - confidence) ** 2
    first = np.sort(confidence)[-2 * n_min(ALPHA, DELTA)]
    return confidence, errors, np.linspace(0, first, 60)


def just_below(k, n):
    return np.maximum(k - 1e-9, 0) / n


def p_of_mapie(rate, n, alpha=ALPHA):
    return methods.compute_hoeffding_bentkus_p_value(rate, n, alpha, binary=True)[:, 0]


def valid_thresholds(confidence, errors, grid):
    """What a user of MAPIE gets: accepted is a positive prediction, its risk a critical error."""
    risk = control.BinaryRisk(
        lambda wrong, _accepted: wrong == 1,
        lambda _wrong, accepted: accepted == 1,
        higher_is_better=False,
    )
    controller = control.BinaryClassificationController(
        lambda c: np.stack([1 - c, c], axis=1),
        risk,
        ALPHA,
        confidence_level=1 - DELTA,
        best_predict_param_choice="predicted_positive_fraction",
        list_predict_params=grid,
        fwer_method="fixed_sequence",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the rate need not fall steadily; nothing may be valid
        controller.calibrate(confidence, errors)
    return np.sort(controller.valid_predict_params)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
def test_p_values_of_all_counts(alpha):
    n, k = (counts.ravel() for counts in np.mgrid[1:400, 0:400])
    n, k = n[k <= n], k[k <= n]
    own = binomial_cdf(k, n, alpha)
    np.testing.assert_allclose(p_of_mapie(just_below(k, n), n, alpha), own, rtol=1e-9)
    plain = p_of_mapie(k / n, n, alpha)
    kept = np.ceil(n * (k / n)) == k
    assert kept.mean() > 0.95
    np.testing.assert_allclose(plain[kept], own[kept], rtol=1e-9)
    assert (plain[~kept] > own[~kept]).any()
    assert (plain >= own * (1 - 1e-9)).all()


def test_certificates_of_one_chain():
    certified = exact = 0
    for seed in range(60):
        confidence, errors, grid = sample(seed)
        own = certify(confidence, errors, alpha=ALPHA, delta=DELTA, grid=grid, starts=(0,))
        valid = valid_thresholds(confidence, errors, grid)
        found = fixed_candidates([risk_coverage(confidence, errors)], grid)
        reached = grid[grid >= own.tau] if own.certified else grid[:0]
        n, k = (counts[0, : reached.size + 1] for counts in (found.n, found.k))  # all tested
        if (np.ceil(n * (k / n)) == k).all():
            exact += 1
            assert valid.tolist() == reached.tolist()
        assert set(valid) <= set(reached)
        certified += own.certified
    assert 10 < certified < 50
    assert exact > 40


@pytest.mark.parametrize("chains", [1, 2, 3, 7])
def test_loosest_threshold_of_several_chains(chains):
    seen = set()
    for seed in range(60):
        confidence, errors, grid = sample(seed)
        found = fixed_candidates([risk_coverage(confidence, errors)], grid)
        n, k = found.n[0], found.k[0]
        starts = [chain * (grid.size // chains) for chain in range(chains)]
        each = DELTA / chains
        own = max(loosest(found, [start], [each], ALPHA).last for start in starts)
        passed = fwer.control_fwer(
            p_of_mapie(just_below(k, n), n), DELTA, fwer.FWERFixedSequenceTesting(chains)
        )
        assert own == max(passed, default=-1)
        # chains that hand on their part of delta reach as far or farther
        assert loosest(found, starts, [each] * chains, ALPHA).last >= own
        seen.add(own)
    assert len(seen) > 10
