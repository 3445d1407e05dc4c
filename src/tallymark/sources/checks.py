"""Checks: what may be wrong with a response, as SQL, as an error and as a counted exclusion."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NoReturn

from msgspec import Struct

from tallymark.errors import OptionError, TallymarkError, did_you_mean
from tallymark.scale import GREATEST, Scale
from tallymark.sources.cells import ScoreCells
from tallymark.sources.left_out import comma_hint
from tallymark.sources.refusals import MESSAGES, MOST_WORDS
from tallymark.sources.settings import ReadingSettings, Setting
from tallymark.sources.sql import any_of, as_text, number, numbers, packed
from tallymark.sources.tables import SqlTable
from tallymark.sources.values import is_text, is_unknown_label

Reason = Literal[
    "text",
    "infinite",
    "off-scale",
    "duplicate",
    "differing",
    "weight",
    "probability",
    "unnamed",
    "unresolved",
    "unscored",
    "flag",
    "zero",
    "candidate",
    "suppressed",
]
EXCLUDABLE = ("text", "infinite", "off-scale", "duplicate", "weight", "probability")
ALLOWED = ("unresolved", "unscored", "flag", "zero", "candidate", "suppressed")
"""Reasons for which responses are always excluded and counted, never refused."""
LISTED = 100_000
"""At most this many excluded rows are listed one by one; all are counted."""


class ExcludedRow(Struct, frozen=True):
    """A response that was read and not used; row 1 is the first row of data."""

    row: int
    id: str | None
    reason: str
    column: str
    value: str | None


class Check(Struct, frozen=True):
    """A condition that keeps a response from being used; ``by_id`` where it looks at the id."""

    reason: Reason
    column: str
    condition: str
    value: str = "NULL"
    words: str = ""
    row: str = "row"
    scale: str = ""
    by_id: bool = False


def checked_words(exclude: Sequence[str]) -> frozenset[str]:
    """Refuse words that name nothing which may be excluded."""
    for word in exclude:
        if word not in EXCLUDABLE:
            raise OptionError(
                f"exclude takes {', '.join(EXCLUDABLE)}, got {word!r}.{did_you_mean(word, EXCLUDABLE)}"
            )
    return frozenset(exclude)


def score_checks(cells: ScoreCells, settings: ReadingSettings) -> list[Check]:
    """Scores must be finite numbers, and those of people must lie on a declared scale."""
    checks = [
        Check(
            "text",
            cell.column,
            is_text(i, cell.kind),
            f"v{i}",
            "text where a number belongs",
            cells.row(i),
        )
        for i, cell in enumerate(cells.scores)
        if cell.kind in ("text", "truth")
    ]
    checks += [
        Check(
            "infinite",
            cell.column,
            f"abs(s{i}) > {number(GREATEST)}",
            as_text(f"s{i}"),
            "score infinite or beyond 1e12",
            cells.row(i),
        )
        for i, cell in enumerate(cells.scores)
    ]
    return checks + _scale_checks(cells, settings)


def _scale_checks(cells: ScoreCells, settings: ReadingSettings) -> list[Check]:
    if all(setting.scale is None for setting in settings.all):
        return []
    # a gold column beside human columns may be a sum or a mean, with a scale of its own
    bound = cells.at("human:") or cells.at("gold")
    if settings.words:  # words of a system that the scale lacks cannot be trimmed to it
        bound = [i for i, cell in enumerate(cells.scores) if cell.kind == "label"]
    return [_scale_check(cells, settings, i) for i in bound]


def _scale_check(cells: ScoreCells, settings: ReadingSettings, i: int) -> Check:
    cell = cells.scores[i]
    people = {*cells.at("human:"), *cells.at("gold")}  # a system may lie between two points

    def off(setting: Setting) -> str:
        unknown = [is_unknown_label(i)] if cell.kind == "label" else []
        return any_of([*unknown, *([_off_scale(f"s{i}", setting.scale)] if i in people else [])])

    return Check(
        "off-scale",
        cell.column,
        settings.by_prompt(cells.key("prompt"), off),
        f"v{i}" if cell.kind == "label" else as_text(f"s{i}"),
        "score off the scale",
        cells.row(i),
        "of its prompt" if settings.prompts else str(settings.usual.scale),
    )


def problem(checks: Sequence[Check]) -> str:
    """Write the number of the first check that a response fails, -1 when it fails none."""
    cases = [f"WHEN {check.condition} THEN {i}" for i, check in enumerate(checks)]
    return f"CASE {' '.join(cases)} ELSE -1 END"


def refuse(table: SqlTable, cells: ScoreCells, checks: Sequence[Check], which: int) -> NoReturn:
    """Raise the error of a check that responses fail although nobody allowed it."""
    first = table.rows(
        f"SELECT {checks[which].row} AS place, {checks[which].value}, count(*) OVER (), id "
        f"FROM ({_failing(cells, checks, f'= {which}')}) ORDER BY place LIMIT 3"
    )
    column = table.columns.get(checks[which].column)
    raise _error(table.name, column.of if column else "", cells, checks[which], first)


def _failing(cells: ScoreCells, checks: Sequence[Check], which: str) -> str:
    """Write the responses whose ``problem`` is one of these."""
    return cells.rows(
        lambda rows: (
            f"SELECT * FROM (SELECT *, {problem(checks)} AS problem FROM ({rows})) "
            f"WHERE problem {which}"
        )
    )


def is_allowed(check: Check, exclude: frozenset[str]) -> bool:
    """Whether responses that fail the check are excluded and counted rather than refused."""
    return check.reason in ALLOWED or check.reason in exclude


def excluded_row(checks: Sequence[Check]) -> str:
    """Write what is listed of a response that is not used, ``problem`` being its check; by its row."""
    values = [f"WHEN {i} THEN {as_text(check.value)}" for i, check in enumerate(checks)]
    places = [f"WHEN {i} THEN {check.row}" for i, check in enumerate(checks)]
    return packed(
        [
            f"CASE problem {' '.join(places)} END",
            "id",
            "problem",
            f"CASE problem {' '.join(values)} END",
        ]
    )


def _off_scale(score: str, scale: Scale | None) -> str:
    if scale is None:
        return "FALSE"
    guard = 1e-9 * max(1.0, abs(scale.low), abs(scale.high))
    outside = [f"{score} < {number(scale.low - guard)}", f"{score} > {number(scale.high + guard)}"]
    if scale.continuous:
        return any_of(outside)
    gaps = [b - a for a, b in pairwise(scale.points)]
    if not gaps or max(gaps) - min(gaps) > guard:
        return f"{score} NOT IN {numbers(scale.points)}"
    steps = f"({score} - {number(scale.low)}) / {number(sum(gaps) / len(gaps))}"
    return any_of([*outside, f"abs({steps} - round({steps})) > {number(1e-6)}"])


def _error(
    source: str, joined: str, cells: ScoreCells, check: Check, first: Sequence[tuple[Any, ...]]
) -> TallymarkError:
    """Write the error from the first rows: row, value, number of all, id (the place in a ``joined`` table)."""
    row, value, count, name = first[0]
    thing = "response" if cells.long else "row"
    prose = check.reason == "text" and isinstance(value, str) and len(value.split()) > MOST_WORDS
    kind, message = MESSAGES["prose" if prose else check.reason]
    text = message.format(
        source=joined or source,
        column=f"{'rater' if cells.long and check.reason != 'weight' else 'column'} {check.column!r}",
        place=f"at id {str(name)[:60]!r}" if joined else f"in row {row}",
        value=value[:60] if isinstance(value, str) else value,
        rows=f"1 {thing}" if count == 1 else f"{count} {thing}s",
        where=", ".join(str(row_and_value[0]) for row_and_value in first),
        words=check.words,
        scale=check.scale,
    )
    if check.reason == "text" and not prose:
        text += _how_to_write(value)
    elif check.reason == "off-scale":
        text += _as_a_range(value, check.scale)
    return kind(text)


def _as_a_range(value: str, scale: str) -> str:
    """How to declare all points between two, where only the two were listed and another was given.

    >>> _as_a_range("3.0", "1,6")
    ' The scale has 2 points, 1 and 6; for all points between them as well, write --scale 1:6.'
    """
    ends = scale.split(",")
    try:
        low, score, high = float(ends[0]), float(value), float(ends[-1])
    except ValueError:
        return ""
    if len(ends) != 2 or not low < score < high:
        return ""
    return (
        f" The scale has 2 points, {low:g} and {high:g}; for all points between them as well, write "
        f"--scale {low:g}:{high:g}."
    )


def _how_to_write(value: str) -> str:
    """What else to do about a text that was meant as a number."""
    if value.startswith("="):
        return " It is a formula without its value: open the file in a spreadsheet and save it."
    hint = comma_hint(value)
    return f" {hint[2:]}." if hint else ""
