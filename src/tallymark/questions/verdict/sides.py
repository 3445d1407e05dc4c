"""Limits in words: what one asks, and on which side of it a value lies."""

import math

from tallymark.defaults import ON_LIMIT
from tallymark.render.limits import End
from tallymark.render.sentences import Sentence
from tallymark.results import Criterion, Estimate
from tallymark.verdict.states import Bounds, bounds_of, inside


def demand(criterion: Criterion) -> Sentence:
    """What a limit asks."""
    if criterion.at_least is not None and criterion.at_most is not None:
        return Sentence("within {between}", between=_between(criterion))
    end = End(ends_of(criterion)[0], criterion.statistic)
    return Sentence("at least {end}" if criterion.at_most is None else "at most {end}", end=end)


def short_demand(criterion: Criterion) -> Sentence:
    """What a limit asks, in signs."""
    if criterion.at_least is not None and criterion.at_most is not None:
        return _between(criterion)
    end = End(ends_of(criterion)[0], criterion.statistic)
    return Sentence("≥ {end}" if criterion.at_most is None else "≤ {end}", end=end)


def side_of(criterion: Criterion, estimate: Estimate) -> Sentence:
    """Say on which side of a limit a value lies."""
    within = inside(estimate.value, limit_bounds(criterion))
    rounded = " when rounded" if within else " even when rounded"
    rounded = rounded if _rounds(criterion, estimate) else ""
    if criterion.at_least is not None and criterion.at_most is not None:
        start = "within" if within else "outside"
        return Sentence(f"{start} {{between}}{rounded}", between=_between(criterion))
    if rounded and within:
        return Sentence("{demand} when rounded", demand=demand(criterion))
    above = within == (criterion.at_least is not None)
    end = End(ends_of(criterion)[0], criterion.statistic)
    return Sentence(f"{'above' if above else 'below'} {{end}}{rounded}", end=end)


def _between(criterion: Criterion) -> Sentence:
    low, high = (End(end, criterion.statistic) for end in ends_of(criterion)[:2])
    return Sentence(
        "±{high}" if low.number == -high.number else "{low} to {high}", low=low, high=high
    )


def _rounds(criterion: Criterion, estimate: Estimate) -> bool:
    """Whether only rounding carries some number to the limit."""
    bounds = limit_bounds(criterion)
    pairs = ((criterion.at_least, bounds.lower), (criterion.at_most, bounds.upper))
    return criterion.decimals is not None and any(
        min(end, bound) - ON_LIMIT <= x <= max(end, bound) and x != end
        for end, bound in pairs
        if end is not None
        for x in (estimate.value, estimate.low, estimate.high)
    )


def limit_bounds(criterion: Criterion) -> Bounds:
    """Between which values the limit is kept, after rounding."""
    return bounds_of(criterion.at_least, criterion.at_most, decimals=criterion.decimals)


def ends_of(criterion: Criterion) -> list[float]:
    """The ends of the limit, then those from which a value is rounded to them."""
    ends = [end for end in (criterion.at_least, criterion.at_most) if end is not None]
    return [*ends, *(end for end in limit_bounds(criterion) if math.isfinite(end))]
