"""Values: how a cell is read, as text, as a number or as one of the words of the scale."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tallymark.sources.sql import (
    any_of,
    as_key,
    as_number,
    as_text,
    as_truth,
    numbers,
    point_of,
    texts,
)
from tallymark.sources.tables import SqlColumn

Kind = Literal["number", "text", "truth", "label", "size"]
"""A typed number, a number written as text, true or false, a word of the scale, a text's length."""


class MissingWords(Struct, frozen=True):
    """Texts, and the numbers among them, that mean a missing value."""

    words: tuple[str, ...] = ()

    @property
    def values(self) -> list[float]:
        """The words that are numbers."""
        numbers = []
        for word in self.words:
            try:
                numbers.append(float(word))
            except ValueError:
                continue
        return numbers

    def text(self, column: SqlColumn) -> str:
        """Read a column as trimmed text; blank and missing values are NULL."""
        trimmed = f"nullif(trim({as_text(column.sql)}), '')"
        if not self.words:
            return trimmed
        return f"CASE WHEN {trimmed} IN {texts(self.words)} THEN NULL ELSE {trimmed} END"

    def number(self, value: str) -> str:
        """Read a double; NaN and missing values are NULL."""
        gone = [f"isnan({value})"]
        if self.values:
            gone.append(f"{value} IN {numbers(self.values)}")
        return f"CASE WHEN {any_of(gone)} THEN NULL ELSE {value} END"

    def cell(self, column: SqlColumn, kind: Kind) -> str:
        """Read a score as it is found: a double, or text yet to be read as one."""
        if kind == "size":
            return f"CAST(length({self.text(column)}) AS DOUBLE)"
        if kind == "label" and column.numeric:  # 2 and 2.0 are the label "2"
            return self.text(
                SqlColumn(
                    column.name, f"({as_key(column.sql, numeric=column.numeric)})", numeric=False
                )
            )
        if kind != "number":
            return self.text(column)
        return self.number(f"CAST({column.sql} AS DOUBLE)")


def as_double(value: str, words: Mapping[str, float], *, truths: bool = False) -> str:
    """Write a text as a number, or as the point of its word on the scale; NULL if it is neither.

    ``truths`` are 1 and 0 where the scale has no words. Beside the words of two points, 0 and 1,
    numbers are read as well.
    """
    if words:
        named = point_of(words, as_text(value))
        numbered = {*words.values()} == {0.0, 1.0}
        number = as_number(as_text(value))
        if words.get("0") == 1.0:  # the other of two labels is the positive one
            number = f"1 - {number}"
        return f"coalesce({named}, {number})" if numbered else named
    return f"coalesce({as_number(value)}, {as_truth(value)})" if truths else as_number(value)


def is_count(number: str) -> str:
    """Write: may a row stand for this many responses?"""
    return f"coalesce({number} BETWEEN 0 AND 1e12 AND {number} = floor({number}), FALSE)"


def is_text(i: int, kind: Kind) -> str:
    """Write: does the cell hold text where a number belongs?"""
    return f"v{i} IS NOT NULL AND {as_double(f'v{i}', {}, truths=kind == 'truth')} IS NULL"


def is_unknown_label(i: int) -> str:
    """Write: does the cell hold a word that is not on the scale?"""
    return f"v{i} IS NOT NULL AND s{i} IS NULL"
