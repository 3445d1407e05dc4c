"""From numbers to places: which part of the number line is shown, and where its ticks are."""

import math
from collections.abc import Iterable
from statistics import median

from msgspec import Struct

from tallymark.render.figures.text import SMALL, minus, width
from tallymark.render.numbers import rounded

LARGEST = 1e12
"""Numbers beyond this are not drawn: their places could not be told apart."""
GAP = 10.0
"""The least room between two tick labels."""
MOST_STEPS, MOST_WHOLE = 7, 10
"""Steps of an axis, and of one that counts."""
Tick = tuple[float, str]


def drawable(value: float | None) -> bool:
    """Whether a number has a place in a figure."""
    return value is not None and math.isfinite(value) and abs(value) < LARGEST


class Extent(Struct, frozen=True):
    """A straight map from numbers to places; numbers outside keep to the ends."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a number."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def holds(self, value: float) -> bool:
        """Whether a number lies within, but for rounding."""
        slack = 1e-9 * (self.high - self.low)
        return drawable(value) and self.low - slack <= value <= self.high + slack


def extent(
    points: Iterable[float],
    ends: Iterable[tuple[float, float]] = (),
    *,
    keep: Iterable[float] = (),
    coefficient: bool = False,
) -> tuple[float, float]:
    """Return the part of the number line that shows all points and the intervals of most.

    ``keep`` are further values to be shown. An interval far longer than the others is cut off
    instead of squeezing the rest.
    """
    core = [value for value in (*points, *keep) if drawable(value)]
    spans = [(low, high) for low, high in ends if drawable(low) and drawable(high)]
    if not core:
        core = [value for span in spans for value in span] or [0.0, 1.0]
    low, high = min(core), max(core)
    if spans:
        reach = max(high - low, 2 * median(abs(b - a) for a, b in spans))
        low = max(min(low, *(a for a, _ in spans)), low - reach)
        high = min(max(high, *(b for _, b in spans)), high + reach)
    return padded(low, high, coefficient=coefficient)


def flat(low: float, high: float) -> bool:
    """Whether two ends are the same but for rounding."""
    return high - low <= 1e-9 * max(abs(low), abs(high), 1e-6)


def padded(low: float, high: float, *, coefficient: bool = False) -> tuple[float, float]:
    """Add a little room at both ends; a coefficient never gets past -1 or 1."""
    space = 0.04 * (high - low)
    if flat(low, high):
        space = max(0.1 * abs(low), 0.05)
    first, last = low - space, high + space
    if coefficient and low >= -1 and high <= 1:
        first, last = max(first, -1.0), min(last, 1.0)
    return first, last


def steps(low: float, high: float, most: int) -> Iterable[float]:
    """Yield round steps, from at most ``most`` of them to one."""
    power = 10 ** math.floor(math.log10((high - low) / most))
    for scale in (power, power * 10, power * 100):
        for leading in (1, 2, 5):
            step = leading * scale
            if (high - low) / most <= step <= (high - low):
                yield step


def ticks(
    scale: Extent, *, coefficient: bool = False, whole: bool = False, upright: bool = False
) -> list[Tick]:
    """Return round numbers with their labels, as many as have room beside each other.

    ``whole`` leaves out fractions; an ``upright`` axis needs the height of its labels instead.
    """
    for step in steps(scale.low, scale.high, MOST_WHOLE if whole else MOST_STEPS):
        if whole and step < 1:
            continue
        labelled = _every(scale.low, scale.high, step, coefficient=coefficient)
        widest = max(
            (1.4 * SMALL if upright else width(label, SMALL) for _, label in labelled), default=0
        )
        if abs(scale.end - scale.start) * step / (scale.high - scale.low) >= widest + GAP:
            return labelled
    return []


def _every(low: float, high: float, step: float, *, coefficient: bool) -> list[Tick]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    values = [i * step for i in range(first, last + 1)]
    return [(value, tick_label(value, places, coefficient=coefficient)) for value in values]


def tick_label(value: float, places: int, *, coefficient: bool = False) -> str:
    """Write a tick; very large numbers by their power of ten."""
    if abs(value) >= 1e6 or places > 6:
        return minus(f"{value:.3g}")
    return minus(rounded(value, places, coefficient=coefficient))
