"""Generalizability: how much of the variance of scores is the responses', the raters', neither's?

A negative estimate of a component is kept as it is; coefficients take it as 0.
"""

import math
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.inference.distributions import ENDLESS, f_quantile
from tallymark.tally import OneWay
from tallymark.tally.crossed import CrossedSums, FacetSums

MOST_STEPS = 200


class Components(NamedTuple):
    """Variance of responses (what is measured), of raters, and of what is left."""

    response: Floats
    rater: Floats
    residual: Floats


def crossed(tally: CrossedSums) -> Components:
    r"""Variance components of responses x raters, any cells missing (Henderson's method 1).

    Sums of squares are set equal to their expectations, for example, with N ratings,
    :math:`a = \sum n_{i.}^2 / N` and :math:`b = \sum n_{.j}^2 / N`:

    .. math:: T_p - T_m = (N - a) \sigma_p^2 + (n_p - b) \sigma_r^2 + (n_p - 1) \sigma_{pr}^2

    With no cell missing it is the analysis of variance. NaN where a response was never rated
    twice or there is one rater, for then two components cannot be told apart.

    References
    ----------
    Henderson (1953), doi:10.2307/3001853; Brennan (2001), doi:10.1007/978-1-4757-3456-0.

    Examples
    --------
    >>> scores = np.array([[9.0, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9],
    ...     [6, 2, 4, 7]])
    >>> [f"{part:.2f}" for part in crossed(CrossedSums(CrossedSums.rows(scores).sum(axis=0)))]
    ['2.56', '5.24', '1.02']
    """
    n, squared, squares, per_response = np.moveaxis(tally.sums[..., :4], -1, 0)
    number, total = tally.by_rater
    ratings = number.sum(axis=-1)
    raters = (np.real(number) > 0).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # no rating at all
        per_rater = np.where(number == 0, 0, total**2 / np.where(number == 0, 1, number)).sum(-1)
        mean = total.sum(axis=-1) ** 2 / ratings
        a, b = squared / ratings, (number**2).sum(axis=-1) / ratings
    rows = [
        [ratings - a, n - b, n - 1],
        [raters - a, ratings - b, raters - 1],
        [a - raters, b - n, ratings - n - raters + 1],
    ]
    expectations = [
        per_response - mean,
        per_rater - mean,
        squares - per_response - per_rater + mean,
    ]
    return Components(*_solved(rows, expectations))


def _solved(rows: list[list[Floats]], expectations: list[Floats]) -> tuple[Floats, ...]:
    """Solve three equations by Cramer's rule, which also takes leading axes and complex numbers."""
    columns = [[row[i] for row in rows] for i in range(3)]
    determinant = _determinant(columns)
    size = np.abs(np.real(columns[0][0] * columns[1][1] * (columns[2][2] + 1)))
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [
            _determinant([*columns[:i], expectations, *columns[i + 1 :]]) / determinant
            for i in range(3)
        ]
    none = ~(np.abs(np.real(determinant)) > 1e-12 * size)
    return tuple(np.asarray(np.where(none, np.nan, part)) for part in parts)


def _determinant(columns: list[list[Floats]]) -> Floats:
    (a, d, g), (b, e, h), (c, f, i) = columns
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def raters_within_responses(tally: OneWay) -> Components:
    """Variance components where raters are unknown or differ from response to response.

    Severity is then part of the residual; its own component is NaN.
    """
    n, total, squared, per_rating, squares, scores, *_ = np.moveaxis(tally.sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):  # too few responses or ratings
        within = (squares - per_rating) / (total - n)
        between = (per_rating - scores**2 / total) / (n - 1)
        ratings_per_response = (total - squared / total) / (n - 1)
        response = np.where(total == n, np.nan, (between - within) / ratings_per_response)
    return Components(np.asarray(response), np.full_like(within, np.nan), within)


def responses_within_raters(tally: CrossedSums) -> Components:
    """Spread of severity where each response was read once, by raters who drew them at random.

    Response and residual cannot be told apart, so the response's component is NaN and there is no
    coefficient.
    """
    squares, (number, total) = tally.sums[..., 2], tally.by_rater
    ratings, raters = number.sum(axis=-1), (np.real(number) > 0).sum(axis=-1)
    per_rater = np.where(number == 0, 0, total**2 / np.where(number == 0, 1, number)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # one rater, or one response each
        within = (squares - per_rater) / (ratings - raters)
        between = (per_rater - total.sum(axis=-1) ** 2 / ratings) / (raters - 1)
        ratings_per_rater = (ratings - (number**2).sum(axis=-1) / ratings) / (raters - 1)
        severity = (between - within) / ratings_per_rater
    return Components(np.full_like(within, np.nan), np.asarray(severity), within)


def limits_read_once(tally: CrossedSums, level: float) -> tuple[float, float, float]:
    """Limits of the spread of severity among all raters like these, and their degrees of freedom."""
    _, rater, within = map(float, responses_within_raters(tally))
    number = tally.by_rater[0]
    n, n2, n3 = (float((number**power).sum()) for power in (1, 2, 3))
    raters, total = float((number > 0).sum()) - 1, n - n2 / n
    df = severity_df(rater, within, (raters, total, n2 - 2 * n3 / n + (n2 / n) ** 2))
    return *severity_limits(rater, raters * within / total, df, level), df


def generalizability(parts: Components, *, raters: float | Whole) -> Floats:
    r"""Reliability of the mean of this many ratings for ranking responses.

    .. math:: G = \frac{\sigma_p^2}{\sigma_p^2 + \sigma_{pr}^2 / n'}

    Raters' severity does not count, since the same raters score every response. NaN when
    responses do not differ reliably.

    References
    ----------
    Brennan (2001), doi:10.1007/978-1-4757-3456-0.

    Examples
    --------
    >>> parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    >>> f"{generalizability(parts, raters=2):.2f} {dependability(parts, raters=2):.2f}"
    '0.80 0.73'
    """
    return _share(parts.response, _positive(parts.residual) / raters)


def dependability(parts: Components, *, raters: float | Whole) -> Floats:
    r"""Reliability of the mean of this many ratings as it stands: severity is error too.

    .. math:: \Phi = \frac{\sigma_p^2}{\sigma_p^2 + (\sigma_r^2 + \sigma_{pr}^2) / n'}
    """
    return _share(parts.response, _absolute(parts) / raters)


def sem_relative(parts: Components, *, raters: float | Whole) -> Floats:
    """Standard error of a mean of this many ratings, severity aside, in score points."""
    return np.asarray(np.sqrt(_positive(parts.residual) / raters))


def sem_absolute(parts: Components, *, raters: float | Whole) -> Floats:
    """Standard error of a mean of this many ratings, severity included, in score points."""
    return np.asarray(np.sqrt(_absolute(parts) / raters))


def raters_needed(parts: Components, *, target: float, absolute: bool = True) -> Floats:
    """How many ratings of each response reach a coefficient; to be rounded up.

    >>> parts = Components(np.array(1.0), np.array(0.25), np.array(0.75))
    >>> f"{raters_needed(parts, target=0.8):.2f}"
    '4.00'
    """
    error = _absolute(parts) if absolute else _positive(parts.residual)
    with np.errstate(invalid="ignore", divide="ignore"):
        needed = error / parts.response * target / (1 - target)
    return np.asarray(np.where(np.real(parts.response) > 0, needed, np.nan))


def raters_for_mean(needed: Floats, *, target: float) -> Floats:
    r"""How many ratings bring the mean coefficient of several parts to a target.

    ``needed`` are the ratings that each part (last axis) takes. The root k of

    .. math:: \frac{1}{m} \sum_t \frac{k}{k + \lambda_t} = g, \quad \lambda_t = n'_t (1 - g) / g

    Newton's steps from the part that needs least: the mean is concave in k, so that none is too far.

    >>> raters_for_mean(np.array([2.0, 18.0]), target=0.8).round(3).item()
    8.552
    """
    noise = needed * ((1 - target) / target)
    real_noise = np.real(noise)
    least = 1e-9 * real_noise.max(axis=-1)  # some parts may be free of error
    k = np.maximum(real_noise.min(axis=-1) * target / (1 - target), least)
    with np.errstate(invalid="ignore", divide="ignore"):  # no error in any part
        for _ in range(MOST_STEPS):
            step = _newton(k, real_noise, target)
            k = np.maximum(k + step, least)
            if not np.any(np.abs(step) > 1e-13 * k):
                break
        # the last step carries derivatives by imaginary parts
        last = k + _newton(k, noise, target)
    return np.asarray(np.where(least == 0, 0.0, np.where(k > least, last, k)))


def _newton(k: Floats, noise: Floats, target: float) -> Floats:
    k = np.asarray(k)[..., None]
    total = k + noise
    rise = (noise / total**2).mean(axis=-1)
    return np.asarray((target - (k / total).mean(axis=-1)) / rise)


def _absolute(parts: Components) -> Floats:
    """Error variance of one rating; nested raters carry their severity in the residual."""
    severity = np.where(np.isnan(parts.rater), 0, _positive(parts.rater))
    return np.asarray(severity + _positive(parts.residual))


def _positive(variance: Floats) -> Floats:
    return np.asarray(np.where(np.real(variance) < 0, 0, variance))


def _share(response: Floats, error: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(np.real(response) > 0, response / (response + error), np.nan))


class Facets(NamedTuple):
    """Variance components of candidates, raters and prompts, and of their crossings."""

    candidate: Floats
    rater: Floats
    prompt: Floats
    candidate_rater: Floats
    candidate_prompt: Floats
    rater_prompt: Floats
    residual: Floats


def candidates_raters_prompts(tally: FacetSums) -> Facets:
    """Variance components of candidates x raters x prompts, every cell filled.

    Mean squares are set equal to their expectations. Brennan (2001), chapter 3.
    """
    n, r, t = tally.n, tally.raters, tally.prompts
    ms = _mean_squares(tally)
    left = ms["prt"]
    with np.errstate(invalid="ignore", divide="ignore"):  # one candidate, rater or prompt
        return Facets(
            candidate=(ms["p"] - ms["pr"] - ms["pt"] + left) / (r * t),
            rater=(ms["r"] - ms["pr"] - ms["rt"] + left) / (n * t),
            prompt=(ms["t"] - ms["pt"] - ms["rt"] + left) / (n * r),
            candidate_rater=(ms["pr"] - left) / t,
            candidate_prompt=(ms["pt"] - left) / r,
            rater_prompt=(ms["rt"] - left) / n,
            residual=left,
        )


def raters_within_prompts(tally: FacetSums) -> Facets:
    """Variance components where each prompt has raters of its own, as many for each.

    What is the raters' alone cannot be separated from raters by prompts: ``rater_prompt`` holds both,
    and ``residual`` holds candidates by raters too.
    """
    n, r, t = tally.n, tally.raters, tally.prompts
    ms = _mean_squares(tally)
    with np.errstate(invalid="ignore", divide="ignore"):
        nested = (ms["r"] + (t - 1) * ms["rt"]) / t
        left = (ms["pr"] + (t - 1) * ms["prt"]) / t
        none = np.full_like(left, np.nan)
        return Facets(
            candidate=(ms["p"] - ms["pt"]) / (r * t),
            rater=none,
            prompt=(ms["t"] - ms["pt"] - nested + left) / (n * r),
            candidate_rater=none,
            candidate_prompt=(ms["pt"] - left) / r,
            rater_prompt=(nested - left) / n,
            residual=left,
        )


def _mean_squares(tally: FacetSums) -> dict[str, Floats]:
    """Mean squares of p (candidates), r (raters), t (prompts) and their crossings."""
    n, r, t, cells = tally.n, tally.raters, tally.prompts, tally.cells
    _, totals, by_rater, by_prompt, squares = np.moveaxis(tally.sums[..., :5], -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        grand = cells.sum(axis=(-2, -1)) ** 2 / (n * r * t)
        ss = {
            "p": totals / (r * t) - grand,
            "r": (cells.sum(axis=-1) ** 2).sum(axis=-1) / (n * t) - grand,
            "t": (cells.sum(axis=-2) ** 2).sum(axis=-1) / (n * r) - grand,
        }
        ss["pr"] = by_rater / t - grand - ss["p"] - ss["r"]
        ss["pt"] = by_prompt / r - grand - ss["p"] - ss["t"]
        ss["rt"] = (cells**2).sum(axis=(-2, -1)) / n - grand - ss["r"] - ss["t"]
        ss["prt"] = squares - grand - sum(ss.values())
        df = {"p": n - 1, "r": r - 1, "t": t - 1, "pr": (n - 1) * (r - 1), "pt": (n - 1) * (t - 1)}
        df |= {"rt": (r - 1) * (t - 1), "prt": (n - 1) * (r - 1) * (t - 1)}
        return {key: np.asarray(of / df[key]) for key, of in ss.items()}


def of_facets(parts: Facets, *, raters: float, prompts: float, absolute: bool) -> Floats:
    """Generalizability, or dependability if ``absolute``, of a mean over raters and prompts."""
    together = raters * prompts
    error = _known(parts.candidate_rater) / raters + _known(parts.candidate_prompt) / prompts
    error = error + _known(parts.residual) / together
    if absolute:
        error = error + _known(parts.rater) / raters + _known(parts.prompt) / prompts
        error = error + _known(parts.rater_prompt) / together
    return _share(parts.candidate, error)


def _known(variance: Floats) -> Floats:
    """A component for a sum of errors: 0 where it is negative or part of another."""
    return np.asarray(np.where(np.isnan(variance), 0, _positive(variance)))


def severity_limits(rater: float, noise: float, df: float, level: float) -> tuple[float, float]:
    r"""Limits of the variance of severity among all raters like these.

    .. math:: \nu (\hat\sigma_r^2 + c) / \chi^2_\nu - c

    ``noise`` c is what rating error adds to the spread of the raters' means: the residual variance
    over n where every rater reads all n responses. Limits below 0 are 0.

    References
    ----------
    Williams (1962), doi:10.1093/biomet/49.1-2.278.

    Examples
    --------
    >>> low, high = severity_limits(0.25, 0.0, 2.0, 0.95)
    >>> f"{low:.3f} {high:.2f}"
    '0.068 9.87'
    """
    if math.isnan(rater) or not df > 0:
        return math.nan, math.nan
    spread, upper = max(rater + noise, 0.0), (1 + level) / 2
    low, high = (spread / f_quantile(share, df, ENDLESS) - noise for share in (upper, 1 - upper))
    return max(low, 0.0), max(high, 0.0)


def severity_df(rater: float, residual: float, information: tuple[float, float, float]) -> float:
    r"""Degrees of freedom of the reduction due to raters, R - 1 where all read the same responses.

    Satterthwaite's, from the eigenvalues c of the raters' ``information`` (their number, sum, and
    sum of squares):

    .. math:: \nu = \frac{(\sum c \sigma_r^2 + \sigma_{pr}^2)^2}{\sum (c \sigma_r^2 + \sigma_{pr}^2)^2}

    >>> severity_df(0.5, 1.0, (2.0, 20.0, 200.0))
    2.0
    """
    number, total, squares = information
    rater = max(rater, 0.0)
    mean = total * rater + number * residual
    spread = squares * rater**2 + 2 * total * rater * residual + number * residual**2
    return mean**2 / spread if spread > 0 else number
