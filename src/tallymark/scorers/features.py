"""Features that people can read: length, variety, rarity, punctuation, overlap with given texts."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.scorers.connectives import connectives
from tallymark.scorers.documents import Documents, Hashes, Ints, hash_of
from tallymark.scorers.tokens import marks, plain, sentences, words

Floats = NDArray[np.float64]
WINDOW = 50
LONG = 7
FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "words": "words; of scripts without spaces, characters",
        "log_words": "natural logarithm of 1 + words",
        "sentences": "sentences with at least one word",
        "word_length": "mean characters of a word, marks not counted",
        "sentence_length": "mean words of a sentence",
        "long_words": "share of words with 7 characters or more",
        "variety": "type-token ratio, mean over windows of 50 words (MATTR)",
        "repetition": "share of neighbouring word pairs that occurred before in the text",
        "punctuation": "punctuation marks per word",
        "connectives": "discourse markers per 100 words",
        "rarity": "mean over distinct words of ln((1 + n) / (1 + training responses with the word))",
        "prompt_overlap": "share of the distinct words that stand in the prompt's text",
        "reference_overlap": "share of the reference answer's distinct words that the text has",
        "reference_focus": "share of the distinct words that stand in the reference answer",
    }
)
"""Every feature and what it is."""
OF_TEXT = tuple(FEATURES)[:10]
LENGTH = ("words", "log_words")


class Readings(Struct, frozen=True):
    """The features of texts that need no other text: a column each, by name."""

    names: tuple[str, ...]
    values: Floats


def read_features(
    documents: Documents,
    prompt_texts: Sequence[str] | None = None,
    references: Sequence[str] | None = None,
) -> Readings:
    """Compute every feature but rarity; the texts of prompts and references go with the responses."""
    columns = dict(zip(OF_TEXT, _of_texts(documents), strict=True))
    if prompt_texts is not None:
        columns["prompt_overlap"] = _shares(documents, prompt_texts)[1]
    if references is not None:
        shares = _shares(documents, references)
        columns |= {"reference_overlap": shares[0], "reference_focus": shares[1]}
    return Readings(tuple(columns), np.stack([*columns.values()], axis=1))


def _of_texts(documents: Documents) -> list[Floats]:
    number = documents.lengths.astype(np.float64)
    ended = np.array([sentences(written) for written in documents.texts], np.float64)
    per_word = 1 / np.maximum(number, 1)
    text = np.repeat(np.arange(number.size), documents.lengths)
    characters = np.bincount(text, documents.sizes, number.size)
    long = np.bincount(text, documents.sizes >= LONG, number.size)
    signs = np.array([marks(written) for written in documents.texts], np.float64)
    return [
        number,
        np.log1p(number),
        ended,
        characters * per_word,
        number / np.maximum(ended, 1),
        long * per_word,
        variety(documents.tokens, documents.starts),
        _repetition(documents),
        signs * per_word,
        100 * connectives(documents) * per_word,
    ]


def variety(tokens: Hashes, starts: Ints, window: int = WINDOW) -> Floats:
    """Distinct words per window, mean over all windows of a text, as a share of the window.

    A shorter text is one window. A word counts in every window that begins after it last occurred,
    so the windows need not be gone through.

    References
    ----------
    Covington & McFall (2010), https://doi.org/10.1080/09296171003643098.
    """
    lengths = np.diff(starts)
    text = np.repeat(np.arange(lengths.size), lengths)
    place = np.arange(tokens.size) - starts[:-1][text]
    order = np.lexsort((place, tokens, text))
    before = np.full(tokens.size, -1)
    same = (text[order][1:] == text[order][:-1]) & (tokens[order][1:] == tokens[order][:-1])
    before[order[1:][same]] = place[order[:-1][same]]
    size = np.minimum(lengths, window)
    first = np.maximum(np.maximum(before + 1, place - size[text] + 1), 0)
    last = np.minimum(place, (lengths - size)[text])
    total = np.bincount(text, np.maximum(last - first + 1, 0), lengths.size)
    return np.asarray(total / np.maximum((lengths - size + 1) * size, 1))


def _repetition(documents: Documents) -> Floats:
    pairs = np.maximum(documents.lengths - 1, 0).astype(np.float64)
    distinct = np.diff(documents.pairs.matrix.indptr)
    return np.asarray((pairs - distinct) / np.maximum(pairs, 1))


def _shares(documents: Documents, others: Sequence[str]) -> tuple[Floats, Floats]:
    """The share of the other text's distinct words that a text has, and the share the other way."""
    known: dict[str, set[int]] = {}
    recall, focus = np.zeros(len(documents.texts)), np.zeros(len(documents.texts))
    for i, other in enumerate(others):
        if other not in known:
            known[other] = {hash_of(word) for word in words(plain(other))}
        here = {*documents.tokens[documents.starts[i] : documents.starts[i + 1]].tolist()}
        both = len(here & known[other])
        recall[i] = both / max(len(known[other]), 1)
        focus[i] = both / max(len(here), 1)
    return recall, focus


class Rarity(Struct, frozen=True):
    """In how many training responses each word stands."""

    terms: Hashes
    responses: Floats
    n: int

    @classmethod
    def fit(cls, documents: Documents, rows: Ints) -> "Rarity":
        """Count the words of training responses."""
        times = np.diff(documents.words.matrix[rows].tocsc().indptr)
        return cls(documents.words.terms[times > 0], times[times > 0].astype(np.float64), rows.size)

    def of(self, documents: Documents, rows: Ints) -> Floats:
        """How rare the words of texts are on average; 0 for a text without words."""
        known = documents.words.at(self.terms, rows)
        every = np.diff(documents.words.matrix[rows].indptr)
        if not self.terms.size:
            return np.zeros(rows.size)
        common = np.log1p(self.responses)
        lost = (known > 0).astype(np.float64) @ common
        total = every * np.log1p(self.n) - lost
        return np.asarray(total / np.maximum(every, 1))
