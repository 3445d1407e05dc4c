"""Contrasts: a statistic of system and person, of two people, and the difference, on the same responses."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.agreement.correlation import disattenuated
from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME, find
from tallymark.defaults import FEW, MANY_RATERS
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.expansion import Expansion, expansion
from tallymark.inference.formula import name_of
from tallymark.results import Estimate, Key, split_key
from tallymark.scale import Scale
from tallymark.study.measured import home, stream_of
from tallymark.study.pairings import (
    EveryTwo,
    OnPairs,
    PairExpansions,
    Pairing,
    expand_pairs,
    pairs_of,
)
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows

MOST_LEFT_OUT = 20
"""Of more raters only those with the most ratings are left out in turn."""


class Contrast(NamedTuple):
    """Pairings of the system with people, and of people with people, on the same responses."""

    system: list[Pairing]
    people: list[Pairing]

    @property
    def pairings(self) -> list[Pairing]:
        """All pairings, those of the system first."""
        return [*self.system, *self.people]

    @property
    def of_system(self) -> NDArray[np.bool_]:
        """Which of all pairings are of the system."""
        return np.arange(len(self.pairings)) < len(self.system)

    def without(self, rater: int) -> NDArray[np.bool_]:
        """Which of all pairings the rater has no part in."""
        return np.array(
            [
                not isinstance(ways, EveryTwo) and all(rater not in way for way in ways)
                for ways in self.pairings
            ]
        )


class Joined(NamedTuple):
    """Ratings and, in the last column, the system's scores, where two people and it scored.

    ``names`` are those of the raters in the columns; none where they are a pool.
    """

    rows: Rows
    raters: int
    scale: Scale
    names: tuple[str, ...]

    @property
    def pooled(self) -> bool:
        """Whether who gave a rating does not count."""
        return not self.names

    @property
    def single(self) -> Contrast:
        """System and rater, each against another rater."""
        if not self.pooled:
            return single(self.raters)
        # every response has two ratings or more, so each rating has another beside it
        system = [(rater, self.raters, rater) for rater in range(self.raters)]
        return Contrast([system], [EveryTwo(self.raters, self.raters)])

    @property
    def left_out(self) -> Contrast:
        """System and rater, each against the mean of the others, which has a column of its own."""
        columns = [(rater, self.raters + 1 + rater) for rater in range(self.raters)]
        system = [(mean, self.raters, rater) for rater, mean in columns]
        people = [(mean, rater, self.raters) for rater, mean in columns]
        if self.pooled:
            return Contrast([system], [people])
        return Contrast([[way] for way in system], [[way] for way in people])

    def beside_others(self) -> Rows:
        """Add for each rater the mean of the others, on responses with three ratings or more."""
        number_rated = (~np.isnan(self.rows.scores[:, : self.raters])).sum(axis=1)
        rows = self.rows.where(number_rated >= 3)
        ratings = rows.scores[:, : self.raters]
        rated = ~np.isnan(ratings)
        total, number = np.nansum(ratings, axis=1, keepdims=True), rated.sum(axis=1, keepdims=True)
        mean_of_others = np.where(rated, (total - ratings) / np.maximum(number - 1, 1), np.nan)
        return replace(rows, scores=np.concatenate([rows.scores, mean_of_others], axis=1))


def single(raters: int) -> Contrast:
    """The system, in the column after the raters, and one rater, each against another rater."""
    pairs = list(permutations(range(raters), 2))
    system: list[Pairing] = [[(first, raters, second)] for first, second in pairs]
    once = [(first, second) for first, second in pairs if first < second]
    return Contrast(system, [[(first, second, raters)] for first, second in once])


def joined(system: str, part: Part, without: str | None = None) -> Joined | None:
    """Bring ratings and the system's scores together, perhaps ``without`` those of one rater.

    A pool of raters, of whom some share few responses, is taken as one: its ratings count, not
    who gave them. Adjudicators are left out: beside raters chosen for their disagreement any
    system looks good.
    """
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return None
    people = (people if without is None else people.without([without])).without_adjudicators()
    scores = part.scores.patterns.scores[f"system:{system}"][part.rows]
    used = people.rows.twice & ~np.isnan(scores)
    if not used.any():
        return None
    scores = scores[used]
    heard = people._replace(rows=people.rows.where(used)).without_silent()
    rows = heard.rows
    shared = (~np.isnan(rows.scores)).astype(np.float64)
    common = (shared * rows.counts[:, None]).T @ shared
    enough = common.min() >= min(FEW, rows.counts.sum())
    pooled = not enough or rows.scores.shape[1] > MANY_RATERS
    ratings = rows.unnamed().scores if pooled else rows.scores
    rows = replace(rows, scores=np.concatenate([ratings, scores[:, None]], axis=1))
    rows = rows.distinct() if pooled else rows  # by rater they are distinct already
    return Joined(rows, ratings.shape[1], scales[0], () if pooled else heard.names)


def prolific(people: People) -> tuple[str, ...]:
    """The raters to leave out in turn: those who rated most responses that others rated too.

    None where fewer than three did, for one rater has nobody to agree with.
    """
    rows = people.rows.where(people.rows.twice)
    ratings = rows.counts @ (~np.isnan(rows.scores))
    chosen = sorted(np.argsort(-ratings, kind="stable")[:MOST_LEFT_OUT])
    names = tuple(people.names[rater] for rater in chosen if ratings[rater])
    return names if len(names) > 2 else ()


Which = NDArray[np.bool_]
"""Which of the pairings count."""


class Paired(NamedTuple):
    """Statistics of one kind of tally, of every pairing of some responses."""

    kind: str
    units: Units[Any]
    contrast: Contrast
    expanded: Mapping[Key, tuple[Formula, PairExpansions | None]]

    @classmethod
    def of(cls, kind: str, rows: Rows, contrast: Contrast, formulas: Sequence[Formula]) -> "Paired":
        """Tally every pairing, and work out how each response moves each statistic of it."""
        return cls.each([PairStatistics(kind, rows, contrast, formulas)])[0]

    @classmethod
    def each(cls, many: Sequence["PairStatistics"]) -> "list[Paired]":
        """The same of several parts of the data; those of one shape take one go."""
        tallies = [
            OnPairs(formulas, pairs_of(kind, rows, contrast.pairings, formulas))
            for kind, rows, contrast, formulas in many
        ]
        paired = []
        for pairs, tally, expansions in zip(many, tallies, expand_pairs(tallies), strict=True):
            keys = [formula.key for formula in pairs.formulas]
            expanded = dict(zip(keys, zip(pairs.formulas, expansions, strict=True), strict=True))
            paired.append(cls(pairs.kind, tally.units, pairs.contrast, expanded))
        return paired

    def formulas(self, counted: Which | None = None) -> list[Formula]:
        """The contrasts in every statistic, of all pairings or of some."""
        return [c for key in self.expanded for c in self.contrasts(key, counted)]

    def contrasts(self, key: Key, counted: Which | None = None) -> list[Formula]:
        """The contrasts in one statistic; their expansions are kept with the units."""
        formula, expanded = self.expanded[key]
        of_system = self.contrast.of_system
        counts = np.ones(of_system.size, dtype=bool) if counted is None else counted
        system, people = counts & of_system, counts & ~of_system
        contrasts = _contrasts(formula, tuple(system.tolist()), tuple(people.tolist()))
        shared = np.real(self.units.tally.n) > 0
        if expanded is not None and (system & shared).any() and (people & shared).any():
            sides = [expanded.mean(side & shared, self.units) for side in (system, people)]
            for contrast, expanded_side in zip(
                contrasts, [*sides, self._less(*sides)], strict=True
            ):
                self.units.kept[name_of(contrast)] = expanded_side
        return [*contrasts]

    def _less(self, system: Expansion, people: Expansion) -> Expansion:
        moves, bias = system.moves - people.moves, system.bias - people.bias
        return expansion(system.value - people.value, moves, bias, self.units.times)


class PairStatistics(NamedTuple):
    """Statistics of one kind of tally that are wanted of every pairing of some responses."""

    kind: str
    rows: Rows
    contrast: Contrast
    formulas: Sequence[Formula]

    @classmethod
    def by_kind(
        cls, formulas: Sequence[Formula], rows: Rows, contrast: Contrast
    ) -> "list[PairStatistics]":
        """One for each kind of tally that some of the statistics need."""
        return [
            cls(kind, rows, contrast, [f for f in formulas if home(f) == kind])
            for kind in dict.fromkeys(map(home, formulas))
        ]


def with_disattenuated(paired: Paired) -> list[Formula]:
    """The contrasts and, beside correlations, that with raters who made no errors."""
    formulas = paired.formulas()
    if any(formula.name == "pearson" for formula, _ in paired.expanded.values()):
        formulas.append(_disattenuated(tuple(paired.contrast.of_system.tolist())))
    return formulas


def paired_by_kind(formulas: Sequence[Formula], rows: Rows, contrast: Contrast) -> list[Paired]:
    """The pairings by the kind of tally that some of the statistics need."""
    return Paired.each(PairStatistics.by_kind(formulas, rows, contrast))


def estimated(
    formulas: Sequence[Formula], units: Units[Any], settings: Settings, label: str
) -> list[Estimate]:
    """Estimate contrasts, each with the kind of score that its statistic sees."""
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(estimate, score=scored(estimate)) for estimate in estimates]


class _Mean(Struct, frozen=True, eq=False):
    """The mean of a statistic over some pairings; equal ones, of any part of the data, run once."""

    name: tuple[Any, ...]
    pairings: tuple[bool, ...]
    statistic: Callable[[Any], Floats]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Mean) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.pairings

    def __call__(self, pairs: Any) -> Floats:
        values, n = self.statistic(pairs)[..., self.pairings], np.real(pairs.n[..., self.pairings])
        shared = n > 0
        with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
            return np.asarray(np.where(shared, values, 0).sum(axis=-1) / shared.sum(axis=-1))


class _Less(Struct, frozen=True):
    """The mean over the pairings of the system less that over those of people."""

    system: _Mean
    people: _Mean

    def __call__(self, pairs: Any) -> Floats:
        return self.system(pairs) - self.people(pairs)


class _WithoutErrors(Struct, frozen=True):
    """The correlation with raters who made no errors, from those with raters and among them."""

    system: Callable[[Any], Floats]
    people: Callable[[Any], Floats]

    def __call__(self, moments: Any) -> Floats:
        return disattenuated(self.system(moments), self.people(moments))


@lru_cache(maxsize=1024)
def _contrasts(
    formula: Formula, system: tuple[bool, ...], people: tuple[bool, ...]
) -> tuple[Formula, ...]:
    """The mean over the pairings of the system, over those of people, and the difference.

    Parts of the data on one scale share them.
    """
    sides = [_Mean(name_of(formula), pairings, formula.value) for pairings in (system, people)]
    base = replace(
        formula, interval="abc", linear=None, influence=None, parts=None, closed_form=None,
        raters=None, analytic="normal", ddof=0, params={"of": formula.key},
    )  # fmt: skip
    least, greatest = formula.range
    ends = (least - greatest, greatest - least)
    return (
        replace(base, name="human_system", value=sides[0]),
        replace(base, name="human_human", value=sides[1]),
        replace(base, name="degradation", value=_Less(*sides), compares=True, range=ends),
    )


@lru_cache(maxsize=64)
def _disattenuated(of_system: tuple[bool, ...]) -> Formula:
    """The correlation with raters who made no errors, on the responses rated twice."""
    of_people = tuple(not system for system in of_system)
    system, people, _ = _contrasts(find("pearson"), of_system, of_people)

    return Formula(
        name="disattenuated_r",
        value=_WithoutErrors(system.value, people.value),
        undefined="people do not agree beyond chance",
    )


def scored(estimate: Estimate) -> str:
    """The kind of score that the statistic of a contrast sees."""
    if "of" not in estimate.params:
        return "trimmed"
    return BY_NAME[split_key(str(estimate.params["of"]))[0]].score
