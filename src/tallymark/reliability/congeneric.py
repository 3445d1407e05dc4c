"""Raters with errors of their own: how well each one follows the true score, from shared responses.

Rating = severity + slope x true score + error, errors independent of each other and of the truth. Of two raters,
the one with the larger error is held back more by the ends of a scale, which bends slopes.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.reliability.points import OnPoints, rated
from tallymark.reliability.quantised import COARSE, COARSE_WEIGHTS
from tallymark.reliability.solving import Problems, solve
from tallymark.tally.linked import LinkedSums, WeightedSums

Model = Literal["congeneric", "grubbs", "pool"]
LINK = 10
"""Two raters who share fewer responses than this are not compared directly."""
MOST_RATERS = 20
"""More raters than this are taken as a pool."""
OUTSIDE = 0.2
"""Share of the ratings that may come from raters who are not linked to the others."""
RANDOM = 0.1
"""A rater whose reliability is lower than this hardly follows the others."""
ROUNDS, CLOSE = 300, 1e-9
FLOOR = 0.02
"""As a share of a rater's variance: a smaller error earns no greater weight in the fit."""


class Raters(NamedTuple):
    """For each rater (last axis): slope times SD of true scores, error variance, severity, ratings.

    An error variance below 0 is kept as it is: a Heywood case, which formulas take as 0.
    """

    loading: Floats
    error: Floats
    severity: Floats
    ratings: Floats

    @property
    def reliability(self) -> Floats:
        """Share of the variance of each rater's ratings that is true; above 1 in a Heywood case."""
        return _ratio(self.loading**2, self.loading**2 + self.error)


def model_of(shared: Floats) -> tuple[Model, NDArray[np.bool_]]:
    """Which model the design allows, and which raters it links; ``shared`` counts responses.

    Slopes of their own take three raters who share responses with each other, or any odd ring of
    raters. Two, or raters who all meet only in pairs that form no such ring, have equal slopes.

    >>> model_of(np.array([[50, 40], [40, 60]]))[0]
    'grubbs'
    >>> model_of(np.full((3, 3), 40))[0]
    'congeneric'
    """
    raters, rated = len(shared), np.diag(shared)
    linked = (shared >= LINK) & ~np.eye(raters, dtype=bool)
    if raters > MOST_RATERS or not linked.any():
        return "pool", np.zeros(raters, dtype=bool)
    groups = [_reached(linked, start) for start in range(raters)]
    group = max(groups, key=lambda members: (rated[members].sum(), -int(np.argmax(members))))
    if rated[~group].sum() > OUTSIDE * rated.sum():
        return "pool", np.zeros(raters, dtype=bool)
    # in a ring of odd length some rater is reached in both even and odd numbers of steps
    two_steps = (linked.astype(np.int64) @ linked.astype(np.int64)) > 0
    odd = (_reached(two_steps, int(np.argmax(group))) == group).all()
    return ("congeneric" if odd and group.sum() >= 3 else "grubbs"), group


def core_of(raters: Raters, linked: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """The two raters who follow each other, if all others rate nearly at random; else None.

    With one rater at random among three, the slopes of the other two cannot be told apart.
    """
    follow = np.asarray(linked & (raters.reliability > RANDOM))
    return follow if follow.sum() == 2 and linked.sum() > 2 else None


def _reached(linked: NDArray[np.bool_], start: int) -> NDArray[np.bool_]:
    reached = np.zeros(len(linked), dtype=bool)
    reached[start] = True
    while True:
        extended = reached | linked[reached].any(axis=0)
        if (extended == reached).all():
            return reached
        reached = extended


def own_errors(
    sums: LinkedSums,
    model: Model,
    linked: NDArray[np.bool_],
    factors: Floats | float = 1.0,
    core: NDArray[np.bool_] | None = None,
) -> Raters:
    r"""Slope and error variance of each rater, from the covariances of raters who share responses.

    Two raters (Grubbs): :math:`\sigma_T^2 = s_{12}`, :math:`\psi_j = s_j^2 - s_{12}`. Three or more
    (congeneric): :math:`s_{jk} = \lambda_j \lambda_k` by maximum likelihood, each pair weighing by the
    responses it shares; :math:`\psi_j = s_j^2 - \lambda_j^2`. Raters who are not linked are taken as
    the others are on average. Severities are those that fit the differences within responses.
    ``factors`` multiply the slopes where two raters are known not to have the same. ``core`` are
    raters with equal slopes, on whom the slopes of the others are then taken.

    References
    ----------
    Grubbs (1948), doi:10.1214/aoms/1177730031; Joreskog (1971), doi:10.1007/BF02291393.

    Examples
    --------
    >>> ratings = np.array([[1.0, 2], [2, 2], [3, 4], [5, 4], [4, 6]])
    >>> sums = LinkedSums(np.concatenate([*LinkedSums.blocks(ratings)], axis=1).sum(axis=0), 2)
    >>> own_errors(sums, "grubbs", np.array([True, True])).error.round(2).tolist()
    [0.5, 0.8]
    """
    number, total, squares = sums.twice
    with np.errstate(invalid="ignore", divide="ignore"):  # one response or none
        variance = (squares - total * total / number) / (number - 1)
    covariance, between = _pairwise(sums)
    paired = linked[:, None] & linked & ~np.eye(sums.raters, dtype=bool)
    paired = paired & ~np.isnan(np.real(between))
    weight = np.where(paired, sums.shared - 1, 0.0)
    if model == "grubbs":
        equal = linked if core is None else core
        loading = _equal_slopes(np.where(paired, covariance, 0.0), weight, equal)
        loading = np.where(linked, loading * factors, np.nan)
    else:
        index = _indices(np.where(paired, between, 0.0), weight)
        loading = np.where(linked, index * np.sqrt(variance), np.nan)
    error = variance - loading**2
    ratings = np.diagonal(sums.shared, axis1=-2, axis2=-1)
    share = np.where(linked, ratings, 0.0)
    return Raters(
        _filled(loading, share, linked), _filled(error, share, linked), _severity(sums), ratings
    )


def _pairwise(sums: LinkedSums) -> tuple[Floats, Floats]:
    """Covariance and correlation of every two raters on the responses they share."""
    with np.errstate(invalid="ignore", divide="ignore"):  # fewer than two responses
        n, total = sums.shared, sums.totals
        covariance = (sums.products - total * np.swapaxes(total, -1, -2) / n) / (n - 1)
        variance = (sums.squares - total * total / n) / (n - 1)
        variances = variance * np.swapaxes(variance, -1, -2)
        variances = np.where(np.real(variances) > 0, variances, np.nan)
        return covariance, np.asarray(covariance / np.sqrt(variances))


def pair_moments(sums: LinkedSums) -> Floats:
    """Means, variances and covariance of two raters on the responses they share, divisor n."""
    n = sums.shared[..., 0, 1]
    with np.errstate(invalid="ignore", divide="ignore"):  # none is shared
        first, second = sums.totals[..., 0, 1] / n, sums.totals[..., 1, 0] / n
        variances = (
            sums.squares[..., 0, 1] / n - first**2,
            sums.squares[..., 1, 0] / n - second**2,
        )
        covariance = sums.products[..., 0, 1] / n - first * second
    return np.stack([first, second, *variances, covariance], axis=-1)


def _filled(values: Floats, share: Floats, linked: NDArray[np.bool_]) -> Floats:
    """Give raters who are not linked the mean of the others."""
    if linked.all():
        return values
    mean = _ratio((np.where(linked, values, 0.0) * share).sum(axis=-1), share.sum(axis=-1))
    return np.asarray(np.where(linked, values, mean[..., None]))


def _equal_slopes(covariance: Floats, weight: Floats, core: NDArray[np.bool_]) -> Floats:
    """The root of the mean covariance of the core, NaN where it is not above 0; others beside it."""
    inside = weight * (core[:, None] & core)
    mean = _ratio((covariance * inside).sum(axis=(-2, -1)), inside.sum(axis=(-2, -1)))
    root = np.sqrt(np.where(np.real(mean) > 0, mean, np.nan))[..., None]
    to_core = weight * core
    loadings = _ratio((covariance * to_core).sum(axis=-1), to_core.sum(axis=-1)) / root
    return np.asarray(np.where(core, root, loadings))


def _indices(between: Floats, weight: Floats) -> Floats:
    """Correlation of each rater with the true score: maximum likelihood of one factor.

    The condition on rater j is that the residuals of its correlations, times index over error
    share of the other rater, add up to 0 (exact where no rating is missing).
    """
    weighted, none = between * weight, np.real(weight).sum(axis=-1) == 0
    start = _ratio(weighted.sum(axis=-1), weight.sum(axis=-1))
    index = np.where(none, 0.0, np.sqrt(np.where(np.real(start) > FLOOR, start, FLOOR)))
    for _ in range(ROUNDS):
        left = 1 - index**2
        precision = index / np.where(np.real(left) > FLOOR, left, FLOOR)
        above = (weighted @ precision[..., None])[..., 0]
        below = (weight @ (index * precision)[..., None])[..., 0]
        step = np.where(none, 0.0, (_ratio(above, below) - index) / 2)
        index = index + step
        if _settled(step, index):
            break
    return np.asarray(index)


def _settled(step: Floats, value: Floats) -> bool:
    """Whether a step is small, of the value and of its derivative (the imaginary part)."""
    for part in (np.real, np.imag):
        size = np.abs(part(value)).max(initial=0.0)
        if not np.nanmax(np.abs(part(step)), initial=0.0) <= CLOSE * size:
            return False
    return True


def _severity(sums: LinkedSums) -> Floats:
    """Severities, mean 0, that fit the mean differences within responses, pair by pair."""
    off = 1 - np.eye(sums.raters)
    shared = sums.shared * off
    differences = ((sums.totals - np.swapaxes(sums.totals, -1, -2)) * off).sum(axis=-1)
    rows = np.eye(sums.raters) * shared.sum(axis=-1)[..., None] - shared
    # a little is added so that groups of raters who never meet do not leave it singular
    rows = rows + np.ones_like(off) / sums.raters + 1e-9 * np.eye(sums.raters)
    return np.asarray(np.linalg.solve(rows, differences[..., None])[..., 0])


def gold_noise(raters: Raters, gold: WeightedSums, *, bounded: bool = True) -> Floats:
    r"""Variance of a gold given the true score: the errors in it, and that its raters vary.

    With weights w that may differ from response to response, which raters give a gold being
    independent of its quality:

    .. math:: \sum_j E(w_j^2) \psi_j + \lambda' M \lambda + \tau' M \tau, \quad M = Cov(w)

    where :math:`\tau` are severities. A gold that the same raters give throughout has M = 0. An error
    variance below 0 counts as 0 where it is ``bounded``.
    """
    crossed, mean = gold.crossed, gold.weights
    varying = crossed - mean[..., :, None] * mean[..., None, :]
    errors = _above(raters.error) if bounded else raters.error
    error = (np.diagonal(crossed, axis1=-2, axis2=-1) * errors).sum(axis=-1)
    mixed = (_quadratic(part, varying) for part in (raters.loading, raters.severity))
    return np.asarray(error + sum(mixed))


def gold_reliability(raters: Raters, gold: WeightedSums) -> Floats:
    """Share of the variance of a gold that true scores explain: 1 - noise / variance.

    Its root is the highest correlation with the gold, and QWK of calibrated scores. The error is
    known from responses rated twice, the variance of the gold from all that have one. NaN where
    true scores explain nothing.
    """
    left = 1 - _ratio(gold_noise(raters, gold), gold.variance)
    return np.asarray(np.where(np.real(left) > 0, left, np.nan))


def unbounded_reliability(raters: Raters, gold: WeightedSums) -> Floats:
    """The same where errors and reliability may lie below 0: its sampling has no bound to meet."""
    return np.asarray(1 - _ratio(gold_noise(raters, gold, bounded=False), gold.variance))


def further_rater(raters: Raters) -> Floats:
    """Correlation with the true score of one more rater like these: the mean of theirs.

    Raters count by their ratings.
    """
    index = _ratio(raters.loading, np.sqrt(raters.loading**2 + _above(raters.error)))
    return _ratio((raters.ratings * index).sum(axis=-1), raters.ratings.sum(axis=-1))


def _quadratic(values: Floats, form: Floats) -> Floats:
    return np.asarray((values * (form @ values[..., None])[..., 0]).sum(axis=-1))


def _above(error: Floats) -> Floats:
    return np.asarray(np.where(np.real(error) > 0, error, 0.0))


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # 0 / 0 is NaN
        return np.asarray(np.where(below == 0, np.nan, above / below))


LEAST = 1e-12
NEAR = 0.05
"""Relative to the variance of ratings: moments that no true scores give are met this nearly."""
FAR, SINGULAR = 0.3, 1e9
CERTAIN = 2.0
"""By how many standard errors two slopes differ that chance has not bent."""


class Bent(NamedTuple):
    """By how much the ends of the scale bend two raters' slopes, and how that changes.

    ``factors`` of each rater over the geometric mean of both, ``slopes`` of their logarithms along
    the moments, and the moments they belong to: means, variances, covariance; leading axes are
    parts of the data. ``certain`` is whether the factors differ by more than chance.
    """

    factors: Floats
    slopes: Floats
    moments: Floats
    certain: bool = False

    def at(self, moments: Floats) -> Floats:
        """The factors at other moments, as those of resamples are; leading axes allowed."""
        moved = (self.slopes @ (moments - self.moments)[..., None])[..., 0]
        # no resample is so far away that slopes of the data themselves say nothing about it
        moved = np.where(np.real(moved) > FAR, FAR, np.where(np.real(moved) < -FAR, -FAR, moved))
        return np.asarray(self.factors * np.exp(moved))


def bent_slopes(points: Floats, tables: Sequence[Floats]) -> list[Bent | None]:
    """Find how the ends of the scale bend two raters' slopes; None where nothing fits.

    ``tables[part][i, j]`` counts the responses that the first rater gave point i and the second
    point j. Of two raters who follow the same true scores the one with the larger error is held
    back more often by the ends of the scale, so that his ratings rise less with the truth than the
    other's. Normal true scores, cut off at the ends or not, whichever gives the table the higher
    likelihood, are fitted to means, variances and covariance, those of all parts side by side.

    >>> even = np.array([[30.0, 5, 0], [5, 20, 5], [0, 5, 30]])
    >>> bent_slopes(np.arange(3.0), [even])[0].factors.round(3).tolist()
    [1.0, 1.0]
    """
    shares = np.stack([table / table.sum() for table in tables])
    fits = [_PairFits(points, shares, cut_off=kind) for kind in (True, False)]
    best: list[tuple[float, Bent] | None] = [None] * len(tables)
    for fit in fits:
        for part, candidate in fit.solved().items():
            leader = best[part]
            if leader is None or candidate[0] > leader[0]:
                best[part] = candidate
    return [
        None if candidate is None else _with_certainty(candidate[1], points, table)
        for candidate, table in zip(best, tables, strict=True)
    ]


def _with_certainty(bent: Bent, points: Floats, table: Floats) -> Bent:
    """The same, with whether it is more than chance."""
    ratio = math.log(bent.factors[0] / bent.factors[1])
    return bent._replace(certain=abs(ratio) > CERTAIN * _error_of_ratio(bent, points, table))


def _error_of_ratio(bent: Bent, points: Floats, table: Floats) -> float:
    """Standard error of the logarithm of the ratio of two slopes, by what each cell moves."""
    a, b = np.meshgrid(points - bent.moments[0], points - bent.moments[1], indexing="ij")
    moved = np.stack([a, b, a * a, b * b, a * b], axis=-1) - [0.0, 0.0, *bent.moments[2:]]
    influence = moved @ (bent.slopes[0] - bent.slopes[1])
    return math.sqrt(float((table * influence**2).sum())) / float(table.sum())


class _PairFits(Struct, frozen=True, dict=True):
    """True scores and errors of two raters, given by mean, other mean, and log SDs, of each part."""

    points: Floats
    shares: Floats
    cut_off: bool

    @cached_property
    def scale(self) -> OnPoints:
        return OnPoints.of(self.points)

    def truth(self, params: Floats) -> Floats:
        truth = params[..., :1] + np.exp(params[..., 2:3]) * COARSE
        return np.asarray(np.clip(truth, *self.points[[0, -1]]) if self.cut_off else truth)

    def joint(self, params: Floats) -> Floats:
        truth, noise = self.truth(params), np.exp(params[..., 3:])
        first = rated(truth, self.points, noise[..., 0])
        second = rated(truth + (params[..., 1:2] - params[..., :1]), self.points, noise[..., 1])
        return np.asarray(np.swapaxes(first * COARSE_WEIGHTS[:, None], -1, -2) @ second)

    def moments(self, params: Floats) -> Floats:
        """Means, variances and covariance."""
        return self._spread(params)[0]

    def _spread(self, params: Floats) -> tuple[Floats, Floats]:
        """The moments, and the variance of each rater's expected ratings."""
        truth, noise, w = self.truth(params), np.exp(params[..., 3:]), COARSE_WEIGHTS
        first, square = self.scale.mean_and_square(truth, noise[..., 0])
        difference = params[..., 1:2] - params[..., :1]
        second, squares = self.scale.mean_and_square(truth + difference, noise[..., 1])
        a, b = first @ w, second @ w
        spread = square @ w - a**2, squares @ w - b**2, (first * second) @ w - a * b
        true = [first**2 @ w - a**2, second**2 @ w - b**2]
        return np.stack([a, b, *spread], axis=-1), np.stack(true, axis=-1)

    def moments_and_factors(self, params: Floats) -> tuple[Floats, Floats]:
        """The moments, and the logarithms of the factors."""
        moments, true = self._spread(params)
        return moments, np.log(true / moments[..., 4:]) / 2

    def solved(self) -> dict[int, tuple[float, Bent]]:
        """The likelihood and the bend of each part that such true scores fit."""
        wanted = np.stack([_pair_moments(self.points, share) for share in self.shares])
        parts = np.flatnonzero(wanted[:, 4] > 0)
        fits = dict(zip(parts.tolist(), self._fits(wanted[parts]), strict=True))
        solutions = {part: params for part, params in fits.items() if params is not None}
        if not solutions:
            return {}
        params, solved_parts = np.stack([*solutions.values()]), [*solutions]
        chances = np.log(np.maximum(self.joint(params), LEAST))
        likelihood = (self.shares[solved_parts] * chances).sum(axis=(1, 2)).tolist()
        return dict(
            zip(
                solutions,
                zip(likelihood, self._bent(params, wanted[solved_parts]), strict=True),
                strict=True,
            )
        )

    def _fits(self, wanted: Floats) -> list[Floats | None]:
        a, b, first, second, covariance = wanted.T
        size = np.stack([first**0.5, second**0.5, first, second, (first * second) ** 0.5], axis=-1)
        step, width = float(np.diff(self.points).min()), float(np.ptp(self.points))
        ones = np.ones((len(wanted), 3))
        low = np.column_stack([a - width, b - width, math.log(step / 50) * ones])
        high = np.column_stack([a + width, b + width, math.log(3 * width) * ones])
        left = [np.maximum(variance - covariance, 0.05 * variance) for variance in (first, second)]
        logs = [0.5 * np.log(part) for part in (covariance, *left)]
        start = np.clip(np.stack([a, b, *logs], axis=-1), low + 1e-6, high - 1e-6)

        def off(params: Floats, problems: Problems) -> Floats:
            return np.asarray((self.moments(params) - wanted[problems]) / size[problems])

        fits = solve(off, start, low, high, near=NEAR)
        return [None if fit is None else fit.at for fit in fits]

    def _bent(self, params: Floats, wanted: Floats) -> list[Bent]:
        """The factors and, by the implicit function, how they follow the moments."""
        steps, columns = 1e-5 * np.eye(params.shape[1]), params[:, None]
        up, down = (
            self.moments_and_factors(columns + steps),
            self.moments_and_factors(columns - steps),
        )
        moves, logs = (
            np.swapaxes(after - before, 1, 2) for after, before in zip(up, down, strict=True)
        )
        factors, slopes = np.exp(self.moments_and_factors(params)[1]), np.zeros((len(params), 2, 5))
        regular = np.linalg.cond(moves) < SINGULAR
        slopes[regular] = logs[regular] @ np.linalg.inv(moves[regular])
        return [Bent(*bend) for bend in zip(factors, slopes, wanted, strict=True)]


def _pair_moments(points: Floats, share: Floats) -> Floats:
    """Means, variances and covariance of two raters."""
    first, second = share.sum(axis=1), share.sum(axis=0)
    a, b = first @ points, second @ points
    spread = first @ points**2 - a**2, second @ points**2 - b**2
    return np.array([a, b, *spread, points @ share @ points - a * b])
