"""How wide a text is, and what fits: reckoned, because a figure is drawn without a browser.

Widths are those of DejaVu Sans and Verdana, whichever is wider: the widest of the fonts that
system font stacks lead to, so what fits here fits in the others.
"""

import unicodedata
from functools import lru_cache

from tallymark.render.literal import literal

SIZE = 13.0
SMALL = 12.0
DOTS = "…"
_WIDTHS = {
    0.28: "'ijl",
    0.36: " ,.·f",
    0.42: "!rt",
    0.46: '"IJ-()[]/\\|:;',
    0.54: "*_`?sz–",
    0.60: "Lckvxy",
    0.64: "FPTYaeo$0123456789ESbdghnpqu{}§²",
    0.70: "KABCRVXZακτ",
    0.78: "HNUDG&",
    0.84: "OQw#+<=>^~−≤≥±×→",
    0.88: "M",
    1.00: "@Wm…",
    1.08: "%",
}
_OF = {char: width for width, chars in _WIDTHS.items() for char in chars}
_UNKNOWN = 1.1
_WIDE = 1.05
_UNFIT = frozenset({"\ufffe", "\uffff"})
"""Characters that XML does not allow and that are no control characters."""


def width(text: str, size: float = SIZE) -> float:
    """Return the width of a text, rather too much than too little.

    >>> width("QWK .79", 10)
    45.4
    """
    return round(size * _ems(text), 6)


@lru_cache(maxsize=4096)
def _ems(text: str) -> float:
    return sum(map(_em, text))


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    known = _OF.get(char)
    if known is not None:
        return known
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return _WIDE if unicodedata.category(char) != "So" else 1.4
    base = unicodedata.normalize("NFD", char)[0]
    return _OF.get(base, _UNKNOWN)


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """Return the user's text on one line, without what moves a cursor or breaks XML."""
    kept = "".join(char for char in literal(text) if char not in _UNFIT)
    return " ".join(kept.split())


def minus(text: str) -> str:
    """Write the sign of numbers as a minus, which is as wide as a plus.

    >>> minus("-0.12 [-0.17, -0.08]")
    '−0.12 [−0.17, −0.08]'
    """
    return text.replace("-", "−")


def shorten(text: str, room: float, size: float = SIZE) -> str:
    """Cut the middle out of a text that does not fit, so that both ends still tell it apart.

    >>> shorten("first language: Mandarin", 100, 10)
    'first lang…andarin'
    """
    if width(text, size) <= room:
        return text
    left = room - width(DOTS, size)
    head = _fitting(text, left * 0.55, size)
    tail = _fitting(text[::-1], left - width(head, size), size)[::-1]
    return f"{head.rstrip()}{DOTS}{tail.lstrip()}" if head or tail else ""


def _fitting(text: str, room: float, size: float) -> str:
    used = 0.0
    for i, char in enumerate(text):
        used += size * _em(char)
        if used > room:
            return text[:i]
    return text


def wrapped(text: str, room: float, size: float = SIZE, *, lines: int = 2) -> list[str]:
    """Break a text between words into at most this many lines; what is left is shortened."""
    words, done = text.split(), [""]
    for i, word in enumerate(words):
        longer = f"{done[-1]} {word}".strip()
        if not done[-1] or width(longer, size) <= room:
            done[-1] = longer
        elif len(done) < lines:
            done.append(word)
        else:
            done[-1] = " ".join([done[-1], *words[i:]])
            break
    return [shorten(line, room, size) for line in done if line]
