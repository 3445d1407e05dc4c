"""Beside people: does a system agree with people as people agree with each other?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tallymark.catalogue import texts
from tallymark.inference import Formula, Settings
from tallymark.questions.people.contrasts import (
    Paired,
    estimated,
    paired_by_kind,
    scored,
    with_disattenuated,
)
from tallymark.questions.people.joined import Joined, joined
from tallymark.results import AMONG_PEOPLE, OTHERS, Comparison, system_called
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, home, subset_of
from tallymark.study.parts import Part


class PartContrasts(NamedTuple):
    """Contrasts on some responses of one part of the data, by the kind of their tally."""

    n: int
    by_kind: dict[str, PartFormulas]

    @classmethod
    def of(cls, n: int, every: Sequence[Paired], *, disattenuated: bool = False) -> "PartContrasts":
        """The contrasts of all pairings, and with them the disattenuated correlation."""
        made = [with_disattenuated(p) if disattenuated else p.formulas() for p in every]
        return cls(n, {p.kind: (f, p.units) for p, f in zip(every, made, strict=True)})

    def results(
        self, system: str, part: Part, against: Comparison, settings: Settings
    ) -> SubsetResults:
        """Estimate the contrasts of one part."""
        subset = subset_of(part, system_called(system), n=self.n, against=against)
        estimates = [
            estimate
            for formulas, units in self.by_kind.values()
            for estimate in estimated(formulas, units, settings, part.label)
        ]
        return SubsetResults(subset, estimates, [])


def compared_with_people(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Does the system agree with people as people agree with each other, on the same responses?

    First against single raters: of every two raters who share responses, their agreement with
    each other and the system's with each of them, on just these responses. Then, with three raters
    or more, left out in turn: system and rater each against the mean of the other raters.

    Of each part of the data that is not one of many, then the means over prompts or traits in which responses were rated
    twice: agreement on all responses together also reflects how prompts and traits differ.
    """
    every: dict[tuple[Part, Comparison], PartContrasts] = {}
    for part in parts:
        both = None if part.many and part.grouped else joined(system, part)
        for against, contrasts in [] if both is None else _of_part(part, both):
            every[part, against] = contrasts
            if not part.many:
                yield contrasts.results(system, part, against, settings)
    for key, over in faceted(parts):
        for against in (AMONG_PEOPLE, OTHERS):
            here = [every[part, against] for part in over if (part, against) in every]
            yield from mean_contrasts(system, key, against, here, settings)


def _of_part(part: Part, both: Joined) -> Iterator[tuple[Comparison, PartContrasts]]:
    """Yield the contrasts with single raters, then those with the mean of the others."""
    formulas = formulas_of(both, part)
    paired = [*paired_by_kind(formulas, both.rows, both.single)]
    yield AMONG_PEOPLE, PartContrasts.of(responses_of(both), paired, disattenuated=True)
    wide = both.beside_others()
    if wide.counts.size:
        moments = [f for f in formulas if home(f) == "moments"]
        paired = [*paired_by_kind(moments, wide, both.left_out)]
        yield OTHERS, PartContrasts.of(int(wide.counts.sum()), paired)


def mean_contrasts(
    system: str,
    key: str,
    against: Comparison,
    here: Sequence[PartContrasts],
    settings: Settings,
) -> Iterator[SubsetResults]:
    """Yield the means of contrasts over prompts or traits; nothing where fewer than two have them."""
    if len(here) < 2:
        return
    shared = [kind for kind in here[0].by_kind if all(kind in part.by_kind for part in here)]
    estimates = [
        replace(estimate, score=scored(estimate))
        for kind in shared
        for estimate in means([part.by_kind[kind] for part in here], key, settings)
    ]
    n = sum(part.n for part in here)
    yield SubsetResults(average_subset(system_called(system), against, key, n), estimates, [])


def formulas_of(both: Joined, part: Part) -> list[Formula]:
    """The statistics in which a system is held beside people."""
    formulas = formulas_for(
        both.scale, texts("compared"), lambda_=part.lambda_, critical=part.critical
    )
    return [f for f in formulas if home(f) in ("table", "moments")]


def responses_of(both: Joined) -> int:
    """How many responses two people and the system scored."""
    return int(both.rows.counts.sum())
