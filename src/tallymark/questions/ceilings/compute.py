"""Ceilings of one part of the data after the other, and the place of each system among them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.arrays import Floats
from tallymark.defaults import RELIABLY
from tallymark.inference import Formula, OnUnits, Settings, estimate_each
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joint_formulas import values_each
from tallymark.questions.ceilings.formulas import (
    HumanLike,
    Modelled,
    Theoretical,
    component_ceilings,
    model_table,
    rung_estimates,
    rung_formulas,
    sensitivity,
)
from tallymark.questions.ceilings.ladder import (
    KAPPAS,
    Ladder,
    kappa_in,
    kappa_on,
    ladder_units,
    qwk_of_people,
    r_of_people,
)
from tallymark.questions.ceilings.rungs import PeopleAndGold, Rungs, rungs_each
from tallymark.reliability.congeneric import RANDOM
from tallymark.results import (
    CEILING,
    PEOPLE,
    Estimate,
    Finding,
    Key,
    Scorer,
    published,
    system_called,
)
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.gold import in_order
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import FACETS, Part, pooled
from tallymark.study.raters_needed import needs


class PartLadder(NamedTuple):
    """The ladder of one part of the data, and beside it each system and each published number."""

    part: Part
    rungs: Rungs
    formulas: list[Formula]
    scorers: dict[Scorer, PartFormulas]
    references: Mapping[str, float]

    @property
    def n(self) -> int:
        """Responses with a rating."""
        return int(self.rungs.people.rows.rated().counts.sum())


def ceilings(parts: Sequence[Part], settings: Settings) -> list[SubsetResults]:
    """Ceilings of all responses and of each prompt and trait, and where each system stands.

    Of many prompts or traits, the means alone.

    F-based limits are left to ``ceiling``: their quantiles take SciPy, half the time of a short run.
    """
    ungrouped = [part for part in parts if set(part.where) <= {*FACETS}]
    ladders = ladders_of(ungrouped, settings, f_based=False)
    return [*part_ceilings(ladders, settings, f_based=False), *mean_ceilings(ladders, settings)]


def ladders_of(
    parts: Sequence[Part],
    settings: Settings,
    references: Mapping[str, float] = MappingProxyType({}),
    *,
    f_based: bool = True,
) -> list[PartLadder]:
    """Make the ladder of each part of the data in which a response was rated twice.

    ``references`` are published numbers to be placed among the ceilings.
    """
    raters_and_golds = {part: _raters_and_gold(part) for part in parts}
    prepared = {part: raters for part, raters in raters_and_golds.items() if raters is not None}
    ladders = []
    for part, plain_rungs in zip(prepared, rungs_each([*prepared.values()]), strict=True):
        rungs = replace(plain_rungs, f_based=f_based)
        scorers: dict[Scorer, PartFormulas] = {}
        for system in part.scores.roles.systems:
            on_part = system_formulas(system, part, rungs)
            if on_part is not None:
                scorers[system_called(system)] = on_part
        for name, number in references.items():
            compared = [*_compared("reference", _Published(number), rungs)]
            scorers[published(name)] = compared, rungs.units
        formulas = [*rung_formulas(rungs, settings.level)]
        ladders.append(PartLadder(part, rungs, formulas, scorers, references))
    return ladders


def _raters_and_gold(part: Part) -> PeopleAndGold | None:
    people, gold = part.people, part.gold
    if people is None or not people.rows.twice.any():
        return None
    slots = part.scores.facts.layout == "slots" and gold.rule == "first" and not in_order(part)
    return PeopleAndGold(people, gold.rule, gold.adjacency, slots)


def part_ceilings(
    ladders: Sequence[PartLadder], settings: Settings, *, f_based: bool = True
) -> Iterator[SubsetResults]:
    """Yield the ceilings of each part that is not one of many; those of one shape take one go."""
    few = [ladder for ladder in ladders if not ladder.part.many]
    batch = [
        (OnUnits(*formulas_and_units), stream_of(ladder.part.label))
        for ladder in few
        for formulas_and_units in ((ladder.formulas, ladder.rungs.units), *ladder.scorers.values())
    ]
    keys = [key for _, key in batch]
    estimates = iter(estimate_each([on_units for on_units, _ in batch], settings, keys=keys))
    for ladder in few:
        yield from _of_part(ladder, estimates, settings, f_based=f_based)


def _of_part(
    ladder: PartLadder, estimated: Iterator[list[Estimate]], settings: Settings, *, f_based: bool
) -> Iterator[SubsetResults]:
    """The ceilings of one part of the data, then the place of each system and published number."""
    part, rungs, n = ladder.part, ladder.rungs, ladder.n
    estimates = rung_estimates(rungs, settings, part.label, next(estimated))
    if (f_based or not part.where) and not part.scores.weighted:
        estimates += component_ceilings(rungs, settings, part.label)
    top = next(e for e in estimates if e.text == "ceiling_theoretical[mean]")
    if not pooled(part.scores, part):
        estimates += needs([rungs.people], settings, stream_of(part.label))
    people = [*estimates, *part.gold.estimates(settings.level)]
    yield SubsetResults(
        subset_of(part, PEOPLE, n=n, against=CEILING), people, [], sensitivity(rungs, top),
        (model_table(rungs),), tuple(about_people(people, n, everyone=not part.where)),
    )  # fmt: skip
    for scorer, (_, units) in ladder.scorers.items():
        estimates = next(estimated)
        if scorer.is_system:
            estimates = [scored(estimate) for estimate in estimates]
        else:
            estimates = [_as_published(ladder.references[scorer.name], settings), *estimates]
        findings = tuple(above_ceiling(scorer.name, estimates, people, rungs.gold or "mean"))
        subset = subset_of(part, scorer, n=units.n if scorer.is_system else n, against=CEILING)
        yield SubsetResults(subset, estimates, [], findings=findings)


def mean_ceilings(ladders: Sequence[PartLadder], settings: Settings) -> Iterator[SubsetResults]:
    """Yield the means over prompts or traits, with those in which responses were rated twice.

    In all responses together what prompts and traits differ by counts as reliable.
    """
    by_part = {ladder.part: ladder for ladder in ladders}
    for key, over in faceted([*by_part]):
        ladders_over = [by_part[part] for part in over]
        one_scale = len({ladder.rungs.people.scale.points for ladder in ladders_over}) == 1
        rungs_over: list[PartFormulas] = []
        for ladder in ladders_over:
            keys = _averaged(ladder.rungs, one_scale=one_scale)
            rungs_over.append(([f for f in ladder.formulas if f.key in keys], ladder.rungs.units))
        estimates = [replace(e, score="human") for e in means(rungs_over, key, settings)]
        if not any(pooled(part.scores, part) for part in over):
            people = [ladder.rungs.people for ladder in ladders_over]
            estimates += needs(people, settings, stream_of(f"average:{key}"), over=key)
        sizes = [ladder.n for ladder in ladders_over]
        yield SubsetResults(average_subset(PEOPLE, CEILING, key, sizes), estimates, [])
        yield from _mean_scorers(ladders_over, key, settings)


def _mean_scorers(
    ladders: Sequence[PartLadder], key: str, settings: Settings
) -> Iterator[SubsetResults]:
    """Where systems and published numbers stand on average, with the means of both sides."""
    for scorer in _scorers(ladders):
        placed = [ladder for ladder in ladders if scorer in ladder.scorers]
        if len(placed) < 2:
            continue
        on_parts = [ladder.scorers[scorer] for ladder in placed]
        estimates = means(on_parts, key, settings)
        sides = _mean_sides([e.key for e in estimates], on_parts)
        estimates = [
            replace(scored(estimate), parts=parts)
            for estimate, parts in zip(estimates, sides, strict=True)
        ]
        if not scorer.is_system:
            reference = placed[0].references[scorer.name]
            estimates = [_as_published(reference, settings), *estimates]
        subset = average_subset(scorer, CEILING, key, [units.n for _, units in on_parts])
        yield SubsetResults(subset, estimates, [])


def _scorers(ladders: Sequence[PartLadder]) -> list[Scorer]:
    """Systems in the order of the table, then published numbers."""
    systems = [system_called(name) for name in ladders[0].part.scores.roles.systems]
    others = [s for s in ladders[0].scorers if not s.is_system]
    return [*systems, *others]


def _averaged(rungs: Rungs, *, one_scale: bool) -> set[Key]:
    """What means are taken of: the reliability of ratings, and the ceilings of the gold in use."""
    golds = {gold for gold in (rungs.gold, "mean", "first") if gold}
    keys = {Key("reliability", of=kind) for kind in ("one", "mean")}
    keys |= {Key("human_human", of=kind) for kind in (*KAPPAS, "pearson")}
    keys |= {Key("sem", of="one")} if one_scale else set()
    kinds = ("theoretical", "human_like", "quantised")
    return keys | {
        Key(f"ceiling_{kind}", gold=gold) for kind in kinds for gold in (*golds, "mean_up")
    }


Value = Callable[[Ladder], Floats]
SIDES = {"statistic": "value", "ceiling": "ceiling"}
"""What a share or a gap is made of, and where it is kept."""


def system_formulas(system: str, part: Part, rungs: Rungs) -> PartFormulas | None:
    """QWK and correlation of a system as a share of each ceiling and their distance from it.

    Everything is of the responses that have the gold, the system's score and a rating, and is
    resampled together.
    """
    scales = part.scales
    if scales is None:
        return None
    patterns, ratings = part.scores.patterns.scores, rungs.people.rows.scores
    gold, scores = (patterns[name][part.rows] for name in ("gold", f"system:{system}"))
    used = ~np.isnan(ratings).all(axis=1) & ~np.isnan(gold) & ~np.isnan(scores)
    rows = replace(rungs.rows, scores=np.column_stack([rungs.rows.scores, gold, scores]))
    rows = rows.where(used)
    if not rows.counts.size or not rungs.people.rows.where(used).twice.any():
        return None
    units = ladder_units(rows, rungs.design, np.asarray(scales[1].points), rungs.modelled)
    kappa = _ccc if scales[1].continuous else _kappa
    formulas = [
        *_compared(kappa_on(scales[1]), kappa, rungs),
        *_compared("pearson", _correlation, rungs),
    ]
    return formulas, units


def _kappa(ladder: Ladder) -> Floats:
    return lin_ccc(ladder.points)


def _ccc(ladder: Ladder) -> Floats:
    return lin_ccc(ladder.trimmed)


def _correlation(ladder: Ladder) -> Floats:
    return pearson(ladder.trimmed)


def scored(estimate: Estimate) -> Estimate:
    """Name the kind of score that was compared."""
    return replace(estimate, score="rounded" if "cohen_kappa" in estimate.text else "trimmed")


class _Published(Struct, frozen=True):
    """A number that is the same whatever the ladder."""

    number: float

    def __call__(self, ladder: Ladder) -> Floats:
        return np.full_like(ladder.variances.single, self.number)


def _as_published(number: float, settings: Settings) -> Estimate:
    """The published number itself."""
    why = "as published: no interval"
    return Estimate(key=Key("reference"), value=number, level=settings.level, n=0, why=why)


def _compared(statistic: str, value: Value, rungs: Rungs) -> Iterator[Formula]:
    for rung, ceiling in _rungs(statistic, rungs):
        yield from _share_and_gap(statistic, rung, value, ceiling, _why(rung, rungs))


@lru_cache(maxsize=256)
def _share_and_gap(
    statistic: str, rung: str, value: Value, ceiling: Value, why: str
) -> tuple[Formula, ...]:
    """A statistic as a share of a ceiling, and its distance from it; all parts share them."""
    values: dict[str, Value] = {
        "share_of_ceiling": _Share(value, ceiling),
        "gap_to_ceiling": _Gap(value, ceiling),
    }
    return tuple(
        Formula(
            name=name,
            params={"of": statistic, "ceiling": rung},
            value=formula,
            undefined=why,
            divisor=ceiling if name == "share_of_ceiling" else None,
            compares=name == "gap_to_ceiling" and statistic != "reference",
            parts=partial(_sides, value=value, ceiling=ceiling),
        )
        for name, formula in values.items()
    )


def _rungs(statistic: str, rungs: Rungs) -> Iterator[tuple[str, Value]]:
    """The ceilings of the gold that was used; for a published number, of the mean if none was."""
    yield "human_human", r_of_people if statistic == "pearson" else qwk_of_people
    rule = rungs.gold or ("mean" if statistic == "reference" else None)
    if rule is None:
        return
    yield "human_like", HumanLike(rule)
    yield "theoretical", Theoretical(rule)
    if rungs.coarse and statistic in ("cohen_kappa[quadratic]", "reference"):
        yield "quantised", Modelled(rungs.gold or "mean_up", "quantised")


def _why(rung: str, rungs: Rungs) -> str:
    curve = rungs.curves.get(rungs.gold or "mean")
    undefined = "the scores do not vary" if rung == "human_human" else rungs.undefined
    return (curve.why if curve is not None and rung != "human_human" else "") or undefined


def _sides(ladder: Ladder, *, value: Value, ceiling: Value) -> dict[str, float]:
    """The statistic and the ceiling themselves, on these very responses."""
    sides = {"statistic": float(value(ladder)), "ceiling": float(ceiling(ladder))}
    return {name: number for name, number in sides.items() if not np.isnan(number)}


def _mean_sides(
    keys: Sequence[Key], part_formulas: Sequence[PartFormulas]
) -> list[dict[str, float]]:
    """The means over parts of the statistic and of the ceiling that each key stands for."""
    of_parts = [{f.key: f for f in formulas} for formulas, _ in part_formulas]
    batch = [
        OnUnits([_side(by_key[key], name) for key in keys for name in SIDES], units)
        for by_key, (_, units) in zip(of_parts, part_formulas, strict=True)
    ]
    average = np.array(values_each(batch)).mean(axis=0).reshape(len(keys), len(SIDES)).tolist()
    sides = [dict(zip(SIDES, numbers, strict=True)) for numbers in average]
    return [{name: n for name, n in numbers.items() if not np.isnan(n)} for numbers in sides]


@lru_cache(maxsize=256)
def _side(formula: Formula, name: str) -> Formula:
    """The statistic or the ceiling that a share or a gap is made of."""
    value = getattr(formula.value, SIDES[name])
    return Formula(name=name, value=value)


class _Share(Struct, frozen=True):
    value: Value
    ceiling: Value

    def __call__(self, ladder: Ladder) -> Floats:
        top = self.ceiling(ladder)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(np.real(top) > ROUNDING, self.value(ladder) / top, np.nan)


class _Gap(Struct, frozen=True):
    value: Value
    ceiling: Value

    def __call__(self, ladder: Ladder) -> Floats:
        return self.value(ladder) - self.ceiling(ladder)


SLACK = 1e-9
SEVERE = 0.05
"""A correlation this far above the reliability of one rating is a matter of severity or spread."""
STEPS = (
    ("kappa", "r"), ("r", "theoretical"), ("kappa", "human_like"), ("human_like", "theoretical"),
)  # fmt: skip
"""What is lower, and what is higher, in the long run."""
_note = partial(Finding, weight="note")


def about_people(estimates: Sequence[Estimate], n: int, *, everyone: bool) -> Iterator[Finding]:
    """Yield what to know of the people's ratings of one part of the data."""
    numbers = {estimate.text: estimate for estimate in estimates}
    yield from _gold(estimates)
    yield from broken_chain(numbers)
    yield from _odd_raters(numbers)
    twice = numbers["error_variance"].parts["rated_twice"]
    if everyone and 0 < twice < n:
        yield _note(name="some_rated_twice", numbers={"twice": twice, "responses": float(n)})


def above_ceiling(
    scorer: str, estimates: Sequence[Estimate], people: Sequence[Estimate], gold: str
) -> Iterator[Finding]:
    """Yield by how much a system stands above the theoretical ceiling of ``gold``, and why it can.

    One within the interval of the ceiling is no news: chance does that. A published number above it
    is most likely of another gold.
    """
    over = [
        e
        for e in estimates
        if e.name == "gap_to_ceiling" and e.params["ceiling"] == "theoretical" and e.low > 0
    ]
    if not over:
        return
    gap = max(over, key=lambda e: e.value)
    top = gap.parts.get("ceiling", math.nan)
    if gap.params["of"] == "reference":
        published = next(e.value for e in estimates if e.name == "reference")
        yield _note(
            name="published_above",
            system=scorer,
            numbers={"value": published},
            texts={"rule": gold},
        )
        return
    reason, raters = _why_above(people)
    yield _note(
        name="above_ceiling",
        system=scorer,
        numbers={"value": top + gap.value, "ceiling": top},
        texts={"of": str(gap.params["of"]), "reason": reason, "raters": raters},
    )


def _why_above(people: Sequence[Estimate]) -> tuple[str, str]:
    """The likeliest reason, and the raters it names."""
    at_random = [str(e.params["rater"]) for e in _raters(people) if e.value < RANDOM]
    if at_random:
        return "rater_at_random", ", ".join(at_random)
    separate = any(e.params.get("raters") == "pool" for e in people)
    return "shared_errors" if separate else "equal_errors", ""


def _gold(estimates: Sequence[Estimate]) -> Iterator[Finding]:
    """Yield which rule reproduces the gold best, and in how many of the responses."""
    best = next((e for e in estimates if e.name == "gold_rule"), None)
    if best is None:
        return
    yield _note(
        name="gold_made" if best.value >= RELIABLY else "gold_unknown",
        numbers={
            "percent": 100 * best.value,
            "responses": float(best.n),
            "disputed": best.parts["disputed"],
            "same": best.parts["same_disputed"],
        },
        texts={"rule": str(best.params["rule"])},
    )


def _odd_raters(numbers: Mapping[str, Estimate]) -> Iterator[Finding]:
    """Yield who seems to rate without error, or at random."""
    for rater in _raters(numbers.values()):
        name = {"rater": str(rater.params["rater"])}
        error = rater.parts.get("error_variance", math.nan)
        if error < 0:
            yield _note(name="error_below_zero", numbers={"error": error}, texts=name)
        if rater.value < RANDOM:
            ends = {"value": rater.value, "low": rater.low, "high": rater.high}
            yield _note(name="rater_at_random", numbers=ends, texts=name)


def _raters(estimates: Iterable[Estimate]) -> list[Estimate]:
    reliabilities = [e for e in estimates if e.name == "rater_reliability"]
    return [e for e in reliabilities if not math.isnan(e.value)]


def broken_chain(numbers: Mapping[str, Estimate]) -> Iterator[Finding]:
    """Yield where human-human <= human-like <= theoretical fails on these data.

    Two people above a ceiling that their interval holds are no news: chance does that.
    """
    value = {text: estimate.value for text, estimate in numbers.items()}
    statistic = kappa_in(value)
    kappa = value.get(Key("human_human", of=statistic))
    r, one_more = value.get("human_human[pearson]"), value.get("ceiling_human_like[mean]")
    top = value.get("ceiling_theoretical[mean]")
    if kappa is None or r is None or one_more is None or top is None:
        return
    if math.isnan(top):
        yield _note(name="no_ceiling", texts={"why": numbers["ceiling_theoretical[mean]"].why})
        return
    if value.get("error_variance") == 0:
        yield _note(name="ratings_never_differ")
    surely = {e.value: e.low for e in numbers.values() if e.name == "human_human"}
    single = value.get("reliability[one]", math.nan)
    reason = "severity" if single > 0 and r > single + SEVERE else "sample"
    rungs = {"kappa": kappa, "r": r, "human_like": one_more, "theoretical": top}
    for lower, higher in STEPS:
        over, under = rungs[lower], rungs[higher]
        if over > under + SLACK and not surely.get(over, over) <= under:
            yield _note(
                name="ceilings_out_of_order",
                numbers={"over": over, "under": under},
                texts={"lower": lower, "higher": higher, "of": statistic, "reason": reason},
            )
