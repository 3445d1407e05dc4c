"""SQL: how user text enters it, and all the words that only DuckDB understands.

Other files join conditions out of plain SQL and of what stands here; an engine with other words
for these replaces this file and ``tables.py``.
"""

from collections.abc import Iterable, Mapping

DATA = "tallymark_data"
"""The name under which SQL finds the table that is read; no table of the user has it."""
KEPT = "tallymark_kept"
"""The name of the distinct rows that were kept."""
ROWS = "tallymark_rows"
"""The name of the rows that were kept, each with its number."""
RESPONSES = "tallymark_responses"
"""The name of the responses of a long table that were kept."""
ROW = '"tallymark row"'
"""The number of a row; a name that no column of the user's has."""


def numbered(source: str) -> str:
    """Write the rows of a source, each with its number."""
    return f"(SELECT row_number() OVER () AS {ROW}, * FROM {source})"


NUMBERED = numbered(DATA)
"""The table with the number of each row; 1 is the first row of data."""
TRUTH = {"true": 1.0, "false": 0.0}
"""Words that are scores without being listed as points."""
NOT_A_NUMBER = "'NaN'::DOUBLE"


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


def as_key(sql: str, *, numeric: bool) -> str:
    """Write an id or a label as text: of numbers 1 and 1.0 are the same; of texts '01' is another.

    >>> as_key("id", numeric=False)
    "nullif(trim(CAST(id AS VARCHAR)), '')"
    """
    text = f"nullif(trim({as_text(sql)}), '')"
    if not numeric:
        return text
    whole = as_text(f"TRY_CAST({sql} AS HUGEINT)")
    return f"CASE WHEN {sql} = TRY_CAST({sql} AS HUGEINT) THEN {whole} ELSE {text} END"


def as_number(text: str) -> str:
    """Read a text as a double, NULL if it is none; to SQL, but to nobody else, 1_0 is ten.

    >>> as_number("v0")
    "CASE WHEN NOT contains(v0, '_') THEN TRY_CAST(v0 AS DOUBLE) END"
    """
    return f"CASE WHEN NOT contains({text}, '_') THEN TRY_CAST({text} AS DOUBLE) END"


def as_truth(text: str) -> str:
    """Read ``true`` and ``false``, in capitals or not, as 1 and 0; NULL if it is neither."""
    return _chosen(f"lower({text})", TRUTH)


def _chosen(text: str, points: Mapping[str, float]) -> str:
    cases = [f"WHEN {literal(word)} THEN {number(point)}" for word, point in points.items()]
    return f"CASE {text} {' '.join(cases)} END"


def as_text(value: str) -> str:
    """Write any value as a text."""
    return f"CAST({value} AS VARCHAR)"


def point_of(words: Mapping[str, float], text: str) -> str:
    """Write the point of a word; NULL if it is none. Small letters stand for capitals as well."""
    small = all(word == word.lower() for word in words)
    return _chosen(f"lower({text})" if small else text, words)


def is_finite(number: str) -> str:
    """Write: is a double neither NaN nor infinite?"""
    return f"isfinite({number})"


def is_infinite(number: str) -> str:
    """Write: is a double infinite?"""
    return f"isinf({number})"


def how_many(value: str, *, exact: bool) -> str:
    """Aggregate: how many values there are, or about how many; the same for any order of rows."""
    return f"count(DISTINCT {value})" if exact else f"approx_count_distinct({value})"


def least(value: str, most: int) -> str:
    """Aggregate: a list of the least values."""
    return f"min({value}, {most})"


def packed(values: Iterable[str]) -> str:
    """Write one value of several, in the order of the first of them that differs."""
    return "{" + ", ".join(f"'p{i}': {value}" for i, value in enumerate(values)) + "}"


def hashed(values: Iterable[str]) -> str:
    """Write one whole number that differs, but for rare chance, where any of the values does."""
    return f"hash({', '.join(values)})"


def elements(values: str) -> str:
    """Write each element of a list of numbers as a row of its own, in their order."""
    return f"unnest(CAST({values} AS DOUBLE[]))"


def size_of(values: str) -> str:
    """Write how many elements a list has."""
    return f"len({values})"


def once(name: str, query: str) -> str:
    """Name the answer of a query for what follows; it is worked out before that, and only once."""
    return f"WITH {name} AS MATERIALIZED ({query})"


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
