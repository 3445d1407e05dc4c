"""Severity: which raters give less, which more, to responses that are equally good?"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.reliability.absorbed import absorb
from tallymark.reliability.assignment import Assignment
from tallymark.reliability.rasch import (
    Answers,
    NotFitted,
    RaschFit,
    answers,
    one_sided,
    probabilities,
    unfit,
)
from tallymark.reliability.rasch_conditional import Conditional, fit_conditional
from tallymark.reliability.rasch_marginal import (
    Marginal,
    MarginalFit,
    Parameters,
    fit_marginal,
    nodes_of,
)
from tallymark.reliability.rasch_robust import Robust, robust_covariance

Method = Literal["auto", "conditional", "mml"]
METHODS: tuple[Method, ...] = ("auto", "conditional", "mml")
CHUNK = 2_000_000
TINY = 1e-300
NO_WAY_BACK = (
    "some raters never gave less, or never more, than all the others on the responses they share, "
    "so these alone leave their severity without a finite estimate"
)
MANY_RATERS, MOST_PAIRS = 200, 5_000_000
"""Beyond this many raters, at most this many pairs of ratings are compared: 150 bytes each."""
TOO_MANY_PAIRS = (
    "{:,} pairs of ratings of the same response are too many to compare; name fewer raters with "
    "--human, or take each rating once with --severity mml"
)


class Severities(Struct, frozen=True):
    """A fit, and the ratings it is about.

    ``points`` are the scores that were used; ``collapsed`` those of the scale that nobody gave.
    ``raters`` are the columns that were fitted and ``one_sided`` those that were not, because
    the rater gave only the lowest or only the highest score. ``conditional`` says whether
    severities come from shared responses alone, and ``assignment`` what these say about how
    responses reached raters.
    """

    fit: RaschFit
    answers: Answers
    points: Floats
    collapsed: Floats
    raters: Whole
    one_sided: Whole
    conditional: bool
    assignment: Assignment


class _Kept(NamedTuple):
    """Ratings by raters who have a finite severity, as they are needed."""

    ratings: Floats
    counts: Whole
    clusters: Whole | None
    used: Floats


def severities(
    ratings: Floats,
    points: Floats,
    *,
    names: Sequence[str],
    counts: Whole | None = None,
    clusters: Whole | None = None,
    method: Method = "auto",
    tell: Callable[[int], None] | None = None,
) -> Severities | NotFitted:
    r"""Fit the many-facet Rasch rating-scale model to responses x raters (NaN missing).

    .. math:: \log \frac{P_k}{P_{k-1}} = \theta_i - \lambda_r - \tau_k

    ``conditional`` takes severities from responses with two or more ratings, whatever quality
    each rater was given; ``mml`` takes the quality of responses as normal and the same for all
    raters, so that responses with one rating count too. ``auto`` is conditional unless the
    responses look as if dealt at random, or the shared ones give no finite estimate. Severity is
    in logits and sums to 0: above 0 is severe. Standard errors are robust to misfit and, with
    ``clusters``, to likeness within them. A fit that does not converge gives no numbers but the
    reason.

    References
    ----------
    Linacre (1989), Many-facet Rasch measurement; Bock & Aitkin (1981), doi:10.1007/BF02293801.

    Examples
    --------
    >>> rows = [[0, 1], [1, 2], [1, 1], [2, 2], [0, 2], [1, 0], [0, 0], [2, 1], [1, 2], [1, 1]]
    >>> fitted = severities(np.array(rows * 3, dtype=float), np.arange(3.0), names=["a", "b"])
    >>> [f"{severity:.2f}" for severity in fitted.fit.severity]
    ['0.37', '-0.37']
    """
    times = np.ones(len(ratings), dtype=np.int64) if counts is None else counts
    usable = _usable(ratings, names)
    if isinstance(usable, NotFitted):
        return usable
    raters, odd = usable
    columns = ratings[:, raters]
    kept = _Kept(columns, times, clusters, _used(columns))
    assignment = _assignment(kept)
    conditional: Conditional | None = None
    if method == "conditional" or (method == "auto" and not assignment.random):
        pairs = _pairs(columns)
        if pairs > MOST_PAIRS and raters.size > MANY_RATERS:
            return NotFitted(TOO_MANY_PAIRS.format(pairs))
        conditional = fit_conditional(_categories(kept), times, clusters)
        if conditional is None and method == "conditional":
            return NotFitted(NO_WAY_BACK)
    a = answers(columns, kept.used, times)
    marginal = fit_marginal(a, tell, fixed=None if conditional is None else conditional.severity)
    if isinstance(marginal, NotFitted):
        return marginal
    fit = _fit(marginal, conditional or robust_covariance(marginal, times, clusters), clusters)
    collapsed = points[~np.isin(points, kept.used)]
    return Severities(
        fit, a, kept.used, collapsed, raters, odd, conditional is not None, assignment
    )


def _usable(ratings: Floats, names: Sequence[str]) -> tuple[Whole, Whole] | NotFitted:
    """Leave out raters who have no finite severity: those who are kept, and those who are not."""
    raters = np.flatnonzero((~np.isnan(ratings)).any(axis=0)).astype(np.int64)
    odd: list[int] = []
    while True:
        columns = ratings[:, raters]
        used = _used(columns)
        why = unfit(columns, [names[int(rater)] for rater in raters], used)
        if why:
            return NotFitted(why)
        ends = one_sided(columns, used)
        if not ends.any():
            return raters, np.array(odd, dtype=np.int64)
        odd += [int(rater) for rater in raters[ends]]
        raters = raters[~ends]


def _pairs(ratings: Floats) -> int:
    """Every two ratings of the same response."""
    number = (~np.isnan(ratings)).sum(axis=1)
    return int((number * (number - 1) // 2).sum())


def _used(ratings: Floats) -> Floats:
    return np.unique(ratings[~np.isnan(ratings)])


def _categories(kept: _Kept) -> Floats:
    places = np.searchsorted(kept.used, kept.ratings).astype(np.float64)
    return np.where(np.isnan(kept.ratings), np.nan, places)


def _assignment(kept: _Kept) -> Assignment:
    rated = np.asarray(~np.isnan(kept.ratings).all(axis=1))
    clusters = None if kept.clusters is None else kept.clusters[rated]
    return absorb(kept.ratings[rated], kept.counts[rated], clusters).assignment


def _fit(marginal: MarginalFit, errors: Conditional | Robust, clusters: Whole | None) -> RaschFit:
    fitted, nodes = marginal.parameters, marginal.model.z
    method = f"marginal maximum likelihood, {nodes.size} nodes, converged in {marginal.steps} steps"
    if isinstance(errors, Conditional):
        units = "responses" if clusters is None else "clusters"
        method = f"conditional likelihood, {errors.units} {units} with unequal ratings"
    return RaschFit(
        severity=fitted.severity,
        covariance=errors.covariance,
        thresholds=fitted.thresholds,
        mean=float(fitted.mean),
        sd=abs(float(fitted.sd)),
        nodes=nodes,
        units=errors.units,
        method=method,
        influence=errors.influence,
    )


def predictions(fitted: Severities) -> tuple[Floats, Floats]:
    """For every rating, the category that is expected and its variance.

    A rating is predicted from the other ratings of the response, so that the mean squared
    residual is 1 if the model holds.
    """
    a = fitted.answers
    key = (a.kind * a.raters + a.rater) * a.categories + a.score
    _, first, distinct = np.unique(key, return_index=True, return_inverse=True)
    log, chance = _posterior(fitted)
    mean, variance = np.empty(first.size), np.empty(first.size)
    block = max(1, CHUNK // (log.shape[1] * a.categories))
    steps = np.arange(a.categories)
    for start in range(0, first.size, block):
        entries = first[start : start + block]
        chances = chance[a.rater[entries]]
        likelihood = np.take_along_axis(chances, a.score[entries][:, None, None], axis=2)[..., 0]
        without = log[a.kind[entries]] - np.log(np.maximum(likelihood, TINY))
        expected = np.einsum("eq,eqk->ek", _normalised(without), chances)
        mean[start : start + block] = expected @ steps
        variance[start : start + block] = expected @ steps**2 - (expected @ steps) ** 2
    return mean[distinct], variance[distinct]


def _posterior(fitted: Severities) -> tuple[Floats, Floats]:
    fit = fitted.fit
    model = Marginal(fitted.answers, *nodes_of(fit.nodes.size))
    return model.joint(Parameters(fit.severity, fit.thresholds, fit.mean, fit.sd))


def _normalised(log: Floats) -> Floats:
    odds = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def fair_average(fitted: Severities, severity: Floats) -> Floats:
    """The mean score that raters of these severities would give to all the responses."""
    fit = fitted.fit
    z, log_weight = nodes_of(fit.nodes.size)
    away = (fit.mean + fit.sd * z)[None, :] - np.asarray(severity)[:, None]
    return np.asarray(probabilities(away, fit.thresholds) @ fitted.points @ np.exp(log_weight))
