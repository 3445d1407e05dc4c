"""Vectors of responses, fitted on training responses alone: TF-IDF and SVD, or the user's own."""

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.scorers.documents import Counts, Documents, Hashes, Ints

Floats = NDArray[np.float64]
DIMENSIONS = 100
FEWEST = 2
"""Training responses that must have a term."""
MOST = {"words": 4000, "pairs": 4000, "runs": 6000}
"""Terms of each kind: those that most training responses have."""
_ROUNDS = 2


class TextVectors(Struct, frozen=True):
    """TF-IDF of words, word pairs and character runs, and the directions it is projected on."""

    terms: dict[str, Hashes]
    weights: dict[str, Floats]
    directions: Floats

    @classmethod
    def fit(cls, documents: Documents, rows: Ints, seed: int) -> "TextVectors":
        """Choose terms, weigh them and find directions, all by the training responses."""
        from sklearn.utils.extmath import randomized_svd

        terms, weights = {}, {}
        for kind, most in MOST.items():
            counts: Counts = getattr(documents, kind)
            times = np.diff(counts.matrix[rows].tocsc().indptr)
            common = np.flatnonzero(times >= FEWEST)
            common = np.sort(common[np.argsort(-times[common], kind="stable")[:most]])
            terms[kind] = counts.terms[common]
            weights[kind] = np.log((1 + rows.size) / (1 + times[common])) + 1
        bare = cls(terms, weights, np.zeros((0, 0)))
        weighted = bare._weighted(documents, rows)
        size = min(DIMENSIONS, rows.size - 1, weighted.shape[1])
        if size < 1:
            return cls(terms, weights, np.zeros((weighted.shape[1], 0)))
        _, _, directions = randomized_svd(weighted, size, n_iter=_ROUNDS, random_state=seed)
        return cls(terms, weights, directions.T)

    def of(self, documents: Documents, rows: Ints) -> Floats:
        """The vectors of texts, seen or not."""
        return np.asarray(self._weighted(documents, rows) @ self.directions, np.float64)

    def _weighted(self, documents: Documents, rows: Ints) -> Any:
        """TF-IDF, each kind of term with length 1: 1 + ln(times) times the weight."""
        from scipy.sparse import diags_array, hstack

        blocks = []
        for kind, terms in self.terms.items():
            counts = getattr(documents, kind).at(terms, rows).astype(np.float64)
            counts.data = 1 + np.log(counts.data)
            counts = counts @ diags_array(self.weights[kind]) if terms.size else counts
            length = np.sqrt(counts.multiply(counts).sum(axis=1))
            blocks.append(diags_array(1 / np.where(length > 0, length, 1)) @ counts)
        return hstack(blocks, format="csr")


class OwnVectors(Struct, frozen=True):
    """The user's vectors less their mean; those of many dimensions on their principal directions."""

    mean: Floats
    directions: Floats | None

    @classmethod
    def fit(cls, vectors: Floats, rows: Ints, seed: int) -> "OwnVectors":
        """Find the mean, and the directions where they are more than a few."""
        from sklearn.utils.extmath import randomized_svd

        mean = vectors[rows].mean(axis=0)
        size = min(DIMENSIONS, rows.size - 1)
        if vectors.shape[1] <= size or size < 1:
            return cls(mean, None)
        _, _, directions = randomized_svd(
            vectors[rows] - mean, size, n_iter=_ROUNDS, random_state=seed
        )
        return cls(mean, directions.T)

    def of(self, vectors: Floats, rows: Ints) -> Floats:
        """The vectors of responses, seen or not."""
        centred: Floats = vectors[rows] - self.mean
        return centred if self.directions is None else centred @ self.directions
