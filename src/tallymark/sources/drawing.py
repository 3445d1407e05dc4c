"""Drawing: which responses people are to label, stratum by stratum, and the sheet they get."""

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources import words
from tallymark.sources.allocating import LEAST, allocated
from tallymark.sources.beside import keys_of
from tallymark.sources.draw_codes import CODE, LABEL, DrawCode, written
from tallymark.sources.joining import columns_in
from tallymark.sources.roles import listed, natural
from tallymark.sources.sql import NUMBERED, ROW, as_text
from tallymark.sources.tables import SqlTable, check_one_sheet
from tallymark.sources.vocabulary import WORDS, plain_word

MOST_VALUES = 10
"""A column of more numbers than this is cut at its quantiles."""
MOST_STRATA = 200
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class DrawnStratum(NamedTuple):
    """Responses that are drawn together: so many out of so many."""

    name: str
    size: int
    drawn: int


class LabelSheet(Struct, frozen=True):
    """What annotators get, in random order: names of columns and rows of texts.

    ``strata`` were drawn from, ``left_out`` counts rows that could not be drawn, by reason;
    ``score`` is the column of scores that it was drawn by, if it is one.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strata: tuple[DrawnStratum, ...]
    left_out: Mapping[str, int]
    id: str
    score: str = ""


class WantedLabels(NamedTuple):
    """What a sheet is asked to be; see :class:`tallymark.study.labels.DrawKeywords`."""

    n: int
    id: str | None = None
    by: Sequence[str] = ()
    show: Sequence[str] = ()
    raters: int = 1
    allocate: str = "equal"
    strata: int = 5
    seed: int = 0


def draw(table: SqlTable, wanted: WantedLabels) -> LabelSheet:
    """Draw responses within strata, each response of a stratum with the same chance."""
    check_one_sheet(table)
    name = _id(table, wanted)
    _check(table, wanted, name)
    keys = [key for (key,) in keys_of(table, [name])]
    cells = columns_in(table, [*wanted.by]) if wanted.by else {}
    kept, left_out = _kept(table, name, keys, cells)
    named = _strata(table.name, kept, cells, wanted)
    sizes = [len(rows) for rows in named.values()]
    numbers = allocated(sizes, wanted.n, wanted.allocate)
    rng = np.random.default_rng(wanted.seed)
    # the draw must not depend on the order of the rows
    ordered = [sorted(rows, key=lambda i: str(keys[i])) for rows in named.values()]
    chosen = [
        (int(rows[place]), h)
        for h, (rows, number) in enumerate(zip(ordered, numbers, strict=True))
        for place in rng.choice(len(rows), number, replace=False).tolist()
    ]
    rng.shuffle(chosen)
    strata = [DrawnStratum(*each) for each in zip(named, sizes, numbers, strict=True)]
    sheet = _sheet(table, wanted, name, keys, chosen, strata, left_out)
    return replace(sheet, score=wanted.by[0] if len(cells) == 1 and _is_score(cells, kept) else "")


def _id(table: SqlTable, wanted: WantedLabels) -> str:
    known = None if table.known is None else table.known.roles.id
    name = wanted.id or known
    if name is None:
        like = [column for column in table.columns if words.only_names_an_id(column)]
        like = [c for c in like if words.plain(c) == "id"] or like
        if len(like) != 1:
            raise OptionError(
                f"name the column of the response's id with --id ({listed([*table.columns])}); labels "
                "are joined by it"
            )
        name = like[0]
    return name


def _check(table: SqlTable, wanted: WantedLabels, name: str) -> None:
    """Refuse columns that are not there, or would show annotators what they must not see."""
    asked = [
        ("--id", name),
        *(("--by", c) for c in wanted.by),
        *(("--show", c) for c in wanted.show),
    ]
    for option, column in asked:
        if column not in table.columns:
            known = [*table.columns]
            raise DataError(
                f"{table.name} has no column {column!r} (asked for as {option}); it has "
                f"{listed(known)}.{did_you_mean(column, known)}"
            )
    roles = () if table.known is None else table.known.roles.named(table.columns)
    scores = {role.column for role in roles if role.score}
    shown = [c for c in wanted.show if c in scores or c in wanted.by or words.names_a_score(c)]
    if shown:
        raise OptionError(
            f"--show {shown[0]}: annotators must not see a score, nor what the draw is by; rename the "
            "column if it is neither"
        )
    taken = [column for column in (name, *wanted.show) if column.startswith((CODE, LABEL))]
    if taken:
        raise OptionError(f"{taken[0]!r} is a column of drawn sheets; rename it in {table.name}")
    for option, number, least in (
        ("--number", wanted.n, LEAST), ("--raters", wanted.raters, 1), ("--strata", wanted.strata, 2),
    ):  # fmt: skip
        if number < least:
            raise OptionError(f"{option} must be {least} or more, got {number}")


def _kept(
    table: SqlTable,
    name: str,
    keys: Sequence[str | None],
    cells: Mapping[str, Sequence[str | None]],
) -> tuple[list[int], dict[str, int]]:
    """Rows that can be drawn; why others cannot."""
    twice = [str(key) for key, times in Counter(keys).items() if times > 1 and key is not None]
    if twice and table.known is not None:
        raise DataError(
            f"{table.name} has scores of several scorers for each response; save those of one in a "
            "file of its own, and draw from that"
        )
    if twice:
        times = "1 id repeats" if len(twice) == 1 else f"{len(twice):,} ids repeat"
        raise DataError(
            f"{table.name}: {times} in {name!r} ({listed(twice[:3])}{', …' if len(twice) > 3 else ''}); "
            "labels are joined by it, so each response needs its own: name another with --id"
        )
    left_out: Counter[str] = Counter()
    kept = []
    for i, key in enumerate(keys):
        lacking = next((c for c, values in cells.items() if _blank(values[i])), None)
        if key is None:
            left_out[f"no {name}"] += 1
        elif lacking is not None:
            left_out[f"no {lacking}"] += 1
        else:
            kept.append(i)
    if not keys:
        raise DataError(f"{table.name} has columns but no rows; it needs one row per response")
    if not kept:
        raise DataError(f"no row of {table.name} has {listed([name, *cells])}")
    return kept, dict(left_out)


def _blank(value: str | None) -> bool:
    return value is None or value.strip().lower() in ("", "nan")


def _strata(
    source: str,
    kept: Sequence[int],
    cells: Mapping[str, Sequence[str | None]],
    wanted: WantedLabels,
) -> dict[str, list[int]]:
    """The rows of each stratum, in the order of what tells them apart."""
    parts = {
        column: _cut([str(values[i]).strip() for i in kept], wanted.strata)
        for column, values in cells.items()
    }
    rows: dict[tuple[tuple[float, str], ...], list[int]] = {}
    for place, i in enumerate(kept):
        rows.setdefault(tuple(part[place] for part in parts.values()), []).append(i)
    if len(rows) > MOST_STRATA:
        raise OptionError(
            f"--by {', '.join(wanted.by)} makes {len(rows):,} strata of {source}; name columns with "
            "fewer values"
        )
    named: dict[str, list[int]] = {}
    for key in sorted(rows, key=lambda key: [(number, natural(text)) for number, text in key]):
        name = "; ".join(f"{c} {text}" for c, (_, text) in zip(parts, key, strict=True))
        named[name or "all"] = rows[key]
    return _merged(named)


def _merged(named: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """Strata of one response go to the one before, or after the first."""
    merged: list[tuple[str, list[int]]] = []
    for name, rows in named.items():
        if merged and (len(rows) < LEAST or len(merged[-1][1]) < LEAST):
            before, others = merged.pop()
            merged.append((f"{before} or {name}", [*others, *rows]))
        else:
            merged.append((name, rows))
    return dict(merged)


def _cut(values: Sequence[str], most: int) -> list[tuple[float, str]]:
    """What tells strata apart: an order and a name; many numbers are cut at their quantiles."""
    if len(set(values)) <= MOST_VALUES:
        return [(number if math.isfinite(number := _number(v)) else 0.0, v) for v in values]
    numbers = np.array([_number(value) for value in values])
    if np.isnan(numbers).any():
        return [(0.0, value) for value in values]
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, most + 1), method="lower"))
    place = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, max(edges.size - 2, 0))
    return [(float(p), _range(edges, int(p))) for p in place]


def _range(edges: NDArray[np.float64], place: int) -> str:
    last = place == edges.size - 2
    return f"from {edges[place]:g} to {'' if last else 'below '}{edges[place + 1]:g}"


def _is_score(cells: Mapping[str, Sequence[str | None]], kept: Sequence[int]) -> bool:
    """Whether all values are numbers, or words of a scale that is known."""
    values = {str(cell[i]) for cell in cells.values() for i in kept}
    return all(plain_word(v.strip()) in WORDS for v in values) or not any(
        math.isnan(_number(v)) for v in values
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _sheet(
    table: SqlTable,
    wanted: WantedLabels,
    name: str,
    keys: Sequence[str | None],
    chosen: Sequence[tuple[int, int]],
    strata: Sequence[DrawnStratum],
    left_out: Mapping[str, int],
) -> LabelSheet:
    shown = [column for column in dict.fromkeys(wanted.show) if column != name]
    rows = [row for row, _ in chosen]
    texts = _texts(table, shown, rows)
    digest = hashlib.sha256(repr(sorted((str(keys[row]), h) for row, h in chosen)).encode())
    draw_number = int.from_bytes(digest.digest()[:2], "big")
    labels = [LABEL] if wanted.raters == 1 else [f"{LABEL}_{i + 1}" for i in range(wanted.raters)]
    made = []
    for row, h in chosen:
        key = str(keys[row])
        code = written(DrawCode(draw_number, h, strata[h].drawn, strata[h].size), key)
        made.append((key, *texts.get(row, ()), *("" for _ in labels), code))
    columns = (name, *shown, *labels, CODE)
    return LabelSheet(columns, tuple(made), tuple(strata), dict(left_out), name)


def _texts(
    table: SqlTable, shown: Sequence[str], rows: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    """What annotators see of some rows; no spreadsheet takes a text for a formula."""
    if not shown:
        return {}
    chosen = ", ".join(as_text(table.columns[column].sql) for column in shown)
    wanted = ", ".join(str(row + 1) for row in rows)
    cells_of = table.rows(f"SELECT {ROW}, {chosen} FROM {NUMBERED} WHERE {ROW} IN ({wanted})")
    return {
        int(row) - 1: tuple(
            f"'{t}" if t.startswith(_FORMULA) else t for t in (c or "" for c in cells)
        )
        for row, *cells in cells_of
    }
