"""Names made short: what all of them begin with is said once."""

from collections.abc import Sequence
from itertools import takewhile

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
