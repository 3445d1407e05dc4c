"""Beside people: does a system agree with people as people agree with each other?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.inference import Formula, OnUnits, Settings, estimate_each
from tallymark.questions.people.contrasts import Paired, PairsAsked, scored, with_disattenuated
from tallymark.questions.people.joined import Joined, joined
from tallymark.results import AMONG_PEOPLE, OTHERS, Comparison, system_called
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.formulas import formulas_for, of_set
from tallymark.study.measured import SubsetResults, home, stream_of, subset_of
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
    every = _of_parts(system, [part for part in parts if not (part.many and part.grouped)])
    shown = [(part, against) for part, against in every if not part.many]
    yield from _results(system, {at: every[at] for at in shown}, settings)
    for key, over in faceted(parts):
        for against in (AMONG_PEOPLE, OTHERS):
            here = [every[part, against] for part in over if (part, against) in every]
            yield from mean_contrasts(system, key, against, here, settings)


def _of_parts(system: str, parts: Sequence[Part]) -> dict[tuple[Part, Comparison], PartContrasts]:
    """The contrasts with single raters, then those with the mean of the others, of each part."""
    wanted: dict[tuple[Part, Comparison], tuple[int, list[PairsAsked]]] = {}
    for part in parts:
        both = joined(system, part)
        if both is None:
            continue
        formulas = formulas_of(both, part)
        pairs = PairsAsked.by_kind(formulas, both.rows, both.single)
        wanted[part, AMONG_PEOPLE] = responses_of(both), pairs
        wide = both.beside_others()
        if wide.counts.size:
            moments = [f for f in formulas if home(f) == "moments"]
            pairs = PairsAsked.by_kind(moments, wide, both.left_out)
            wanted[part, OTHERS] = int(wide.counts.sum()), pairs
    made = iter(Paired.each([pairs for _, each in wanted.values() for pairs in each]))
    return {
        (part, against): PartContrasts.of(
            n, [next(made) for _ in each], disattenuated=against == AMONG_PEOPLE
        )
        for (part, against), (n, each) in wanted.items()
    }


def _results(
    system: str, every: Mapping[tuple[Part, Comparison], PartContrasts], settings: Settings
) -> Iterator[SubsetResults]:
    """Estimate the contrasts of some parts, those of one shape in one go."""
    asked = [OnUnits(*each) for contrasts in every.values() for each in contrasts.by_kind.values()]
    keys = [stream_of(part.label) for (part, _), c in every.items() for _ in c.by_kind]
    made = iter(estimate_each(asked, settings, keys=keys))
    for (part, against), contrasts in every.items():
        estimates = [e for _ in contrasts.by_kind for e in next(made)]
        subset = subset_of(part, system_called(system), n=contrasts.n, against=against)
        yield SubsetResults(subset, [replace(e, score=scored(e)) for e in estimates], [])


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
    sizes = [part.n for part in here]
    yield SubsetResults(average_subset(system_called(system), against, key, sizes), estimates, [])


def formulas_of(both: Joined, part: Part) -> list[Formula]:
    """The statistics in which a system is held beside people."""
    formulas = formulas_for(
        both.scale, of_set("compared", both.scale), lambda_=part.lambda_, critical=part.critical
    )
    return [f for f in formulas if home(f) in ("table", "moments")]


def responses_of(both: Joined) -> int:
    """How many responses two people and the system scored."""
    return int(both.rows.counts.sum())
