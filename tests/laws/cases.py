"""Every statistic of the catalogue, each with every named parameter and tally it accepts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, FORMULAS, Row
from tallymark.inference import Formula, Units
from tallymark.results import Key
from tallymark.study.panel import panel_units
from tallymark.study.units import Rows, distances_for
from tallymark.tally import (
    GapCounts,
    OneWay,
    PairCounts,
    PairPatterns,
    PanelCounts,
    PanelMoments,
    RaterMargins,
    nearest,
)
from tallymark.tally.pairs import gap_places

Floats = NDArray[np.float64]
PAIRWISE = ("table", "cells", "ordinal", "moments", "ranks", "errors", "gaps")


@dataclass(frozen=True, slots=True)
class Case:
    """One statistic with one choice of parameters on one kind of tally."""

    row: Row
    params: Mapping[str, Any]
    tally: str

    @property
    def name(self) -> str:
        """The statistic's name in the catalogue."""
        return self.row.name

    def __str__(self) -> str:
        """The name with parameters and tally, for messages."""
        return f"{Key(self.name, **self.row.check(self.params))} of {self.tally}"

    def value(self, tally: Any) -> Floats:
        """The statistic of a tally."""
        return self.row.bind(self.params).value(tally)

    @property
    def distance(self) -> str:
        """How the statistic sees two points: the word for its weights."""
        params = self.row.check(self.params)
        alpha = {"nominal": "identity", "interval": "quadratic"}
        metric = params.get("metric", "")
        return str(params.get("weights", alpha.get(metric, metric)))


def _choices(row: Row) -> list[dict[str, str]]:
    found = [{key: value} for key, values in row.choices.items() for value in values]
    return found or [{}]


CASES = tuple(
    Case(row, params, tally)
    for row in FORMULAS
    for params in _choices(row)
    for tally in ([row.bind(params).tally] if row.bind(params).tally else row.tallies)
)
OTHER_HOMES = (
    *(
        Case(BY_NAME["icc"], {"type": t}, kind)
        for t in ("1,1", "1,k")
        for kind in ("oneway", "equal")
    ),
    Case(BY_NAME["krippendorff_alpha"], {"metric": "interval"}, "spread"),
)
"""Panels whose ratings differ in number, or need not lie on points, have tallies of their own."""

EXEMPT: dict[str, dict[str, str]] = {
    "perfect": {
        "prevalence_index": "describes the data; no value is best",
        "prevalence_doewes": "describes the data; no value is best",
        "sd_ratio": "1 is best, which is neither end of its range nor 0",
    },
    "undefined": {"icc": "each type has its own denominator; see the laws of panels"},
    "relabelling": {},
}
"""By law: the statistics for which it does not hold, and why."""


def cases(law: str, tallies: tuple[str, ...] = PAIRWISE) -> list[Case]:
    """The cases a law is tested on."""
    exempt = EXEMPT.get(law, {})
    return [
        case for case in (*CASES, *OTHER_HOMES) if case.name not in exempt and case.tally in tallies
    ]


@dataclass(frozen=True, slots=True)
class Scores:
    """Points of a scale and responses x raters as positions on it, NaN missing."""

    positions: Floats
    points: Floats

    @property
    def values(self) -> Floats:
        """The scores themselves."""
        safe = np.nan_to_num(self.positions).astype(int)
        return np.where(np.isnan(self.positions), np.nan, self.points[safe])

    def units(self) -> "Lazy":
        """The units of every kind of tally."""
        counts = np.ones(len(self.positions), dtype=np.int64)
        return Lazy(Rows(self.values, counts, self.points), {})


@dataclass(frozen=True, slots=True)
class Lazy:
    """Units by kind of tally, made when first asked for."""

    rows: Rows
    made: dict[str, Units[Any]]

    def __getitem__(self, kind: str) -> Units[Any]:
        """The units of one kind."""
        if kind not in self.made:
            self.made[kind] = panel_units(kind, self.rows, formulas_of(kind, self.rows.points))
        return self.made[kind]


def formulas_of(kind: str, points: Floats) -> list[Formula]:
    """All formulas that take one kind of tally; ratio weights need points of one sign."""
    mixed = points[0] < 0 < points[-1]
    here = [case for case in CASES if case.tally == kind]
    return [c.row.bind(c.params) for c in here if not mixed or c.distance != "ratio"]


def scores(
    raters: int = 2, low: int = 0, most: int = 25, gaps: bool = False
) -> st.SearchStrategy[Scores]:
    """Up to ``most`` responses on a scale of one to five points."""

    def responses(k: int) -> st.SearchStrategy[Scores]:
        score = st.integers(0, k - 1).map(float)
        score = score | st.just(math.nan) if gaps else score
        rows = st.lists(st.tuples(*[score] * raters), min_size=low, max_size=most)
        points = np.arange(1.0, k + 1)
        return rows.map(lambda rows: Scores(np.array(rows).reshape(-1, raters), points))

    return st.integers(1, 5).flatmap(responses)


PANELS = (
    "panel", "pairable", "ordinal", "raters", "complete", "pairwise", "oneway", "spread", "equal",
)  # fmt: skip
KINDS = (*PAIRWISE, *PANELS)


def tally_of(kind: str, scores: Floats, points: Floats) -> Any:
    """Tally scores directly, without units."""
    match kind:
        case "table" | "cells" | "moments" | "ranks" | "errors" | "gaps":
            return _pairs(kind, PairPatterns.of(*scores.T), points)
        case "raters":
            distances = distances_for(formulas_of(kind, points), points)
            rows = RaterMargins.rows(nearest(scores, points), points.size, distances)
            return RaterMargins(rows.sum(axis=0), points, distances)
        case "pairwise":
            pairs = [PairPatterns.of(a, b) for a, b in combinations(scores.T, 2)]
            tables = [np.asarray(pair.table(points).counts, np.float64) for pair in pairs]
            return PairCounts(np.stack(tables), points)
        case "complete" | "equal":
            rows = np.sort(scores, axis=1) if kind == "equal" else scores
            return PanelMoments(PanelMoments.rows(rows - 2.0).sum(axis=0), 2.0)
        case "oneway" | "spread":
            least = 2 if kind == "spread" else 1
            rated = scores[(~np.isnan(scores)).sum(axis=1) >= least]
            return OneWay(OneWay.rows(rated - 2.0).sum(axis=0))
    panel = PanelCounts.of_index(nearest(scores, points), points)
    return panel if kind == "panel" else panel.coincidences


def _pairs(kind: str, pairs: PairPatterns, points: Floats) -> Any:
    match kind:
        case "table" | "cells":
            return pairs.table(points)
        case "moments":
            return pairs.moments(2.0)
        case "errors":
            return pairs.errors()
        case "gaps":
            place = gap_places(pairs.first, pairs.second, points[-1] - points[0])
            counts = np.bincount(place, weights=pairs.counts, minlength=1001)
            return GapCounts(counts, points[-1] - points[0])
    return pairs


NAMES = tuple(row.name for row in FORMULAS)
