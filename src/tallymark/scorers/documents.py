"""Documents: texts as words of any language, counts of hashed terms, and features that people can read."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from itertools import pairwise
from types import MappingProxyType
from typing import Any
from unicodedata import category

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

_MARKS = range(0x300, 0x20000)
UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Chinese characters, half-width kana
    "\U00020000-\U0003ffff"
)
"""Characters of scripts that put no spaces between words."""
_ENDS = re.compile(
    r"[.!?\u2026\u061f\u06d4\u0964\u0965]+(?=[\s\"'\u00bb\u201d\u2019)\]]|$)|[\u3002\uff01\uff1f\uff0e]+|\n\s*\n"
)
_CLOSING = re.compile(r"[\"'\u00bb\u201d\u2019\u300d\u300f)\]]*")
_SPACES = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s]")


_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s<>"']+)"""
_TAG = re.compile(
    r"</?(?:(p|br|hr|div|li|ul|ol|h[1-6]|table|tr|t[dh]|blockquote|pre)|a|b|code|em|font|i|img|span|strong|su[bp]|t(?:body|head)|u)"
    rf"(?:\s+[\w:-]+\s*=\s*{_VALUE})*\s*/?>",
    re.IGNORECASE,
)
"""A tag of HTML; the group holds what begins a new paragraph."""


def unmarked(text: str) -> str:
    """A text without the tags of HTML, and with its entities as characters where it has tags.

    >>> unmarked("<p>Rain &amp; <b>wind</b>.</p>").strip(), unmarked("x<y, vector<int> &amp")
    ('Rain & wind.', 'x<y, vector<int> &amp')
    """
    bare, tags = _TAG.subn(lambda tag: "\n\n" if tag[1] else "", text)
    return unescape(bare) if tags else text


@cache
def _word() -> re.Pattern[str]:
    """A word; marks such as Arabic vowels and the signs of Hindi belong to the letter before them."""
    marks = "".join(chr(i) for i in _MARKS if unicodedata.category(chr(i))[0] == "M")
    letter, mark = rf"[^\W_{UNSPACED}]", rf"[{re.escape(marks)}\u200c\u200d]"
    run = rf"{letter}(?:{letter}|{mark})*"
    return re.compile(rf"[{UNSPACED}]{mark}*|{run}(?:['\u2019-]{run})*")


def plain(text: str) -> str:
    """The text in one form of Unicode, in lower case, each run of white space a space."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def words(text: str) -> list[str]:
    """The words of a plain text; of scripts without spaces the characters.

    >>> words("l'eau: 3 r\u00e9sum\u00e9s"), words("\u6c34\u3092\u98f2\u3080")
    (["l'eau", '3', 'r\u00e9sum\u00e9s'], ['\u6c34', '\u3092', '\u98f2', '\u3080'])
    """
    return [match for match in _word().findall(text) if match[0] not in _SIGNS]


_SIGNS = frozenset("\u30fb\u30fc\u0e3f\u0e4f\u0e5a\u0e5b")
"""Characters in the ranges of scripts without spaces that are no letters."""


def sentences(text: str) -> int:
    """How many sentences a text has: parts with a word, divided by what ends a sentence.

    >>> sentences("It is 3.5 m. Why?! Because"), sentences("\u96e8\u3060\u3002\u5bd2\u3044\u3002"), sentences("...")
    (3, 2, 0)
    """
    return sum(any(c.isalnum() for c in part) for part in _ENDS.split(text))


def parted(text: str) -> list[str]:
    """The sentences of a text with what ends them and the quotes after it; each has a word.

    >>> parted('He said "No." Why? Because'), parted("\u96e8\u3060\u3002\u5bd2\u3044\u3002")
    (['He said "No."', 'Why?', 'Because'], ['\u96e8\u3060\u3002', '\u5bd2\u3044\u3002'])
    """
    ends = [_CLOSING.match(text, match.end()).end() for match in _ENDS.finditer(text)]  # type: ignore[union-attr]
    pieces = [text[a:b].strip() for a, b in pairwise([0, *ends, len(text)])]
    listed: list[str] = []
    for piece in filter(None, pieces):
        if any(sign.isalnum() for sign in piece):
            listed.append(piece)
        elif listed:
            listed[-1] += piece
    return listed


def marks(text: str) -> int:
    """How many punctuation marks a text has, of any script."""
    return sum(unicodedata.category(sign)[0] == "P" for sign in _PUNCTUATION.findall(text))


Hashes = NDArray[np.uint64]
RUN = 4
"""Length of a run of characters."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Counts(Struct, frozen=True):
    """How often each text has each term: a sparse matrix, and the terms of its columns, ascending."""

    terms: Hashes
    matrix: Any

    def at(self, terms: Hashes, rows: Whole) -> Any:
        """The counts of some texts in other columns, those of ``terms``; unknown terms are left out."""
        from scipy.sparse import csr_array

        column_of = np.searchsorted(terms, self.terms)
        column_of = np.minimum(column_of, max(terms.size - 1, 0))
        present = terms[column_of] == self.terms if terms.size else np.zeros(self.terms.size, bool)
        chosen = self.matrix[rows][:, np.flatnonzero(present)]
        indices = column_of[present][chosen.indices]
        return csr_array((chosen.data, indices, chosen.indptr), shape=(rows.size, terms.size))


class Documents(Struct, frozen=True):
    """Texts as tokens, one after the other, each text from ``starts[i]`` on; and as counts.

    ``sizes`` are the characters of each token, marks such as vowel signs not counted.
    """

    texts: tuple[str, ...]
    tokens: Hashes
    sizes: Whole
    starts: Whole
    words: Counts
    pairs: Counts
    runs: Counts

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Documents":
        """Divide texts into words and count."""
        written = tuple(texts)
        plain_texts = [plain(text) for text in written]
        listed = [words(text) for text in plain_texts]
        starts = np.concatenate([[0], np.cumsum([len(text) for text in listed])]).astype(np.int64)
        tokens = np.array([hash_of(word) for text in listed for word in text], dtype=np.uint64)
        sizes = np.array([size_of(word) for text in listed for word in text], dtype=np.int64)
        text_of = np.repeat(np.arange(len(written)), np.diff(starts))
        pairs = tokens[:-1] * _FACTOR + tokens[1:]
        inside = text_of[:-1] == text_of[1:]
        return cls(
            written,
            tokens,
            sizes,
            starts,
            _counted(text_of, tokens, len(written)),
            _counted(text_of[:-1][inside], pairs[inside], len(written)),
            _runs(plain_texts),
        )

    @property
    def lengths(self) -> Whole:
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


def _counted(text_of: Whole, terms: Hashes, texts: int) -> Counts:
    from scipy.sparse import csr_array

    distinct, column = np.unique(terms, return_inverse=True)
    matrix = csr_array(
        (np.ones(text_of.size, np.float32), (text_of, column)), shape=(texts, max(distinct.size, 1))
    )
    matrix.sum_duplicates()
    return Counts(distinct if distinct.size else np.zeros(1, np.uint64), matrix)


def _runs(texts: Sequence[str]) -> Counts:
    """Runs of characters, also across spaces, with one before and after the text."""
    padded = [f" {text} " if text else "" for text in texts]
    raw = "".join(padded).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(raw, np.uint32).astype(np.uint64)
    text_of = np.repeat(np.arange(len(texts)), [len(text) for text in padded])
    if points.size < RUN:
        return _counted(text_of[:0], points[:0], len(texts))
    size = points.size - RUN + 1
    hashes = np.zeros(size, np.uint64)
    for i in range(RUN):
        hashes = hashes * _FACTOR + points[i : i + size]
    inside = text_of[:size] == text_of[RUN - 1 :]
    return _counted(text_of[:size][inside], hashes[inside], len(texts))


_LISTS = {
    "English": "also although because besides but consequently finally first furthermore hence however "
    "if instead moreover nevertheless second since so then therefore though thus unless whereas while",
    "Portuguese": "ademais além assim consequentemente contudo embora enquanto entretanto então "
    "finalmente logo mas pois porque portanto porém primeiro também todavia",
    "Spanish": "además ahora aunque embargo entonces finalmente luego mientras pero porque primero "
    "también tampoco",
    "French": "ainsi aussi car cependant donc enfin ensuite mais néanmoins parce pourtant puis toutefois",
    "German": "aber außerdem daher dann denn deshalb doch jedoch obwohl schließlich sondern trotzdem "
    "weil zuerst",
    "Arabic": "لأن لكن ولكن لذلك ثم بينما إذا كما أيضا أيضًا بسبب حيث أولا أولاً أخيرا أخيراً رغم",
}
_UNSPACED = (
    "しかし そして だから なぜなら また ために ので けれど したがって つまり 例えば たとえば まず 次に 最後に "
    "因为 但是 所以 然而 而且 虽然 如果 首先 其次 最后 因此 例如"
)


def connectives(documents: Documents) -> Floats:
    """How many discourse markers each text has."""
    listed = {word for text in _LISTS.values() for word in plain(text).split()}
    hashes = np.array(sorted(map(hash_of, listed)), np.uint64)
    text_of = np.repeat(np.arange(len(documents.texts)), documents.lengths)
    number = np.bincount(text_of, np.isin(documents.tokens, hashes), len(documents.texts)).astype(
        float
    )
    markers = _UNSPACED.split()
    for i, written in enumerate(documents.texts):
        if not written.isascii():
            number[i] += sum(written.count(marker) for marker in markers)
    return number


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


def variety(tokens: Hashes, starts: Whole, window: int = WINDOW) -> Floats:
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
    repeated = (text[order][1:] == text[order][:-1]) & (tokens[order][1:] == tokens[order][:-1])
    before[order[1:][repeated]] = place[order[:-1][repeated]]
    size = np.minimum(lengths, window)
    first = np.maximum(np.maximum(before + 1, place - size[text] + 1), 0)
    last = np.minimum(place, (lengths - size)[text])
    total = np.bincount(text, np.maximum(last - first + 1, 0), lengths.size)
    return np.asarray(total / np.maximum((lengths - size + 1) * size, 1))


def _repetition(documents: Documents) -> Floats:
    pairs = np.maximum(documents.lengths - 1, 0).astype(np.float64)
    distinct = np.diff(documents.pairs.matrix.indptr)
    return np.asarray((pairs - distinct) / np.maximum(pairs, 1))


def _shares(documents: Documents, references: Sequence[str]) -> tuple[Floats, Floats]:
    """The share of the other text's distinct words that a text has, and the share the other way."""
    words_of: dict[str, set[int]] = {}
    recall, focus = np.zeros(len(documents.texts)), np.zeros(len(documents.texts))
    for i, reference in enumerate(references):
        if reference not in words_of:
            words_of[reference] = {hash_of(word) for word in words(plain(reference))}
        text_words = {*documents.tokens[documents.starts[i] : documents.starts[i + 1]].tolist()}
        common = len(text_words & words_of[reference])
        recall[i] = common / max(len(words_of[reference]), 1)
        focus[i] = common / max(len(text_words), 1)
    return recall, focus


class Rarity(Struct, frozen=True):
    """In how many training responses each word stands."""

    terms: Hashes
    responses: Floats
    n: int

    @classmethod
    def fit(cls, documents: Documents, rows: Whole) -> "Rarity":
        """Count the words of training responses."""
        times = np.diff(documents.words.matrix[rows].tocsc().indptr)
        return cls(documents.words.terms[times > 0], times[times > 0].astype(np.float64), rows.size)

    def of(self, documents: Documents, rows: Whole) -> Floats:
        """How rare the words of texts are on average; 0 for a text without words."""
        counts = documents.words.at(self.terms, rows)
        distinct = np.diff(documents.words.matrix[rows].indptr)
        if not self.terms.size:
            return np.zeros(rows.size)
        common = np.log1p(self.responses)
        lost = (counts > 0).astype(np.float64) @ common
        total = distinct * np.log1p(self.n) - lost
        return np.asarray(total / np.maximum(distinct, 1))
