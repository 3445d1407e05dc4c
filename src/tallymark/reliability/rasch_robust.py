"""Errors of marginal estimation that hold where the model does not: a sandwich over responses."""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.reliability.assignment import summed_squares
from tallymark.reliability.rasch import Answers, added, reaching, sum_to_zero
from tallymark.reliability.rasch_marginal import MarginalFit

CHUNK = 1_000_000


class Robust(NamedTuple):
    """Covariance of severities, and the number of responses or clusters it comes from.

    ``influence`` is what each row adds to each severity, whose sum of squares is the covariance.
    """

    covariance: Floats
    units: int
    influence: Floats


def robust_covariance(fit: MarginalFit, counts: Whole, clusters: Whole | None = None) -> Robust:
    """Covariance of the severities: inverse information, times squared slopes, times the same.

    White (1982), doi:10.2307/1912526. It holds where raters are erratic or keep to few scores,
    and where the responses of a cluster resemble each other.
    """
    a = fit.model.answers
    rows, place = np.unique(a.row, return_inverse=True)
    units = int(counts[rows].sum() if clusters is None else np.unique(clusters[rows]).size)
    free, correction = a.raters - 1, units / max(units - 1, 1)
    towards = np.linalg.inv(fit.information)[:, :free] @ sum_to_zero(a.raters).T
    influence = np.zeros((counts.size, a.raters))
    influence[rows] = slopes_of(fit, place, rows.size) @ towards * correction**0.5
    return Robust(summed_squares(influence, counts, clusters), units, influence)


def slopes_of(fit: MarginalFit, place: Whole, rows: int) -> Floats:
    """``[response, parameter]``: slope of the response's log likelihood; rating e is in place[e]."""
    a = fit.model.answers
    _, first, distinct = np.unique(
        a.kind * a.raters + a.rater, return_index=True, return_inverse=True
    )
    expected, reached, level, at_level = (
        part[distinct] for part in _expected(fit, a.kind[first], a.rater[first])
    )
    residual = a.score - expected
    severity = np.zeros((rows, a.raters))
    severity[place, a.rater] = -residual
    passed = a.score[:, None] >= np.arange(1, a.categories)
    steps = np.stack([added(place, column, rows) for column in (reached - passed).T], axis=1)
    quality = [added(place, residual, rows), added(place, a.score * level - at_level, rows)]
    return np.concatenate(
        [
            severity @ sum_to_zero(a.raters),
            steps @ sum_to_zero(a.categories - 1),
            np.stack(quality, axis=1),
        ],
        axis=1,
    )


def _expected(fit: MarginalFit, kind: Whole, rater: Whole) -> tuple[Floats, Floats, Floats, Floats]:
    """What a rater gives to a kind of response, given all its ratings.

    The category expected, the chance to reach each one, the node, and category times node.
    """
    a: Answers = fit.model.answers
    log, chance = fit.model.joint(fit.parameters)
    odds = np.exp(log - log.max(axis=1, keepdims=True))
    posterior = odds / odds.sum(axis=1, keepdims=True)
    mean, reach = chance @ np.arange(a.categories), reaching(chance)
    block = max(1, CHUNK // (posterior.shape[1] * a.categories))
    blocks = []
    for start in range(0, kind.size, block):
        weights, raters = posterior[kind[start : start + block]], rater[start : start + block]
        expected = mean[raters]
        blocks.append(
            (
                (weights * expected).sum(axis=1),
                np.einsum("eq,eqk->ek", weights, reach[raters]),
                weights @ fit.model.z,
                (weights * expected) @ fit.model.z,
            )
        )
    return tuple(np.concatenate(column) for column in zip(*blocks, strict=True))  # type: ignore[return-value]
