"""Words of any language: runs of letters, marks and digits, or single characters without spaces."""

import re
import unicodedata
from functools import cache
from html import unescape
from itertools import pairwise

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
