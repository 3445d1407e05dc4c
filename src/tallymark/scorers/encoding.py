"""Encoding: vectors, and all that models read of a response, fitted on the training responses of a fold alone."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.scorers.documents import (
    LENGTH,
    Counts,
    Documents,
    Hashes,
    Rarity,
    Readings,
    read_features,
    unmarked,
)

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
    def fit(cls, documents: Documents, rows: Whole, seed: int) -> "TextVectors":
        """Choose terms, weigh them and find directions, all by the training responses."""
        from sklearn.utils.extmath import randomized_svd

        terms, weights = {}, {}
        for kind, size_limit in MOST.items():
            counts: Counts = getattr(documents, kind)
            times = np.diff(counts.matrix[rows].tocsc().indptr)
            common = np.flatnonzero(times >= FEWEST)
            common = np.sort(common[np.argsort(-times[common], kind="stable")[:size_limit]])
            terms[kind] = counts.terms[common]
            weights[kind] = np.log((1 + rows.size) / (1 + times[common])) + 1
        bare = cls(terms, weights, np.zeros((0, 0)))
        weighted = bare._weighted(documents, rows)
        size = min(DIMENSIONS, rows.size - 1, weighted.shape[1])
        if size < 1:
            return cls(terms, weights, np.zeros((weighted.shape[1], 0)))
        _, _, directions = randomized_svd(weighted, size, n_iter=_ROUNDS, random_state=seed)
        return cls(terms, weights, directions.T)

    def of(self, documents: Documents, rows: Whole) -> Floats:
        """The vectors of texts, seen or not."""
        return np.asarray(self._weighted(documents, rows) @ self.directions, np.float64)

    def _weighted(self, documents: Documents, rows: Whole) -> Any:
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
    def fit(cls, vectors: Floats, rows: Whole, seed: int) -> "OwnVectors":
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

    def of(self, vectors: Floats, rows: Whole) -> Floats:
        """The vectors of responses, seen or not."""
        centred: Floats = vectors[rows] - self.mean
        return centred if self.directions is None else centred @ self.directions


class Material(Struct, frozen=True, dict=True):
    """Texts as they come, and the user's vectors if there are any; counted when first asked for."""

    texts: tuple[str, ...]
    prompt_texts: tuple[str, ...] | None = None
    references: tuple[str, ...] | None = None
    vectors: Floats | None = None

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        prompt_texts: Sequence[str] | None = None,
        references: Sequence[str] | None = None,
        vectors: Floats | None = None,
    ) -> "Material":
        """Take texts, one of each kind for each response, without tags of HTML."""
        kinds = prompt_texts, references
        prompts, keys = (None if x is None else tuple(map(unmarked, x)) for x in kinds)
        return cls(tuple(map(unmarked, texts)), prompts, keys, vectors)

    @cached_property
    def documents(self) -> Documents:
        """The texts, counted; nothing is fitted."""
        return Documents.of(self.texts)

    @cached_property
    def readings(self) -> Readings:
        """The features that need no other response."""
        return read_features(self.documents, self.prompt_texts, self.references)

    @property
    def size(self) -> int:
        """How many texts there are."""
        return len(self.texts)


class Inputs(NamedTuple):
    """What models read: the length alone, or all features and vectors on comparable scales."""

    length: Floats
    full: Floats

    def at(self, rows: Whole) -> "Inputs":
        """Those of some responses."""
        return Inputs(self.length[rows], self.full[rows])


class Encoder(Struct, frozen=True):
    """How responses become inputs, as the training responses of a fold taught it."""

    rarity: Rarity
    vectors: TextVectors | OwnVectors
    mean: Floats
    spread: Floats
    share: float

    @classmethod
    def fit(cls, material: Material, rows: Whole, seed: int) -> "Encoder":
        """Learn rarity, vectors and scales from training responses."""
        rarity = Rarity.fit(material.documents, rows)
        vectors: TextVectors | OwnVectors
        if material.vectors is None:
            vectors = TextVectors.fit(material.documents, rows, seed)
        else:
            vectors = OwnVectors.fit(material.vectors, rows, seed)
        bare = cls(rarity, vectors, np.zeros(1), np.ones(1), 1.0)
        features, projected = bare._features(material, rows), bare._vectors(material, rows)
        spread = features.std(axis=0)
        total = float(projected.var(axis=0).sum())
        return cls(
            rarity,
            vectors,
            features.mean(axis=0),
            np.where(spread > 1e-12, spread, 1.0),
            np.sqrt(features.shape[1] / total) if total > 1e-12 else 1.0,
        )

    def of(self, material: Material, rows: Whole) -> Inputs:
        """The inputs of responses, seen or not: features standardised, vectors as varied as they are."""
        names = material.readings.names
        length = material.readings.values[rows][:, [names.index(name) for name in LENGTH]]
        features = (self._features(material, rows) - self.mean) / self.spread
        return Inputs(length, np.hstack([features, self._vectors(material, rows) * self.share]))

    def _features(self, material: Material, rows: Whole) -> Floats:
        rarity = self.rarity.of(material.documents, rows)
        return np.column_stack([material.readings.values[rows], rarity])

    def _vectors(self, material: Material, rows: Whole) -> Floats:
        if isinstance(self.vectors, OwnVectors):
            if material.vectors is None:
                raise ValueError("texts without vectors cannot be read by the user's vectors")
            return self.vectors.of(material.vectors, rows)
        return self.vectors.of(material.documents, rows)
