"""Contrasts: a statistic of system and person, of two people, and the difference of the two."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.agreement.correlation import disattenuated
from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.expansion import Expansion, expansion
from tallymark.inference.formula import name_of
from tallymark.questions.people.joined import Contrast
from tallymark.results import Estimate, Key, split_key
from tallymark.study.measured import home, stream_of
from tallymark.study.pairings import OnPairs, PairExpansions, expand_pairs, pairs_of
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
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
        return cls.each([PairsAsked(kind, rows, contrast, formulas)])[0]

    @classmethod
    def each(cls, many: Sequence["PairsAsked"]) -> "list[Paired]":
        """The same of several parts of the data; those of one shape take one go."""
        asked = [
            OnPairs(
                pairs.formulas,
                pairs_of(pairs.kind, pairs.rows, pairs.contrast.every, pairs.formulas),
            )
            for pairs in many
        ]
        made = []
        for pairs, here, expansions in zip(many, asked, expand_pairs(asked), strict=True):
            known = zip(pairs.formulas, expansions, strict=True)
            expanded = {formula.key: (formula, each) for formula, each in known}
            made.append(cls(pairs.kind, here.units, pairs.contrast, expanded))
        return made

    def formulas(self, which: Which | None = None) -> list[Formula]:
        """The contrasts in every statistic, of all pairings or of some."""
        return [c for key in self.expanded for c in self.contrasts(key, which)]

    def contrasts(self, key: Key, which: Which | None = None) -> list[Formula]:
        """The contrasts in one statistic; their expansions are kept with the units."""
        formula, expanded = self.expanded[key]
        of_system = self.contrast.of_system
        counted = np.ones(of_system.size, dtype=bool) if which is None else which
        system, people = counted & of_system, counted & ~of_system
        made = _contrasts(formula, tuple(system.tolist()), tuple(people.tolist()))
        shared = np.real(self.units.tally.n) > 0
        if expanded is not None and (system & shared).any() and (people & shared).any():
            sides = [expanded.mean(side & shared, self.units) for side in (system, people)]
            for contrast, known in zip(made, [*sides, self._less(*sides)], strict=True):
                self.units.kept[name_of(contrast)] = known
        return [*made]

    def _less(self, system: Expansion, people: Expansion) -> Expansion:
        moves, bias = system.moves - people.moves, system.bias - people.bias
        return expansion(system.value - people.value, moves, bias, self.units.times)


class PairsAsked(NamedTuple):
    """Statistics of one kind of tally that are wanted of every pairing of some responses."""

    kind: str
    rows: Rows
    contrast: Contrast
    formulas: Sequence[Formula]

    @classmethod
    def by_kind(
        cls, formulas: Sequence[Formula], rows: Rows, contrast: Contrast
    ) -> "list[PairsAsked]":
        """One for each kind of tally that some of the statistics need."""
        return [
            cls(kind, rows, contrast, [f for f in formulas if home(f) == kind])
            for kind in dict.fromkeys(map(home, formulas))
        ]


def contrasted(
    formulas: Sequence[Formula],
    rows: Rows,
    contrast: Contrast,
    settings: Settings,
    label: str,
) -> list[Estimate]:
    """Estimate means over two sets of pairings, and their difference, with the same resamples."""
    estimates: list[Estimate] = []
    for paired in paired_by_kind(formulas, rows, contrast):
        estimates += estimated(paired.formulas(), paired.units, settings, label)
    return estimates


def with_disattenuated(paired: Paired) -> list[Formula]:
    """The contrasts and, beside correlations, that with raters who made no errors."""
    correlated = any(f.name == "pearson" for f, _ in paired.expanded.values())
    return [
        *paired.formulas(),
        *([_disattenuated(tuple(paired.contrast.of_system.tolist()))] if correlated else []),
    ]


def paired_by_kind(formulas: Sequence[Formula], rows: Rows, contrast: Contrast) -> list[Paired]:
    """The pairings by the kind of tally that some of the statistics need."""
    return Paired.each(PairsAsked.by_kind(formulas, rows, contrast))


def estimated(
    formulas: Sequence[Formula], units: Units[Any], settings: Settings, label: str
) -> list[Estimate]:
    """Estimate contrasts, each with the kind of score that its statistic sees."""
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(estimate, score=scored(estimate)) for estimate in estimates]


class _Mean(Struct, frozen=True, eq=False):
    """The mean of a statistic over some pairings; equal ones, of any part of the data, run once."""

    name: tuple[Any, ...]
    which: tuple[bool, ...]
    of: Callable[[Any], Floats]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Mean) and (self.name, self.which) == (other.name, other.which)

    def __hash__(self) -> int:
        return hash((self.name, self.which))

    def __call__(self, pairs: Any) -> Floats:
        each, n = self.of(pairs)[..., self.which], np.real(pairs.n[..., self.which])
        shared = n > 0
        with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
            return np.asarray(np.where(shared, each, 0).sum(axis=-1) / shared.sum(axis=-1))


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
    sides = [_Mean(name_of(formula), which, formula.value) for which in (system, people)]
    plain = replace(
        formula,
        interval="abc",
        linear=None,
        influence=None,
        parts=None,
        closed_form=None,
        raters=None,
        analytic="normal",
        ddof=0,
        params={"of": formula.key},
    )
    least, most = formula.range
    return (
        replace(plain, name="human_system", value=sides[0]),
        replace(plain, name="human_human", value=sides[1]),
        replace(
            plain,
            name="degradation",
            value=_Less(*sides),
            compares=True,
            range=(least - most, most - least),
        ),
    )


@lru_cache(maxsize=64)
def _disattenuated(of_system: tuple[bool, ...]) -> Formula:
    """The correlation with raters who made no errors, on the responses rated twice."""
    others = tuple(not of for of in of_system)
    system, people, _ = _contrasts(find("pearson"), of_system, others)

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
