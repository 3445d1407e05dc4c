"""Goldens of variance components and of rater severity."""

import numpy as np

from tallymark.reliability import generalizability as g
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.rasch import answers, moments, probabilities
from tallymark.tally import OneWay
from tallymark.tally.crossed import CrossedSums
from tests.goldens import Golden, check, claimed
from tests.reliability.joint import JointFit, fit_joint, theta_known


def ratings_of(golden: Golden) -> np.ndarray:
    return np.array(golden.input["ratings"], dtype=float)


@claimed("tests/reliability/test_goldens.py::test_crossed_raters")
def test_crossed_raters(golden: Golden) -> None:
    ratings = ratings_of(golden)
    parts = g.crossed(CrossedSums(CrossedSums.rows(ratings).sum(axis=0)))
    if not np.isnan(ratings).any():  # both methods are the analysis of variance
        own = absorb(ratings, np.ones(len(ratings), dtype=np.int64))
        assert np.allclose(absorbed(own.tally(own.rows.sum(axis=0))), parts, rtol=1e-10)
    found = {"var": {"p": parts.response, "r": parts.rater, "pr": parts.residual}}
    for raters in (1, 2, 4):
        found[f"d{raters}"] = {
            "G": g.generalizability(parts, raters=raters),
            "Phi": g.dependability(parts, raters=raters),
            "sem_rel": g.sem_relative(parts, raters=raters),
            "sem_abs": g.sem_absolute(parts, raters=raters),
        }
    check(found, golden)


@claimed("tests/reliability/test_goldens.py::test_raters_within_responses")
def test_raters_within_responses(golden: Golden) -> None:
    tally = OneWay(OneWay.rows(ratings_of(golden)).sum(axis=0))
    parts = g.raters_within_responses(tally)
    n, ratings, squared = tally.sums[:3]
    found = {
        "sigma2_p": parts.response,
        "sigma2_r_p": parts.residual,
        "k0": (ratings - squared / ratings) / (n - 1),
        "Phi_2": g.dependability(parts, raters=2),
    }
    check(found, golden)


@claimed("tests/reliability/test_goldens.py::test_joint_severity")
def test_joint_severity(golden: Golden) -> None:
    ratings = ratings_of(golden)
    points = np.arange(golden.input["scale"][0], golden.input["scale"][1] + 1.0)
    a = answers(ratings, points, np.ones(len(ratings), dtype=np.int64))
    fit = fit_joint(a)
    assert isinstance(fit, JointFit)
    away = fit.quality[a.kind] - fit.severity[a.rater]
    mean, variance = moments(probabilities(away, fit.thresholds))
    squared = (a.score - mean) ** 2
    by_row = dict(zip(a.row, fit.quality[a.kind], strict=True))
    check(
        {
            "severity": fit.severity,
            "tau": fit.thresholds,
            "theta": [by_row[row] for row in range(len(ratings))],
            "infit_r": np.bincount(a.rater, squared) / np.bincount(a.rater, variance),
            "outfit_r": np.bincount(a.rater, squared / variance) / np.bincount(a.rater),
            "se_sev": theta_known(a, fit),
        },
        golden,
    )
