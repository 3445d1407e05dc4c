"""Kappa: agreement beyond what the raters' score distributions alone would give."""

import numpy as np

from tallymark.agreement.chance import Disagreement, PairRatings, Ratings, between, corrected
from tallymark.agreement.weights import Weights, distance
from tallymark.arrays import Floats
from tallymark.tally import RaterMargins


def cohen_kappa(pairs: PairRatings, *, weights: Weights = "identity") -> Floats:
    r"""Agreement of two raters beyond chance, each with their own score distribution.

    .. math:: \kappa = 1 - \frac{\sum d_{ij} p_{ij}}{\sum d_{ij} p_{i\cdot} p_{\cdot j}}

    where :math:`p_{ij}` is the share of responses at point *i* for one rater and *j* for the
    other, and :math:`d_{ij}` the distance of the two points. 1 is perfect, 0 is chance. With
    quadratic weights (QWK) it equals Lin's concordance coefficient of the same scores. It falls
    when one score dominates, and hardly depends on exact agreement on long scales.
    NaN when both raters give every response one and the same point.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968), doi:10.1037/h0026256.

    Examples
    --------
    The table of Fleiss, Cohen & Everitt (1969):

    >>> from tallymark.tally import PairCounts
    >>> table = np.array([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    >>> f"{cohen_kappa(PairCounts(table, np.arange(3.0))):.3f}"
    '0.429'
    """
    return corrected(cohen_disagreement(pairs, weights=weights))


def cohen_disagreement(pairs: PairRatings, *, weights: Weights = "identity") -> Disagreement:
    """Observed disagreement, and that of two raters with these separate distributions."""
    d = distance(pairs.points, weights)
    return Disagreement(pairs.disagreement(d), between(d, *pairs.margins))


def fleiss_kappa(tally: Ratings, *, weights: Weights = "identity") -> Floats:
    r"""Agreement beyond chance when all raters share one score distribution.

    .. math:: 1 - \frac{D_o}{\sum_{kl} d_{kl} \pi_k \pi_l}

    where :math:`D_o` is the mean distance of two ratings of a response and :math:`\pi_k` the
    share of point *k* over all raters. With two raters it is Scott's pi. 1 is perfect, 0 is
    chance. NaN when only one point was ever used.

    References
    ----------
    Scott (1955), doi:10.1086/266577; Fleiss (1971), doi:10.1037/h0031619.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> f"{fleiss_kappa(PairCounts(np.array([[64, 4], [16, 16]]), np.arange(2.0))):.3f}"
    '0.480'
    """
    return corrected(fleiss_disagreement(tally, weights=weights))


def fleiss_disagreement(tally: Ratings, *, weights: Weights = "identity") -> Disagreement:
    """Observed disagreement, and that of two draws from the common distribution."""
    d = distance(tally.points, weights)
    return Disagreement(tally.disagreement(d), between(d, tally.shares, tally.shares))


def conger_kappa(raters: RaterMargins, *, weights: Weights = "identity") -> Floats:
    r"""Agreement beyond chance when each of many raters has their own score distribution.

    .. math:: 1 - \frac{D_o}{\frac{1}{r (r - 1)} \sum_{g \ne h} \sum_{kl} d_{kl} p_{gk} p_{hl}}

    where :math:`p_{gk}` is the share of point *k* among the ratings of rater *g*. With two
    raters it is Cohen's kappa. NaN when only one point was ever used.

    References
    ----------
    Conger (1980), doi:10.1037/0033-2909.88.2.322.

    Examples
    --------
    >>> from tallymark.scale import Scale
    >>> from tallymark.tally.matrices import raters_of
    >>> scores = np.array([[1.0, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]])
    >>> tally = raters_of(scores, Scale.parse("1:2"), lambda points: distance(points, "identity"))
    >>> f"{conger_kappa(tally):.3f}"
    '0.385'
    """
    return corrected(conger_disagreement(raters, weights=weights))


def mean_pairwise_kappa(pairs: PairRatings, *, weights: Weights = "identity") -> Floats:
    r"""Cohen's kappa of every two raters, on the responses both scored, averaged plainly.

    The tally holds one table for each pair of raters along its last leading axis. Pairs whose
    kappa is undefined, such as two raters who share a single response, are left out. With two
    raters it is Cohen's kappa. NaN when it is undefined for every pair.

    References
    ----------
    Light (1971), doi:10.1037/h0031643.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> tables = np.array([[[2, 1], [0, 1]], [[2, 1], [0, 1]], [[2, 0], [1, 1]]])
    >>> f"{mean_pairwise_kappa(PairCounts(tables, np.arange(2.0))):.3f}"
    '0.500'
    """
    kappas = cohen_kappa(pairs, weights=weights)
    defined = ~np.isnan(kappas)
    count = defined.sum(axis=-1)
    total = np.where(defined, kappas, 0.0).sum(axis=-1)
    return np.asarray(np.where(count == 0, np.nan, total / np.maximum(count, 1)))


def pairs_counted(pairs: PairRatings, *, weights: Weights = "identity") -> dict[str, float]:
    """How many pairs of raters a mean is over, where some are left out, and how many those are."""
    defined = ~np.isnan(cohen_kappa(pairs, weights=weights))
    left = int((~defined).sum())
    return {"pairs": float(defined.sum()), "pairs_left_out": float(left)} if left else {}


def conger_disagreement(raters: RaterMargins, *, weights: Weights = "identity") -> Disagreement:
    """Observed disagreement, and that of two different raters with their own distributions."""
    d = distance(raters.points, weights)
    shares = raters.shares_by_rater
    total = shares.sum(axis=-2)
    pooled = ((total @ d) * total).sum(axis=-1) - ((shares @ d) * shares).sum(axis=(-2, -1))
    r = raters.active.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # fewer than two raters
        return Disagreement(raters.disagreement(d), pooled / (r * (r - 1)))


def se_under_chance(pairs: PairRatings, *, weights: Weights = "identity") -> Floats:
    r"""Standard error of Cohen's kappa if there were no agreement beyond chance; for tests only.

    .. math::

        \sqrt{\frac{\sum p_{i\cdot} p_{\cdot j} (w_{ij} - \bar w_{i\cdot} - \bar w_{\cdot j})^2
        - p_e^2}{n (1 - p_e)^2}}

    References
    ----------
    Fleiss, Cohen & Everitt (1969), doi:10.1037/h0028106.
    """
    w = 1 - distance(pairs.points, weights)
    first, second = pairs.margins
    means = (second @ w.T)[..., :, None] + (first @ w)[..., None, :]
    expected = between(w, first, second)
    chance = first[..., :, None] * second[..., None, :]
    spread = (chance * (w - means) ** 2).sum(axis=(-2, -1)) - expected**2
    with np.errstate(invalid="ignore", divide="ignore"):  # undefined with kappa itself
        return np.asarray(np.sqrt(np.maximum(spread, 0) / pairs.n) / (1 - expected))
