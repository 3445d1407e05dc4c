"""Panels with gaps give what the krippendorff package gives."""

import krippendorff
import numpy as np
import pytest

import tallymark as tm


def panel(seed):
    """Any number of responses, raters, points and gaps."""
    rng = np.random.default_rng(seed)
    n, raters, k = int(rng.integers(5, 120)), int(rng.integers(2, 8)), int(rng.integers(2, 7))
    truth = rng.normal(k / 2, 1, n)
    ratings = np.clip(np.rint(truth[:, None] + rng.normal(0, 0.7, (n, raters))), 1, k)
    ratings[rng.random(ratings.shape) < rng.choice([0, 0.15, 0.4])] = np.nan
    return ratings, np.arange(1.0, k + 1)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_that_of_the_krippendorff_package(seed, metric):
    ratings, points = panel(seed)
    expected = krippendorff.alpha(
        reliability_data=ratings.T, value_domain=points, level_of_measurement=metric
    )
    found = tm.metrics.krippendorff_alpha(ratings, metric=metric, scale=points)
    assert found == pytest.approx(expected, abs=1e-12)
    estimate = tm.estimate(
        "krippendorff_alpha", ratings, metric=metric, scale=points, interval="analytic"
    )
    assert estimate.value == pytest.approx(expected, abs=1e-12)


def test_alpha_of_many_continuous_scores_needs_no_table_of_them():
    # the package asks for 30 GB here: a table of 2,000 x 2,000 values of each response
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 2, 1000)
    ratings = truth[:, None] + rng.normal(0, 1, (1000, 2))
    few = ratings[:40]
    expected = krippendorff.alpha(reliability_data=few.T, level_of_measurement="interval")
    assert tm.metrics.krippendorff_alpha(few) == pytest.approx(expected, abs=1e-12)
    found = tm.estimate("krippendorff_alpha", ratings)
    assert found.low < 0.8 < found.high
