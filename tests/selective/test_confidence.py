"""Confidences, trust scores and calibration beside brute force and scikit-learn."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import brier_score_loss

from tallymark.errors import DataError, OptionError
from tallymark.selective import trust
from tallymark.selective.confidence import (
    FROM_PROBABILITIES,
    FROM_RUNS,
    brier,
    ece,
    from_probabilities,
    from_runs,
    of_boundary,
    of_probabilities,
    of_runs,
    reliability_table,
    rps,
)
from tallymark.selective.curve import auroc, critical_errors, risk_coverage
from tallymark.selective.trust import trust_score


def ordinal(n=4000, points=13, seed=0):
    """Class probabilities over ordered scores, and scores drawn from them."""
    rng = np.random.default_rng(seed)
    centre, width = rng.uniform(0, points - 1, n), rng.uniform(0.4, 2.5, n)
    logits = -0.5 * ((np.arange(points) - centre[:, None]) / width[:, None]) ** 2
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    human = (rng.random(n)[:, None] > np.cumsum(probs, axis=1)).sum(axis=1)
    return probs, np.minimum(human, points - 1)


def test_the_probability_of_no_critical_error_tells_critical_errors_apart_best():
    probs, human = ordinal()
    scores = np.arange(13)
    found = of_probabilities(probs, scores, 0.2, 12)
    errors = critical_errors(human, found.predicted, 0.2, 12)
    areas = {
        kind: float(auroc(risk_coverage(from_probabilities(kind, probs, scores, 0.2, 12), errors)))
        for kind in FROM_PROBABILITIES
    }
    assert max(areas, key=lambda kind: areas[kind]) == "p_no_cse"
    assert min(areas.values()) > 0.5
    # drawn from the probabilities, so it is what it says
    assert found.p_no_cse.mean() == pytest.approx(1 - errors.mean(), abs=0.02)
    assert ece(np.minimum(found.p_no_cse, 1), ~errors) < 0.03


def test_the_released_score_need_not_be_the_most_probable():
    probs = [[0.5, 0.1, 0.4]]
    assert of_probabilities(probs, [0, 1, 2], 0.5, 2, predicted=[2]).p_no_cse.tolist() == [0.4]
    by_prompt = of_probabilities(probs * 2, [0, 1, 2], [0.5, 1], 2)
    assert by_prompt.p_no_cse.tolist() == [0.5, 0.6]


@pytest.mark.parametrize(
    "probs", [[[0.5, 0.4]], [[-0.1, 1.1]], [[np.nan, 1.0]]], ids=["sum", "negative", "missing"]
)
def test_what_are_no_probabilities_is_refused(probs):
    with pytest.raises(DataError, match="1 of 1 rows of probabilities"):
        of_probabilities(probs, [0, 1], 0.5, 1)
    with pytest.raises(DataError, match="responses x scores"):
        of_probabilities(probs, [0, 1, 2], 0.5, 1)


def test_runs_beside_pairs_counted_one_by_one():
    rng = np.random.default_rng(0)
    runs = rng.integers(0, 6, (200, 5))
    found = of_runs(runs, 0.4, 5)
    first, second = np.triu_indices(5, 1)
    gaps = np.abs(runs[:, first] - runs[:, second])
    assert found.pairwise_agree == pytest.approx((gaps == 0).mean(axis=1))
    assert found.pairwise_no_cse == pytest.approx((gaps < 2).mean(axis=1))
    counts = np.stack([(runs == point).sum(axis=1) for point in range(6)])
    assert found.mode.tolist() == counts.argmax(axis=0).tolist()
    assert found.mode_share == pytest.approx(counts.max(axis=0) / 5)
    for kind in FROM_RUNS:
        assert from_runs(kind, [[1, 1, 1], [0, 2, 4]], 0.4, 5).argmax() == 0
    with pytest.raises(DataError, match="two runs or more"):
        of_runs([[1], [2]], 0.4, 5)
    with pytest.raises(DataError, match="no missing scores"):
        of_runs([[1, np.nan]], 0.4, 5)


def test_names_of_confidences_are_checked():
    with pytest.raises(OptionError, match="one of p_no_cse, max"):
        from_probabilities("best", [[1, 0]], [0, 1], 0.5, 1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="one of pairwise_no_cse"):
        from_runs("best", [[1, 0]], 0.5, 1)  # type: ignore[arg-type]


def test_boundaries_of_half_points():
    found = of_boundary([1.3, 0.2], np.arange(0, 3.5, 0.5))
    assert found.rounded.tolist() == [1.5, 0]
    assert found.distance == pytest.approx([0.05, 0.05])
    uneven = of_boundary([1.4, 2.9, np.nan], [1, 2, 5])
    assert uneven.rounded.tolist()[:2] == [1, 2]
    assert uneven.distance == pytest.approx([0.1, 0.6, np.nan], nan_ok=True)


def brute_trust(train, labels, x, predicted, nn):
    apart = cdist(x, train)
    to = {label: np.sort(apart[:, labels == label], axis=1)[:, nn - 1] for label in set(labels)}
    own = np.array([to[label][i] for i, label in enumerate(predicted)])
    other = np.array(
        [min(d[i] for label, d in to.items() if label != p) for i, p in enumerate(predicted)]
    )
    return own, other


@pytest.mark.parametrize("nn", [1, 2])
def test_trust_scores_by_blocks_are_those_of_all_distances(nn, monkeypatch):
    rng = np.random.default_rng(0)
    train, x = rng.standard_normal((150, 7)) + 1e4, rng.standard_normal((80, 7)) + 1e4
    x[:10] = train[:10]
    labels, predicted = rng.integers(0, 4, 150), rng.integers(0, 4, 80)
    monkeypatch.setattr(trust, "BLOCK_BYTES", 8 * 150 * 13)
    calls = []
    found = trust_score(
        train, labels, x, predicted, nn=nn, progress=lambda done, of: calls.append((done, of))
    )
    own, other = brute_trust(train, labels, x, predicted, nn)
    assert found.to_predicted == pytest.approx(own, abs=1e-9)
    assert found.to_other == pytest.approx(other, abs=1e-9)
    assert found.share == pytest.approx(found.ratio / (1 + found.ratio), abs=1e-6)
    assert calls[-1] == (80, 80)
    assert len(calls) == 7


def test_trust_at_its_ends():
    train, labels = [[0.0], [0.0], [5.0]], [0, 1, 2]
    found = trust_score(train, labels, [[0.0], [0.0], [5.0]], [0, 9, 2])
    assert found.share.tolist() == [0.5, 0, 1]
    assert trust_score([[0.0]], [0], [[1.0]], [0]).share.tolist() == [1]
    # only the score 2 is a critical error away from 0
    far = trust_score([[0.0], [1.0], [6.0]], [0, 1, 2], [[2.0]], [0], far=(1.0, 2.0))
    assert (far.to_predicted[0], far.to_other[0]) == (2, 4)
    with pytest.raises(DataError, match="2 and 1 dimensions"):
        trust_score([[0, 1]], [0], [[0]], [0])
    with pytest.raises(OptionError, match="nn must be 1 or more"):
        trust_score([[0]], [0], [[0]], [0], nn=0)
    with pytest.raises(DataError, match="missing or infinite"):
        trust_score([[np.inf]], [0], [[0]], [0])


def test_calibration_beside_scikit_learn_and_by_hand():
    rng = np.random.default_rng(0)
    c = rng.random(500).round(2)
    right = rng.random(500) < c
    both = np.stack([1 - c, c], axis=1)
    assert brier(both, right).mean() == pytest.approx(2 * brier_score_loss(right, c))
    table = reliability_table(c, right)
    assert table.n.sum() == 500
    for low, high, n, share in zip(table.low, table.high, table.n, table.right, strict=True):
        inside = (c > low + 1e-9) & (c <= high + 1e-9) | (c == 0) & (low == 0)
        assert (inside.sum(), right[inside].mean()) == (n, pytest.approx(share))
    mass = reliability_table(c, right, kind="mass")
    assert mass.n.min() > 30
    assert (mass.right_low <= mass.right).all()
    assert (mass.right <= mass.right_high).all()
    told, times = np.unique(np.stack([c, right]), axis=1, return_counts=True)
    for kind in ("width", "mass"):
        whole = ece(c, right, kind=kind)
        assert ece(told[0], told[1], counts=times, kind=kind) == pytest.approx(whole)


def test_scores_of_class_probabilities():
    probs, label = np.array([[0.2, 0.3, 0.5], [1, 0, 0]]), [2, 1]
    # .2² + .3² + .5² and 1 + 1; .2² + .5² and 1
    assert brier(probs, label) == pytest.approx([0.38, 2])
    assert rps(probs, label) == pytest.approx([0.29, 1])
    with pytest.raises(DataError, match="places from 0 to 2"):
        rps(probs, [0, 3])
    with pytest.raises(DataError, match="confidences from 0 to 1"):
        ece([2.0], [1])
    with pytest.raises(DataError, match="one right or wrong"):
        ece([0.5], [1, 0])
