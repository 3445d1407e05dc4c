"""Cut scores: how often a system's pass or grade is the one that true scores would give."""

from functools import cached_property
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.accuracy.true_score import error_variance, mse_true, true_score_variance
from tallymark.arrays import Floats
from tallymark.diagnosis.cut_models import (
    BetaBinomial,
    CutDecisions,
    Marks,
    ModelName,
    Moments,
    Normal,
    Variable,
)
from tallymark.tally import RatedSums

RATED, PAIRED, DECIDED = 9, 4, 3
"""Sums of ratings; of system scores, their squares, mean ratings and products; and at each cut."""
Who = Literal["system", "rater"]
SCORER: dict[Who, Variable] = {"system": "system", "rater": "rating"}


class CutSums(Struct, frozen=True, dict=True):
    """Sums over responses from which decisions at cuts are modelled; scores are about a center.

    ``sums[..., :]`` holds those of :class:`RatedSums`; system scores m, m squared, mean ratings h
    and h m; at each cut the passes of the system, those of ratings, and ratings that decide as the
    system does; and for each cut the sums of
    :class:`RatedSums` over the responses that the system puts at the points beside it.
    ``error`` is the variance of rater errors where it is known from elsewhere.
    """

    sums: Floats
    marks: Marks
    error: float | None = None
    kind: ModelName = "normal"

    @staticmethod
    def rows(ratings: Floats, system: Floats, marks: Marks, beside: NDArray[np.bool_]) -> Floats:
        """What each response adds to the sums; ``beside[response, cut]`` tells who is near."""
        present = ~np.isnan(ratings)
        rated = RatedSums.rows(ratings, system)
        c = np.maximum(rated[:, 1], 1.0)
        mean = rated[:, 3] / c
        paired = np.stack([system, system**2, mean, mean * system], axis=1)
        passes = system[:, None] >= marks.gold
        reached = present[:, :, None] & (ratings[:, :, None] >= marks.rating)
        agrees = present[:, :, None] & (reached == passes[:, None, :])
        decided = [passes * 1.0, reached.sum(axis=1) * 1.0, agrees.sum(axis=1) * 1.0]
        neighbours = (beside[:, :, None] * rated[:, None, :]).reshape(len(rated), -1)
        return np.concatenate([rated, paired, *decided, neighbours], axis=1)

    @property
    def rated(self) -> RatedSums:
        """The sums of ratings."""
        return RatedSums(self.sums[..., :RATED])

    def near(self, cut: int) -> RatedSums:
        """The sums of ratings of the responses that the system puts beside a cut."""
        start = RATED + PAIRED + DECIDED * self.marks.gold.size + cut * RATED
        return RatedSums(self.sums[..., start : start + RATED])

    @cached_property
    def model(self) -> CutDecisions:
        """The model of these moments, which tells how often decisions are the same."""
        if self.kind == "normal":
            return Normal(self._moments, self.marks)
        return BetaBinomial(self._moments, self.marks)

    @property
    def _moments(self) -> Moments:
        """Moments without what rounding adds; NaN where true scores or the system do not vary.

        Rounding adds a twelfth of the squared step to a variance (Sheppard) and nothing to a
        covariance; it is taken out of what was rounded.
        """
        n, c, total = self.sums[..., 0], self.sums[..., 1], self.sums[..., 3]
        m, mm, h, hm = np.moveaxis(self.sums[..., RATED : RATED + PAIRED], -1, 0)
        error = error_variance(self.rated) if self.error is None else np.float64(self.error)
        true = true_score_variance(self.rated, error=error)
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses
            system = (mm - m * m / n) / (n - 1) - self.marks.system_rounding
            error_alone = np.maximum(error - self.marks.rating_rounding, 0.0)
            return Moments(
                total / c,
                m / n,
                np.where(true > 0, true, np.nan),
                np.broadcast_to(error_alone, n.shape),
                np.where(system > 0, system, np.nan),
                (hm - h * m / n) / (n - 1),
                self._shares(1, c),
                self._shares(0, n),
            )

    def _shares(self, block: int, total: Floats) -> Floats:
        """Shares passing each cut; of nobody and everybody half a response is taken back."""
        cuts = self.marks.gold.size
        start, edge = RATED + PAIRED + block * cuts, 0.5 / total[..., None]
        share = self.sums[..., start : start + cuts] / total[..., None]
        return np.asarray(np.clip(share, edge, 1 - edge))


def decision_accuracy(sums: CutSums, *, who: Who, cuts: slice) -> Floats:
    """Chance of the decision that true scores would give, by the system or by one rating."""
    return sums.model.same("true", SCORER[who], cuts)


def decision_consistency(sums: CutSums, *, who: Who, cuts: slice) -> Floats:
    """Chance of the decision that another rating would give, by the system or by one rating."""
    return sums.model.same("rating", SCORER[who], cuts)


def counted_alike(sums: CutSums, *, cut: int) -> Floats:
    """Share of ratings that decide as the system does, as counted: what the model should meet."""
    start = RATED + PAIRED + 2 * sums.marks.gold.size
    return np.asarray(sums.sums[..., start + cut] / sums.sums[..., 1])


def wrong_side(sums: CutSums, *, passed: bool, cut: int) -> Floats:
    """Chance that the system passes what true scores would fail, or fails what they would pass."""
    return sums.model.wrong(passed=passed, cut=cut)


def error_at_cut(sums: CutSums, *, who: Who, cut: int) -> Floats:
    r"""Standard error among the responses that the system puts at the points beside a cut.

    Of a rating: the root of the pooled variance within responses. Of the system: the root of its
    mean squared error against true scores. NaN where nothing there was rated twice, or the squared
    error is below what rater error alone gives.
    """
    neighbours = sums.near(cut)
    if who == "rater":
        return np.sqrt(error_variance(neighbours))
    square = mse_true(neighbours, error=sums.error)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(square >= 0, np.sqrt(np.maximum(square, 0.0)), np.nan))
