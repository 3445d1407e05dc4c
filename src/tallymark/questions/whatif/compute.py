"""What if: one table of gold and system, and what its statistics were if counts were moved."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import ONE_POINT, called, find, members, texts
from tallymark.diagnosis.binning import coarser
from tallymark.diagnosis.moving import errors_scaled, point_raised, points_merged
from tallymark.errors import DataError
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.whatif import say
from tallymark.questions.whatif.limits import at_limit
from tallymark.questions.whatif.on_tables import on_table, unmoved
from tallymark.questions.whatif.scenarios import Moves, Scenario, labels_of, scenarios
from tallymark.questions.whatif.verdicts import limits_on_tables, state_of
from tallymark.render.sentences import Sentence
from tallymark.results import WHAT_IF, Curve, Estimate, Key, ResultTable, system_called
from tallymark.scale import MOST_POINTS as FINEST
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.rows import Rows
from tallymark.study.units import units_of
from tallymark.tally import PairCounts
from tallymark.verdict.policy import Policy

Floats = NDArray[np.float64]
STATISTICS = texts("what_if")
HEADINGS = {entry.text: entry.heading for entry in members("what_if")}
MOST_POINTS = 31
"""Tables of more points have too many cells for an interval of every number: seconds for each."""
ERRORS, PREVALENCES = np.arange(0, 31) / 10, np.arange(1, 20) / 20
"""Where curves have their points."""


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
    judged = limits_on_tables(policy)
    asked = tuple(dict.fromkeys((*STATISTICS, *(each.statistic for each in judged.limits))))
    every = [*scenarios(table, scale, moves)]
    variance = partial(_gold_variance, error=_error_variance(table, people))
    bare = table.points.size > MOST_POINTS
    moved = [
        Moved(scenario, numbers, variance(scenario.move(table), people.coarser, scenario), bare)
        for scenario, numbers in zip(every, _numbers(every, asked, units, settings), strict=True)
    ]
    if not bare:
        moved[0] = moved[0]._replace(numbers=unmoved(rows, asked, settings))
    moved += _ruled(people, asked, settings)
    subset = subset_of(part, system_called(system), n=units.n, against=WHAT_IF)
    tables = (
        _scenario_table(moved, system, judged),
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
    every: Sequence[Scenario], asked: Sequence[str], units: Units[PairCounts], settings: Settings
) -> Iterator[dict[str, Estimate]]:
    """The statistics of each scenario; without intervals where a table has very many points."""
    formulas = [
        _formula(text, value, scenario, i)
        for i, scenario in enumerate(every)
        for text in asked
        if (value := on_table(text)) is not None
    ]
    if units.tally.points.size > MOST_POINTS:
        formulas = [replace(formula, interval="none", analytic=None) for formula in formulas]
    made = estimate_all(formulas, units, settings, key=stream_of(""))
    for i in range(len(every)):
        here = [estimate for estimate in made if estimate.params["scenario"] == i]
        yield {e.params["of"]: replace(e, key=find(e.params["of"]).key) for e in here}


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


def _ruled(people: PeopleKnown, asked: Sequence[str], settings: Settings) -> Iterator[Moved]:
    """The gold under other resolution rules, where raters are known."""
    for rule, rows in people.ruled.items():
        scenario = Scenario(kind="rule", rule=rule)
        bare = rows.points.size > MOST_POINTS
        if bare:
            (numbers,) = _numbers([scenario], asked, units_of("cells", rows), settings)
        else:
            numbers = unmoved(rows, asked, settings)
        yield Moved(scenario, numbers, people.ceilings.get(rule, math.nan), bare)


def _scenario_table(moved: Sequence[Moved], system: str, judged: Policy) -> ResultTable:
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
        state = None if bare else state_of(system, n, numbers, judged)
        top = None if math.isnan(ceiling) else ceiling
        rows.append((say.name(scenario), scenario.kind, *cells, top, state))
    limits = Sentence(
        say.VERDICT, policy=judged.name, limits=[limit.title for limit in judged.limits]
    )
    notes = {
        say.BARE.format(most=MOST_POINTS): any(each.bare for each in moved),
        say.KEEPS: True,
        say.ROUNDED: True,
        say.CEILING: not all(math.isnan(each.ceiling) for each in moved),
        str(limits): any(state for *_, state in rows),
    }
    return ResultTable(
        name="scenarios",
        title=say.TITLE,
        columns=("scenario", "change", *columns, "ceiling", "verdict"),
        rows=tuple(rows),
        note=" ".join(words for words, true in notes.items() if true),
    )


def _limit_table(table: PairCounts, limit: float) -> ResultTable:
    """What each coefficient has now, and where the leading one is at its limit."""
    values = {text: _value(text) for text in STATISTICS}
    leading = STATISTICS[0]
    ways = at_limit(table, values[leading], limit, values)
    return ResultTable(
        name="limits",
        title=str(Sentence(say.LIMITS, leading=called(leading), limit=limit)),
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
        note=say.FAMILIES,
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
    for name, (title, grid, move) in ways.items():
        tables = [move(float(at)) for at in grid]
        for text in STATISTICS:
            value = _value(text)
            line = tuple(value(pairs) for pairs in tables)
            yield Curve(
                name=Key(name, of=text).text,
                subset=-1,
                x_title=title,
                y_title=HEADINGS[text],
                x=tuple(float(at) for at in grid),
                y=line,
            )


__all__ = ["MOST_POINTS", "PeopleKnown", "labels_of", "on_table", "what_if"]
