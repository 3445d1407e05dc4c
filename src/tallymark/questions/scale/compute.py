"""Scale effect: the same people and system on coarser scales and under other resolution rules."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import ONE_POINT, find, members, texts
from tallymark.diagnosis.binning import (
    BinnedTables,
    Coefficient,
    Way,
    coarser,
    group_places,
    merged,
    way,
)
from tallymark.diagnosis.sweep import Passes, cuts_of, pass_cells
from tallymark.inference import Formula, OnUnits, Settings, Units, estimate_each
from tallymark.questions.scale.decisions import scale_decides, scale_table
from tallymark.questions.scale.sweep import sweep_formulas, sweep_results
from tallymark.reliability.connected import adjudicators
from tallymark.results import OTHER_SCALES, Curve, Estimate, Key, system_called
from tallymark.scale import Scale
from tallymark.sources.resolution import gold_scale, resolve
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part, within
from tallymark.study.rows import Whole
from tallymark.study.units import Rows, cell_units
from tallymark.tally import nearest

QWK = "cohen_kappa[quadratic]"
COEFFICIENTS: dict[str, Callable[..., Any]] = {text: find(text).value for text in texts("scales")}
"""What is computed on every scale."""
SHORT = {entry.text: entry.heading for entry in members("scales")}


class Rescaled(NamedTuple):
    """The responses of one resample, on every coarser scale and at every cut."""

    tables: BinnedTables
    passes: Passes


def on_other_scales(
    systems: Sequence[str], parts: Sequence[Part], settings: Settings
) -> list[SubsetResults]:
    """Coefficients on coarser scales, at every cut, and under every resolution rule.

    Of all responses, or of each trait or prompt; what parts have in common takes one go.
    """
    of = within(parts)
    every = [scaled for part in of for scaled in _on_scales(systems, part)]
    formulas = cache(lambda points, cuts: [*_binned(points), *sweep_formulas(cuts)])
    asked = [
        OnUnits(formulas(tuple(way.points.size for way in each.ways), each.cuts.size), each.units)
        for each in every
    ]
    ruled = _under_rules(every, settings)
    made = estimate_each(asked, settings, keys=[stream_of(each.part.label) for each in every])
    effects = [
        effect
        for each, estimates, under in zip(every, made, ruled, strict=True)
        for effect in _results(each, estimates, under)
    ]
    return effects if len(of) == 1 else [*map(where_it_tells, effects)]


def where_it_tells(results: SubsetResults) -> SubsetResults:
    """Leave out the tables and curves of one of several parts in which nothing was found."""
    return results if results.findings else results._replace(tables=(), curves=())


class OnScales(NamedTuple):
    """One system on every coarser scale and at every cut: the units, and what is asked of them."""

    system: str
    part: Part
    scales: tuple[Scale, Scale]
    cuts: NDArray[np.float64]
    ways: Sequence[Way]
    units: Units[Rescaled]


def _on_scales(systems: Sequence[str], part: Part) -> Iterator[OnScales]:
    """Every system that has scores on a scale of two points or more."""
    scales = part.scales
    if scales is None or len(scales[1].points) < 2:
        return
    for system in systems:
        rows = part.columns(["gold", f"system:{system}"], scales[1]).complete()
        if rows.counts.sum():
            yield OnScales(system, part, scales, *_rescaled(rows, scales[1]))


def _results(
    scaled: OnScales, estimates: list[Estimate], ruled: list[Estimate]
) -> Iterator[SubsetResults]:
    system, part, (_, scale), cuts, ways, units = scaled
    number = len(ways) * len(COEFFICIENTS)
    binned, swept = estimates[:number], estimates[number:]
    subset = subset_of(part, system_called(system), n=units.n, against=OTHER_SCALES)
    if len(ways) > 1 or ruled:
        yield SubsetResults(
            subset,
            [*(e for e in binned if _kept(e, len(scale.points))), *ruled],
            [],
            curves=tuple(_curves(binned)) if len(ways) > 1 else (),
            tables=(scale_table(binned if len(ways) > 1 else [], ruled, SHORT),),
            findings=scale_decides(system, [e for e in [*binned, *ruled] if e.params["of"] == QWK]),
        )
    if cuts.size:
        yield sweep_results(part, system, cuts, units.tally.passes, swept)


def _rescaled(rows: Rows, scale: Scale) -> tuple[NDArray[np.float64], list[Way], Units[Rescaled]]:
    """The cuts, the coarser scales, and the units: responses with the same two scores."""
    cuts = cuts_of(scale, rows.scores[:, 0], rows.counts)
    if scale.continuous:
        places = np.searchsorted(cuts, rows.scores, side="right")
    else:
        places = nearest(rows.scores, rows.points)
    size = cuts.size + 1 if scale.continuous else rows.points.size
    cells, unit = np.unique(places[:, 0] * size + places[:, 1], return_inverse=True)
    first, second = np.divmod(cells, size)
    ways = [] if scale.continuous else list(_coarser(rows.points, first, second))
    reached = np.arange(size)
    if not scale.continuous:
        reached = np.searchsorted(cuts, rows.points, side="right")
    added = [*(way.rows for way in ways), pass_cells(reached[first], reached[second], cuts.size)]
    binned = sum(way.rows.shape[1] for way in ways)

    def build(sums: NDArray[Any]) -> Rescaled:
        return Rescaled(BinnedTables(sums[..., :binned], ways), Passes(sums[..., binned:]))

    units = cell_units(rows, unit, np.concatenate(added, axis=1), build)
    shape = ("rescaled", rows.points.tobytes(), cuts.tobytes())
    return cuts, ways, replace(units, shape=shape)


def _coarser(points: NDArray[np.float64], first: Whole, second: Whole) -> Iterator[Way]:
    """The scale as it is unless it is very fine, then every coarser one, most points first."""
    if points.size <= MOST_POINTS:
        yield way(str(points.size), points, first, second, [*COEFFICIENTS.values()])
    for bins in reversed([bins for bins in coarser(points.size) if bins <= MOST_POINTS]):
        place = merged(points.size, bins)
        centres = np.bincount(place, weights=points) / np.bincount(place)
        yield way(str(bins), centres, place[first], place[second], [*COEFFICIENTS.values()])


def _binned(points: Sequence[int]) -> list[Formula]:
    return [
        _formula("binned", {"of": name, "points": number}, i)
        for i, number in enumerate(points)
        for name in COEFFICIENTS
    ]


def _formula(name: str, params: dict[str, Any], way: int) -> Formula:
    value = COEFFICIENTS[params["of"]]

    def at_way(tally: Any) -> Any:
        tables = tally.tables if isinstance(tally, Rescaled) else tally
        return value(tables.pairs[way])

    return Formula(name=name, params=params, value=at_way, undefined=ONE_POINT)


def _kept(estimate: Estimate, points: int) -> bool:
    """Whether an estimate stands by itself: QWK on coarser scales; the rest is in the curves."""
    return bool(estimate.params["of"] == QWK and estimate.params["points"] < points)


def _curves(binned: Sequence[Estimate]) -> Iterator[Curve]:
    for name in COEFFICIENTS:
        by_points = sorted(
            (e for e in binned if e.params["of"] == name), key=lambda e: int(e.params["points"])
        )
        yield Curve(
            name=Key("scale_effect", of=name).text,
            subset=-1,
            x_title="score points",
            y_title=SHORT[name],
            x=tuple(float(e.params["points"]) for e in by_points),
            y=tuple(e.value for e in by_points),
            low=tuple(e.low for e in by_points),
            high=tuple(e.high for e in by_points),
        )


def _under_rules(every: Sequence[OnScales], settings: Settings) -> list[list[Estimate]]:
    """The coefficients under every resolution rule, on the responses that every rater scored."""
    formulas, asked = cache(_resolved), {}
    for i, (system, part, scales, *_) in enumerate(every):
        made = resolved_ways(system, part, scales, [*COEFFICIENTS.values()])
        if made is not None:
            rows, unit, ways = made
            added = np.concatenate([way.rows for way in ways], axis=1)
            units = cell_units(rows, unit, added, partial(BinnedTables, ways=ways))
            shape = ("resolved", *((way.name, way.points.tobytes()) for way in ways))
            here = formulas(tuple(way.name for way in ways))
            asked[i] = OnUnits(here, replace(units, shape=shape))
    keys = [stream_of(every[i].part.label) for i in asked]
    made_of = dict(zip(asked, estimate_each([*asked.values()], settings, keys=keys), strict=True))
    return [made_of.get(i, []) for i in range(len(every))]


def _resolved(rules: Sequence[str]) -> list[Formula]:
    return [
        _formula("resolved", {"of": name, "rule": rule}, i)
        for i, rule in enumerate(rules)
        for name in COEFFICIENTS
    ]


Ruled = tuple[str, NDArray[np.float64], tuple[Whole, Whole]]
"""A rule, its points, and where gold and system lie among them."""
ROUNDED_MEAN = "rounded mean"
MOST_POINTS = 60
"""On a finer scale than this, tables say little and take long."""


def resolved_ways(
    system: str, part: Part, scales: tuple[Scale, Scale], coefficients: Sequence[Coefficient]
) -> tuple[Rows, Whole, list[Way]] | None:
    """The responses every rater scored, which of them are alike, and the way of each rule."""
    made = under_rules(system, part, scales)
    if made is None:
        return None
    rows, tables = made
    first, unit = group_places([place for _, _, pair in tables for place in pair])
    ways = [
        way(rule, points, pair[0][first], pair[1][first], coefficients)
        for rule, points, pair in tables
    ]
    return rows, unit, ways


def under_rules(
    system: str, part: Part, scales: tuple[Scale, Scale]
) -> tuple[Rows, list[Ruled]] | None:
    """The responses every rater scored, and gold and system under each rule; None where none can be.

    The system's score is carried to the raters' scale by the ends of both scales. Of k raters a sum
    is compared with k times that score at the nearest sum, the other golds with its nearest point.
    Sum and plain mean are the same but for the unit, so that no coefficient tells them apart; what
    can differ is a mean that is rounded to the points. Adjudicators are no raters here.
    """
    rater, gold = scales
    same = (rater.low, rater.high) == (gold.low, gold.high)
    if rater.continuous or not 2 <= len(rater.points) <= MOST_POINTS:
        return None
    if not (same or part.scores.resolve == "sum"):
        return None
    rows = _scored_by_all(system, part, rater)
    if rows is None:
        return None
    carried = rater.low + (rows.scores[:, -1] - gold.low) * _ratio(rater, gold)
    return rows, _positions(rows.scores[:, :-1], carried, rater)


def _scored_by_all(system: str, part: Part, rater: Scale) -> Rows | None:
    humans = part.scores.humans
    names = [*(f"human:{name}" for name in humans), f"system:{system}"]
    rows = part.columns(names, rater)
    asked = set(adjudicators(rows.scores[:, :-1], rows.counts)) if len(humans) > 2 else set()
    kept = [i for i in range(len(names)) if i not in asked]
    rows = Rows(rows.scores[:, kept], rows.counts, rows.points, rows.clusters).complete()
    return rows if len(kept) > 2 and rows.counts.size else None


def _ratio(rater: Scale, gold: Scale) -> float:
    return (rater.high - rater.low) / (gold.high - gold.low)


def _positions(
    ratings: NDArray[np.float64], system: NDArray[np.float64], rater: Scale
) -> list[Ruled]:
    """Each rule's points, and where gold and system lie among them."""
    points, k = np.asarray(rater.points), ratings.shape[1]
    rules = []
    for rule in ("first", "higher", "lower", "mean"):
        gold = resolve(ratings.T, rule)
        name = ROUNDED_MEAN if rule == "mean" else rule
        rules.append((name, points, (nearest(gold, points), nearest(system, points))))
    sums = gold_scale(rater, "sum", k)
    if not sums.continuous and len(sums.points) <= MOST_POINTS:
        grid = np.asarray(sums.points)
        places = nearest(resolve(ratings.T, "sum"), grid), nearest(k * system, grid)
        rules.append(("sum", grid, places))
    return rules
