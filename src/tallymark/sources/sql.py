"""Quoting: the only way user text enters SQL."""

from collections.abc import Iterable

DATA = "tallymark_data"
"""The name under which SQL finds the table that is read; no table of the user has it."""
KEPT = "tallymark_kept"
"""The name of the distinct rows that were kept."""


def identifier(name: str) -> str:
    """Quote a column name.

    >>> identifier('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def number(value: float) -> str:
    """Write a number as a double; a bare 0.3 would be read as a decimal.

    >>> number(0.3)
    "'0.3'::DOUBLE"
    """
    return f"'{float(value)!r}'::DOUBLE"


def as_number(text: str) -> str:
    """Read a text as a double, NULL if it is none; to SQL, but to nobody else, 1_0 is ten.

    >>> as_number("v0")
    "CASE WHEN NOT contains(v0, '_') THEN TRY_CAST(v0 AS DOUBLE) END"
    """
    return f"CASE WHEN NOT contains({text}, '_') THEN TRY_CAST({text} AS DOUBLE) END"


def texts(words: Iterable[str]) -> str:
    """Write a list of texts for ``IN``."""
    return "(" + ", ".join(literal(word) for word in words) + ")"


def numbers(values: Iterable[float]) -> str:
    """Write a list of numbers for ``IN``."""
    return "(" + ", ".join(number(value) for value in values) + ")"


def any_of(conditions: Iterable[str]) -> str:
    """Join conditions with OR; none of them is never true."""
    return " OR ".join(f"({condition})" for condition in conditions) or "FALSE"


def all_of(conditions: Iterable[str]) -> str:
    """Join conditions with AND; none of them is always true."""
    return " AND ".join(f"({condition})" for condition in conditions) or "TRUE"
