"""Documents: texts as counts of words, pairs of words and runs of characters.

Nothing is fitted here. A term is known by a hash of what it says, so that texts that were never
seen together have the same terms, and what a fold knows of terms is chosen from its training texts.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any
from unicodedata import category

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.scorers.tokens import plain, words

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]
RUN = 4
"""Length of a run of characters."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Counts(Struct, frozen=True):
    """How often each text has each term: a sparse matrix, and the terms of its columns, ascending."""

    terms: Hashes
    matrix: Any

    def at(self, terms: Hashes, rows: Ints) -> Any:
        """The counts of some texts in other columns, those of ``terms``; unknown terms are left out."""
        from scipy.sparse import csr_array

        place = np.searchsorted(terms, self.terms)
        place = np.minimum(place, max(terms.size - 1, 0))
        known = terms[place] == self.terms if terms.size else np.zeros(self.terms.size, bool)
        chosen = self.matrix[rows][:, np.flatnonzero(known)]
        columns = place[known][chosen.indices]
        return csr_array((chosen.data, columns, chosen.indptr), shape=(rows.size, terms.size))


class Documents(Struct, frozen=True):
    """Texts as tokens, one after the other, each text from ``starts[i]`` on; and as counts.

    ``sizes`` are the characters of each token, marks such as vowel signs not counted.
    """

    texts: tuple[str, ...]
    tokens: Hashes
    sizes: Ints
    starts: Ints
    words: Counts
    pairs: Counts
    runs: Counts

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Documents":
        """Divide texts into words and count."""
        given = tuple(texts)
        every = [plain(text) for text in given]
        listed = [words(text) for text in every]
        starts = np.concatenate([[0], np.cumsum([len(text) for text in listed])]).astype(np.int64)
        tokens = np.array([hash_of(word) for text in listed for word in text], dtype=np.uint64)
        sizes = np.array([size_of(word) for text in listed for word in text], dtype=np.int64)
        at = np.repeat(np.arange(len(given)), np.diff(starts))
        joined = tokens[:-1] * _FACTOR + tokens[1:]
        together = at[:-1] == at[1:]
        return cls(
            given,
            tokens,
            sizes,
            starts,
            _counted(at, tokens, len(given)),
            _counted(at[:-1][together], joined[together], len(given)),
            _runs(every),
        )

    @property
    def lengths(self) -> Ints:
        """Words of each text."""
        return np.diff(self.starts)


@cache
def hash_of(word: str) -> int:
    """A number for a word, the same in every run."""
    raw = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")


@cache
def size_of(word: str) -> int:
    """How many characters a word has; a mark belongs to the letter before it.

    >>> size_of("\u0646\u064f\u0648\u0631\u064c"), size_of("\u0646\u0648\u0631")
    (3, 3)
    """
    return len(word) if word.isascii() else sum(category(sign)[0] != "M" for sign in word)


def _counted(at: Ints, terms: Hashes, texts: int) -> Counts:
    from scipy.sparse import csr_array

    known, column = np.unique(terms, return_inverse=True)
    matrix = csr_array(
        (np.ones(at.size, np.float32), (at, column)), shape=(texts, max(known.size, 1))
    )
    matrix.sum_duplicates()
    return Counts(known if known.size else np.zeros(1, np.uint64), matrix)


def _runs(texts: Sequence[str]) -> Counts:
    """Runs of characters, also across spaces, with one before and after the text."""
    padded = [f" {text} " if text else "" for text in texts]
    raw = "".join(padded).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(raw, np.uint32).astype(np.uint64)
    at = np.repeat(np.arange(len(texts)), [len(text) for text in padded])
    if points.size < RUN:
        return _counted(at[:0], points[:0], len(texts))
    size = points.size - RUN + 1
    hashes = np.zeros(size, np.uint64)
    for i in range(RUN):
        hashes = hashes * _FACTOR + points[i : i + size]
    together = at[:size] == at[RUN - 1 :]
    return _counted(at[:size][together], hashes[together], len(texts))
