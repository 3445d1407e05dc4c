"""The average row of Uto (2026), Table 2, and the eighth prompt that it implies: seven are goldens.

If "Avg." is the plain mean, each of its three numbers says what the eighth row must be; the identity of two raters ties
the three together, so that one number has to satisfy all.
"""

import math

import numpy as np

from tests.goldens import goldens

AVERAGE = {"theoretical": 0.926, "human-like": 0.805, "human-human": 0.754}
"""As printed."""
HALF = 0.0005
"""Half a unit of the last printed decimal."""


def printed():
    """The seven rows as printed: theoretical, human-like, QWK of two people."""
    rows = [goldens()[f"papers:uto.identity.asap{i}"] for i in range(1, 8)]
    names = ("printed_human_like", "printed_qwk_hh")
    return np.array([[g.input["theoretical"], *(g.expected[n] for n in names)] for g in rows])


def two_raters(theoretical):
    """The human-like ceiling and the agreement of two people that go with it."""
    mean = theoretical**2
    return np.array([theoretical, mean / math.sqrt(2 - mean), mean / (2 - mean)])


def eighth():
    """The theoretical ceilings of the eighth prompt with which the three averages are as printed."""
    tol = goldens()["papers:uto.identity.asap1"].tol
    assert isinstance(tol, dict)
    off = np.array([0, tol["human_like_vs_printed"], tol["rho_X_vs_printed_qwk_hh"]]) / 8
    fits = []
    for theoretical in np.arange(0.5, 1, 0.001):
        means = (printed().sum(axis=0) + two_raters(theoretical)) / 8
        if (np.abs(means - [*AVERAGE.values()]) <= HALF + off).all():
            fits.append(float(theoretical))
    return fits
