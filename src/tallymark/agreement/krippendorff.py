"""Krippendorff's alpha: one minus observed over expected disagreement, for samples of any size."""

from typing import Literal, Protocol, cast

import numpy as np

from tallymark.agreement.chance import Disagreement, Ratings, between, corrected
from tallymark.agreement.weights import Named, Weights, distance
from tallymark.arrays import Floats
from tallymark.errors import OptionError, did_you_mean
from tallymark.tally import OneWay

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
WEIGHTS_OF: dict[str, Named] = {"nominal": "identity", "interval": "quadratic", "ratio": "ratio"}


class Pairable(Ratings, Protocol):
    """What alpha needs of ratings that share a response with others."""

    @property
    def ratings(self) -> Floats:
        """Ratings in all."""


class Cells(Pairable, Protocol):
    """What ordinal alpha needs beside: its distances change with the shares."""

    def products(self, values: Floats) -> Floats:
        """Mean product of the values at the points of two ratings of a response."""


def krippendorff_alpha(
    tally: Pairable | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
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
    tally: Pairable | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
) -> Floats:
    """Alpha without its correction for small samples: its standard error is taken from this."""
    return corrected(_with_replacement(tally, metric, weights))


def alpha_disagreement(
    tally: Pairable | OneWay, *, metric: Metric = "interval", weights: Weights | None = None
) -> Disagreement:
    """Disagreement of pairable ratings, times 1 - 1/N for small samples, and that of two draws."""
    observed, expected = _with_replacement(tally, metric, weights)
    with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
        return Disagreement(observed * (1 - 1 / tally.ratings), expected)


def _with_replacement(
    tally: Pairable | OneWay, metric: str, weights: Weights | None
) -> Disagreement:
    """Observed disagreement of pairable ratings, and that of two draws with replacement."""
    if isinstance(tally, OneWay):
        return _interval(tally)
    if weights is None and metric == "ordinal":
        return _ordinal(cast("Cells", tally))
    d = distance(tally.points, weights if weights is not None else _weights_of(metric))
    d = d if (d == d.T).all() else (d + d.T) / 2  # who gave which rating does not matter
    return Disagreement(tally.disagreement(d), between(d, tally.shares, tally.shares))


def _interval(tally: OneWay) -> Disagreement:
    """Squared differences of scores that need not lie on points, from sums alone."""
    total, squares, observed = tally.sums[..., 5], tally.sums[..., 4], tally.sums[..., 7]
    with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
        mean, mean_square = total / tally.ratings, squares / tally.ratings
        spread = mean_square - mean * mean
        # what is left of equal scores is rounding error
        spread = np.where(np.real(spread) <= 1e-13 * np.real(mean_square), 0.0, spread)
        return Disagreement(observed / tally.ratings, 2 * spread)


def _ordinal(tally: Cells) -> Disagreement:
    """Squared difference of middle ranks: half the ratings at both ends and all between them."""
    shares = tally.shares
    middle = np.cumsum(shares, axis=-1) - shares / 2
    squares = (shares * middle**2).sum(axis=-1)
    products = tally.products(middle)
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
