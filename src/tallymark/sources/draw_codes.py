"""Codes of a drawn sheet: what each response stands for, written so that no eye reads it.

The stratum of a response often is the judge's score, which annotators must not see. The code is
masked by the id, so that responses of one stratum have codes that look nothing alike, and it holds
a check, so that a code beside another id is found out. It is no secret to who runs this program.
"""

import base64
import binascii
import hashlib
import struct
from collections.abc import Iterable
from typing import NamedTuple

from tallymark.errors import DataError

PREFIX = "tm-"
CODE, LABEL = "draw_code", "drawn_label"
"""Columns of a sheet: the code of each response, and what annotators fill in."""
_FORM = struct.Struct(">HHII")
_CHECK = 3


def check_not_drawn(names: Iterable[str], source: str) -> None:
    """Refuse a drawn sheet in the place of a table of scores, where its weights would be lost."""
    if any(name == CODE or name.startswith(LABEL) for name in names):
        raise DataError(
            f"{source} is a sheet that was drawn, whose labels count with their weights: give the file "
            "that it was drawn from, and the sheet as --human-file"
        )


class DrawCode(NamedTuple):
    """The draw, the stratum, and how many of its responses were drawn out of how many."""

    draw: int
    stratum: int
    drawn: int
    size: int

    @property
    def weight(self) -> float:
        """1 / the chance of a response of the stratum to be drawn."""
        return self.size / self.drawn


def written(code: DrawCode, name: str) -> str:
    """The code of the response of this name.

    >>> code = written(DrawCode(7, 1, 40, 9000), "r1")
    >>> read(code, "r1")
    DrawCode(draw=7, stratum=1, drawn=40, size=9000)
    >>> read(code, "r2") is None
    True
    """
    plain = _FORM.pack(*code)
    masked = bytes(a ^ b for a, b in zip(plain, _mask(name), strict=False))
    return PREFIX + base64.b32encode(masked + _checked(plain, name)).decode()


def read(text: str, name: str) -> DrawCode | None:
    """The code of a response; None where the text is none, or that of another response."""
    try:
        whole = base64.b32decode(text.strip().removeprefix(PREFIX).upper())
    except (binascii.Error, ValueError):
        return None
    if len(whole) != _FORM.size + _CHECK:
        return None
    masked, check = whole[: _FORM.size], whole[_FORM.size :]
    plain = bytes(a ^ b for a, b in zip(masked, _mask(name), strict=False))
    return DrawCode(*_FORM.unpack(plain)) if check == _checked(plain, name) else None


def _mask(name: str) -> bytes:
    return hashlib.sha256(b"tallymark draw\x1f" + name.encode()).digest()[: _FORM.size]


def _checked(plain: bytes, name: str) -> bytes:
    return hashlib.sha256(plain + b"\x1f" + name.encode()).digest()[:_CHECK]
