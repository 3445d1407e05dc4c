"""Ratings with known severities and variance components."""

import numpy as np

from tallymark.reliability.rasch import probabilities


def rasch_ratings(n, severity, *, each, points=5, sd=1.2, mean=0.3, seed=0):
    """Responses x raters from the rating-scale model, ``each`` of the raters per response."""
    rng = np.random.default_rng(seed)
    severity = np.asarray(severity) - np.mean(severity)
    thresholds = np.linspace(-1.5, 1.5, points - 1)
    quality = rng.normal(mean, sd, n)
    chance = probabilities(quality[:, None] - severity, thresholds)
    ratings = (chance.cumsum(-1) < rng.random((n, severity.size, 1))).sum(-1).astype(float)
    ratings[rng.random((n, severity.size)).argsort(1) >= each] = np.nan
    return ratings


def normal_ratings(n, raters, *, each, variances=(1.0, 0.25, 0.49), rng):
    """Responses x raters with these variances of responses, raters and residuals."""
    response, rater, residual = np.sqrt(variances)
    ratings = response * rng.standard_normal((n, 1)) + rater * rng.standard_normal((1, raters))
    ratings = ratings + residual * rng.standard_normal((n, raters))
    ratings[rng.random((n, raters)).argsort(1) >= each] = np.nan
    return ratings
