"""What if: one table of gold and system, and what its statistics were if counts were moved."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME, ONE_POINT, called, find, members, texts
from tallymark.diagnosis.binning import coarser
from tallymark.diagnosis.moving import chance_mixed, errors_scaled, point_raised, points_merged
from tallymark.errors import DataError
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.whatif.scenarios import Moves, Scenario, name, scenarios
from tallymark.render.sentences import Sentence
from tallymark.results import (
    WHAT_IF,
    Curve,
    Data,
    Estimate,
    Evaluation,
    Key,
    ResultTable,
    State,
    Subset,
    split_key,
    system_called,
)
from tallymark.scale import MOST_POINTS as FINEST
from tallymark.study.measured import (
    SubsetResults,
    estimate_by_tally,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.parts import Part
from tallymark.study.rows import Rows
from tallymark.study.units import units_of
from tallymark.tally import PairCounts, PairMoments
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import OVERALL, Policy

STATISTICS = texts("what_if")
HEADINGS = {entry.text: entry.heading for entry in members("what_if")}
MOST_POINTS = 31
"""Tables of more points have too many cells for an interval of every number: seconds for each."""
ERRORS, PREVALENCES = np.arange(0, 31) / 10, np.arange(1, 20) / 20
"""Where curves have their points."""
LIMITS = "What other coefficients have where {leading} is at {limit:goal}"
KEEPS = (
    "Exchanged, moved or spread: agreement stands at other scores; every disagreement stays, and so does exact "
    "agreement. Gold at a share: as many responses have this gold; what the system gives at each gold stays. "
    "Errors: made so many times as often, at each gold up to all of its responses; the gold stays, and which "
    "errors are made. Score points: neighbours are merged. Gold by another rule: on responses that every rater scored."
)
BARE = "Tables of more than {most} points have no intervals, and so no verdicts."
ROUNDED = "System scores stand at their nearest points."
CEILING = "ceiling: of a scorer who knew every true score, if the error variance of the gold stays what it is."
VERDICT = "verdict: of the limits of {policy} that a table can be held against: {limits}."
FAMILIES = (
    "same errors: the errors of this table, made more or less often until the limit is reached. by chance: "
    "a share of the responses is scored by chance, with the same margins. Where the two differ, no one limit "
    "corresponds to it."
)
STEPS, HALVINGS = 400, 50
ON_TABLE = {"table", "cells", "moments"}
Statistic = Callable[[PairCounts], float]


class PeopleKnown(Struct, frozen=True, kw_only=True):
    """What people tell: ceilings by rule and on fewer points; gold and system under every rule."""

    rule: str = ""
    ceilings: Mapping[str, float] = field(default_factory=dict)
    coarser: Mapping[int, float] = field(default_factory=dict)
    ruled: Mapping[str, Rows] = field(default_factory=dict)


class Moved(NamedTuple):
    """A scenario with its statistics and its ceiling; ``bare`` of too many points for intervals."""

    scenario: Scenario
    numbers: dict[str, Estimate]
    ceiling: float
    bare: bool


def what_if(
    system: str,
    part: Part,
    settings: Settings,
    *,
    moves: Moves,
    policy: Policy,
    limit: float,
    people: PeopleKnown,
) -> SubsetResults:
    """Every scenario of a system's table, the limits that correspond, and curves."""
    rows, scale = _rows(system, part)
    units: Units[PairCounts] = units_of("cells", rows)
    table = units.tally
    limits = limits_on_tables(policy)
    statistics = tuple(
        dict.fromkeys((*STATISTICS, *(criterion.statistic for criterion in limits.limits)))
    )
    changes = [*scenarios(table, scale, moves)]
    variance = partial(_gold_variance, error=_error_variance(table, people))
    bare = table.points.size > MOST_POINTS
    moved = [
        Moved(scenario, numbers, variance(scenario.move(table), people.coarser, scenario), bare)
        for scenario, numbers in zip(
            changes, _numbers(changes, statistics, units, settings), strict=True
        )
    ]
    if not bare:
        moved[0] = moved[0]._replace(numbers=unmoved(rows, statistics, settings))
    moved += _ruled(people, statistics, settings)
    subset = subset_of(part, system_called(system), n=units.n, against=WHAT_IF)
    tables = (
        _scenario_table(moved, system, limits),
        _limit_table(table, limit),
        _scale_table(table, people),
    )
    return SubsetResults(subset, [], [], curves=tuple(_curves(table)), tables=tables)


def _rows(system: str, part: Part) -> tuple[Rows, Any]:
    if part.scales is None:
        raise DataError(
            "prompts are on different scales, so that no one table holds them; keep one with --flag "
            f"{part.scores.roles.prompt}=VALUE"
        )
    raters, scale = part.scales
    if scale.continuous or len(scale.points) < 2:
        remedy = "resolve ratings to points with --resolve first"
        if raters.continuous:
            remedy = f"keep to scores on {FINEST} points or fewer"
        elif not scale.continuous:
            remedy = "declare --scale"
        raise DataError(
            f"whatif moves the counts of score points, and the gold is {scale}; {remedy}"
        )
    rows = part.columns(["gold", f"system:{system}"], scale).complete()
    if not rows.counts.sum():
        raise DataError(f"no response has a gold and a score by {system}")
    return rows, scale


def _numbers(
    changes: Sequence[Scenario],
    statistics: Sequence[str],
    units: Units[PairCounts],
    settings: Settings,
) -> Iterator[dict[str, Estimate]]:
    """The statistics of each scenario; without intervals where a table has very many points."""
    formulas = [
        _formula(text, value, scenario, i)
        for i, scenario in enumerate(changes)
        for text in statistics
        if (value := on_table(text)) is not None
    ]
    if units.tally.points.size > MOST_POINTS:
        formulas = [replace(formula, interval="none", analytic=None) for formula in formulas]
    estimates = estimate_all(formulas, units, settings, key=stream_of(""))
    for i in range(len(changes)):
        of_change = [e for e in estimates if e.params["scenario"] == i]
        yield {e.params["of"]: replace(e, key=find(e.params["of"]).key) for e in of_change}


def _formula(text: str, value: Callable[[Any], Any], scenario: Scenario, number: int) -> Formula:
    def moved(pairs: PairCounts) -> Any:
        return value(scenario.move(pairs))

    params = {"of": text, "scenario": number}
    return Formula(name="what_if", params=params, value=moved, undefined=ONE_POINT)


def _spread(pairs: PairCounts) -> float:
    """Variance of the gold, divisor n."""
    share = pairs.counts.sum(axis=1) / pairs.counts.sum()
    mean = float(share @ pairs.points)
    return float(share @ (pairs.points - mean) ** 2)


def _error_variance(table: PairCounts, people: PeopleKnown) -> float:
    """Variance of the gold's error, from its ceiling; NaN where that is not known."""
    ceiling = people.ceilings.get(people.rule, math.nan)
    return (1 - ceiling**2) * _spread(table)


def _gold_variance(
    pairs: PairCounts, coarse: Mapping[int, float], scenario: Scenario, *, error: float
) -> float:
    """The ceiling of a moved table: its gold's error stays, or is that of the coarser scale."""
    if scenario.kind == "points":
        return coarse.get(int(scenario.amount), math.nan)
    spread = _spread(pairs)
    return math.sqrt(1 - error / spread) if 0 <= error < spread else math.nan


def _ruled(people: PeopleKnown, statistics: Sequence[str], settings: Settings) -> Iterator[Moved]:
    """The gold under other resolution rules, where raters are known."""
    for rule, rows in people.ruled.items():
        scenario = Scenario(kind="rule", rule=rule)
        bare = rows.points.size > MOST_POINTS
        if bare:
            (numbers,) = _numbers([scenario], statistics, units_of("cells", rows), settings)
        else:
            numbers = unmoved(rows, statistics, settings)
        yield Moved(scenario, numbers, people.ceilings.get(rule, math.nan), bare)


def _scenario_table(moved: Sequence[Moved], system: str, policy: Policy) -> ResultTable:
    """One row a scenario: each statistic with its interval, the ceiling, the verdict."""
    columns = [f"{HEADINGS[text]}{end}" for text in STATISTICS for end in ("", " low", " high")]
    rows = []
    for scenario, numbers, ceiling, bare in moved:
        cells: list[float | None] = []
        for text in STATISTICS:
            number = numbers.get(text)
            ends = (None,) * 3 if number is None else (number.value, number.low, number.high)
            cells += [None if end is None or math.isnan(end) else end for end in ends]
        n = max((number.n for number in numbers.values()), default=0)
        state = None if bare else state_of(system, n, numbers, policy)
        cells.append(None if math.isnan(ceiling) else ceiling)
        rows.append((name(scenario), scenario.kind, *cells, state))
    titles = [limit.title for limit in policy.limits]
    limits = Sentence(VERDICT, policy=policy.name, limits=titles)
    notes = {
        BARE.format(most=MOST_POINTS): any(scenario.bare for scenario in moved),
        KEEPS: True,
        ROUNDED: True,
        CEILING: not all(math.isnan(scenario.ceiling) for scenario in moved),
        str(limits): any(state for *_, state in rows),
    }
    return ResultTable(
        name="scenarios",
        title="If one thing were different",
        columns=("scenario", "change", *columns, "ceiling", "verdict"),
        rows=tuple(rows),
        note=" ".join(note for note, applies in notes.items() if applies),
    )


def _limit_table(table: PairCounts, limit: float) -> ResultTable:
    """What each coefficient has now, and where the leading one is at its limit."""
    values = {text: _value(text) for text in STATISTICS}
    leading = STATISTICS[0]
    ways = at_limit(table, values[leading], limit, values)
    return ResultTable(
        name="limits",
        title=str(Sentence(LIMITS, leading=called(leading), limit=limit)),
        columns=("statistic", "as it is", "same errors", "by chance"),
        rows=tuple(
            (
                HEADINGS[text],
                *(
                    None if math.isnan(number) else number
                    for number in (value(table), ways["errors"][text], ways["chance"][text])
                ),
            )
            for text, value in values.items()
        ),
        note=FAMILIES,
    )


def _value(text: str) -> Callable[[PairCounts], float]:
    statistic = on_table(text)
    if statistic is None:
        raise TypeError(f"{text} is no statistic of a table")
    return lambda pairs: float(statistic(pairs))


def _scale_table(table: PairCounts, people: PeopleKnown) -> ResultTable:
    """The error variance of the gold on each number of points, for who moves the table further."""
    ceilings = {table.points.size: people.ceilings.get(people.rule, math.nan), **people.coarser}
    rows = []
    for points in (table.points.size, *reversed(coarser(table.points.size))):
        ceiling = ceilings.get(points, math.nan)
        error = (1 - ceiling**2) * _spread(points_merged(table, points))
        rows.append((points, *(None if math.isnan(n) else n for n in (ceiling, error))))
    return ResultTable(
        name="gold_error",
        title="Rater error in the gold, by the number of score points",
        columns=("points", "ceiling", "error variance"),
        rows=tuple(rows),
    )


def _curves(table: PairCounts) -> Iterator[Curve]:
    """Each statistic by how often errors are made, and by the share of the most common gold."""
    common = int(np.argmax(table.counts.sum(axis=1)))
    ways: dict[str, tuple[str, Floats, Callable[[float], PairCounts]]] = {
        "what_if_errors": ("errors, times as often", ERRORS, partial(errors_scaled, table)),
        "what_if_prevalence": (
            f"share of gold {table.points[common]:g}",
            PREVALENCES,
            partial(point_raised, table, common),
        ),
    }
    for curve, (title, grid, move) in ways.items():
        tables = [move(float(amount)) for amount in grid]
        for text in STATISTICS:
            yield Curve(
                name=Key(curve, of=text).text,
                subset=-1,
                x_title=title,
                y_title=HEADINGS[text],
                x=tuple(grid.tolist()),
                y=tuple(map(_value(text), tables)),
            )


def at_limit(
    table: PairCounts, leading: Statistic, limit: float, others: Mapping[str, Statistic]
) -> dict[str, dict[str, float]]:
    """What the others are where the leading one is at its limit, on two families of tables.

    ``errors``: the same errors more or less often; ``chance``: a share of the responses scored by
    chance, where the leading one is above its limit. NaN where a family does not reach the limit.
    """
    chance = None
    if leading(table) >= limit:
        chance = _first_below(partial(chance_mixed, table), 1.0, leading, limit)
    ways = {"errors": _at_errors(table, leading, limit), "chance": chance}
    return {
        way: {
            name: math.nan if moved is None else statistic(moved)
            for name, statistic in others.items()
        }
        for way, moved in ways.items()
    }


def _at_errors(table: PairCounts, leading: Statistic, limit: float) -> PairCounts | None:
    """The table with the fewest errors of this kind that takes the leading one down to its limit."""
    total = table.counts.sum(axis=1)
    wrong = total - np.diagonal(table.counts)
    if not (wrong > 0).any():
        return None
    largest = float((total[wrong > 0] / wrong[wrong > 0]).max())
    return _first_below(partial(errors_scaled, table), largest, leading, limit)


def _first_below(
    family: Callable[[float], PairCounts], largest: float, leading: Statistic, limit: float
) -> PairCounts | None:
    """Follow a family from 0 on; bisect where the leading statistic first falls below the limit."""
    grid = np.linspace(0.0, largest, STEPS + 1)
    below = next((i for i, amount in enumerate(grid) if leading(family(amount)) < limit), 0)
    if below == 0:
        return None
    low, high = float(grid[below - 1]), float(grid[below])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if leading(family(middle)) >= limit else (low, middle)
    return family(low)


def on_table(text: str) -> Callable[[PairCounts], Any] | None:
    """A statistic as a function of a table; None where a table does not have what it needs."""
    formula = find(text)
    tallies = BY_NAME[formula.name].tallies
    if {"table", "cells"} & {*tallies} and formula.tally in ("", "table", "cells"):
        return formula.value
    if "moments" in tallies:
        return lambda pairs: formula.value(_moments(pairs))
    return None


def _moments(pairs: PairCounts) -> PairMoments:
    """The moments of the scores, each at its point."""
    first, second = (
        side.ravel() for side in np.meshgrid(pairs.points, pairs.points, indexing="ij")
    )
    center = float(pairs.points.mean())
    cells = pairs.counts.reshape(*pairs.counts.shape[:-2], first.size)
    return PairMoments.of(first - center, second - center, cells, center)


def unmoved(rows: Rows, statistics: Sequence[str], settings: Settings) -> dict[str, Estimate]:
    """The statistics of scores as they are, with the intervals that `evaluate` gives them."""
    formulas = {text: find(text) for text in statistics if on_table(text) is not None}
    units = units_by_tally([*formulas.values()], rows)
    estimates = estimate_by_tally([*formulas.values()], units, settings, "")
    return dict(zip(formulas, estimates, strict=True))


def limits_on_tables(policy: Policy) -> Policy:
    """The policy with those of its limits that a table of two scores has numbers for."""
    limits = [
        limit
        for limit in policy.limits
        if limit.where == OVERALL and ON_TABLE & {*BY_NAME[split_key(limit.statistic)[0]].tallies}
    ]
    return replace(policy, limits=tuple(limits))


def state_of(system: str, n: int, numbers: Mapping[str, Estimate], policy: Policy) -> State | None:
    """What the limits say of these numbers; None where some limit has no number."""
    if not policy.limits or any(limit.statistic not in numbers for limit in policy.limits):
        return None
    subset = Subset(id=system, subject=system_called(system), n=n)
    evaluation = Evaluation(
        kind="evaluate",
        options={"systems": (system,)},
        data=Data(read=n, used=n, scale=""),
        definitions={},
        subsets=(subset,),
        estimates=tuple(replace(number, subset=0) for number in numbers.values()),
    )
    verdict = judged(evaluation, policy).verdict
    return None if verdict is None else verdict.state


def pooled(column: str, flag: str, values: int) -> str:
    """Say that prompts or traits stand in one table; ``flag`` keeps one of them."""
    return (
        f"all responses are in one table, so that differences between {values} {column}s count as "
        f"agreement; --flag {flag} keeps one {column}"
    )
