"""Raters with errors of their own: how well each one follows the true score, from shared responses.

Rating = severity + slope x true score + error, errors independent of each other and of the truth.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.tally.linked import LinkedSums, WeightedSums

Floats = NDArray[np.float64]
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


def model_of(shared: NDArray[np.float64]) -> tuple[Model, NDArray[np.bool_]]:
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
        more = reached | linked[reached].any(axis=0)
        if (more == reached).all():
            return reached
        reached = more


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
    >>> made = np.array([[1.0, 2], [2, 2], [3, 4], [5, 4], [4, 6]])
    >>> sums = LinkedSums(np.concatenate([*LinkedSums.blocks(made)], axis=1).sum(axis=0), 2)
    >>> own_errors(sums, "grubbs", np.array([True, True])).error.round(2).tolist()
    [0.5, 0.8]
    """
    number, total, squares = sums.twice
    with np.errstate(invalid="ignore", divide="ignore"):  # one response or none
        variance = (squares - total * total / number) / (number - 1)
    covariance, between = _pairwise(sums)
    known = linked[:, None] & linked & ~np.eye(sums.raters, dtype=bool)
    known = known & ~np.isnan(np.real(between))
    weight = np.where(known, sums.shared - 1, 0.0)
    if model == "grubbs":
        equal = linked if core is None else core
        loading = _equal_slopes(np.where(known, covariance, 0.0), weight, equal)
        loading = np.where(linked, loading * factors, np.nan)
    else:
        index = _indices(np.where(known, between, 0.0), weight)
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
        apart = (sums.products - total * np.swapaxes(total, -1, -2) / n) / (n - 1)
        variance = (sums.squares - total * total / n) / (n - 1)
        both = variance * np.swapaxes(variance, -1, -2)
        both = np.where(np.real(both) > 0, both, np.nan)
        return apart, np.asarray(apart / np.sqrt(both))


def pair_moments(sums: LinkedSums) -> Floats:
    """Means, variances and covariance of two raters on the responses they share, divisor n."""
    n = sums.shared[..., 0, 1]
    with np.errstate(invalid="ignore", divide="ignore"):  # none is shared
        first, second = sums.totals[..., 0, 1] / n, sums.totals[..., 1, 0] / n
        variances = (
            sums.squares[..., 0, 1] / n - first**2,
            sums.squares[..., 1, 0] / n - second**2,
        )
        both = sums.products[..., 0, 1] / n - first * second
    return np.stack([first, second, *variances, both], axis=-1)


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
    beside = weight * core
    others = _ratio((covariance * beside).sum(axis=-1), beside.sum(axis=-1)) / root
    return np.asarray(np.where(core, root, others))


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
    apart = ((sums.totals - np.swapaxes(sums.totals, -1, -2)) * off).sum(axis=-1)
    rows = np.eye(sums.raters) * shared.sum(axis=-1)[..., None] - shared
    # a little is added so that groups of raters who never meet do not leave it singular
    rows = rows + np.ones_like(off) / sums.raters + 1e-9 * np.eye(sums.raters)
    return np.asarray(np.linalg.solve(rows, apart[..., None])[..., 0])


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
