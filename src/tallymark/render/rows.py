"""Rows of numbers: some statistics of some subsets, and why a number is undefined."""

import math
from collections.abc import Mapping, Sequence

from tallymark.defaults import FEW
from tallymark.render.layout import Line, paragraph
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.numbers import count
from tallymark.results import Estimate

MOST_ROWS = 20
FEW_RESPONSES = FEW


def counted(n: int) -> str:
    """Write a number of responses, with a star when they are few."""
    return count(n) + "*" * (n < FEW_RESPONSES)


def few(numbers: Sequence[int]) -> list[Line]:
    """Explain the star where there is one."""
    starred = any(n < FEW_RESPONSES for n in numbers)
    return [Line(f"* fewer than {FEW_RESPONSES} responses", "lesser")] if starred else []


def more(left: int) -> list[Line]:
    """Say how many rows were cut."""
    return [Line(f"... and {count(left)} more (see --out)", "lesser")] if left > 0 else []


def reasons(
    shown: Sequence[Shown], numbers: Sequence[Mapping[str, Estimate]], width: int
) -> list[Line]:
    """Say why a shown statistic, or its interval, is undefined."""
    found: dict[str, list[str]] = {}
    for one in shown:
        for estimate in (one.of(own) for own in numbers):
            if estimate is None or not estimate.why:
                continue
            headings = found.setdefault(_because(estimate), [])
            headings += [one.heading] if one.heading not in headings else []
    return [
        line
        for reason, headings in found.items()
        for line in paragraph(f"{', '.join(headings)}: {reason}", width, indent="  ")
    ]


def _because(found: Estimate) -> str:
    """What is missing and why; a reason beside a whole interval stands by itself."""
    why = literal(found.why)
    if math.isnan(found.value):
        return f"undefined, because {why}"
    return f"no interval, because {why}" if math.isnan(found.low) else why
