"""Few clusters: a standard error and degrees of freedom that hold when clusters are a handful."""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole

FEW = 40
"""With fewer effective clusters than this the t interval takes over from the bootstrap."""
ALONE = 1e-9
"""A cluster whose share of the variance left is below this is a part of the data by itself."""


class Leverage(NamedTuple):
    """What the sizes of clusters say: by what each squared influence is raised, and how many count.

    ``df`` are the Satterthwaite degrees of freedom, G - 1 for G clusters of one size. ``share`` is
    the share of the responses that a cluster has, the mean over parts; it occurs so ``often``.
    """

    raised: Floats
    df: float
    share: Floats
    often: Floats

    def standard_error(self, influences: Floats) -> float:
        """CR2 standard error of a statistic, from the influence of each cluster (times their number)."""
        sums = influences / self.often.sum()
        centred = sums - self.share * (self.often @ sums)
        raised = np.where(np.isinf(self.raised), np.nan, self.raised)
        return float(np.sqrt(self.often @ (raised * centred**2)))


def leverage(sizes: Floats, times: Whole | None = None) -> Leverage:
    """Correct for the pull of each cluster on the very estimate it is compared with.

    ``sizes[g, p]`` are the responses of cluster g in part p, and such a cluster occurs ``times[g]``
    times; the statistic is a mean over parts, each linear in its responses as far as influence tells. The sum of a cluster's influences is
    S_g = sum_p (u_gp - n_gp / n_p sum_h u_hp) / (P n_p), with u the sums of independent deviations
    (the working model). Under it Var(S_g) = sum_p n_gp (1 - n_gp / n_p) / (P n_p)^2 falls short of
    the variance that the cluster adds by 1 - n_gp / n_p: CR2 divides it out. In one part that is
    S_g^2 / (1 - n_g / n). The sum of these squares is a quadratic form whose first two moments
    under the same model give the degrees of freedom.

    Bell & McCaffrey (2002), Survey Methodology 28, 169-181; Pustejovsky & Tipton (2018),
    doi:10.1080/07350015.2016.1247004.

    >>> round(leverage(np.full((5, 1), 30.0)).df, 6)
    4.0
    """
    often = np.ones(len(sizes)) if times is None else times.astype(np.float64)
    n = often @ sizes
    share = (sizes / n).mean(axis=1)
    weight = 1 / n**2
    adds = sizes @ weight
    shared = sizes * np.sqrt(weight / n)  # Cov(S_g, S_h) = -shared_g . shared_h
    left = adds - (shared**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        raised = np.where(left > ALONE * adds, adds / left, np.where(adds > 0, np.inf, 1.0))
    if np.isinf(raised).any():
        return Leverage(raised, 0.0, share, often)
    inner = shared.T @ ((often * raised)[:, None] * shared)
    separate = raised**2 * adds * (adds - 2 * (shared**2).sum(axis=1))
    df = float((often @ adds) ** 2 / (often @ separate + (inner**2).sum()))
    return Leverage(raised, df, share, often)


def from_left_out(value: float, left_out: Floats, sizes: Floats) -> Floats:
    """Influence of each cluster, from the values without it: exact for means."""
    share = (sizes / sizes.sum(axis=0)).mean(axis=1)
    return np.asarray((value - left_out) * (1 - share) * left_out.size)
