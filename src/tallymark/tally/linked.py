"""Raters linked by the responses they share, and golds that are weighted sums of ratings."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.tally.moments import each_sum


class LinkedSums(Struct, frozen=True):
    """Sums over responses for every two raters, each rater any responses.

    ``sums[..., :]`` holds for each rater, by second rater: responses that both rated, total and squares
    of the first on them, products (with itself on the diagonal); then number, total and squares of
    each rater on responses rated twice or more. Scores are taken about a center.
    """

    sums: Floats
    raters: int

    @staticmethod
    def blocks(scores: Floats) -> Iterator[Floats]:
        """What each response adds, some sums at a time; ``scores[response, rater]``, NaN missing.

        >>> made = np.concatenate([*LinkedSums.blocks(np.array([[1.0, 3]]))], axis=1)
        >>> LinkedSums(made.sum(axis=0), 2).products.tolist()
        [[1.0, 3.0], [3.0, 9.0]]
        """
        present = (~np.isnan(scores)) * 1.0
        filled = np.where(present > 0, scores, 0.0)
        for column, rated in zip(filled.T[:, :, None], present.T[:, :, None], strict=True):
            yield np.concatenate(
                [rated * present, column * present, column * column * present, column * filled],
                axis=1,
            )
        twice = (present.sum(axis=1) >= 2)[:, None]
        yield np.concatenate(
            [np.where(twice, part, 0.0) for part in (present, filled, filled * filled)], axis=1
        )

    def __add__(self, other: "LinkedSums") -> "LinkedSums":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    def _square(self, which: int) -> Floats:
        k = self.raters
        parts = self.sums[..., : 4 * k * k].reshape(*self.sums.shape[:-1], k, 4, k)
        return np.asarray(parts[..., which, :])

    @property
    def shared(self) -> Floats:
        """Responses that both raters rated; on the diagonal those of one rater."""
        return self._square(0)

    @property
    def totals(self) -> Floats:
        """``totals[..., j, k]``: total score of rater j on the responses that k rated too."""
        return self._square(1)

    @property
    def squares(self) -> Floats:
        """``squares[..., j, k]``: squared scores of rater j on the responses that k rated too."""
        return self._square(2)

    @property
    def products(self) -> Floats:
        """Sums of products of the scores of both."""
        return self._square(3)

    @property
    def twice(self) -> tuple[Floats, Floats, Floats]:
        """Number, total and squares of each rater on responses rated twice or more."""
        by_rater = self.sums[..., 4 * self.raters**2 :]
        number, total, squares = (
            by_rater[..., i * self.raters : (i + 1) * self.raters] for i in range(3)
        )
        return number, total, squares


class WeightedSums(Struct, frozen=True):
    """Sums over responses of a gold that is a weighted sum of ratings, and of its weights.

    ``sums[..., :]`` holds the responses, the gold, its square, the weight of each rater, and the
    product of the weights of every two, each pair once. Scores are taken about a center.
    """

    sums: Floats
    raters: int

    @staticmethod
    def blocks(scores: Floats, weights: Floats, *, drawn: bool = False) -> Iterator[Floats]:
        """What each response adds; ``weights[response, rater]``, all 0 where there is no gold.

        ``drawn``: the gold is one rating, drawn with chances that are the weights.
        """
        weighted = (weights != 0).any(axis=1) * 1.0
        filled = np.where(weights == 0, 0.0, np.nan_to_num(scores))
        gold = (weights * filled).sum(axis=1)
        square = (weights * filled * filled).sum(axis=1) if drawn else gold * gold
        yield np.concatenate([np.stack([weighted, gold, square], axis=1), weights], axis=1)
        for rater in range(weights.shape[1]):
            weight, later_weights = weights[:, rater : rater + 1], weights[:, rater:].copy()
            if drawn:
                later_weights[:, 0], later_weights[:, 1:] = 1.0, 0.0
            yield weight * later_weights

    def __add__(self, other: "WeightedSums") -> "WeightedSums":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with a gold."""
        return self.sums[..., 0]

    @property
    def variance(self) -> Floats:
        """Variance of the gold."""
        n, total, squares = each_sum(self.sums[..., :3])
        with np.errstate(invalid="ignore", divide="ignore"):  # one gold or none
            return np.asarray((squares - total * total / n) / (n - 1))

    @property
    def weights(self) -> Floats:
        """Mean weight of each rater."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.sums[..., 3 : 3 + self.raters] / self.n[..., None])

    @property
    def crossed(self) -> Floats:
        """Mean product of the weights of every two raters."""
        first, second = np.triu_indices(self.raters)
        matrix = np.empty((*self.sums.shape[:-1], self.raters, self.raters), self.sums.dtype)
        matrix[..., first, second] = self.sums[..., 3 + self.raters :]
        matrix[..., second, first] = self.sums[..., 3 + self.raters :]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(matrix / self.n[..., None, None])
