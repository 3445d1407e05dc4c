"""Length: what a system makes of it beyond what people do."""

from typing import Any, Literal, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.tally import LengthSums


class _Spread(NamedTuple):
    """Variances and covariances of mean rating h, system m, length l and error e."""

    hh: Any
    mm: Any
    ll: Any
    hm: Any
    hl: Any
    ml: Any
    el: Any


def _spread(tally: LengthSums) -> _Spread:
    n, h, m, x, e, hh, mm, xx, hm, hx, mx, ex, *_ = np.moveaxis(tally.sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):  # no response
        products = (
            (hh, h, h),
            (mm, m, m),
            (xx, x, x),
            (hm, h, m),
            (hx, h, x),
            (mx, m, x),
            (ex, e, x),
        )
        return _Spread(*((product - a * b / n) / n for product, a, b in products))


def _root(value: Any) -> Any:
    """The root of what is above 0; NaN elsewhere."""
    return np.sqrt(np.where(np.real(value) > 1e-12, value, np.nan))


def length_correlation(tally: LengthSums, *, of: Literal["system", "human"] = "system") -> Floats:
    r"""Correlation of length with the system's scores, or with the mean of people's ratings.

    .. math:: \operatorname{cor}(\ell, m) \quad\text{or}\quad \operatorname{cor}(\ell, \bar h)

    A system that rewards length as people do correlates with it about as they do, or a little
    more, since ratings err and its scores may not. NaN where a score or the length does not vary.

    References
    ----------
    Chodorow & Burstein (2004), doi:10.1002/j.2333-8504.2004.tb01931.x.

    Examples
    --------
    >>> x, m = np.array([1.0, 2, 3]), np.array([1.0, 3, 2])
    >>> rows = LengthSums.rows(m[:, None], m, 0 * m, x)
    >>> length_correlation(LengthSums(rows.sum(axis=0))).item()
    0.5
    """
    s = _spread(tally)
    score, product = (s.mm, s.ml) if of == "system" else (s.hh, s.hl)
    return np.asarray(product / (_root(score) * _root(s.ll)))


def length_partial(tally: LengthSums, *, error: float | None = None) -> Floats:
    r"""Correlation of the system's error with length among responses of the same true score.

    .. math::

        \frac{\sigma_{m\ell} - \sigma_{mh}\sigma_{\ell h} / \tau}
        {\sqrt{(\sigma_m^2 - \sigma_{mh}^2 / \tau)(\sigma_\ell^2 - \sigma_{\ell h}^2 / \tau)}},
        \qquad \tau = \sigma_{\bar h}^2 - \sigma_e^2\, \overline{1/c}

    The partial correlation of score and length given the true score, whose variance
    :math:`\tau` is that of mean ratings less what rater error leaves in them. ``error`` is the
    variance of a rater's error if it is known; else responses rated twice tell it, and where there
    are none the ratings are taken for true scores, which lets true quality pass for length. Rater
    errors must not depend on length. 0: length does not matter. NaN where true scores do not vary,
    or where the system is as close to them as rater error lets one see.

    References
    ----------
    Fuller (1987), doi:10.1002/9780470316665; Chodorow & Burstein (2004),
    doi:10.1002/j.2333-8504.2004.tb01931.x.

    Examples
    --------
    >>> h, x = np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3])
    >>> rows = LengthSums.rows(h[:, None], h + x, x, x)
    >>> round(length_partial(LengthSums(rows.sum(axis=0))).item(), 6)
    1.0
    """
    s = _spread(tally)
    tau = s.hh - _error(tally, error)
    tau = np.where(np.real(tau) > 1e-12, tau, np.nan)
    system = _root(s.mm - s.hm**2 / tau)
    length = _root(s.ll - s.hl**2 / tau)
    return np.asarray((s.ml - s.hm * s.hl / tau) / (system * length))


def _error(tally: LengthSums, error: float | None) -> Any:
    """The variance that rater error leaves in mean ratings."""
    n, squares_within, free, shared = (tally.sums[..., place] for place in (0, 12, 13, 14))
    repeated = np.real(free) > 0
    seen = np.where(repeated, squares_within / np.where(repeated, free, 1.0), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):  # no response
        return (seen if error is None else error) * shared / n


def length_share(tally: LengthSums) -> Floats:
    r"""What length alone explains of people's ratings, as a share of what the system explains.

    .. math:: r_{h\ell}^2 / r_{hm}^2

    1 or more: the length predicts ratings as well as the system does. Rater error lowers both
    alike, so that it leaves the share as it is. NaN where the system explains nothing.

    References
    ----------
    Chodorow & Burstein (2004), doi:10.1002/j.2333-8504.2004.tb01931.x.

    Examples
    --------
    >>> h, x = np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3])
    >>> rows = LengthSums.rows(h[:, None], 3 * h, 2 * h, x)
    >>> round(length_share(LengthSums(rows.sum(axis=0))).item(), 2)
    0.36
    """
    s = _spread(tally)
    by_length, by_system = s.hl**2 / _root(s.ll) ** 2, explained(tally)
    return np.asarray(by_length / np.where(np.real(by_system) > 1e-12, by_system, np.nan))


def explained(tally: LengthSums) -> Floats:
    """The variance of mean ratings that the system explains."""
    s = _spread(tally)
    return np.asarray(s.hm**2 / _root(s.mm) ** 2)


def length_slope(tally: LengthSums) -> Floats:
    r"""By how many points the system's error changes with one standard deviation of length.

    .. math:: \operatorname{cov}(m - g, \ell) / \sigma_\ell

    Above 0, longer responses get more than the gold, shorter ones less. Rater error does not bias
    it, but the error may follow quality rather than length: a system that spreads its scores less
    than people do gives good, and so long, responses less. NaN where the length does not vary.

    References
    ----------
    Chodorow & Burstein (2004), doi:10.1002/j.2333-8504.2004.tb01931.x.

    Examples
    --------
    >>> g, x = np.array([1.0, 2, 3, 4]), np.array([1.0, 1, 3, 3])
    >>> rows = LengthSums.rows(g[:, None], g + 0.5 * x, 0.5 * x, x)
    >>> length_slope(LengthSums(rows.sum(axis=0))).item()
    0.5
    """
    s = _spread(tally)
    return np.asarray(s.el / _root(s.ll))
