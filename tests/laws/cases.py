"""Every statistic of the catalogue, each with every named parameter and tally it accepts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from tallymark.evaluation.catalogue import BY_NAME, CATALOGUE
from tallymark.evaluation.statistic import Statistic
from tallymark.evaluation.units import Rows, units_of
from tallymark.inference import Units
from tallymark.results import named
from tallymark.tally import (
    PairCounts,
    PairPatterns,
    PanelCounts,
    PanelMoments,
    PanelPatterns,
    RaterCounts,
)

Floats = NDArray[np.float64]
PAIRWISE = ("table", "moments", "ranks", "errors")


@dataclass(frozen=True, slots=True)
class Case:
    """One statistic with one choice of parameters on one kind of tally."""

    row: Statistic
    params: Mapping[str, Any]
    tally: str

    @property
    def name(self) -> str:
        """The statistic's name in the catalogue."""
        return self.row.name

    def __str__(self) -> str:
        """The name with parameters and tally, for messages."""
        return f"{named(self.name, self.row.check(self.params))} of {self.tally}"

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


def _choices(row: Statistic) -> list[dict[str, str]]:
    found = [{key: value} for key, values in row.choices.items() for value in values]
    return found or [{}]


CASES = tuple(
    Case(row, params, tally)
    for row in CATALOGUE
    for params in _choices(row)
    for tally in row.tallies
)

EXEMPT: dict[str, dict[str, str]] = {
    "perfect": {
        "prevalence_index": "describes the data; no value is best",
        "prevalence_doewes": "describes the data; no value is best",
    },
    "range": {"icc": "type 2,k leaves its range where responses differ less than chance gives"},
    "undefined": {"icc": "each type has its own denominator; see the laws of panels"},
    "relabelling": {},
}
"""By law: the statistics for which it does not hold, and why."""


def cases(law: str, tallies: tuple[str, ...] = PAIRWISE) -> list[Case]:
    """The cases a law is tested on."""
    exempt = EXEMPT.get(law, {})
    return [case for case in CASES if case.name not in exempt and case.tally in tallies]


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
            self.made[kind] = units_of(kind, self.rows)
        return self.made[kind]


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


KINDS = (*PAIRWISE, "panel", "pairable", "raters", "complete", "pairwise")


def tally_of(kind: str, scores: Floats, points: Floats) -> Any:
    """Tally scores directly, without units."""
    match kind:
        case "table" | "moments" | "ranks" | "errors":
            return _pairs(kind, PairPatterns.of(*scores.T), points)
        case "raters":
            return RaterCounts(RaterCounts.rows(scores, points).sum(axis=0), points)
        case "pairwise":
            pairs = [PairPatterns.of(a, b) for a, b in combinations(scores.T, 2)]
            tables = [np.asarray(pair.table(points).counts, np.float64) for pair in pairs]
            return PairCounts(np.stack(tables), points)
        case "complete":
            return PanelMoments(PanelMoments.rows(scores - 2.0).sum(axis=0), 2.0)
    counts = np.ones(len(scores), dtype=np.int64)
    return PanelCounts.of(PanelPatterns(scores, counts).ratings(points), points)


def _pairs(kind: str, pairs: PairPatterns, points: Floats) -> Any:
    match kind:
        case "table":
            return pairs.table(points)
        case "moments":
            return pairs.moments(2.0)
        case "errors":
            return pairs.errors()
    return pairs


NAMES = tuple(BY_NAME)
