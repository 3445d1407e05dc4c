"""Alternative annotator test: is a system as close to the other raters as a left-out rater is?

Secondary: it knows no severe errors, ties count for both sides, and its answer changes with the
scoring function and with epsilon, so both must be declared beforehand.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError
from tallymark.inference.distributions import t_tail
from tallymark.inference.few_clusters import leverage
from tallymark.inference.interval import ROUNDING

Score = Literal["neg_rmse", "accuracy"]
LEAST = 30
"""With fewer responses that a rater shares with others, Wilcoxon's test takes the place of t."""
FEWEST_RATERS = 3


class AltTest(NamedTuple):
    """For each rater compared: p-value, whether the system wins, and its share of wins or ties.

    ``raters`` are their places. ``winning_rate`` is the share of raters the system wins against;
    from 0.5 on it passed. ``advantage`` is the mean share of wins or ties. NaN without raters.
    ``tests`` name the test of each rater.
    """

    raters: Whole
    n: Whole
    p: Floats
    wins: NDArray[np.bool_]
    advantage_each: Floats
    winning_rate: float
    advantage: float
    tests: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the system wins against half of the raters or more."""
        return self.winning_rate >= 0.5


def alt_test(
    system: ArrayLike,
    ratings: ArrayLike,
    *,
    epsilon: float,
    score: Score = "neg_rmse",
    q: float = 0.05,
    least: int = LEAST,
    cluster: ArrayLike | None = None,
) -> AltTest:
    """Compare a system with each rater, by closeness to the other raters (responses x raters).

    A rater costs more than the system, so the system wins if the rater is ahead in fewer than
    ``epsilon`` more responses; where both are as close, both are ahead. A one-sided t test for each
    rater (Wilcoxon's signed ranks below ``least`` responses), Benjamini-Yekutieli at q. With ``cluster``
    responses of one cluster are not independent: the t test is over clusters, with CR2 errors.

    References
    ----------
    Calderon, Reichart & Dror (2025), https://arxiv.org/abs/2501.10970.
    """
    machine, people = np.asarray(system, np.float64), np.asarray(ratings, np.float64)
    if people.ndim != 2 or machine.shape != people.shape[:1] or people.shape[1] < FEWEST_RATERS:
        raise DataError(
            "ratings must be responses x raters, three raters or more and as many responses as the "
            f"system scored, got {people.shape} for {machine.size}"
        )
    if score not in ("neg_rmse", "accuracy"):
        raise OptionError(f"score must be neg_rmse or accuracy, got {score!r}")
    codes = None if cluster is None else np.unique(np.asarray(cluster), return_inverse=True)[1]
    raters = range(people.shape[1])
    compared = [_against(machine, people, i, epsilon, score, codes, least) for i in raters]
    defined = [i for i, result in enumerate(compared) if not np.isnan(result[1])]
    n, p, share = (np.array([compared[i][part] for i in defined]) for part in range(3))
    wins = _benjamini_yekutieli(p, q)
    return AltTest(
        raters=np.array(defined, np.int64),
        n=n.astype(np.int64),
        p=p,
        wins=wins,
        advantage_each=share,
        winning_rate=float(wins.mean()) if defined else float("nan"),
        advantage=float(share.mean()) if defined else float("nan"),
        tests=tuple(compared[i][3] for i in defined),
    )


def _against(
    system: Floats,
    people: Floats,
    left_out: int,
    epsilon: float,
    score: Score,
    cluster: Whole | None,
    least: int,
) -> tuple[int, float, float, str]:
    """Responses, p-value, share in which the system is as close or closer, and the test."""
    rater, others = people[:, left_out], np.delete(people, left_out, axis=1)
    use = ~np.isnan(rater) & ~np.isnan(system) & ~np.isnan(others).all(axis=1)
    if use.sum() < 2:
        return int(use.sum()), float("nan"), float("nan"), ""
    ours = _closeness(system[use], others[use], score)
    theirs = _closeness(rater[use], others[use], score)
    ahead = (theirs >= ours).astype(float) - (ours >= theirs)
    own_clusters = np.arange(ahead.size) if cluster is None else cluster[use]
    few = cluster is None and ahead.size < least
    p = _signed_ranks(ahead - epsilon) if few else _t_test(ahead - epsilon, own_clusters)
    word = "Wilcoxon" if few else "t" if cluster is None else "t over clusters"
    return ahead.size, p, float((ours >= theirs).mean()), word


def _t_test(above: Floats, cluster: Whole) -> float:
    """One-sided p of a mean of 0 or more: of responses, or of clusters with CR2 errors."""
    unit, sizes = np.unique(cluster, return_inverse=True, return_counts=True)[1:]
    mean, by_part = float(above.mean()), sizes[:, None].astype(np.float64)
    if sizes.size < 2:
        return float("nan")
    sums = np.bincount(unit, weights=above - mean) / above.size
    pull = leverage(by_part)
    se = pull.standard_error(np.asarray(sums * sizes.size, np.float64))
    if se <= ROUNDING:
        return float(mean >= 0)
    return t_tail(-mean / se, pull.df)


def _signed_ranks(above: Floats) -> float:
    """One-sided p of Wilcoxon's signed ranks, exact: the chance of positive ranks as few.

    Wilcoxon (1945), doi:10.2307/3001968.
    """
    above = above[np.abs(above) > ROUNDING]
    if not above.size:
        return 1.0
    order = np.unique(np.abs(above).round(12), return_inverse=True, return_counts=True)
    upto = np.cumsum(order[2])
    twice = (2 * upto - order[2] + 1)[order[1]]  # midranks, doubled to be whole
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1.0
    for rank in twice:
        moved = np.concatenate([np.zeros(rank), ways[: ways.size - rank]])
        ways = (ways + moved) / 2
    return float(ways[: int(twice[above > 0].sum()) + 1].sum())


def _closeness(scorer: Floats, others: Floats, score: Score) -> Floats:
    if score == "accuracy":
        equal = np.where(np.isnan(others), np.nan, others == scorer[:, None])
        return np.asarray(np.nanmean(equal, axis=1))
    return np.asarray(-np.sqrt(np.nanmean((others - scorer[:, None]) ** 2, axis=1)))


def _benjamini_yekutieli(p: Floats, q: float) -> NDArray[np.bool_]:
    """Which p-values stand out at false discovery rate q, whatever their dependence."""
    ranked, m = np.sort(p), p.size
    limit = q * np.arange(1, m + 1) / (m * np.sum(1 / np.arange(1, m + 1)))
    passed = np.flatnonzero(ranked <= limit)
    return p <= ranked[passed[-1]] if passed.size else np.zeros(m, bool)
