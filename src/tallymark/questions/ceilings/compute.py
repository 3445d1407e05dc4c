"""Ceilings of one part of the data after the other, and the place of each system among them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.inference import Formula, OnUnits, Settings, estimate_each
from tallymark.questions.ceilings.by_model import component_ceilings, model_table
from tallymark.questions.ceilings.findings import about_people, above_ceiling
from tallymark.questions.ceilings.formulas import rung_estimates, rung_formulas
from tallymark.questions.ceilings.kappas import KAPPAS
from tallymark.questions.ceilings.rungs import Rungs, ToPrepare, rungs_each
from tallymark.questions.ceilings.shared_error import sensitivity
from tallymark.questions.ceilings.standing import (
    as_published,
    mean_sides,
    reference_formulas,
    reference_standing,
    scored,
    system_formulas,
)
from tallymark.results import CEILING, PEOPLE, Estimate, Key, Scorer, published, system_called
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.gold import in_order
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import FACETS, Part, pooled
from tallymark.study.raters_needed import needs


class PartLadder(NamedTuple):
    """The ladder of one part of the data, and beside it each system: formulas and their units."""

    part: Part
    rungs: Rungs
    formulas: list[Formula]
    systems: dict[str, PartFormulas]

    @property
    def n(self) -> int:
        """Responses with a rating."""
        return int(self.rungs.people.rows.rated().counts.sum())


def ceilings(parts: Sequence[Part], settings: Settings) -> list[SubsetResults]:
    """Ceilings of all responses and of each prompt and trait, and where each system stands.

    Of many prompts or traits, the means alone.

    F-based limits are left to ``ceiling``: their quantiles take SciPy, half the time of a short run.
    """
    kept = [part for part in parts if set(part.where) <= {*FACETS}]
    ladders = ladders_of(kept, settings, f_based=False)
    results = part_ceilings(ladders, settings, f_based=False)
    return [*results, *mean_ceilings(ladders, settings)]


def ladders_of(
    parts: Sequence[Part], settings: Settings, *, f_based: bool = True
) -> list[PartLadder]:
    """Make the ladder of each part of the data in which a response was rated twice."""
    asked = [(part, asked) for part in parts if (asked := _to_prepare(part)) is not None]
    made = rungs_each([each for _, each in asked])
    ladders = []
    for (part, _), known in zip(asked, made, strict=True):
        rungs, names = replace(known, f_based=f_based), part.scores.roles.systems
        beside = {system: system_formulas(system, part, rungs) for system in names}
        systems = {system: each for system, each in beside.items() if each is not None}
        formulas = [*rung_formulas(rungs, settings.level)]
        ladders.append(PartLadder(part, rungs, formulas, systems))
    return ladders


def _to_prepare(part: Part) -> ToPrepare | None:
    people = part.people
    if people is None or not people.rows.twice.any():
        return None
    made = part.gold
    slots = part.scores.facts.layout == "slots" and made.rule == "first" and not in_order(part)
    return ToPrepare(people, made.rule, made.adjacency, slots)


def part_ceilings(
    ladders: Sequence[PartLadder],
    settings: Settings,
    references: Mapping[str, float] | None = None,
    *,
    f_based: bool = True,
) -> Iterator[SubsetResults]:
    """Yield the ceilings of each part that is not one of many; those of one shape take one go."""
    shown = [ladder for ladder in ladders if not ladder.part.many]
    asked = [
        (OnUnits(*each), stream_of(ladder.part.label))
        for ladder in shown
        for each in ((ladder.formulas, ladder.rungs.units), *ladder.systems.values())
    ]
    keys = [key for _, key in asked]
    made = iter(estimate_each([on for on, _ in asked], settings, keys=keys))
    for ladder in shown:
        yield from _of_part(ladder, made, settings, references, f_based=f_based)


def _of_part(
    ladder: PartLadder,
    made: Iterator[list[Estimate]],
    settings: Settings,
    references: Mapping[str, float] | None,
    *,
    f_based: bool,
) -> Iterator[SubsetResults]:
    """The ceilings of one part of the data, then the place of each system and reference."""
    part, rungs, n = ladder.part, ladder.rungs, ladder.n
    subset = subset_of(part, PEOPLE, n=n, against=CEILING)
    estimates = rung_estimates(rungs, settings, part.label, next(made))
    if (f_based or not part.where) and not part.scores.weighted:
        estimates += component_ceilings(rungs, settings, part.label)
    top = next(e for e in estimates if e.text == "ceiling_theoretical[mean]")
    curves, model = sensitivity(rungs, top), model_table(rungs)
    if not pooled(part.scores, part):
        estimates += needs([rungs.people], settings, stream_of(part.label))
    of_people = [*estimates, *part.gold.estimates(settings.level)]
    findings = about_people(of_people, n, everyone=not part.where)
    yield SubsetResults(subset, of_people, [], curves, (model,), tuple(findings))
    for system, (_, units) in ladder.systems.items():
        estimates = [scored(estimate) for estimate in next(made)]
        yield _placed(part, system_called(system), units.n, estimates, of_people, rungs)
    for name, value in (references or {}).items():
        estimates = reference_standing(value, rungs, settings, part.label)
        yield _placed(part, published(name), n, estimates, of_people, rungs)


def _placed(
    part: Part,
    scorer: Scorer,
    n: int,
    estimates: list[Estimate],
    people: Sequence[Estimate],
    rungs: Rungs,
) -> SubsetResults:
    """A system or a published number among the ceilings of a part of the data."""
    subset = subset_of(part, scorer, n=n, against=CEILING)
    above = tuple(above_ceiling(scorer.name, estimates, people, rungs.gold or "mean"))
    return SubsetResults(subset, estimates, [], findings=above)


def mean_ceilings(
    ladders: Sequence[PartLadder],
    settings: Settings,
    references: Mapping[str, float] | None = None,
) -> Iterator[SubsetResults]:
    """Yield the means over prompts or traits, with those in which responses were rated twice.

    In all responses together what prompts and traits differ by counts as reliable.
    """
    by_part = {ladder.part: ladder for ladder in ladders}
    for key, over in faceted([*by_part]):
        here = [by_part[part] for part in over]
        alike = len({ladder.rungs.people.scale.points for ladder in here}) == 1
        each: list[PartFormulas] = []
        for ladder in here:
            led = _led(ladder.rungs, alike=alike)
            each.append(([f for f in ladder.formulas if f.key in led], ladder.rungs.units))
        estimates = [replace(e, score="human") for e in means(each, key, settings)]
        if not any(pooled(part.scores, part) for part in over):
            people = [ladder.rungs.people for ladder in here]
            estimates += needs(people, settings, stream_of(f"average:{key}"), over=key)
        sizes = [ladder.n for ladder in here]
        yield SubsetResults(average_subset(PEOPLE, CEILING, key, sizes), estimates, [])
        for system in over[0].scores.roles.systems:
            beside = [ladder.systems[system] for ladder in here if system in ladder.systems]
            if len(beside) > 1:
                yield _mean_standing(system_called(system), key, beside, settings)
        for name, value in (references or {}).items():
            beside = [(reference_formulas(value, at.rungs), at.rungs.units) for at in here]
            among = _mean_standing(published(name), key, beside, settings)
            yield among._replace(estimates=[as_published(value, settings), *among.estimates])


def _led(rungs: Rungs, *, alike: bool) -> set[Key]:
    """What means are taken of: the reliability of ratings, and the ceilings of the gold in use."""
    golds = {gold for gold in (rungs.gold, "mean", "first") if gold}
    keys = {Key("reliability", of=of) for of in ("one", "mean")}
    keys |= {Key("human_human", of=of) for of in (*KAPPAS, "pearson")}
    keys |= {Key("sem", of="one")} if alike else set()
    kinds = ("theoretical", "human_like", "quantised")
    return keys | {
        Key(f"ceiling_{kind}", gold=gold) for kind in kinds for gold in (*golds, "mean_up")
    }


def _mean_standing(
    scorer: Scorer, key: str, beside: Sequence[PartFormulas], settings: Settings
) -> SubsetResults:
    """Where a system stands on average; with the mean of its statistic and of each ceiling."""
    estimates = means(beside, key, settings)
    means_of = mean_sides([e.key for e in estimates], beside)
    estimates = [
        replace(scored(estimate), parts=parts)
        for estimate, parts in zip(estimates, means_of, strict=True)
    ]
    sizes = [units.n for _, units in beside]
    return SubsetResults(average_subset(scorer, CEILING, key, sizes), estimates, [])
