"""Text that came from the user, made fit to be shown: it moves no cursor, hides nothing, and is short."""

import unicodedata
from collections.abc import Sequence
from itertools import takewhile

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode categories of control, format, surrogate and private characters and line breaks."""


def literal(text: str) -> str:
    r"""Return the text on one line, without control and direction characters.

    >>> literal("\x1b[31mred\nhat")
    '[31mred hat'
    """
    if text.isascii() and text.isprintable():
        return text
    kept = [char for char in _one_line(text) if unicodedata.category(char) not in _UNSEEN]
    return "".join(kept)


def width_of(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    return sum(_columns(char) for char in text)


def cut(text: str, width: int) -> str:
    """Shorten a text to this many columns, with dots in the place of what was cut.

    >>> cut("a rather long name", 10)
    'a rathe...'
    """
    if width_of(text) <= width:
        return text
    kept, used = "", 0
    for char in text:
        used += _columns(char)
        if used > width - 3:
            break
        kept += char
    return kept + "..."


def _one_line(text: str) -> str:
    return " ".join(text.split()) if any(char in text for char in "\n\r\t\v\f") else text


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


SEPARATORS = " -_/.:"
SHORTEST = 3
"""A shorter beginning is not worth leaving out."""


def shortened(names: Sequence[str]) -> list[str]:
    """Leave out what all names begin with, up to a separator.

    >>> shortened(["prompt 1", "prompt 12"]), shortened(["engine", "english"])
    (['1', '12'], ['engine', 'english'])
    """
    return [name[len(common_start(names)) :] for name in names]


def common_start(names: Sequence[str]) -> str:
    """Return what all of several names begin with, up to and with a separator.

    >>> common_start(["gpt-4-zero", "gpt-4-few"]), common_start(["a"])
    ('gpt-4-', '')
    """
    if len(set(names)) < 2:
        return ""
    first, last = min(names), max(names)  # what these two share, all share
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = "".join(letter for letter, _ in alike)
    while start and (start[-1] not in SEPARATORS or start in names):
        start = start[:-1]
    return start if len(start) > SHORTEST else ""
