"""Alternative annotator test: is a system as close to the other raters as a left-out rater is?

Secondary: it knows no severe errors, ties count for both sides, and its answer changes with the
scoring function and with epsilon, so both must be declared beforehand.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.errors import DataError, OptionError

Floats = NDArray[np.float64]
Score = Literal["neg_rmse", "accuracy"]
LEAST = 30
"""Responses that a rater must share with others to be compared."""


class AltTest(NamedTuple):
    """For each rater compared: p-value, whether the system wins, and its share of wins or ties.

    ``raters`` are their places. ``winning_rate`` is the share of raters the system wins against;
    from 0.5 on it passed. ``advantage`` is the mean share of wins or ties. NaN without raters.
    """

    raters: NDArray[np.int64]
    n: NDArray[np.int64]
    p: Floats
    wins: NDArray[np.bool_]
    advantage_each: Floats
    winning_rate: float
    advantage: float

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
) -> AltTest:
    """Compare a system with each rater, by closeness to the other raters (responses x raters).

    A rater costs more than the system, so the system wins if the rater is ahead in fewer than
    ``epsilon`` more responses: a one-sided t test for each rater, Benjamini-Yekutieli at q.

    References
    ----------
    Calderon, Reichart & Dror (2025), https://arxiv.org/abs/2501.10970.
    """
    given, people = np.asarray(system, np.float64), np.asarray(ratings, np.float64)
    if people.ndim != 2 or given.shape != people.shape[:1] or people.shape[1] < 2:
        raise DataError(
            "ratings must be responses x raters, two raters or more and as many responses as the "
            f"system scored, got {people.shape} for {given.size}"
        )
    if score not in ("neg_rmse", "accuracy"):
        raise OptionError(f"score must be neg_rmse or accuracy, got {score!r}")
    found = [_against(given, people, i, epsilon, score) for i in range(people.shape[1])]
    kept = [i for i, (n, _, _) in enumerate(found) if n >= max(least, 2)]
    n, p, share = (np.array([found[i][part] for i in kept]) for part in range(3))
    wins = _benjamini_yekutieli(p, q)
    return AltTest(
        raters=np.array(kept, np.int64),
        n=n.astype(np.int64),
        p=p,
        wins=wins,
        advantage_each=share,
        winning_rate=float(wins.mean()) if kept else float("nan"),
        advantage=float(share.mean()) if kept else float("nan"),
    )


def _against(
    system: Floats, people: Floats, left_out: int, epsilon: float, score: Score
) -> tuple[int, float, float]:
    """Responses compared, p-value, and share of them in which the system is as close or closer."""
    from scipy.special import stdtr

    own, others = people[:, left_out], np.delete(people, left_out, axis=1)
    use = ~np.isnan(own) & ~np.isnan(system) & ~np.isnan(others).all(axis=1)
    if use.sum() < 2:
        return int(use.sum()), float("nan"), float("nan")
    ours = _closeness(system[use], others[use], score)
    theirs = _closeness(own[use], others[use], score)
    ahead = (theirs >= ours).astype(float) - (ours >= theirs)
    n, mean, sd = int(use.sum()), float(ahead.mean()), float(ahead.std(ddof=1))
    if sd == 0:
        p = float(mean >= epsilon)
    else:
        p = float(stdtr(n - 1, (mean - epsilon) / (sd / np.sqrt(n))))
    return n, p, float((ours >= theirs).mean())


def _closeness(one: Floats, others: Floats, score: Score) -> Floats:
    if score == "accuracy":
        same = np.where(np.isnan(others), np.nan, others == one[:, None])
        return np.asarray(np.nanmean(same, axis=1))
    return np.asarray(-np.sqrt(np.nanmean((others - one[:, None]) ** 2, axis=1)))


def _benjamini_yekutieli(p: Floats, q: float) -> NDArray[np.bool_]:
    """Which p-values stand out at false discovery rate q, whatever their dependence."""
    ranked, m = np.sort(p), p.size
    limit = q * np.arange(1, m + 1) / (m * np.sum(1 / np.arange(1, m + 1)))
    passed = np.flatnonzero(ranked <= limit)
    return p <= ranked[passed[-1]] if passed.size else np.zeros(m, bool)
