"""Conditional estimation of severity: only who gave which of a response's scores counts.

Given that two raters gave a response the scores u and v, the quality of the response and the
thresholds of the scale cancel: the log odds that a gave u and b gave v, not the other way about,
are (severity of b - severity of a) (u - v). It does not matter who was given the better responses,
nor how quality is distributed. Every two ratings of a response count, over their number.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.reliability.assignment import summed_squares
from tallymark.reliability.connected import all_ways

STEPS = 100
CLOSE = 1e-9


class Conditional(NamedTuple):
    """Severities in logits, which sum to 0, and their covariance, robust to misfit.

    ``units`` counts the responses, or clusters of them, that told two raters apart; ``influence``
    is what each row adds to each severity, whose sum of squares is the covariance.
    """

    severity: Floats
    covariance: Floats
    units: int
    influence: Floats


class _Pairs(NamedTuple):
    """Every two unequal ratings of a response: raters a and b, a's less b's, and how they count."""

    row: Whole
    a: Whole
    b: Whole
    apart: Floats
    weight: Floats


def fit_conditional(
    categories: Floats, counts: Whole, clusters: Whole | None = None
) -> Conditional | None:
    r"""Severities from responses x raters (categories from 0, NaN missing), of shared responses.

    Maximises the sum, over responses with s ratings, of

    .. math:: \frac{2}{s} \sum_{a < b}
        \log \frac{1}{1 + \exp(-(\lambda_b - \lambda_a) (x_a - x_b))}

    None where a rater, or some of them, never gave less or never more than all the others: then
    the maximum lies at infinity. Standard errors are those of a sandwich over responses or
    clusters, times m / (m - R + 1) for m of them and R raters.

    References
    ----------
    Rasch (1961), Proc. 4th Berkeley Symposium 4, 321-333; Garner & Engelhard (2009), Using paired
    comparison matrices to estimate parameters of the partial credit Rasch measurement model for
    rater-mediated assessments; Ford (1957), doi:10.2307/2308513, on when the maximum is finite.

    Examples
    --------
    >>> rows = np.array([[0.0, 1]] * 6 + [[1, 0]] * 2)
    >>> fitted = fit_conditional(rows, np.ones(8, dtype=np.int64))
    >>> f"{fitted.severity[0] - fitted.severity[1]:.4f} {np.log(6 / 2):.4f}"
    '1.0986 1.0986'
    """
    raters = categories.shape[1]
    pairs = _pairs(categories)
    if not all_ways(_less(pairs, raters)):
        return None
    often, severity = counts[pairs.row], np.zeros(raters)
    for _ in range(STEPS):
        residual, information = _slopes(pairs, severity, often)
        slope = np.bincount(pairs.b, residual * often, raters)
        slope -= np.bincount(pairs.a, residual * often, raters)
        step = np.linalg.solve(information, slope)
        severity = severity + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < CLOSE:
            return _with_errors(pairs, severity, residual, information, counts, clusters)
    return None


def _pairs(categories: Floats) -> _Pairs:
    """Every two unequal ratings of a response, response by response of the same number."""
    present = ~np.isnan(categories)
    number = present.sum(axis=1)
    parts = [_Pairs(*(np.empty(0, np.int64),) * 3, *(np.empty(0),) * 2)]
    for size in np.unique(number[number > 1]):
        rows = np.flatnonzero(number == size)
        raters_of_rows = np.nonzero(present[rows])[1].reshape(-1, size)
        score = np.take_along_axis(categories[rows], raters_of_rows, axis=1)
        first, second = np.triu_indices(size, 1)
        difference = (score[:, first] - score[:, second]).ravel()
        nonzero = difference != 0
        columns = [
            np.repeat(rows, first.size),
            raters_of_rows[:, first].ravel(),
            raters_of_rows[:, second].ravel(),
            difference,
        ]
        row, a, b, difference = (column[nonzero] for column in columns)
        parts.append(_Pairs(row, a, b, difference, np.full(row.size, 2 / size)))
    return _Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _less(pairs: _Pairs, raters: int) -> NDArray[np.bool_]:
    """``[a, b]``: whether a gave less than b to some response."""
    lower = np.zeros((raters, raters), dtype=bool)
    first = pairs.apart < 0
    lower[np.where(first, pairs.a, pairs.b), np.where(first, pairs.b, pairs.a)] = True
    return lower


def _slopes(pairs: _Pairs, severity: Floats, often: Whole) -> tuple[Floats, Floats]:
    """What each pair adds to the slope, and the information, made regular along equal shifts."""
    raters = severity.size
    odds = (severity[pairs.b] - severity[pairs.a]) * pairs.apart
    chance = 1 / (1 + np.exp(-odds))
    curved = pairs.weight * chance * (1 - chance) * pairs.apart**2 * often
    across = np.bincount(pairs.a * raters + pairs.b, curved, raters * raters)
    across = across.reshape(raters, raters)
    across = across + across.T
    level = max(float(across.sum()) / raters**2, 1e-300)
    information = np.asarray(np.diag(across.sum(axis=1)) - across + level, dtype=np.float64)
    return pairs.weight * (1 - chance) * pairs.apart, information


def _with_errors(
    pairs: _Pairs,
    severity: Floats,
    residual: Floats,
    information: Floats,
    counts: Whole,
    clusters: Whole | None,
) -> Conditional:
    raters = severity.size
    scores = np.zeros((counts.size, raters))
    np.add.at(scores, (pairs.row, pairs.b), residual)
    np.add.at(scores, (pairs.row, pairs.a), -residual)
    informative = np.unique(pairs.row)
    units = int(
        counts[informative].sum() if clusters is None else np.unique(clusters[informative]).size
    )
    correction = units / max(units - raters + 1, 1)
    influence = np.asarray(scores @ np.linalg.inv(information)) * correction**0.5
    covariance = summed_squares(influence, counts, clusters)
    return Conditional(severity - severity.mean(), covariance, units, influence)
