"""Agreement and reliability of all raters of a panel: ``f(ratings)``, responses x raters."""

from tallymark.agreement import kappa
from tallymark.agreement.weights import Weights, distance
from tallymark.reliability import icc as intraclass
from tallymark.tally.matrices import (
    RatingsLike,
    complete_of,
    every_two_of,
    panel_of,
    raters_of,
    sums_of,
)
from tallymark.tally.sequences import ScaleLike


def fleiss_kappa(
    ratings: RatingsLike, *, weights: Weights = "identity", scale: ScaleLike | None = None
) -> float:
    """Agreement of any number of raters beyond chance, one score distribution for all.

    >>> f"{fleiss_kappa([[1, 1, 2], [2, 2, None], [1, 1, 1], [3, 3, 2]]):.3f}"
    '0.467'
    """
    return float(kappa.fleiss_kappa(panel_of(ratings, scale), weights=weights))


def conger_kappa(
    ratings: RatingsLike, *, weights: Weights = "identity", scale: ScaleLike | None = None
) -> float:
    """Agreement of any number of raters beyond chance, each with their own score distribution.

    >>> f"{conger_kappa([[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]]):.3f}"
    '0.385'
    """
    tally = raters_of(ratings, scale, lambda points: distance(points, weights))
    return float(kappa.conger_kappa(tally, weights=weights))


def mean_pairwise_kappa(
    ratings: RatingsLike, *, weights: Weights = "identity", scale: ScaleLike | None = None
) -> float:
    """Cohen's kappa of every two raters on the responses both scored, averaged plainly.

    >>> f"{mean_pairwise_kappa([[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]]):.3f}"
    '0.400'
    """
    return float(kappa.mean_pairwise_kappa(every_two_of(ratings, scale), weights=weights))


def icc(ratings: RatingsLike, *, type: intraclass.Type = "2,1") -> float:  # noqa: A002 - the field's word
    """Intraclass correlation: reliability of one rating, or of the mean of all k.

    Types 2 and 3 take the responses that every rater scored, type 1 all of them.

    >>> f"{icc([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6]], type='3,1'):.3f}"
    '0.637'
    """
    tally = sums_of(ratings) if type[0] == "1" else complete_of(ratings)
    return float(intraclass.icc(tally, type=type))
