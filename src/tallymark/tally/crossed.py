"""Raters crossed with responses, and with prompts: sums for variance components."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats


class CrossedSums(Struct, frozen=True):
    """Sums over responses that named raters scored, each rater any of them.

    ``sums[..., :]`` holds the responses, squared numbers of ratings, squares, squared totals per
    rating, then the number of ratings of each rater, then the total of each rater. Scores are
    taken about a center.
    """

    sums: Floats

    @staticmethod
    def rows(scores: Floats) -> Floats:
        """What each response adds to the sums; ``scores[response, rater]``, NaN missing."""
        present = ~np.isnan(scores)
        number, filled = present.sum(axis=1) * 1.0, np.where(present, scores, 0.0)
        total = filled.sum(axis=1)
        head = [
            (number > 0) * 1.0,
            number**2,
            (filled**2).sum(axis=1),
            total**2 / np.maximum(number, 1),
        ]
        return np.concatenate([np.stack(head, axis=1), present * 1.0, filled], axis=1)

    def __add__(self, other: "CrossedSums") -> "CrossedSums":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.sums[..., 0]

    @property
    def by_rater(self) -> tuple[Floats, Floats]:
        """The number of ratings and the total score of each rater."""
        half = (self.sums.shape[-1] - 4) // 2
        return self.sums[..., 4 : 4 + half], self.sums[..., 4 + half :]


class FacetSums(Struct, frozen=True):
    """Sums over candidates who answered every prompt, each answer scored by as many raters.

    ``sums[..., :]`` holds the candidates, squared totals, squared totals of each rater over
    prompts, squared totals of each prompt over raters, squares, and the total of each cell,
    raters by prompts. Scores are taken about a center.
    """

    sums: Floats
    raters: int
    prompts: int

    @staticmethod
    def rows(scores: Floats) -> Floats:
        """What each candidate adds; ``scores[candidate, rater, prompt]``, none missing."""
        head = [
            np.ones(len(scores)),
            scores.sum(axis=(1, 2)) ** 2,
            (scores.sum(axis=2) ** 2).sum(axis=1),
            (scores.sum(axis=1) ** 2).sum(axis=1),
            (scores**2).sum(axis=(1, 2)),
        ]
        cells = scores.reshape(len(scores), -1)
        return np.concatenate([np.stack(head, axis=1), cells], axis=1)

    def __add__(self, other: "FacetSums") -> "FacetSums":
        """Tally of the candidates of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Candidates."""
        return self.sums[..., 0]

    @property
    def cells(self) -> Floats:
        """``cells[..., rater, prompt]``: total score."""
        return self.sums[..., 5:].reshape(*self.sums.shape[:-1], self.raters, self.prompts)
