"""Limits in words: what one asks, and on which side of it a value lies."""

import math

from tallymark.defaults import ON_LIMIT
from tallymark.render.limits import End
from tallymark.render.sentences import Sentence
from tallymark.results import Criterion, Estimate
from tallymark.verdict.states import Bounds, bounds_of, inside


def demand(one: Criterion) -> Sentence:
    """What a limit asks."""
    if one.at_least is not None and one.at_most is not None:
        return Sentence("within {between}", between=_between(one))
    end = End(ends_of(one)[0], one.statistic)
    return Sentence("at least {end}" if one.at_most is None else "at most {end}", end=end)


def side_of(one: Criterion, found: Estimate) -> Sentence:
    """Say on which side of a limit a value lies."""
    within = inside(found.value, limit_bounds(one))
    rounded = " when rounded" if within else " even when rounded"
    rounded = rounded if _rounds(one, found) else ""
    if one.at_least is not None and one.at_most is not None:
        start = "within" if within else "outside"
        return Sentence(f"{start} {{between}}{rounded}", between=_between(one))
    if rounded and within:
        return Sentence("{demand} when rounded", demand=demand(one))
    above = within == (one.at_least is not None)
    end = End(ends_of(one)[0], one.statistic)
    return Sentence(f"{'above' if above else 'below'} {{end}}{rounded}", end=end)


def _between(one: Criterion) -> Sentence:
    low, high = (End(end, one.statistic) for end in ends_of(one)[:2])
    return Sentence(
        "±{high}" if low.number == -high.number else "{low} to {high}", low=low, high=high
    )


def _rounds(one: Criterion, found: Estimate) -> bool:
    """Whether only rounding carries some number to the limit."""
    bounds = limit_bounds(one)
    pairs = ((one.at_least, bounds.lower), (one.at_most, bounds.upper))
    return one.decimals is not None and any(
        min(end, bound) - ON_LIMIT <= x <= max(end, bound) and x != end
        for end, bound in pairs
        if end is not None
        for x in (found.value, found.low, found.high)
    )


def limit_bounds(one: Criterion) -> Bounds:
    """Between which values the limit is kept, after rounding."""
    return bounds_of(one.at_least, one.at_most, decimals=one.decimals)


def ends_of(one: Criterion) -> list[float]:
    """The ends of the limit, then those from which a value is rounded to them."""
    ends = [end for end in (one.at_least, one.at_most) if end is not None]
    return [*ends, *(end for end in limit_bounds(one) if math.isfinite(end))]
