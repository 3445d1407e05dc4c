"""Scale effect: the same people and system on coarser scales, under other rules, as pass or fail."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import ONE_POINT, find, member, members, texts
from tallymark.diagnosis.binning import BinnedTables, Way, coarser, group_places, merged, way
from tallymark.diagnosis.sweep import (
    CORRECTED,
    Passes,
    always_majority,
    cuts_of,
    pass_cells,
    prevalence,
    similarity,
)
from tallymark.inference import Formula, OnUnits, Settings, Units, estimate_each
from tallymark.reliability.connected import adjudicators
from tallymark.results import (
    OTHER_SCALES,
    PASS_MARKS,
    Curve,
    Estimate,
    Finding,
    Key,
    ResultTable,
    system_called,
)
from tallymark.scale import Scale
from tallymark.sources.resolution import gold_scale, resolve
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part, within
from tallymark.study.units import Rows, cell_units
from tallymark.tally import nearest

Ruled = tuple[str, Floats, tuple[Whole, Whole]]
"""A rule, its points, and where gold and system lie among them."""
QWK = "cohen_kappa[quadratic]"
COEFFICIENTS: dict[str, Callable[..., Any]] = {text: find(text).value for text in texts("scales")}
"""What is computed on every scale."""
SHORT = {entry.text: entry.heading for entry in members("scales")}
AGREEMENT = "percent_agreement"
TITLES = {AGREEMENT: "same decision"} | {
    name: member(Key(name, weights="identity")).heading for name in CORRECTED
}
"""What is computed at every pass mark."""
ROUNDED_MEAN = "rounded mean"
MOST_POINTS = 60
"""On a finer scale than this, tables say little and take long."""
LIMIT = 0.695
"""The commonly cited limit of .70 for QWK, met by what rounds to it."""
GUARD = 1e-9
UNSETTLED = "not settled"


class Rescaled(NamedTuple):
    """The responses of one resample, on every coarser scale and at every cut."""

    tables: BinnedTables
    passes: Passes


class OnScales(NamedTuple):
    """One system on every coarser scale and at every cut: the units, and what is asked of them."""

    system: str
    part: Part
    scales: tuple[Scale, Scale]
    cuts: Floats
    ways: Sequence[Way]
    units: Units[Rescaled]


def on_other_scales(
    systems: Sequence[str], parts: Sequence[Part], settings: Settings
) -> list[SubsetResults]:
    """Coefficients on coarser scales, at every cut, and under every resolution rule.

    Of all responses, or of each trait or prompt; what parts have in common takes one go.
    """
    separate = within(parts)
    rescaled = [system for part in separate for system in _on_scales(systems, part)]
    formulas = cache(
        lambda points, cuts: [*_formulas("binned", "points", points), *_pass_formulas(cuts)]
    )
    on_units = [
        OnUnits(formulas(tuple(way.points.size for way in ways), cuts.size), units)
        for _, _, _, cuts, ways, units in rescaled
    ]
    keys = [stream_of(scaled.part.label) for scaled in rescaled]
    ruled = _under_rules(rescaled, settings)
    estimates = estimate_each(on_units, settings, keys=keys)
    effects = [
        effect
        for args in zip(rescaled, estimates, ruled, strict=True)
        for effect in _results(*args)
    ]
    return effects if len(separate) == 1 else [*map(where_it_tells, effects)]


def where_it_tells(results: SubsetResults) -> SubsetResults:
    """Leave out the tables and curves of one of several parts in which nothing was found."""
    return results if results.findings else results._replace(tables=(), curves=())


def _on_scales(systems: Sequence[str], part: Part) -> Iterator[OnScales]:
    """Every system that has scores on a scale of two points or more."""
    scales = part.scales
    if scales is None or len(scales[1].points) < 2:
        return
    for system in systems:
        rows = part.columns(["gold", f"system:{system}"], scales[1]).complete()
        if rows.counts.sum():
            yield OnScales(system, part, scales, *_rescaled(rows, scales[1]))


def _rescaled(rows: Rows, scale: Scale) -> tuple[Floats, list[Way], Units[Rescaled]]:
    """The cuts, the coarser scales, and the units: responses with the same two scores."""
    cuts = cuts_of(scale, rows.scores[:, 0], rows.counts)
    if scale.continuous:
        size = cuts.size + 1
        places = np.searchsorted(cuts, rows.scores, side="right")
        passed = np.arange(size)
    else:
        size = rows.points.size
        places = nearest(rows.scores, rows.points)
        passed = np.searchsorted(cuts, rows.points, side="right")
    cells, unit = np.unique(places[:, 0] * size + places[:, 1], return_inverse=True)
    first, second = np.divmod(cells, size)
    ways = [] if scale.continuous else list(_coarser(rows.points, first, second))
    columns = [*(way.rows for way in ways), pass_cells(passed[first], passed[second], cuts.size)]
    binned = sum(way.rows.shape[1] for way in ways)

    def build(sums: NDArray[Any]) -> Rescaled:
        return Rescaled(BinnedTables(sums[..., :binned], ways), Passes(sums[..., binned:]))

    units = cell_units(rows, unit, np.concatenate(columns, axis=1), build)
    shape = ("rescaled", rows.points.tobytes(), cuts.tobytes())
    return cuts, ways, replace(units, shape=shape)


def _coarser(points: Floats, first: Whole, second: Whole) -> Iterator[Way]:
    """The scale as it is unless it is very fine, then every coarser one, most points first."""
    values = [*COEFFICIENTS.values()]
    if points.size <= MOST_POINTS:
        yield way(str(points.size), points, first, second, values)
    for bins in reversed([bins for bins in coarser(points.size) if bins <= MOST_POINTS]):
        place = merged(points.size, bins)
        centres = np.bincount(place, weights=points) / np.bincount(place)
        yield way(str(bins), centres, place[first], place[second], values)


def _formulas(name: str, label: str, ways: Sequence[object]) -> list[Formula]:
    """Every coefficient on each of some scales, or under each of some rules."""
    return [
        Formula(
            name=name,
            params={"of": text, label: label_of_way},
            value=partial(_on_way, value=value, way=i),
            undefined=ONE_POINT,
        )
        for i, label_of_way in enumerate(ways)
        for text, value in COEFFICIENTS.items()
    ]


def _on_way(tally: Any, *, value: Callable[..., Any], way: int) -> Any:
    tables = tally.tables if isinstance(tally, Rescaled) else tally
    return value(tables.pairs[way])


def _pass_formulas(cuts: int) -> list[Formula]:
    """Every coefficient at every cut, then the distance of each from percent agreement."""
    if not cuts:
        return []
    formulas = [
        Formula(
            name="pass_fail",
            params={"of": name, "place": i},
            value=partial(_at_cut, name=name, cut=i),
            undefined=ONE_POINT,
        )
        for name in TITLES
        for i in range(cuts)
    ]
    return formulas + [
        Formula(
            name="distance_to_agreement",
            params={"of": name},
            value=partial(_distance, name=name),
            undefined=ONE_POINT,
        )
        for name in CORRECTED
    ]


def _at_cut(tally: Rescaled, *, name: str, cut: int) -> Floats:
    passes = tally.passes
    values = passes.agreement if name == AGREEMENT else passes.corrected[name]
    return np.asarray(values[..., cut])


def _distance(tally: Rescaled, *, name: str) -> Floats:
    return tally.passes.distance(name)


def _under_rules(rescaled: Sequence[OnScales], settings: Settings) -> list[list[Estimate]]:
    """The coefficients under every resolution rule, on the responses that every rater scored."""
    formulas = cache(partial(_formulas, "resolved", "rule"))
    coefficients = [*COEFFICIENTS.values()]
    on_units: dict[int, OnUnits] = {}
    for i, scaled in enumerate(rescaled):
        tables = under_rules(scaled.system, scaled.part, scaled.scales)
        if tables is None:
            continue
        rows, rules = tables
        first, unit = group_places([place for _, _, pair in rules for place in pair])
        ways = [
            way(rule, points, gold[first], system[first], coefficients)
            for rule, points, (gold, system) in rules
        ]
        columns = np.concatenate([way.rows for way in ways], axis=1)
        units = cell_units(rows, unit, columns, partial(BinnedTables, ways=ways))
        shape = ("resolved", *((way.name, way.points.tobytes()) for way in ways))
        on_units[i] = OnUnits(
            formulas(tuple(way.name for way in ways)), replace(units, shape=shape)
        )
    keys = [stream_of(rescaled[i].part.label) for i in on_units]
    estimates = estimate_each([*on_units.values()], settings, keys=keys)
    by_place = dict(zip(on_units, estimates, strict=True))
    return [by_place.get(i, []) for i in range(len(rescaled))]


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
    names = [*(f"human:{name}" for name in part.scores.humans), f"system:{system}"]
    rows = part.columns(names, rater)
    left_out = set(adjudicators(rows.scores[:, :-1], rows.counts)) if len(names) > 3 else set()
    columns = [i for i in range(len(names)) if i not in left_out]
    rows = Rows(rows.scores[:, columns], rows.counts, rows.points, rows.clusters).complete()
    if len(columns) < 3 or not rows.counts.size:
        return None
    stretch = (rater.high - rater.low) / (gold.high - gold.low)
    scores = rater.low + (rows.scores[:, -1] - gold.low) * stretch
    ratings, points = rows.scores[:, :-1], np.asarray(rater.points)
    rules: list[Ruled] = []
    for rule in ("first", "higher", "lower", "mean"):
        places = nearest(resolve(ratings.T, rule), points), nearest(scores, points)
        rules.append((ROUNDED_MEAN if rule == "mean" else rule, points, places))
    sums = gold_scale(rater, "sum", ratings.shape[1])
    if not sums.continuous and len(sums.points) <= MOST_POINTS:
        grid = np.asarray(sums.points)
        places = nearest(resolve(ratings.T, "sum"), grid), nearest(ratings.shape[1] * scores, grid)
        rules.append(("sum", grid, places))
    return rows, rules


def _results(
    scaled: OnScales, estimates: Sequence[Estimate], ruled: Sequence[Estimate]
) -> Iterator[SubsetResults]:
    system, part, (_, scale), cuts, ways, units = scaled
    subject = system_called(system)
    number = len(ways) * len(COEFFICIENTS)
    binned, swept = estimates[:number], estimates[number:]
    if len(ways) > 1 or ruled:
        # QWK on coarser scales stands by itself; the rest is in the curves
        coarse = [
            e for e in binned if e.params["of"] == QWK and e.params["points"] < len(scale.points)
        ]
        yield SubsetResults(
            subset_of(part, subject, n=units.n, against=OTHER_SCALES),
            [*coarse, *ruled],
            [],
            curves=tuple(_curves(binned)) if len(ways) > 1 else (),
            tables=(_scale_table([*(binned if len(ways) > 1 else ()), *ruled]),),
            findings=_scale_decides(
                system, [e for e in [*binned, *ruled] if e.params["of"] == QWK]
            ),
        )
    if cuts.size:
        passes = units.tally.passes
        pass_fail = [e for e in swept if e.name == "pass_fail"]
        distances = [e for e in swept if e.name == "distance_to_agreement"]
        yield SubsetResults(
            subset_of(part, subject, n=pass_fail[0].n, against=PASS_MARKS),
            distances,
            [],
            curves=tuple(_pass_curves(cuts, pass_fail, passes)),
            tables=(_pass_table(cuts, passes, distances),),
        )


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


def _scale_table(estimates: Sequence[Estimate]) -> ResultTable:
    """One row for each scale and rule: every coefficient, and whether QWK reaches .70."""
    ways: dict[str, list[Estimate]] = {}
    for estimate in estimates:
        name = f"{estimate.params.get('points')} points"
        if estimate.name == "resolved":
            name = f"{estimate.params['rule']} of the ratings"
        ways.setdefault(name, []).append(estimate)
    return ResultTable(
        name="scale_effect",
        title="The same scores on other scales and under other resolution rules",
        columns=("scale or rule", "n", *SHORT.values(), "QWK low", "QWK high", "QWK at .70"),
        rows=tuple(
            (
                name,
                qwk.n,
                *map(_number, (qwk.value, *(e.value for e in others), qwk.low, qwk.high)),
                decision(qwk),
            )
            for name, (qwk, *others) in ways.items()
        ),
        note="A plain mean of the ratings gives what their sum gives: only the unit differs.",
    )


def _scale_decides(system: str, estimates: Sequence[Estimate]) -> tuple[Finding, ...]:
    """Find where the choice of scale or rule turns the decision at QWK .70 around.

    Binnings count down to half of the points, and to three: pass or fail is another question.
    """
    defined = [e for e in estimates if not math.isnan(e.value)]
    ruled = [e for e in defined if e.name == "resolved"]
    binned = [e for e in defined if e.name == "binned"]
    fewest = max(3, max((e.params["points"] for e in binned), default=0) / 2)
    binned = [e for e in binned if e.params["points"] >= fewest]
    findings = [_turned_around(system, ruled), _turned_around(system, binned)]
    return tuple(finding for finding in findings if finding)


def _turned_around(system: str, estimates: Sequence[Estimate]) -> Finding | None:
    """The decision turned around among estimates of the same responses, if it is."""
    for loud in (True, False):  # decided by the data, else by the values alone
        decisions = [decision(e) if loud else _by_value(e) for e in estimates]
        pairs = list(zip(decisions, estimates, strict=True))
        passes = [e for decided, e in pairs if decided == "accepted"]
        fails = [e for decided, e in pairs if decided == "rejected"]
        if passes and fails:
            highest = max(passes, key=lambda e: e.value)
            lowest = min(fails, key=lambda e: e.value)
            return _decides(system, highest, lowest, loud=loud)
    return None


def decision(estimate: Estimate) -> str:
    """Whether QWK is accepted at .70, as far as the data settle it."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return UNSETTLED
    if estimate.low >= LIMIT - GUARD:
        return "accepted"
    return "rejected" if estimate.high < LIMIT - GUARD else UNSETTLED


def _by_value(estimate: Estimate) -> str:
    return "accepted" if estimate.value >= LIMIT - GUARD else "rejected"


def _decides(system: str, highest: Estimate, lowest: Estimate, *, loud: bool) -> Finding:
    """The best and the worst, on which scale or by which rule each, and how many are settled."""
    numbers = {"accepted": highest.value, "rejected": lowest.value}
    texts = {}
    for side, estimate in (("accepted", highest), ("rejected", lowest)):
        if estimate.name == "resolved":
            texts[side] = str(estimate.params["rule"])
        else:
            numbers[f"{side}_points"] = float(estimate.params["points"])
    numbers["settled"] = float(sum(decision(e) != UNSETTLED for e in (highest, lowest)))
    by_rule = highest.name == "resolved"
    return Finding(
        name="resolution_decides" if by_rule else "scale_decides",
        system=system,
        numbers=numbers,
        texts=texts,
        # a scale that nobody uses is worth knowing, and no alarm
        weight="loud" if loud and by_rule else "quiet",
    )


def _pass_curves(cuts: Floats, estimates: Sequence[Estimate], passes: Passes) -> Iterator[Curve]:
    """Each coefficient along the cuts, the axes of the published figures, and no skill at all.

    The axes say how many pass, and how alike the two shares are. Without skill a system decides
    each cut as most of the gold does.
    """
    curve = partial(
        Curve,
        subset=-1,
        x_title="cut: a score that reaches it passes",
        x=tuple(cuts.tolist()),
    )
    for name, title in TITLES.items():
        along_cuts = [e for e in estimates if e.params["of"] == name]
        yield curve(
            name=Key("pass_fail", of=name).text,
            y_title=title,
            y=tuple(e.value for e in along_cuts),
            low=tuple(e.low for e in along_cuts),
            high=tuple(e.high for e in along_cuts),
        )
    majority = always_majority(passes.pairs)
    agreement = np.asarray((majority.counts[..., 0, 0] + majority.counts[..., 1, 1]) / majority.n)
    key, no_skill = partial(Key, "pass_fail"), partial(Key, "pass_fail_majority")
    passing, alike = prevalence(passes.pairs), similarity(passes.pairs)
    lines = [
        (key(of="prevalence"), "share passing, mean of gold and system", passing),
        (key(of="sim_pass"), "1 - difference of the shares passing", alike),
        (no_skill(of=AGREEMENT), TITLES[AGREEMENT], agreement),
    ]
    for name, value in CORRECTED.items():
        lines.append((no_skill(of=name), TITLES[name], np.asarray(value(majority))))
    for line, title, values in lines:
        yield curve(name=line.text, y_title=title, y=tuple(values.tolist()))


def _pass_table(cuts: Floats, passes: Passes, distances: Sequence[Estimate]) -> ResultTable:
    """One row a coefficient: how far below agreement, and whether it separates skill from none."""
    majority = always_majority(passes.pairs)
    rows = []
    for estimate, (name, value) in zip(distances, CORRECTED.items(), strict=True):
        gaps = passes.agreement - passes.corrected[name]
        numbers = (estimate.value, estimate.low, estimate.high, _largest(gaps))
        widest = None if np.isnan(gaps).all() else float(cuts[np.nanargmax(gaps)])
        no_skill = _number(_largest(np.asarray(value(majority))))
        rows.append((TITLES[name], *map(_number, numbers), widest, no_skill))
    return ResultTable(
        name="pass_fail",
        title="Pass or fail at every cut: how far coefficients lie below percent agreement",
        columns=(
            "coefficient", "mean distance", "low", "high", "largest distance", "at cut",
            "most that no skill gets",
        ),
        rows=tuple(rows),
        note="No skill: every response gets the decision that most of the gold gets at that cut.",
    )  # fmt: skip


def _largest(values: Floats) -> float:
    return math.nan if np.isnan(values).all() else float(np.nanmax(values))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
