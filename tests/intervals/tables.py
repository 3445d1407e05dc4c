"""How measured coverage is written in docs/coverage.md."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.intervals.coverage import Coverage

LEVEL = 0.95
Cells = Mapping[str, Coverage]
Text = Callable[[Coverage | None], str]


def standard_error(runs: float) -> float:
    """Of a share of so many samples, where the level holds."""
    return math.sqrt(LEVEL * (1 - LEVEL) / runs)


def too_narrow(found: Coverage) -> bool:
    """Whether it held the true value less often than chance explains."""
    return known(found) and found.share < LEVEL - 3 * standard_error(found.made)


def known(found: Coverage | None) -> bool:
    """Whether enough samples have an interval."""
    return found is not None and found.made >= found.runs / 10


def share(found: Coverage | None) -> str:
    """Coverage: bold where it is too low for chance, slanted where it is too high."""
    if found is None or not known(found):
        return "–"
    text = plain(found.share)
    if too_narrow(found):
        return f"**{text}**"
    return f"*{text}*" if found.share > LEVEL + 3 * standard_error(found.made) else text


def plain(number: float) -> str:
    """Three decimals, without the leading zero."""
    return f"{number:.3f}".removeprefix("0") if number < 1 else "1.000"


def paired(found: Coverage | None) -> bool:
    """Whether enough samples have BCa beside."""
    return found is not None and found.paired >= 100


def difference(found: Coverage | None) -> str:
    """Coverage less that of BCa, in thousandths, with its standard error."""
    if found is None or not paired(found):
        return "–"
    mean, error = found.difference
    text = f"{1000 * mean:+.0f} ± {1000 * error:.0f}"
    return f"**{text}**" if less(found) and found.share < LEVEL else text


def both(found: Coverage | None) -> str:
    """Coverage, and in brackets the difference from BCa."""
    return f"{share(found)} ({difference(found)})" if paired(found) else share(found)


def less(found: Coverage) -> bool:
    """Whether BCa held more often, by more than three standard errors."""
    mean, error = found.difference
    return paired(found) and mean < -3 * error


def pooled(cells: Iterable[Coverage]) -> Coverage:
    """Several cells as one."""
    each = list(cells)
    names = ("runs", "made", "too_low", "too_high", "paired", "alone", "bca_alone")
    total = {name: sum(getattr(one, name) for one in each) for name in names}
    return Coverage(true=math.nan, width=math.nan, **total)


def samples(cells: Mapping[str, Cells]) -> str:
    """How many samples a section has, and the standard error of a share of them."""
    runs = max(one.runs for own in cells.values() for one in own.values())
    return f"{runs:,} samples (standard error {plain(standard_error(runs))})"


def grid(
    corner: str,
    lines: Mapping[str, str],
    columns: Mapping[str, Cells],
    *,
    text: Text = share,
) -> str:
    """A table: a line for each statistic (words: name), a column for each population."""
    rows = [
        f"| {corner} | {' | '.join(columns)} |",
        "|---|" + "---|" * len(columns),
        *(
            f"| {words} | {' | '.join(text(cells.get(name)) for cells in columns.values())} |"
            for words, name in lines.items()
        ),
    ]
    return "\n".join(rows)


def named(names: Iterable[str]) -> dict[str, str]:
    """Statistics that are called what they are."""
    return {name: name for name in names}


def cut(cells: Mapping[str, Cells], columns: Sequence[str]) -> dict[str, Cells]:
    """These columns, in this order."""
    return {column: cells[column] for column in columns}
