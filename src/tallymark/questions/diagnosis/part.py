"""One part of the data under diagnosis: the scores, and the numbers that are known of them."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tallymark.inference.influence import influence, standard_error
from tallymark.inference.interval import Interval, wilson
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    PEOPLE,
    TRUE_SCORES,
    Estimate,
    Finding,
    Key,
    Numbers,
    ResultTable,
    system_called,
)
from tallymark.scale import Scale
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part
from tallymark.study.rows import Rows
from tallymark.study.units import units_of
from tallymark.tally import PairCounts, PairPatterns

QWK, KAPPA, AC = "cohen_kappa[quadratic]", "cohen_kappa[identity]", "gwet_ac[quadratic]"
ACCEPTED = 0.695
"""QWK of .70, rounded normally."""
Cell = str | int | float | None
Where = tuple[object, ...]


class Here(NamedTuple):
    """A system on a part of the data; ``table`` is None where the scale is continuous.

    ``numbers`` are those against the gold, ``true`` those against true scores, ``people`` those
    beside people.
    """

    system: str
    part: Part
    scale: Scale
    rows: Rows
    table: PairCounts | None
    numbers: Numbers
    true: Numbers
    people: Numbers
    ceiling: Estimate | None

    @property
    def n(self) -> int:
        """Responses with both scores."""
        return int(self.rows.counts.sum())


def here_of(system: str, part: Part, results: Mapping[Where, SubsetResults]) -> Here | None:
    """Gather what is known; None where the system was not measured on this part."""
    scales = part.scales
    known = results.get(subset_of(part, system_called(system), n=0).where)
    if scales is None or known is None:
        return None
    scale = scales[1]
    rows = part.columns(["gold", f"system:{system}"], scale).complete()
    pairs = PairPatterns(rows.scores[:, 0], rows.scores[:, 1], rows.counts)
    table = None if scale.continuous else pairs.table(rows.points)
    true = results.get(subset_of(part, system_called(system), n=0, against=TRUE_SCORES).where)
    beside = results.get(subset_of(part, system_called(system), n=0, against=AMONG_PEOPLE).where)
    return Here(
        system, part, scale, rows, table, by_text(known), by_text(true),
        by_text(beside), _ceiling(part, results),
    )  # fmt: skip


def by_subset(results: Sequence[SubsetResults]) -> dict[Where, SubsetResults]:
    """What was found, by what was compared and on which part."""
    known: dict[Where, SubsetResults] = {}
    for of_subset in results:
        known.setdefault(of_subset.subset.where, of_subset)
    return known


def by_text(results: SubsetResults | None) -> dict[str, Estimate]:
    """The estimates of a subset by their text."""
    return {} if results is None else {estimate.text: estimate for estimate in results.estimates}


def _ceiling(part: Part, results: Mapping[Where, SubsetResults]) -> Estimate | None:
    """The theoretical ceiling of QWK for the gold in use."""
    people = results.get(subset_of(part, PEOPLE, n=0, against=CEILING).where)
    rule = part.gold.rule
    ceiling = by_text(people).get(
        Key("ceiling_theoretical", gold="mean" if rule == "sum" else rule)
    )
    return ceiling if ceiling is not None and not math.isnan(ceiling.value) else None


def settled_above(estimate: Estimate | None, limit: float) -> bool:
    """Whether the whole interval lies at the limit or above."""
    return estimate is not None and estimate.low >= limit


def settled_below(estimate: Estimate | None, limit: float) -> bool:
    """Whether the whole interval lies below the limit."""
    return estimate is not None and estimate.high < limit


def share_ends(
    here: Here, table: PairCounts, of: Callable[[PairCounts], Any], level: float
) -> Interval:
    """Wilson interval of a share of a table, from as many responses as its clusters are worth."""
    share, n = float(of(table)), float(here.n)
    if here.rows.clusters is not None and 0 < share < 1:
        units = units_of("cells", here.rows)
        se = standard_error(influence(of, units), units.times, ddof=1)
        worth = share * (1 - share) / se**2 if se > 0 else n
        n = 1.0 if math.isnan(se) else min(n, worth)  # one cluster is worth one response
    return wilson(share, n, level)


def point(scale: Scale, value: float) -> str:
    """Write a score point as the user knows it."""
    called = scale.called(value)
    return called if isinstance(called, str) else f"{value:g}"


def value_of(numbers: Numbers, text: str) -> float:
    """The value of a statistic, NaN where it is not known."""
    return numbers[text].value if text in numbers else math.nan


def finding(
    here: Here,
    name: str,
    numbers: Mapping[str, float],
    *,
    texts: Mapping[str, str] | None = None,
    loud: bool = True,
) -> Finding:
    """A finding on this part of the data."""
    return Finding(
        name=name,
        system=here.system,
        numbers=numbers,
        texts=texts or {},
        weight="loud" if loud else "quiet",
    )


def table_of(
    name: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = ""
) -> ResultTable:
    """A table whose undefined numbers are empty."""
    cells = tuple(
        tuple(None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row)
        for row in rows
    )
    return ResultTable(name=name, title=title, columns=tuple(columns), rows=cells, note=note)
