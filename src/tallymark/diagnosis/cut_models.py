"""Models of decisions: true score, one rating and the system, joined by their variances."""

from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats

Variable = Literal["true", "system", "rating"]
ModelName = Literal["normal", "beta-binomial"]
NODES = 100
"""Points at which the beta distribution of true scores is summed."""
LONGEST = 1e6
"""The most pieces a score is thought to be made of; more is a score without error."""
NEAREST = 1 - 1e-9
"""From this correlation on both variables are one, or one is the other's opposite."""
TINY = 1e-12


def below_both(h: Floats, k: Floats, r: Floats) -> Floats:
    r"""Chance that two standard normal variables with correlation r lie below h and k.

    .. math::

        \Phi_2 = \frac{\Phi(h) + \Phi(k) - [hk < 0]}{2}
        - T\Big(h, \frac{k - rh}{h \sqrt{1 - r^2}}\Big)
        - T\Big(k, \frac{h - rk}{k \sqrt{1 - r^2}}\Big)

    with Owen's T. All arguments broadcast.

    References
    ----------
    Owen (1956), doi:10.1214/aoms/1177728074.

    Examples
    --------
    >>> below_both(np.array(0.0), np.array(0.0), np.array(0.5)).round(6).item()
    0.333333
    """
    from scipy.special import ndtr, owens_t

    h, k = np.where(np.abs(h) < TINY, TINY, h), np.where(np.abs(k) < TINY, TINY, k)
    bounded = np.clip(r, -NEAREST, NEAREST)
    rest = np.sqrt((1 - bounded) * (1 + bounded))
    owen = owens_t(h, (k - bounded * h) / (h * rest)) + owens_t(k, (h - bounded * k) / (k * rest))
    below, beyond = ndtr(h), ndtr(k)
    share = (below + beyond - (h * k < 0)) / 2 - owen
    aligned, opposite = np.minimum(below, beyond), np.maximum(below + beyond - 1, 0.0)
    ends = np.where(r > 0, aligned, opposite)
    return np.asarray(np.where(np.abs(r) >= NEAREST, ends, share))


def same_grade(first: Floats, second: Floats, r: Floats) -> Floats:
    """Chance that both variables fall between the same two cuts.

    ``first[..., cut]`` and ``second[..., cut]`` are the cuts, ascending, in standard units of each
    variable, and ``r[...]`` is their correlation.

    >>> same_grade(np.array([0.0]), np.array([0.0]), np.array(0.5)).round(6).item()
    0.666667
    """
    from scipy.special import ndtr

    r = np.asarray(r)[..., None]
    joint = below_both(first, second, r)
    first_share, second_share = ndtr(first), ndtr(second)
    lower = below_both(first[..., :-1], second[..., 1:], r)
    upper = below_both(first[..., 1:], second[..., :-1], r)
    lowest, highest = (
        joint[..., 0],
        1 - first_share[..., -1] - second_share[..., -1] + joint[..., -1],
    )
    between = joint[..., 1:] + joint[..., :-1] - lower - upper
    return np.asarray(lowest + between.sum(axis=-1) + highest)


class Marks(NamedTuple):
    """Where the cuts lie on the raters' scale, and what rounding adds to the variance of scores.

    A score passes a cut if it rounds to a point that reaches it, so a mark lies half a step below
    that point. ``gold`` are marks of the gold's points, for true scores and the system, ``rating``
    those of the raters'. ``low`` and ``high`` are the ends of the raters' scale, half a step further out.
    """

    gold: Floats
    rating: Floats
    rating_rounding: float
    system_rounding: float
    low: float
    high: float


class Moments(NamedTuple):
    """Means, variances without rounding, covariance of true score and system, shares passing."""

    rating_mean: Floats
    system_mean: Floats
    true: Floats
    error: Floats
    system: Floats
    shared: Floats
    rating_passes: Floats
    system_passes: Floats


class CutDecisions(Protocol):
    """What a model tells of decisions at cuts."""

    def same(self, first: Variable, second: Variable, cuts: slice) -> Floats:
        """Chance that both give the same grade; two ratings are those of two raters."""

    def wrong(self, *, passed: bool, cut: int) -> Floats:
        """Chance that the system passes what the true score fails, or the other way round."""


class Normal(Struct, frozen=True, dict=True):
    r"""True score, rating and system are normal variables whose shares passing are those seen.

    .. math::

        \rho_{TM} = \frac{Cov(\bar h, m)}{\sigma_T \sigma_M}, \qquad
        \rho_{TH} = \frac{\sigma_T}{\sigma_H}, \qquad \sigma_H^2 = \sigma_T^2 + \sigma_e^2
    """

    moments: Moments
    marks: Marks

    @cached_property
    def _cuts(self) -> dict[Variable, Floats]:
        """The cuts in standard units of each variable."""
        from scipy.special import ndtri

        moments, marks = self.moments, self.marks
        rating = -ndtri(moments.rating_passes)
        with np.errstate(invalid="ignore", divide="ignore"):  # true scores do not vary
            offset = (marks.gold - marks.rating) / np.sqrt(moments.true)[..., None]
            wider = np.sqrt((moments.true + moments.error) / moments.true)[..., None]
        true = np.maximum.accumulate(offset + rating * wider, axis=-1)
        return {"true": true, "rating": rating, "system": -ndtri(moments.system_passes)}

    @cached_property
    def _loading(self) -> dict[Variable, Floats]:
        """Correlation of each variable with the true score."""
        moments = self.moments
        with np.errstate(invalid="ignore", divide="ignore"):
            system = moments.shared / np.sqrt(moments.true * moments.system)
            rating = np.sqrt(moments.true / (moments.true + moments.error))
        return {"true": np.ones_like(rating), "rating": rating, "system": system}

    def same(self, first: Variable, second: Variable, cuts: slice) -> Floats:
        """Chance that both give the same grade; two ratings are those of two raters."""
        index, r = (..., cuts), self._loading[first] * self._loading[second]
        return same_grade(self._cuts[first][index], self._cuts[second][index], r)

    def wrong(self, *, passed: bool, cut: int) -> Floats:
        """Chance that the system passes what the true score fails, or the other way round."""
        from scipy.special import ndtr

        true, system = self._cuts["true"][..., cut], self._cuts["system"][..., cut]
        below = below_both(true, system, self._loading["system"])
        return np.asarray(ndtr(true if passed else system) - below)


class BetaBinomial(Struct, frozen=True, dict=True):
    r"""True scores are beta distributed over the scale; scores count successes of that chance.

    Given the true score as a share :math:`\pi` of the range, a rating is the share of successes
    among so many pieces that its variance is that of rater errors, and the system likewise about
    its regression on the true score. Errors then shrink towards the ends of the scale.

    References
    ----------
    Livingston & Lewis (1995), doi:10.1111/j.1745-3984.1995.tb00462.x.
    """

    moments: Moments
    marks: Marks

    @cached_property
    def _nodes(self) -> Floats:
        return np.asarray((np.arange(NODES) + 0.5) / NODES)

    @cached_property
    def _weights(self) -> Floats:
        """How many true scores lie near each node; NaN where no beta has these moments."""
        mean = self._share(self.moments.rating_mean)
        with np.errstate(invalid="ignore", divide="ignore"):  # true scores do not vary
            size = mean * (1 - mean) / self._squared(self.moments.true) - 1
        size = np.where(size > 0, size, np.nan)[..., None]
        first, second = mean[..., None] * size, (1 - mean[..., None]) * size
        log = (first - 1) * np.log(self._nodes) + (second - 1) * np.log1p(-self._nodes)
        height = np.exp(log - log.max(axis=-1, keepdims=True))
        return np.asarray(height / height.sum(axis=-1, keepdims=True))

    @cached_property
    def _passes(self) -> dict[Variable, Floats]:
        """Chance to pass each cut given each node, ``[..., node, cut]``."""
        moments, marks = self.moments, self.marks
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = moments.shared / moments.true
            rest = moments.system - slope * moments.shared
        about = self._nodes - self._share(moments.rating_mean)[..., None]
        level = self._share(moments.system_mean)[..., None] + slope[..., None] * about
        inner_level = np.clip(level, 0.5 / NODES, 1 - 0.5 / NODES)
        true = (self._nodes[:, None] - self._share(marks.gold)) * NODES + 0.5
        nodes = np.broadcast_to(self._nodes, inner_level.shape)
        return {
            "true": np.clip(true, 0.0, 1.0),
            "rating": self._reached(nodes, moments.error, marks.rating),
            "system": self._reached(inner_level, rest, marks.gold),
        }

    def _reached(self, chance: Floats, variance: Floats, marks: Floats) -> Floats:
        """Chance that successes of each chance reach the marks."""
        from scipy.special import betainc

        spread = (self._weights * chance * (1 - chance)).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):  # no error at all
            pieces = spread / np.maximum(self._squared(variance), spread / LONGEST)
        wanted = np.clip(self._share(marks), 0.0, 1.0) * pieces[..., None]
        rest = pieces[..., None] - wanted
        chance_reached = betainc(
            wanted[..., None, :] + 0.5, rest[..., None, :] + 0.5, chance[..., None]
        )
        return np.asarray(chance_reached)

    def _share(self, score: Floats) -> Floats:
        return np.asarray((score - self.marks.low) / (self.marks.high - self.marks.low))

    def _squared(self, variance: Floats) -> Floats:
        return np.asarray(variance / (self.marks.high - self.marks.low) ** 2)

    def same(self, first: Variable, second: Variable, cuts: slice) -> Floats:
        """Chance that both give the same grade; two ratings are those of two raters."""
        first_grades, second_grades = (
            _grades(self._passes[name][..., cuts]) for name in (first, second)
        )
        return np.asarray(
            (self._weights * (first_grades * second_grades).sum(axis=-1)).sum(axis=-1)
        )

    def wrong(self, *, passed: bool, cut: int) -> Floats:
        """Chance that the system passes what the true score fails, or the other way round."""
        true, system = (self._passes[name][..., cut] for name in ("true", "system"))
        errors = (1 - true) * system if passed else true * (1 - system)
        return np.asarray((self._weights * errors).sum(axis=-1))


def _grades(passes: Floats) -> Floats:
    """Chances of each grade from those to pass each cut."""
    ends = passes.shape[:-1]
    return -np.diff(passes, axis=-1, prepend=np.ones((*ends, 1)), append=np.zeros((*ends, 1)))
