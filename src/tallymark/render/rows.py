"""Rows of numbers: some statistics of some subsets, and why a number is undefined."""

import math
from collections.abc import Mapping, Sequence

from tallymark.defaults import FEW
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.numbers import count, with_interval
from tallymark.results import Estimate, Numbers

MOST_ROWS = 20
FEW_RESPONSES = FEW
Row = tuple[str, int, Numbers]
"""A name, how many responses, and the estimates."""


def worded(shown: Sequence[Shown], numbers: Mapping[str, Estimate], width: int) -> list[Line]:
    """One statistic a line, with a few words on what it says."""
    found = [(one, one.of(numbers)) for one in shown]
    cells = [(one, with_interval(value)) for one, value in found if value is not None]
    first = max((len(one.heading) for one, _ in cells), default=0)
    second = max((len(text) for _, text in cells), default=0)
    lines = []
    for one, text in cells:
        line = f"{one.heading:<{first}}  {text:<{second}}"
        fits = len(line) + 2 + len(one.words) <= width
        lines.append(Line(f"{line}  {one.words}" if fits else line.rstrip()))
    return lines


def cell(one: Shown, numbers: Mapping[str, Estimate]) -> str:
    """Write a statistic with its interval; a dash where it was not computed."""
    found = one.of(numbers)
    return "-" if found is None else with_interval(found)


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


def rows(heading: str, named: Sequence[Row], shown: Sequence[Shown], width: int) -> list[Line]:
    """The few statistics of some subsets, and why some are undefined."""
    cells = [[name, counted(n), *(cell(one, own) for one in shown)] for name, n, own in named]
    headings = [heading, "n", *(one.heading for one in shown)]
    lines = table(headings, cells, width)
    return [*lines, *reasons(shown, [own for _, _, own in named], width)]


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
