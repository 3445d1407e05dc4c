"""Measured: one system against the gold on one part of the data, and what was found there."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, OnUnits, Settings, Units, estimate_each
from tallymark.results import (
    GOLD,
    Comparison,
    Curve,
    Estimate,
    Finding,
    Matrix,
    ResultTable,
    Scorer,
    Subset,
    system_called,
)
from tallymark.scale import Scale
from tallymark.study.formulas import formulas_for
from tallymark.study.parts import Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairPatterns


class Measured(NamedTuple):
    """One system on one part of the data: the formulas that fit, and the units behind them."""

    part: Part
    scale: Scale
    rows: Rows
    formulas: list[Formula]
    units: dict[str, Units[Any]]

    @property
    def n(self) -> int:
        """Responses with both scores."""
        return int(self.rows.counts.sum())


class SubsetResults(NamedTuple):
    """The numbers of one subset: its estimates, tables, curves and findings."""

    subset: Subset
    estimates: list[Estimate]
    matrices: list[Matrix]
    curves: tuple[Curve, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    findings: tuple[Finding, ...] = ()


def measure(system: str, part: Part, statistics: Sequence[str]) -> Measured | None:
    """Tally one system on one part; None where the part has no score or no one scale."""
    scales = part.scales
    if scales is None:
        return None
    scale = scales[1]
    rows = part.columns(["gold", f"system:{system}"], scale)
    rows = rows.complete()
    if not rows.counts.size:
        return None
    formulas = formulas_for(
        scale, statistics, leading=part.many, lambda_=part.lambda_, critical=part.critical
    )
    return Measured(part, scale, rows, formulas, units_by_tally(formulas, rows))


def stream_of(label: str) -> int:
    """The random stream of a part of the data, so that parts are resampled independently."""
    return zlib.crc32(label.encode())


def home(formula: Formula) -> str:
    """The kind of tally a statistic of two raters is computed from."""
    return formula.tally or BY_NAME[formula.name].tallies[0]


def units_by_tally(formulas: Sequence[Formula], rows: Rows) -> dict[str, Units[Any]]:
    """The units of every tally that some statistics need."""
    units: dict[str, Units[Any]] = {}
    for kind in dict.fromkeys(map(home, formulas)):
        units[kind] = units_of(kind, rows, [f for f in formulas if home(f) == kind])
    return units


def subset_of(part: Part, subject: Scorer, *, n: int, against: Comparison = GOLD) -> Subset:
    """Name the subset of one comparison on a part of the data."""
    where = dict(part.where)
    column = next((key for key in where if key.startswith("group:")), None)
    return Subset(
        id=subset_id(subject, against, part.label),
        subject=subject,
        against=against,
        prompt=where.get("prompt"),
        trait=where.get("trait"),
        fold=where.get("fold"),
        group_column=column.removeprefix("group:") if column else None,
        group=where[column] if column else None,
        n=n,
    )


def subset_id(subject: Scorer, against: Comparison, label: str) -> str:
    """Write whose scores are compared with what, and on which part of the data."""
    pair = f"{subject}" if against == GOLD else f"{subject} against {against}"
    return "|".join(filter(None, [pair, label]))


def estimates_of(
    measured: Sequence[tuple[str, Measured]], settings: Settings
) -> list[SubsetResults]:
    """Estimate every statistic of some systems, each on a part of the data."""
    each = _estimates([(m.formulas, m.units, m.part.label) for _, m in measured], settings)
    results = []
    for (system, here), estimates in zip(measured, each, strict=True):
        subset = subset_of(here.part, system_called(system), n=here.n)
        results.append(SubsetResults(subset, estimates, matrices_of(here, system)))
    return results


def estimate_by_tally(
    formulas: Sequence[Formula], units: Mapping[str, Units[Any]], settings: Settings, label: str
) -> list[Estimate]:
    """Estimate statistics in their order; those of one tally share the resamples."""
    return _estimates([(formulas, units, label)], settings)[0]


def _estimates(
    many: Sequence[tuple[Sequence[Formula], Mapping[str, Units[Any]], str]], settings: Settings
) -> list[list[Estimate]]:
    asked, keys = [], []
    for formulas, units, label in many:
        for kind, of_kind in units.items():
            asked.append(OnUnits([f for f in formulas if home(f) == kind], of_kind))
            keys.append(stream_of(label))
    made = iter(estimate_each(asked, settings, keys=keys))
    results = []
    for formulas, units, _ in many:
        estimates = {
            estimate.text: replace(estimate, score=BY_NAME[estimate.name].score)
            for _ in units
            for estimate in next(made)
        }
        results.append([estimates[formula.key] for formula in formulas])
    return results


def matrices_of(measured: Measured, system: str) -> list[Matrix]:
    """The confusion matrix, rows gold, and the distribution of both scores; of no group."""
    scale, rows = measured.scale, measured.rows
    if measured.part.grouped or measured.part.many or scale.continuous:
        return []
    pairs = PairPatterns(rows.scores[:, 0], rows.scores[:, 1], rows.counts)
    table = pairs.table(rows.points).counts
    points = scale.labels or tuple(f"{point:g}" for point in scale.points)
    both = np.stack([table.sum(axis=1), table.sum(axis=0)], axis=1)
    return [
        Matrix(
            name="confusion",
            subset=-1,
            row_title="gold",
            rows=points,
            column_title=system,
            columns=points,
            values=_whole(table),
        ),
        Matrix(
            name="distribution",
            subset=-1,
            row_title="score",
            rows=points,
            column_title="given by",
            columns=("gold", system),
            values=_whole(both),
        ),
    ]


def _whole(table: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(count) for count in row) for row in table)
