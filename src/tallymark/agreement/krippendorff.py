"""Krippendorff's alpha: one minus observed over expected disagreement, for samples of any size."""

from typing import Literal, Protocol

import numpy as np

from tallymark.agreement.chance import Disagreement, Floats, between, corrected
from tallymark.agreement.weights import Named, Weights, distance
from tallymark.errors import OptionError, did_you_mean
from tallymark.tally import OneWay

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
WEIGHTS_OF: dict[str, Named] = {"nominal": "identity", "interval": "quadratic", "ratio": "ratio"}


class Coincidences(Protocol):
    """What alpha needs of a tally of two or of many raters."""

    @property
    def points(self) -> Floats:
        """The score points."""

    @property
    def coincidences(self) -> Floats:
        """Pairs of ratings of one response, each response weighing as many pairs as ratings."""


def krippendorff_alpha(
    tally: Coincidences | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
) -> Floats:
    r"""Agreement beyond chance of any number of raters, with gaps, at a level of measurement.

    .. math::

        \alpha = 1 - (N - 1) \frac{\sum_{ck} o_{ck}\, \delta_{ck}}{\sum_{ck} n_c n_k\,
        \delta_{ck}}

    over the N ratings of responses rated at least twice; :math:`\delta` is the squared distance
    of the metric: nominal, ordinal (by how many ratings lie between), interval or ratio. Give
    ``weights`` instead for any other distance. 1 is perfect, 0 is chance.
    NaN when only one point was ever used.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability,
    repository.upenn.edu/asc_papers/43.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> pairs = PairCounts(np.array([[5, 1], [3, 1]]), np.arange(2.0))
    >>> f"{krippendorff_alpha(pairs, metric='nominal'):.3f}"
    '0.095'
    """
    return corrected(alpha_disagreement(tally, metric=metric, weights=weights))


def large_sample_alpha(
    tally: Coincidences | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
) -> Floats:
    """Alpha without its correction for small samples: its standard error is taken from this."""
    return corrected(_with_replacement(tally, metric, weights))


def alpha_disagreement(
    tally: Coincidences | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
) -> Disagreement:
    """Disagreement of pairable ratings, times 1 - 1/N for small samples, and that of two draws."""
    observed, expected = _with_replacement(tally, metric, weights)
    total = tally.ratings if isinstance(tally, OneWay) else tally.coincidences.sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
        return Disagreement(observed * (1 - 1 / total), expected)


def _with_replacement(
    tally: Coincidences | OneWay, metric: str, weights: Weights | None
) -> Disagreement:
    """Observed disagreement of pairable ratings, and that of two draws with replacement."""
    if isinstance(tally, OneWay):
        return _interval(tally)
    pairs = tally.coincidences
    by_point = pairs.sum(axis=-1)
    total = by_point.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
        shares, coinciding = by_point / total[..., None], pairs / total[..., None, None]
    if weights is None and metric == "ordinal":
        return _ordinal(shares, coinciding)
    d = distance(tally.points, weights if weights is not None else _weights_of(metric))
    observed = coinciding.reshape(*total.shape, d.size) @ d.ravel()
    return Disagreement(observed, between(d, shares, shares))


def _interval(tally: OneWay) -> Disagreement:
    """Squared differences of scores that need not lie on points, from sums alone."""
    total, squares, apart = tally.sums[..., 5], tally.sums[..., 4], tally.sums[..., 7]
    with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
        mean, mean_square = total / tally.ratings, squares / tally.ratings
        spread = mean_square - mean * mean
        # what is left of equal scores is rounding error
        spread = np.where(np.real(spread) <= 1e-13 * np.real(mean_square), 0.0, spread)
        return Disagreement(apart / tally.ratings, 2 * spread)


def _ordinal(shares: Floats, coinciding: Floats) -> Disagreement:
    """Squared difference of middle ranks: half the ratings at both ends and all between them."""
    middle = np.cumsum(shares, axis=-1) - shares / 2
    squares = (shares * middle**2).sum(axis=-1)
    products = ((coinciding @ middle[..., None])[..., 0] * middle).sum(axis=-1)
    mean = (shares * middle).sum(axis=-1)
    spread = np.where((shares != 0).sum(axis=-1) > 1, squares - mean**2, 0.0)
    return Disagreement(2 * (squares - products), 2 * spread)


def _weights_of(metric: str) -> Named:
    if metric not in WEIGHTS_OF:
        known = ("nominal", "ordinal", "interval", "ratio")
        raise OptionError(
            f"unknown metric {metric!r}; choose {', '.join(known)}." + did_you_mean(metric, known)
        )
    return WEIGHTS_OF[metric]
