"""Cut scores: how often a system's pass or grade is the one that true scores would give."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.true_score import error_variance, mse_true, true_score_variance
from tallymark.diagnosis.bivariate import below_both, same_grade
from tallymark.tally import RatedSums

Floats = NDArray[np.float64]
RATED, PAIRED = 9, 4
"""Sums of ratings; and of system scores, their squares, mean ratings and products."""
Who = Literal["system", "rater"]


class Marks(NamedTuple):
    """Where the cuts lie on the raters' scale, and what rounding adds to the variance of scores.

    A score passes a cut if it rounds to a point that reaches it, so a mark lies half a step below
    that point. ``true`` and ``system`` are marks of the gold's points, ``rating`` of the raters'.
    """

    true: Floats
    system: Floats
    rating: Floats
    rating_rounding: float
    system_rounding: float


class Model(NamedTuple):
    """Cuts in standard units of true scores, of the system and of one rating; correlations."""

    true: Floats
    system: Floats
    rating: Floats
    true_system: Floats
    true_rating: Floats


@dataclass(frozen=True)
class CutSums:
    """Sums over responses from which decisions at cuts are modelled; scores are about a center.

    ``sums[..., :]`` holds those of :class:`RatedSums`; system scores m, m squared, mean ratings h
    and h m; passes of the system and of ratings at each cut; and for each cut the sums of
    :class:`RatedSums` over the responses that the system puts at the points beside it.
    ``error`` is the variance of rater errors where it is known from elsewhere.
    """

    sums: Floats
    marks: Marks
    error: float | None = None

    @staticmethod
    def rows(ratings: Floats, system: Floats, marks: Marks, beside: NDArray[np.bool_]) -> Floats:
        """What each response adds to the sums; ``beside[response, cut]`` tells who is near."""
        given = ~np.isnan(ratings)
        rated = RatedSums.rows(ratings, system)
        c = np.maximum(rated[:, 1], 1.0)
        mean = rated[:, 3] / c
        paired = np.stack([system, system**2, mean, mean * system], axis=1)
        passes = (system[:, None] >= marks.system) * 1.0
        reached = (given[:, :, None] & (ratings[:, :, None] >= marks.rating)).sum(axis=1) * 1.0
        near = (beside[:, :, None] * rated[:, None, :]).reshape(len(rated), -1)
        return np.concatenate([rated, paired, passes, reached, near], axis=1)

    @property
    def rated(self) -> RatedSums:
        """The sums of ratings."""
        return RatedSums(self.sums[..., :RATED])

    def near(self, cut: int) -> RatedSums:
        """The sums of ratings of the responses that the system puts beside a cut."""
        start = RATED + PAIRED + 2 * self.marks.true.size + cut * RATED
        return RatedSums(self.sums[..., start : start + RATED])

    @cached_property
    def model(self) -> Model:
        r"""True score, rating and system as normal variables whose shares passing are those seen.

        .. math::

            \rho_{TM} = \frac{Cov(\bar h, m)}{\sigma_T \sigma_M}, \qquad
            \rho_{TH} = \frac{\sigma_T}{\sigma_H}, \qquad \sigma_H^2 = \sigma_T^2 + \sigma_e^2

        Rounding adds a twelfth of the squared step to a variance (Sheppard) and nothing to a
        covariance; it is taken out of what was rounded. NaN where true scores do not vary.
        """
        n, c = self.sums[..., 0], self.sums[..., 1]
        m, mm, h, hm = np.moveaxis(self.sums[..., RATED : RATED + PAIRED], -1, 0)
        error = error_variance(self.rated) if self.error is None else np.float64(self.error)
        true = true_score_variance(self.rated, error=error)
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, or none that vary
            true = np.where(true > 0, true, np.nan)
            system = (mm - m * m / n) / (n - 1) - self.marks.system_rounding
            system = np.where(system > 0, system, np.nan)
            rating = true + np.maximum(error - self.marks.rating_rounding, 0.0)
            shared = (hm - h * m / n) / (n - 1)
            z_rating = self._quantiles(1, c)
            offset = (self.marks.true - self.marks.rating) / np.sqrt(true)[..., None]
            z_true = offset + z_rating * np.sqrt(rating / true)[..., None]
            return Model(
                np.maximum.accumulate(z_true, axis=-1),
                self._quantiles(0, n),
                z_rating,
                np.asarray(shared / np.sqrt(true * system)),
                np.asarray(np.sqrt(true / rating)),
            )

    def _quantiles(self, block: int, total: Floats) -> Floats:
        """Cuts in standard units: where a normal variable is passed as often as was seen."""
        from scipy.special import ndtri

        cuts = self.marks.true.size
        start = RATED + PAIRED + block * cuts
        share = self.sums[..., start : start + cuts] / total[..., None]
        edge = 0.5 / total[..., None]  # nobody or everybody: half a response less certain
        return np.asarray(-ndtri(np.clip(share, edge, 1 - edge)))


def decision_accuracy(sums: CutSums, *, who: Who, cuts: slice) -> Floats:
    """Chance of the decision that true scores would give, by the system or by one rating."""
    found, here = sums.model, (..., cuts)
    if who == "system":
        return same_grade(found.true[here], found.system[here], found.true_system)
    return same_grade(found.true[here], found.rating[here], found.true_rating)


def decision_consistency(sums: CutSums, *, who: Who, cuts: slice) -> Floats:
    """Chance of the decision that another rating would give, by the system or by one rating."""
    found, here = sums.model, (..., cuts)
    if who == "system":
        r = found.true_system * found.true_rating
        return same_grade(found.rating[here], found.system[here], r)
    return same_grade(found.rating[here], found.rating[here], found.true_rating**2)


def wrong_side(sums: CutSums, *, passed: bool, cut: int) -> Floats:
    """Chance that the system passes what true scores would fail, or fails what they would pass."""
    from scipy.special import ndtr

    found = sums.model
    true, system = found.true[..., cut], found.system[..., cut]
    both = below_both(true, system, found.true_system)
    return np.asarray(ndtr(true if passed else system) - both)


def error_at_cut(sums: CutSums, *, who: Who, cut: int) -> Floats:
    r"""Standard error among the responses that the system puts at the points beside a cut.

    Of a rating: the root of the pooled variance within responses. Of the system: the root of its
    mean squared error against true scores. NaN where nothing there was rated twice, or the squared
    error is below what rater error alone gives.
    """
    near = sums.near(cut)
    if who == "rater":
        return np.sqrt(error_variance(near))
    square = mse_true(near, error=sums.error)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(square >= 0, np.sqrt(np.maximum(square, 0.0)), np.nan))
