"""Numbers of a verdict in words: with decimals that keep a value apart from its limit."""

import math

from tallymark.catalogue import style_of
from tallymark.evaluation.verdict.policy import Limit
from tallymark.evaluation.verdict.states import GUARD
from tallymark.results import Estimate, Key, split_key

NEAR = 0.6
"""Of the last decimal: a value this near to a limit is written with one decimal more."""


class Writer:
    """Writes a value, its interval and its limits with decimals that keep them apart."""

    def __init__(self, limit: Limit, found: Estimate) -> None:
        self.limit, self.found, self.bare = limit, found, style_of(found.text) == "share"
        self.places = next((p for p in (2, 3) if self._apart(p)), 4)

    def __call__(self, number: float) -> str:
        """Write a number."""
        return bare(number, self.places) if self.bare else plain(number, self.places)

    def end(self, number: float) -> str:
        """Write a limit, with the decimals it has."""
        text = f"{number:g}"
        places = max(2, len(text.partition(".")[2]))
        return bare(number, places) if self.bare else plain(number, places)

    def with_interval(self) -> str:
        """The value and its interval in words."""
        found = self.found
        if math.isnan(found.low) or math.isnan(found.high):
            return f"{self(found.value)} (no interval{': ' + found.why if found.why else ''})"
        ends = f"{self(found.low)} to {self(found.high)}"
        return f"{self(found.value)} ({level_words(found.level)} interval {ends})"

    @property
    def rounds(self) -> bool:
        """Whether only rounding carries some number to the limit."""
        bounds, limit = self.limit.bounds, self.limit
        ends = ((limit.at_least, bounds.lower), (limit.at_most, bounds.upper))
        return limit.decimals is not None and any(
            min(end, bound) - GUARD <= x <= max(end, bound) and x != end
            for end, bound in ends
            if end is not None
            for x in self._shown()
        )

    def _shown(self) -> list[float]:
        found = self.found
        return [x for x in (found.value, found.low, found.high) if not math.isnan(x)]

    def _apart(self, places: int) -> bool:
        bounds = self.limit.bounds
        ends = {self.limit.at_least, self.limit.at_most, bounds.lower, bounds.upper} - {None}
        marks = [end for end in ends if end is not None and math.isfinite(end)]
        near = any(GUARD < abs(self.found.value - mark) < NEAR * 10**-places for mark in marks)
        return not near and all(
            _sign(round(x, places) - mark) == _sign(x - mark)
            for x in self._shown()
            for mark in marks
        )


def position(limit: Limit, write: Writer, *, inside: bool) -> str:
    """Say on which side of a limit a value lies."""
    low, high = limit.at_least, limit.at_most
    rounded = "" if not write.rounds else " when rounded" if inside else " even when rounded"
    if low is not None and high is not None:
        between = (
            f"±{write.end(high)}" if low == -high else f"{write.end(low)} to {write.end(high)}"
        )
        return f"{'within' if inside else 'outside'} {between}{rounded}"
    end = write.end(high if low is None and high is not None else low or 0.0)
    if rounded and inside:
        return f"at {'least' if low is not None else 'most'} {end}{rounded}"
    return f"{'above' if inside == (low is not None) else 'below'} {end}{rounded}"


def demand(limit: Limit) -> str:
    """Say what a limit asks."""
    nothing = Estimate(key=Key(split_key(limit.statistic)[0]), value=math.nan, n=0)
    write = Writer(limit, nothing)
    write.bare = style_of(limit.statistic) == "share"
    if limit.at_least is not None and limit.at_most is not None:
        return position(limit, write, inside=True)
    if limit.at_least is not None:
        return f"at least {write.end(limit.at_least)}"
    return f"at most {write.end(limit.at_most or 0.0)}"


def level_words(level: float) -> str:
    """Write a level in percent."""
    return f"{100 * level:g} %"


def _sign(number: float) -> int:
    return 0 if abs(number) <= GUARD else int(math.copysign(1, number))


def plain(number: float, places: int) -> str:
    """Write a number; zero has no sign."""
    text = f"{number:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def bare(number: float, places: int) -> str:
    """Write a number without its leading zero."""
    text = plain(number, places)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
