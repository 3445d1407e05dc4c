"""What figures are drawn from, and what they return."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallymark.render.figures.text import minus
from tallymark.render.numbers import UNDEFINED, count, is_coefficient, with_interval
from tallymark.results import Curve, Estimate

NAN = math.nan
WIDE, NARROW, FULL = 680, 284, 820
"""The two widths that a page holds; text is set for them at their own size."""
SWITCH = 480
"""Figures narrower than this use the layout for narrow screens."""
_CLASS = 'class="fig-svg'


class Drawn(Struct, frozen=True):
    """An SVG, or the reason why there is none."""

    svg: str
    why: str = ""
    title: str = ""

    def __bool__(self) -> bool:
        return bool(self.svg)

    def __html__(self) -> str:
        return self.svg


class Whisker(Struct, frozen=True):
    """A named number with its interval.

    ``text`` is printed beside it and ``detail`` shown when it is pointed at; ``series`` 0 is the
    colour of people, 1 and on those of systems, unless a ``state`` has its own.
    """

    label: str
    value: float
    low: float = NAN
    high: float = NAN
    text: str = ""
    n: int | None = None
    state: str = ""
    series: int = 0
    detail: str = ""
    section: str = ""
    coefficient: bool = False

    @classmethod
    def of(cls, estimate: Estimate, label: str, **more: Any) -> "Whisker":
        """Take the numbers and their writing from an estimate."""
        text = minus(with_interval(estimate))
        why = f", because {estimate.why}" if text == UNDEFINED and estimate.why else ""
        row = cls(
            label,
            estimate.value,
            estimate.low,
            estimate.high,
            text,
            detail=f"{estimate.text} {text}{why}, n = {count(estimate.n)}",
            coefficient=is_coefficient(estimate.text),
        )
        return replace(row, **more)


class Mark(Struct, frozen=True):
    """A value drawn as a labelled line: a policy's ``limit``, a ``ceiling``, ``people``, ``zero``."""

    value: float
    label: str
    kind: str = "limit"


class Series(Struct, frozen=True):
    """A named line with the ends of its intervals, if there are any."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    series: int = 1

    @classmethod
    def of(cls, curve: Curve, label: str = "", series: int = 1) -> "Series":
        """Take the points of a curve."""
        return cls(label or curve.name, curve.x, curve.y, curve.low, curve.high, series)


class RaterPoint(Struct, frozen=True):
    """A rater's severity with what tells whether the model fits this rater."""

    row: Whisker
    infit: float = NAN
    outfit: float = NAN


class Frame(Struct, frozen=True):
    """What every figure needs besides its data."""

    title: str
    prefix: str
    width: int = WIDE
    desc: str = ""

    @property
    def narrow(self) -> bool:
        """Whether the layout for narrow screens is used."""
        return self.width < SWITCH


def common_domain(rows: Sequence[Whisker], marks: Sequence[Mark]) -> tuple[float, float] | None:
    """One axis for all systems, with some room at its ends."""
    ends = [end for row in rows for end in (row.value, row.low, row.high)]
    ends = [end for end in (*ends, *(mark.value for mark in marks)) if math.isfinite(end)]
    if not ends or min(ends) == max(ends):
        return None
    room = 0.08 * (max(ends) - min(ends))
    return min(ends) - room, max(ends) + room


def both(
    draw: Callable[..., Drawn], *data: Any, prefix: str, wide: int = WIDE, **keywords: Any
) -> Drawn:
    """Draw a figure narrow and wide; the style sheet shows one of them."""
    narrow = draw(*data, width=NARROW, prefix=f"{prefix}-n", **keywords)
    large = draw(*data, width=wide, prefix=f"{prefix}-w", **keywords)
    if not (narrow and large):
        return large if narrow else narrow
    pair = (
        figure.svg.replace(_CLASS, f"{_CLASS} {kind}", 1)
        for figure, kind in ((narrow, "fig-narrow"), (large, "fig-wide"))
    )
    return Drawn(f'<div class="fig">{"".join(pair)}</div>', title=large.title)
