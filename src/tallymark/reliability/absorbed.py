"""Variance components from within responses: it does not matter who was given the better ones."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.reliability.assignment import Assignment, contrast
from tallymark.reliability.generalizability import Components, severity_df, severity_limits
from tallymark.reliability.rater_effects import Effects, random_effects, within_effects

TINY = 1e-9
"""Less residual variance than this share of the responses' is rounding."""


class AbsorbedSums(Struct, frozen=True):
    """Sums over responses once the effects of raters are known.

    ``sums[..., :]`` holds the responses, ratings, squares within responses that the effects leave,
    by how much the effects reduce sums of squares, the trace of their information, means of
    responses less the effects, their squares, 1 over the ratings of each response, and how it
    moves the noise. ``effects`` counts the effects that can be told apart, ``noise`` is what
    their errors add to the squares of the means, per unit of residual variance, and ``squared`` is
    the trace of the square of their information.

    What a response adds by moving the effects is part of the sums, so that derivatives, and
    resamples to first order, are those of a new fit.
    """

    sums: Floats
    effects: int
    noise: float
    squared: float

    def __add__(self, other: "AbsorbedSums") -> "AbsorbedSums":
        """Tally of the responses of both, about the same effects."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.sums[..., 0]


class Absorbed(Struct, frozen=True):
    """Rows of :class:`AbsorbedSums`, one for each row of ratings, and how they were found."""

    rows: Floats
    effects: int
    noise: float
    squared: float
    assignment: Assignment

    def tally(self, sums: Floats) -> AbsorbedSums:
        """Tally of these sums of rows."""
        return AbsorbedSums(sums, self.effects, self.noise, self.squared)


def absorb(ratings: Floats, counts: Whole, clusters: Whole | None = None) -> Absorbed:
    """Find the effects of raters in responses x raters (NaN missing, each row rated).

    They come from within responses, unless :func:`contrast` shows that raters were given their
    responses at random: then responses with one rating count too.
    """
    within = within_effects(ratings, counts)
    rank = int(np.linalg.matrix_rank(within.inverse, hermitian=True))
    rows, noise = _rows(ratings, counts, within)
    unassigned = Absorbed(rows, rank, noise, within.squared, Assignment.unknown())
    parts = absorbed(unassigned.tally(counts @ rows))
    random, residual = None, float(parts.residual)
    response = max(float(parts.response), 0.0)
    if residual > TINY * response:
        random = random_effects(ratings, counts, response=response, residual=residual)
    assignment = contrast(ratings, counts, within, random, clusters)
    if random is not None and assignment.state == "random":
        rows = rows.copy()
        rows[:, 3], rows[:, 4] = random.reduced, random.trace
        unassigned = replace(unassigned, squared=random.squared)
    return replace(unassigned, rows=rows, assignment=assignment)


def _rows(ratings: Floats, counts: Whole, within: Effects) -> tuple[Floats, float]:
    """What each response adds to the sums, and what errors of effects add to squared means."""
    present = ~np.isnan(ratings)
    number = present.sum(axis=1)
    adjusted = np.where(present, ratings - within.values, 0.0)
    means = adjusted.sum(axis=1) / number
    n = counts.sum()
    deviations = means - counts @ means / n
    panel = present / number[:, None]
    panel = panel - counts @ panel / n
    moves = within.influence @ (-2 * (counts * deviations) @ panel)
    left = np.where(present, adjusted - means[:, None], 0.0)
    columns = [
        np.ones(len(ratings)), number, (left**2).sum(axis=1), within.reduced, within.trace,
        deviations, deviations**2 + moves, 1 / number,
    ]  # fmt: skip
    spread = panel.T @ (panel * counts[:, None])
    correction = within.inverse @ spread @ within.inverse
    noise = np.sum(panel @ within.inverse * panel, axis=1) - present @ np.diag(correction)
    columns.append(noise + np.sum(present @ correction * present, axis=1) / number)
    return np.stack(columns, axis=1), float(np.sum(within.inverse * spread))


def absorbed(tally: AbsorbedSums) -> Components:
    r"""Variance components of responses x raters, any cells missing (Henderson's method 3).

    With responses absorbed, Q the reduction due to raters, C its information, N ratings of n
    responses and q effects of raters:

    .. math:: \sigma_{pr}^2 = \frac{SS - Q}{N - n - q}, \quad
        \sigma_r^2 = \frac{Q - q \sigma_{pr}^2}{tr C}

    The variance of responses is that of their means less the raters' effects, less error; where
    raters were given better or worse responses, these differences are part of it. With no cell
    missing it is the analysis of variance. NaN where a response was never rated twice or there is
    one rater.

    References
    ----------
    Henderson (1953), doi:10.2307/3001853; Searle, Casella & McCulloch (1992), Variance components,
    doi:10.1002/9780470316856.

    Examples
    --------
    >>> scores = np.array([[9.0, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9],
    ...     [6, 2, 4, 7]])
    >>> made = absorb(scores, np.ones(6, dtype=np.int64))
    >>> [f"{part:.2f}" for part in absorbed(made.tally(made.rows.sum(axis=0)))]
    ['2.56', '5.24', '1.02']
    """
    n, ratings, left, reduced, trace, mean, squares, over, moved = np.moveaxis(tally.sums, -1, 0)
    q = tally.effects
    free = ratings - n - q
    none = (np.real(free) <= 0) | (q == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        residual = np.where(none, np.nan, left / np.where(none, 1, free))
        rater = (reduced - q * residual) / trace
        spread = (squares - mean**2 / n) / (n - 1)
        response = spread - residual * (over / n + (tally.noise + moved) / (n - 1))
    return Components(np.asarray(response), np.asarray(rater), np.asarray(residual))


def rater_limits(tally: AbsorbedSums, level: float) -> tuple[float, float, float]:
    """Limits of the raters' component among all raters like these, and their degrees of freedom."""
    parts, trace, q = absorbed(tally), float(tally.sums[4]), float(tally.effects)
    rater, residual = float(parts.rater), float(parts.residual)
    df = severity_df(rater, residual, (q, trace, tally.squared))
    return *severity_limits(rater, q * residual / trace, df, level), df
