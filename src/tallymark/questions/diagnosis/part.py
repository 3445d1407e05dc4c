"""One part of the data under diagnosis: the scores, and the numbers that are known of them."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

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


class SystemOnPart(NamedTuple):
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


def scores_on_part(
    system: str, part: Part, results: Mapping[Where, SubsetResults]
) -> SystemOnPart | None:
    """Gather what is known; None where the system was not measured on this part."""
    scales = part.scales
    subset = partial(subset_of, part, system_called(system), n=0)
    against_gold = results.get(subset().where)
    if scales is None or against_gold is None:
        return None
    scale = scales[1]
    rows = part.columns(["gold", f"system:{system}"], scale).complete()
    pairs = PairPatterns(rows.scores[:, 0], rows.scores[:, 1], rows.counts)
    table = None if scale.continuous else pairs.table(rows.points)
    true = results.get(subset(against=TRUE_SCORES).where)
    people = results.get(subset(against=AMONG_PEOPLE).where)
    return SystemOnPart(
        system=system,
        part=part,
        scale=scale,
        rows=rows,
        table=table,
        numbers=_by_text(against_gold),
        true=_by_text(true),
        people=_by_text(people),
        ceiling=_ceiling(part, results),
    )


def _by_text(results: SubsetResults | None) -> dict[str, Estimate]:
    """The estimates of a subset by their text."""
    return {} if results is None else {estimate.text: estimate for estimate in results.estimates}


def _ceiling(part: Part, results: Mapping[Where, SubsetResults]) -> Estimate | None:
    """The theoretical ceiling of QWK for the gold in use."""
    people = results.get(subset_of(part, PEOPLE, n=0, against=CEILING).where)
    rule = part.gold.rule
    ceiling = _by_text(people).get(
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
    on_part: SystemOnPart, table: PairCounts, share_of: Callable[[PairCounts], Any], level: float
) -> Interval:
    """Wilson interval of a share of a table, from as many responses as its clusters are worth."""
    share, n = float(share_of(table)), float(on_part.n)
    if on_part.rows.clusters is not None and 0 < share < 1:
        units = units_of("cells", on_part.rows)
        se = standard_error(influence(share_of, units), units.times, ddof=1)
        effective = share * (1 - share) / se**2 if se > 0 else n
        n = 1.0 if math.isnan(se) else min(n, effective)  # one cluster is worth one response
    return wilson(share, n, level)


def point(scale: Scale, value: float) -> str:
    """Write a score point as the user knows it."""
    label = scale.called(value)
    return label if isinstance(label, str) else f"{value:g}"


def value_of(numbers: Numbers, text: str) -> float:
    """The value of a statistic, NaN where it is not known."""
    return numbers[text].value if text in numbers else math.nan


def finding(
    on_part: SystemOnPart,
    name: str,
    numbers: Mapping[str, float],
    *,
    texts: Mapping[str, str] | None = None,
    loud: bool = True,
) -> Finding:
    """A finding on this part of the data."""
    return Finding(
        name=name,
        system=on_part.system,
        numbers=numbers,
        texts=texts or {},
        weight="loud" if loud else "quiet",
    )


def result_table(
    name: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = ""
) -> ResultTable:
    """A table whose undefined numbers are empty."""
    cells = tuple(
        tuple(None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row)
        for row in rows
    )
    return ResultTable(name=name, title=title, columns=tuple(columns), rows=cells, note=note)


def most_common(on_part: SystemOnPart, counts: Any) -> str:
    """The score point that has the greatest of the counts."""
    return point(on_part.scale, on_part.scale.points[int(np.argmax(counts))])
