"""Severity: which raters give less, which more, to responses that are equally good?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.rasch import (
    Answers,
    Floats,
    NotFitted,
    RaschFit,
    Whole,
    answers,
    moments,
    one_sided,
    probabilities,
    unfit,
)
from tallymark.reliability.rasch_joint import fit_joint, qualities
from tallymark.reliability.rasch_marginal import Marginal, Parameters, fit_marginal, nodes_of

Method = Literal["mml", "jmle"]
CHUNK = 2_000_000
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Severities:
    """A fit, and the ratings it is about.

    ``points`` are the scores that were used; ``collapsed`` those of the scale that nobody gave.
    ``raters`` are the columns that were fitted and ``one_sided`` those that were not, because
    the rater gave only the lowest or only the highest score. ``extreme`` counts the responses
    with only lowest or only highest scores, which joint estimation leaves out.
    """

    fit: RaschFit
    answers: Answers
    points: Floats
    collapsed: Floats
    raters: Whole
    one_sided: Whole
    extreme: int


def severities(
    ratings: Floats,
    points: Floats,
    *,
    names: Sequence[str],
    counts: Whole | None = None,
    method: Method = "mml",
    corrected: bool = False,
    tell: Callable[[int], None] | None = None,
) -> Severities | NotFitted:
    r"""Fit the many-facet Rasch rating-scale model to responses x raters (NaN missing).

    .. math:: \log \frac{P_k}{P_{k-1}} = \theta_i - \lambda_r - \tau_k

    ``mml`` takes the quality of responses as normal; ``jmle`` gives each its own estimate, and
    ``corrected`` then multiplies by (L - 1) / L for the bias with L ratings a response. Severity
    is in logits and sums to 0: above 0 is severe. A fit that does not converge gives no numbers
    but the reason.

    References
    ----------
    Linacre (1989), Many-facet Rasch measurement; Bock & Aitkin (1981), doi:10.1007/BF02293801.

    Examples
    --------
    >>> rows = [[0, 1], [1, 2], [1, 1], [2, 2], [0, 2], [1, 0], [0, 0], [2, 1], [1, 2], [1, 1]]
    >>> found = severities(np.array(rows * 3, dtype=float), np.arange(3.0), names=["a", "b"])
    >>> [f"{severity:.2f}" for severity in found.fit.severity]
    ['0.37', '-0.37']
    """
    times = np.ones(len(ratings), dtype=np.int64) if counts is None else counts
    kept = _usable(ratings, names, joint=method == "jmle")
    if isinstance(kept, NotFitted):
        return kept
    rows, raters, odd = kept
    used = _used(ratings[np.ix_(rows, raters)])
    a = answers(ratings[np.ix_(rows, raters)], used, times[rows])
    fit = fit_marginal(a, tell) if method == "mml" else fit_joint(a, tell)
    if isinstance(fit, NotFitted):
        return fit
    every = answers(ratings[:, raters], used, times)
    if method == "jmle":
        fit = replace(fit, quality=qualities(every, fit.severity, fit.thresholds))
        fit = _less_spread(fit, float(a.ratings @ a.times / a.times.sum())) if corrected else fit
    collapsed = points[~np.isin(points, used)]
    extreme = int(times[~rows].sum()) if method == "jmle" else 0
    return Severities(fit, every, used, collapsed, raters, odd, extreme)


def _usable(
    ratings: Floats, names: Sequence[str], *, joint: bool
) -> tuple[NDArray[np.bool_], Whole, Whole] | NotFitted:
    """Leave out raters, and for joint estimation responses, that have no finite estimate."""
    given = ~np.isnan(ratings)
    rows = np.asarray(given.any(axis=1))
    raters = np.flatnonzero(given.any(axis=0)).astype(np.int64)
    odd: list[int] = []
    while True:
        own = ratings[np.ix_(rows, raters)]
        used = _used(own)
        why = unfit(own, [names[int(rater)] for rater in raters], used)
        if why:
            return NotFitted(why)
        ends = one_sided(own, used)
        same = (own == used[0]) | np.isnan(own), (own == used[-1]) | np.isnan(own)
        extreme = (same[0].all(axis=1) | same[1].all(axis=1)) & joint
        if not ends.any() and not extreme.any():
            return rows, raters, np.array(odd, dtype=np.int64)
        odd += [int(rater) for rater in raters[ends]]
        raters = raters[~ends]
        left = np.flatnonzero(rows)[~extreme]
        rows = np.isin(np.arange(len(ratings)), left) & given[:, raters].any(axis=1)


def _used(ratings: Floats) -> Floats:
    return np.unique(ratings[~np.isnan(ratings)])


def _less_spread(fit: RaschFit, number: float) -> RaschFit:
    less = (number - 1) / number
    return replace(
        fit,
        severity=fit.severity * less,
        covariance=fit.covariance * less**2,
        thresholds=fit.thresholds * less,
        quality=fit.quality * less,
        method=f"{fit.method}, times {less:.3g} for bias",
    )


def predictions(found: Severities) -> tuple[Floats, Floats]:
    """For every rating, the category that is expected and its variance.

    Marginal estimation predicts a rating from the other ratings of the response, so that the
    mean squared residual is 1 if the model holds; joint estimation from the quality that this
    rating helped to estimate, as is usual there.
    """
    fit, a = found.fit, found.answers
    if fit.quality.size:
        away = fit.quality[a.kind] - fit.severity[a.rater]
        return moments(probabilities(away, fit.thresholds))
    key = (a.kind * a.raters + a.rater) * a.categories + a.score
    _, one, which = np.unique(key, return_index=True, return_inverse=True)
    log, chance = _posterior(found)
    mean, variance = np.empty(one.size), np.empty(one.size)
    block = max(1, CHUNK // log.shape[1])
    steps = np.arange(a.categories)
    for start in range(0, one.size, block):
        here = one[start : start + block]
        own = chance[a.rater[here]]
        given = np.take_along_axis(own, a.score[here][:, None, None], axis=2)[..., 0]
        without = log[a.kind[here]] - np.log(np.maximum(given, TINY))
        expected = np.einsum("eq,eqk->ek", _normalised(without), own)
        mean[start : start + block] = expected @ steps
        variance[start : start + block] = expected @ steps**2 - (expected @ steps) ** 2
    return mean[which], variance[which]


def _posterior(found: Severities) -> tuple[Floats, Floats]:
    fit = found.fit
    model = Marginal(found.answers, *nodes_of(fit.nodes.size))
    return model.joint(Parameters(fit.severity, fit.thresholds, fit.mean, fit.sd))


def _normalised(log: Floats) -> Floats:
    odds = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def fair_average(found: Severities, severity: Floats) -> Floats:
    """The mean score that raters of these severities would give to all the responses."""
    fit = found.fit
    if fit.quality.size:
        quality, weight = fit.quality, found.answers.times / found.answers.times.sum()
    else:
        z, log_weight = nodes_of(fit.nodes.size)
        quality, weight = fit.mean + fit.sd * z, np.exp(log_weight)
    away = quality[None, :] - np.asarray(severity)[:, None]
    return np.asarray(probabilities(away, fit.thresholds) @ found.points @ weight)


def fair_scores(found: Severities) -> tuple[Whole, Floats]:
    """Rows of the data that were rated, and the score a rater of severity 0 would give them."""
    fit, a = found.fit, found.answers
    if fit.quality.size:
        by_kind: NDArray[Any] = probabilities(fit.quality, fit.thresholds) @ found.points
    else:
        z, _ = nodes_of(fit.nodes.size)
        expected = probabilities(fit.mean + fit.sd * z, fit.thresholds) @ found.points
        by_kind = _normalised(_posterior(found)[0]) @ expected
    rows, first = np.unique(a.row, return_index=True)
    return rows, np.asarray(by_kind[a.kind[first]])
