"""Contrasts: a statistic of system and person, of two people, and the difference of the two."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.agreement.correlation import disattenuated
from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.expansion import Expansion, expansion
from tallymark.inference.formula import name_of
from tallymark.questions.people.joined import Contrast
from tallymark.results import Estimate, Key, split_key
from tallymark.study.measured import home, stream_of
from tallymark.study.pairings import PairExpansions, expand_pairs, pairs_of
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
        units = pairs_of(kind, rows, contrast.every, formulas)
        shared = np.real(units.tally.n) > 0
        expanded = {f.key: (f, expand_pairs(f, units, shared)) for f in formulas}
        return cls(kind, units, contrast, expanded)

    def formulas(self, which: Which | None = None) -> list[Formula]:
        """The contrasts in every statistic, of all pairings or of some."""
        return [c for key in self.expanded for c in self.contrasts(key, which)]

    def contrasts(self, key: Key, which: Which | None = None) -> list[Formula]:
        """The contrasts in one statistic; their expansions are kept with the units."""
        formula, expanded = self.expanded[key]
        of_system = self.contrast.of_system
        counted = np.ones(of_system.size, dtype=bool) if which is None else which
        system, people = counted & of_system, counted & ~of_system
        made = list(_contrasts(formula, system, people))
        shared = np.real(self.units.tally.n) > 0
        if expanded is not None and (system & shared).any() and (people & shared).any():
            sides = [expanded.mean(side & shared, self.units) for side in (system, people)]
            for contrast, known in zip(made, [*sides, self._less(*sides)], strict=True):
                self.units.kept[name_of(contrast)] = known
        return made

    def _less(self, system: Expansion, people: Expansion) -> Expansion:
        moves, bias = system.moves - people.moves, system.bias - people.bias
        return expansion(system.value - people.value, moves, bias, self.units.times)


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
    return [*paired.formulas(), *([_disattenuated(paired.contrast)] if correlated else [])]


def paired_by_kind(formulas: Sequence[Formula], rows: Rows, contrast: Contrast) -> Iterator[Paired]:
    """The pairings by the kind of tally that some of the statistics need."""
    for kind in dict.fromkeys(map(home, formulas)):
        yield Paired.of(kind, rows, contrast, [f for f in formulas if home(f) == kind])


def estimated(
    formulas: Sequence[Formula], units: Units[Any], settings: Settings, label: str
) -> list[Estimate]:
    """Estimate contrasts, each with the kind of score that its statistic sees."""
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(estimate, score=scored(estimate)) for estimate in estimates]


def _contrasts(formula: Formula, system: Which, people: Which) -> Iterator[Formula]:
    """The mean over the pairings of the system, over those of people, and the difference."""

    def among(which: Which) -> Any:
        def value(pairs: Any) -> Floats:
            each, n = formula.value(pairs)[..., which], np.real(pairs.n[..., which])
            shared = n > 0
            with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
                return np.asarray(np.where(shared, each, 0).sum(axis=-1) / shared.sum(axis=-1))

        return value

    of_system, of_people = among(system), among(people)
    plain = replace(
        formula,
        interval="abc",
        linear=None,
        influence=None,
        parts=None,
        closed_form=None,
        analytic="normal",
        ddof=0,
        params={"of": formula.key},
    )
    yield replace(plain, name="human_system", value=of_system)
    yield replace(plain, name="human_human", value=of_people)
    least, most = formula.range
    yield replace(
        plain,
        name="degradation",
        value=lambda t: of_system(t) - of_people(t),
        range=(least - most, most - least),
    )


def _disattenuated(contrast: Contrast) -> Formula:
    """The correlation with raters who made no errors, on the responses rated twice."""
    of_system = contrast.of_system
    system, people, _ = _contrasts(find("pearson"), of_system, ~of_system)

    def value(moments: Any) -> Floats:
        return disattenuated(system.value(moments), people.value(moments))

    return Formula(
        name="disattenuated_r", value=value, undefined="people do not agree beyond chance"
    )


def scored(estimate: Estimate) -> str:
    """The kind of score that the statistic of a contrast sees."""
    if "of" not in estimate.params:
        return "trimmed"
    return BY_NAME[split_key(str(estimate.params["of"]))[0]].score
