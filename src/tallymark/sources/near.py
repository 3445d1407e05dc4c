"""Near: of too many distinct rows, scores that nearly agree stand together in one interval."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.scale import MOST_POINTS, Scale
from tallymark.sources.assembling import TalliedTable, scales_of
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check, problem
from tallymark.sources.grids import Spacing
from tallymark.sources.roles import COUNT, SCORED
from tallymark.sources.scoring import SettingPart
from tallymark.sources.settings import Options
from tallymark.sources.sql import hashed, how_many, literal, number
from tallymark.sources.tables import SqlTable
from tallymark.sources.tallying import (
    MANY,
    NOTHING,
    check_left,
    check_prompts,
    tally_rows,
    too_many,
)
from tallymark.tally.patterns import WEIGHT
from tallymark.tally.rounding import GUARD

FEW = 50_000
"""So many cells tell as much as anyone can see, and cost little."""
MOST = 500_000
"""If even the widest intervals make more cells than this, every row is kept."""
FINEST, COARSEST = 7, 1
"""How often a step of the scale is halved."""
_PARTS = 8
"""Into so many parts a range is divided where no scale tells a step."""
_SPREAD = 1.2 * MOST_POINTS
"""A column with about so many values is continuous; estimates of their number may be off by 10 %."""
Scales = Callable[[], Sequence[SettingPart]]


class _Seen(NamedTuple):
    """About how many values a score has, and its range."""

    values: int
    low: float
    high: float


def tallied(
    known: Callable[..., TalliedTable],
    cells: ScoreCells,
    options: Options,
    rows: int,
    notes: tuple[str, ...],
) -> TalliedTable:
    """Tally a table of so many rows of which all but the tally is known."""
    bare = known(cells=cells, notes=notes, raw=NOTHING)
    tally = partial(tally_rows, bare.table, checks=bare.checks, exclude=options.exclude)

    def scales() -> Sequence[SettingPart]:
        return scales_of(replace(bare, raw=tally(cells, people_only=True)), options)

    if not options.numbered:
        cells = with_grids(bare.table, cells, bare.checks, rows, scales)
    raw = tally(cells, numbered=options.numbered)
    check_left(bare.table.name, raw)
    check_prompts(options.settings, bare.roles, raw)
    return replace(bare, cells=cells, raw=raw, notes=(*notes, *too_many(raw, cells)))


def with_grids(
    table: SqlTable, cells: ScoreCells, checks: Sequence[Check], rows: int, scales: Scales
) -> ScoreCells:
    """The cells with grids for continuous scores, where distinct rows are too many to be kept.

    ``scales`` are those of people's scores, of which none is continuous where it is called.
    """
    if rows < MANY or table.elsewhere or cells.at(COUNT):
        return cells
    here = f"(SELECT *, {problem(checks)} AS problem FROM ({cells.tallied}))"
    keys = [f"k{i}" for i, _ in enumerate(cells.keys)]
    scores = [f"s{i}" for i, _ in enumerate(cells.scores)]
    usable = f"FROM {here} WHERE problem = -1"
    wanted = [how_many(hashed([*keys, *scores]), exact=False)]
    wanted += [f"{how_many(s, exact=False)}, min({s}), max({s})" for s in scores]
    [(different, *measured)] = table.rows(f"SELECT {', '.join(wanted)} {usable}")
    if different < MANY:
        return cells
    seen = [_Seen(*measured[i : i + 3]) for i in range(0, len(measured), 3)]
    wide = [i for i, each in enumerate(seen) if each.values > _SPREAD]
    if not wide or any(cells.scores[i].name == WEIGHT for i in wide):
        return cells
    grids = _grids(cells, seen, wide, scales)
    levels = {level: _finer(grids, level) for level in range(FINEST, COARSEST - 1, -1)}
    points = [s for i, s in enumerate(scores) if i not in grids]
    counts = [
        how_many(
            hashed([*keys, *points, *(g.interval(f"s{i}") for i, g in of.items())]), exact=False
        )
        for of in levels.values()
    ]
    [many] = table.rows(f"SELECT {', '.join(counts)} {usable}")
    fit = [of for of, cells_of in zip(levels.values(), many, strict=True) if cells_of <= FEW]
    if not fit and many[-1] > MOST:
        return cells
    return replace(cells, grids=fit[0] if fit else levels[COARSEST])


def _finer(grids: Mapping[int, Spacing], level: int) -> dict[int, Spacing]:
    return {i: replace(grid, level=level) for i, grid in grids.items()}


def _grids(
    cells: ScoreCells, seen: Sequence[_Seen], wide: Sequence[int], scales: Scales
) -> dict[int, Spacing]:
    """The grid of each continuous score: steps of the gold's scale, else parts of its range."""
    people = {*cells.at("human:"), *cells.at("gold")}
    parts = scales() if people.isdisjoint(wide) else []
    known = bool(parts) and not any(part.gold.continuous for part in parts)
    grids = {}
    for i in wide:
        if known and cells.scores[i].name.startswith(SCORED):
            grids[i] = _by_step(cells, parts)
        else:
            low, high = seen[i].low, seen[i].high
            grids[i] = Spacing(number(low), number((high - low) / _PARTS), least=number(low))
    return grids


def _by_step(cells: ScoreCells, parts: Sequence[SettingPart]) -> Spacing:
    """Intervals that end where a score is rounded to another point."""
    ends = {part.prompt: _first_end(part) for part in parts}
    usual = ends.pop(None, None) or next(iter(ends.values()))
    key = cells.key("prompt")

    def chosen(which: int) -> str:
        if not ends or key is None:
            return number(usual[which])
        cases = [f"WHEN {literal(str(p))} THEN {number(end[which])}" for p, end in ends.items()]
        return f"CASE {key} {' '.join(cases)} ELSE {number(usual[which])} END"

    return Spacing(chosen(0), chosen(1))


def _first_end(part: SettingPart) -> tuple[float, float]:
    """Half a step below the least point, and the step, on the system's own scale."""
    gold, ends = part.gold, part.setting.system_scale
    step = Scale.infer(gold.points).step or 1.0
    low = gold.low - step * (0.5 + GUARD)
    if ends is None or gold.high == gold.low:
        return low, step
    slope = (gold.high - gold.low) / (ends.high - ends.low)
    return ends.low - step / slope * (0.5 + GUARD), step / slope
