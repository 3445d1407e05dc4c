"""Raters' severity in score points, whoever they were paired with: additive effects."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

FLAT = 1e-9
"""Directions with less than this share of the largest information have none."""


class Effects(Struct, frozen=True):
    """Additive effects of raters, and what is needed to say how sure they are.

    ``inverse`` is the generalised inverse of their information (per unit of residual variance),
    ``scores[response, rater]`` what each response adds to the estimating equations, ``reduced``
    by how much the effects reduce the response's sum of squares, ``trace`` what the response
    adds to the trace of the information, and ``squared`` the trace of its square.
    """

    values: Floats
    inverse: Floats
    scores: Floats
    reduced: Floats
    trace: Floats
    squared: float

    @property
    def influence(self) -> Floats:
        """How far each response moves each effect."""
        return self.scores @ self.inverse


def within_effects(ratings: Floats, counts: Whole) -> Effects:
    r"""Least-squares effects, :math:`x_{ij} = p_i + a_j + e_{ij}`, from within responses alone.

    Every response has a level of its own, so it does not matter who was given the better ones.
    Effects sum to 0 within every group of raters who share responses.
    """
    present = ~np.isnan(ratings)
    return _effects(ratings, counts, 1 / np.maximum(present.sum(axis=1), 1), center=False)


def random_effects(ratings: Floats, counts: Whole, *, response: float, residual: float) -> Effects:
    """Generalised least-squares effects that take the levels of responses as drawn at random.

    Responses with one rating then count too, which is right only where raters were given their
    responses at random. ``response`` and ``residual`` are the variances of both. The effects sum
    to 0.
    """
    number = (~np.isnan(ratings)).sum(axis=1)
    return _effects(ratings, counts, response / (residual + number * response), center=True)


def _effects(ratings: Floats, counts: Whole, share: Floats, *, center: bool) -> Effects:
    """Effects where ``share`` of the total of a response's ratings is taken for its level.

    The sum of squares of a response with ratings y is sum y^2 - share (sum y)^2.
    """
    present = ~np.isnan(ratings)
    filled, number = np.where(present, ratings, 0.0), present.sum(axis=1)
    left = counts * (1 - share * number)  # what a rating of the response tells of the mean
    absorbed = left @ present
    total = absorbed.sum()
    information: Floats = np.diag((counts @ present).astype(np.float64))
    information = information - (present * (counts * share)[:, None]).T @ present
    trace = number * (1 - share)
    mean = 0.0
    if center:
        mean = float(left @ filled.sum(axis=1) / total)
        information = information - np.outer(absorbed, absorbed) / total
        lost = (2 * present @ absorbed - number * (absorbed @ absorbed) / total) / total
        trace = trace - lost * (1 - share * number)
    inverse = np.asarray(np.linalg.pinv(information, rcond=FLAT, hermitian=True), np.float64)
    residuals, squares = _residuals(filled - mean * present, present, share)
    values = np.asarray(np.linalg.lstsq(information, counts @ residuals, rcond=FLAT)[0], np.float64)
    if center:
        mean += float(left @ ((filled - mean - values) * present).sum(axis=1) / total)
    scores, after = _residuals((filled - mean - values) * present, present, share)
    squared = float(np.sum(information**2))
    return Effects(values, inverse, scores, squares - after, trace, squared)


def _residuals(y: Floats, present: NDArray[np.bool_], share: Floats) -> tuple[Floats, Floats]:
    """Ratings less the level of the response, and the response's sum of squares."""
    total = y.sum(axis=1)
    return y - present * (share * total)[:, None], (y * y).sum(axis=1) - share * total**2


def rater_effects(ratings: Floats, counts: Whole) -> Floats:
    r"""Least-squares effect of each rater, :math:`x_{ij} = p_i + a_j + e_{ij}`, in score points.

    Above 0 is lenient. Effects sum to 0 within every group of raters who share responses; a
    rater who shares none has effect 0.

    >>> nan = np.nan
    >>> ratings = np.array([[1, 2, nan], [2, 3, nan], [nan, 3, 5], [nan, 1, 3]])
    >>> rater_effects(ratings, np.ones(4, dtype=np.int64)).round(2)
    array([-1.33, -0.33,  1.67])
    """
    return within_effects(ratings, counts).values


def beside_others(ratings: Floats, effects: Floats) -> Floats:
    """Each rating less the mean of the other ratings, as an average rater would have given them.

    NaN where there is no other rating.
    """
    present = ~np.isnan(ratings)
    adjusted = np.where(present, ratings - effects, 0.0)
    number = present.sum(axis=1, keepdims=True) - 1
    leave_one_out = (adjusted.sum(axis=1, keepdims=True) - adjusted) / np.maximum(number, 1)
    return np.asarray(np.where(present & (number > 0), ratings - leave_one_out, np.nan))
