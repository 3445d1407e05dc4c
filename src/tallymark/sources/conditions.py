"""Conditions: which rows are read, as ``--where`` says it; a small language, and none of SQL's."""

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

from msgspec.structs import replace

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, NUMBERED, as_number, as_text, literal, number
from tallymark.sources.tables import SqlTable

HOW = (
    "Write COLUMN = VALUE, also with != < <= > >=, in (A, B) or is null, joined by and, or: "
    "--where \"year >= 2024 and status = 'final'\""
)
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")+"|`[^`]+`)|(?P<sign><=|>=|!=|<>|==|[=<>(),])
    |(?P<word>[\w.+\-:/]+))""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_WORDS = ("and", "or", "in", "is", "not", "null")
_SIGNS = {"=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_ABOVE = ("<>", ">", ">=")
"""What holds for NaN, which databases have above all numbers; a missing value meets no condition."""
_LONGEST, _DEEPEST = 10_000, 50
_WHOLE = 2**62
"""Below this, whole numbers are compared as such: as doubles, two great ids are the same."""
Value = str | int | float
Write = Callable[["Compared"], str]


class Compared(NamedTuple):
    """A column beside values: ``=``, ``<>``, ``<`` and so on, ``IN``, ``NOT IN``, ``IS NULL``, ``IS NOT NULL``."""

    column: str
    sign: str
    values: tuple[Value, ...] = ()


class JoinedConditions(NamedTuple):
    """Conditions of which all hold (``AND``), or one of them (``OR``)."""

    word: str
    parts: "tuple[Condition, ...]"


Condition = Compared | JoinedConditions


def parsed(text: str) -> Condition:
    """Read a condition; ``and`` binds more closely than ``or``.

    >>> parsed("year >= 2024")
    Compared(column='year', sign='>=', values=(2024,))
    """
    if len(text) > _LONGEST:
        raise OptionError(f"--where has {len(text):,} characters; {_LONGEST:,} are the most")
    tokens = _Tokens(_cut(text))
    condition = _either(tokens, 0)
    if tokens.left:
        raise _refused(tokens.left[0])
    return condition


def columns_in(condition: Condition) -> list[str]:
    """The columns that a condition names, once each."""
    if isinstance(condition, Compared):
        return [condition.column]
    return [*dict.fromkeys(name for part in condition.parts for name in columns_in(part))]


def written(condition: Condition, write: Write) -> str:
    """Write a condition as SQL, each comparison by ``write``."""
    if isinstance(condition, Compared):
        return write(condition)
    return f" {condition.word} ".join(f"({written(part, write)})" for part in condition.parts)


def compared(comparison: Compared, name: str, quote: Callable[[str], str] = literal) -> str:
    """Write a comparison for a warehouse, where columns have types: ``name`` is the column, quoted.

    >>> compared(Compared("year", "IN", (2023, 2024)), '"year"')
    '"year" IN (2023, 2024)'
    """
    digits = [value if isinstance(value, str) else _digits(value) for value in comparison.values]
    texts = any(isinstance(value, str) for value in comparison.values)
    values = [quote(value) for value in digits] if texts else digits
    if comparison.sign.endswith("NULL"):
        return f"{name} {comparison.sign}"
    return f"{name} {comparison.sign} " + (
        f"({', '.join(values)})" if comparison.sign.endswith("IN") else values[0]
    )


def narrowed(table: SqlTable, where: str) -> SqlTable:
    """The rows of a table that meet a condition, under their numbers in the whole table."""
    condition, known = parsed(where), table.columns
    for name in columns_in(condition):
        if name not in known:
            raise DataError(
                f"{table.name} has no column {name!r} (asked for as --where); it has {listed([*known])}."
                f"{did_you_mean(name, known)}"
            )
    rule = written(condition, lambda comparison: _typed(comparison, table))

    def chosen(match: re.Match[str]) -> str:
        source = match[0]
        return f"(SELECT * FROM {source} WHERE {rule})" if source in (DATA, NUMBERED) else source

    def run(query: str) -> Any:
        return table.run(_PLACES.sub(chosen, query))

    return replace(table, run=run, where=where.strip())


_PLACES = re.compile(rf"""{re.escape(NUMBERED)}|'(?:[^']|'')*'|"(?:[^"]|"")*"|\b{DATA}\b""")
"""Where a query names the rows; what stands in quotes names none."""


def _typed(comparison: Compared, table: SqlTable) -> str:
    """Write a comparison for a column that may hold numbers as text, as CSV does."""
    column = table.columns[comparison.column]
    text = as_text(column.sql)
    if comparison.sign.endswith("NULL"):
        bare = f"CAST({column.sql} AS DOUBLE)" if column.numeric else ""
        missing = f"nullif(trim({text}), '') IS NULL" + (f" OR isnan({bare})" if bare else "")
        return f"({missing})" if comparison.sign == "IS NULL" else f"NOT ({missing})"
    if any(isinstance(value, str) for value in comparison.values):
        return compared(comparison, text)
    cell = column.sql if column.numeric else as_number(text)
    rule = compared(comparison, f"({cell})" if not column.numeric else cell)
    if comparison.sign in _ABOVE or comparison.sign == "NOT IN":
        rule += f" AND NOT isnan(CAST({cell} AS DOUBLE))"
    return rule


def _digits(value: float) -> str:
    """A whole number without a point, so that a database compares it with whole numbers."""
    whole = abs(value) < _WHOLE and value == int(value)
    return str(int(value)) if whole else number(value).partition("::")[0].strip("'")


class _Tokens:
    """What is left to read of a condition."""

    def __init__(self, left: list[str]) -> None:
        self.left = left

    def take(self) -> str:
        if not self.left:
            raise OptionError(f"--where ends too early. {HOW}")
        return self.left.pop(0)

    def word(self) -> str:
        """The next of our words, or a sign; empty where something else comes."""
        return self.left[0].lower() if self.left else ""

    def expect(self, *words: str) -> None:
        for word in words:
            token = self.take()
            if token.lower() != word:
                raise _refused(token)


def _cut(text: str) -> list[str]:
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _refused(text[at:].strip())
        tokens.append(match[0].strip())
        at = match.end()
    return tokens


def _refused(token: str) -> OptionError:
    return OptionError(f"--where cannot be read at {token[:40]!r}. {HOW}")


def _either(tokens: _Tokens, depth: int) -> Condition:
    return _joined(tokens, "or", lambda: _joined(tokens, "and", lambda: _single(tokens, depth)))


def _joined(tokens: _Tokens, word: str, read: Callable[[], Condition]) -> Condition:
    parts = [read()]
    while tokens.word() == word:
        tokens.take()
        parts.append(read())
    return parts[0] if len(parts) == 1 else JoinedConditions(word.upper(), tuple(parts))


def _single(tokens: _Tokens, depth: int) -> Condition:
    if depth > _DEEPEST:
        raise OptionError(f"--where has more than {_DEEPEST} brackets in each other")
    if tokens.word() == "(":
        tokens.take()
        inner = _either(tokens, depth + 1)
        tokens.expect(")")
        return inner
    column = _column(tokens.take())
    sign = tokens.take()
    if sign.lower() == "is":
        no = tokens.word() == "not"
        tokens.expect(*(["not", "null"] if no else ["null"]))
        return Compared(column, "IS NOT NULL" if no else "IS NULL")
    if sign.lower() in ("in", "not"):
        tokens.expect(*(["in", "("] if sign.lower() == "not" else ["("]))
        return Compared(column, "NOT IN" if sign.lower() == "not" else "IN", _list(tokens))
    if sign not in _SIGNS:
        raise _refused(sign)
    return Compared(column, _SIGNS[sign], (_value(tokens.take()),))


def _list(tokens: _Tokens) -> tuple[Value, ...]:
    values = [_value(tokens.take())]
    while tokens.word() == ",":
        tokens.take()
        values.append(_value(tokens.take()))
    tokens.expect(")")
    return tuple(values)


def _column(token: str) -> str:
    if token[0] == '"':
        return token[1:-1].replace('""', '"')
    if token[0] == "`":
        return token[1:-1]
    if token[0] == "'" or not re.match(r"[\w.+\-:/]", token) or token.lower() in _WORDS:
        raise _refused(token)
    return token


def _value(token: str) -> Value:
    """A number, or a text: in quotes where it has blanks or looks like a number."""
    if token[0] == "'":
        return token[1:-1].replace("''", "'")
    if _NUMBER.fullmatch(token):
        value = float(token)
        if not isfinite(value):
            raise OptionError(
                f"--where compares with {token[:40]}, beyond all numbers that a table holds"
            )
        return int(token) if abs(value) < _WHOLE and token.lstrip("+-").isdigit() else value
    if token[0] in '"`' or not re.match(r"[\w.+\-:/]", token) or token.lower() in _WORDS:
        raise _refused(token)
    return token


def only(table: SqlTable) -> tuple[str, ...]:
    """What is noted beside the data: which rows were read."""
    return (f"only rows where {table.where} were read; others are not counted",) * bool(table.where)


def no_rows(table: SqlTable) -> DataError:
    """Say that there is nothing to read."""
    if table.where:
        return DataError(f"{table.name} has no row where {table.where}; change --where")
    return DataError(f"{table.name} has columns but no rows; it needs one row per response")
