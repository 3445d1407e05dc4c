"""Encoding: what models read of a response, fitted on the training responses of a fold alone."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.scorers.documents import Documents, Ints
from tallymark.scorers.features import LENGTH, Rarity, Readings, read_features
from tallymark.scorers.tokens import unmarked
from tallymark.scorers.vectors import OwnVectors, TextVectors

Floats = NDArray[np.float64]


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
        beside = prompt_texts, references
        prompts, keys = (None if x is None else tuple(map(unmarked, x)) for x in beside)
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

    def at(self, rows: Ints) -> "Inputs":
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
    def fit(cls, material: Material, rows: Ints, seed: int) -> "Encoder":
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

    def of(self, material: Material, rows: Ints) -> Inputs:
        """The inputs of responses, seen or not: features standardised, vectors as varied as they are."""
        names = material.readings.names
        length = material.readings.values[rows][:, [names.index(name) for name in LENGTH]]
        features = (self._features(material, rows) - self.mean) / self.spread
        return Inputs(length, np.hstack([features, self._vectors(material, rows) * self.share]))

    def _features(self, material: Material, rows: Ints) -> Floats:
        rarity = self.rarity.of(material.documents, rows)
        return np.column_stack([material.readings.values[rows], rarity])

    def _vectors(self, material: Material, rows: Ints) -> Floats:
        if isinstance(self.vectors, OwnVectors):
            if material.vectors is None:
                raise ValueError("texts without vectors cannot be read by the user's vectors")
            return self.vectors.of(material.vectors, rows)
        return self.vectors.of(material.documents, rows)
