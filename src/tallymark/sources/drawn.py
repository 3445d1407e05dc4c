"""Drawn: labels that come back on a sheet of ours bring the weight and the stratum of each response."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tallymark.errors import DataError, OptionError
from tallymark.sources.draw_codes import CODE, LABEL, DrawCode, read
from tallymark.sources.joining import Columns
from tallymark.sources.roles import Roles
from tallymark.sources.values import MissingWords

WEIGHT_DRAWN, STRATUM_DRAWN = "draw weight", "draw stratum"
"""The columns that a drawn sheet brings beside the judge's."""
Key = tuple[str | None, ...]


class DrawnDesign(Struct, frozen=True):
    """The columns of weights and strata, which rows were drawn and labelled, and what to say."""

    columns: Columns
    kept: tuple[int, ...]
    notes: tuple[str, ...]


def label_columns(names: Sequence[str]) -> dict[str, str]:
    """The columns of labels of a drawn sheet, and what raters are called."""
    return {name: name.removeprefix("drawn_") for name in names if name.startswith(LABEL)}


def design_of(
    source: str,
    keys: Sequence[Key],
    columns: Columns,
    labels: Sequence[str],
    asked: Roles,
    missing: MissingWords,
) -> DrawnDesign | None:
    """Read the codes of a drawn sheet; None where the table is none.

    Where some responses were not labelled, those that were stand for the others of their stratum.
    """
    if CODE not in columns and not labels:
        return None
    for option, column in (("--weight", asked.weight), ("--stratum", asked.stratum)):
        if column not in (None, WEIGHT_DRAWN, STRATUM_DRAWN):
            raise OptionError(
                f"{source} brings weights and strata with its codes: leave out {option}"
            )
    if CODE not in columns:
        raise DataError(
            f"{source} was drawn, and its column {CODE!r} is gone, which holds the weights; copy it "
            "back from the sheet as it was drawn"
        )
    codes = _codes(source, keys, columns[CODE])
    none = ("", *missing.words)
    given = labels or [name for name in asked.humans if name in columns]
    labelled = [i for i in codes if any((columns[n][i] or "").strip() not in none for n in given)]
    return _weighed(source, len(keys), codes, labelled)


def _codes(source: str, keys: Sequence[Key], texts: Sequence[str | None]) -> dict[int, DrawCode]:
    """The code of each row that was drawn; rows without one were added later."""
    codes: dict[int, DrawCode] = {}
    for i, (key, text) in enumerate(zip(keys, texts, strict=True)):
        if not (text or "").strip():
            continue
        code = read(str(text), str(key[0]))
        if code is None:
            raise DataError(
                f"{source}: the code in row {i + 1} is not that of the response {key[0]!r}; a "
                f"spreadsheet may have rewritten ids or sorted one column alone. Copy the ids and "
                f"{CODE!r} back from the sheet as it was drawn"
            )
        codes[i] = code
    if not codes:
        raise DataError(
            f"{source} was drawn, and its column {CODE!r} is empty, which holds the weights; copy it "
            "back from the sheet as it was drawn"
        )
    if len({code.draw for code in codes.values()}) > 1:
        raise DataError(
            f"{source} holds rows of two draws, whose weights do not go together; give one of them"
        )
    return codes


def _weighed(
    source: str, rows: int, codes: Mapping[int, DrawCode], labelled: Sequence[int]
) -> DrawnDesign:
    """The weight of each labelled row: responses of its stratum over those that were labelled."""
    if not labelled:
        raise DataError(f"{source} has no label; fill in the column {LABEL!r}")
    sizes = {code.stratum: code for code in codes.values()}
    number = Counter(codes[i].stratum for i in labelled)
    lacking = [h for h in sizes if not number[h]]
    drawn, size = sum(c.drawn for c in sizes.values()), sum(c.size for c in sizes.values())
    if lacking:
        left = sum(sizes[h].size for h in lacking)
        raise DataError(
            f"{source}: {len(lacking)} of {len(sizes)} strata have no label, so that nothing speaks for "
            f"{left:,} of {size:,} responses; label 2 or more of each"
        )
    weights: list[str | None] = [None] * rows
    strata: list[str | None] = [None] * rows
    for i in labelled:
        code = codes[i]
        weights[i], strata[i] = repr(code.size / number[code.stratum]), str(code.stratum + 1)
    return DrawnDesign(
        {WEIGHT_DRAWN: weights, STRATUM_DRAWN: strata},
        tuple(labelled),
        tuple(_notes(source, rows, len(codes), len(labelled), drawn, size, len(sizes))),
    )


def _notes(
    source: str, rows: int, coded: int, labelled: int, drawn: int, size: int, strata: int
) -> list[str]:
    by = f" in {strata} strata" if strata > 1 else ""
    whom = "for the population that these responses come from"
    notes = [f"{source} was drawn, {drawn:,} of {size:,} responses{by}: weighted, {whom}"]
    if labelled < drawn:
        notes.append(
            f"{source}: {drawn - labelled:,} of {drawn:,} responses have no label; the others of each "
            "stratum stand for them, which holds if what was left has nothing to do with the response"
        )
    if rows > coded:
        more = "1 row" if rows - coded == 1 else f"{rows - coded:,} rows"
        notes.append(f"{source}: {more} left out, as they have no {CODE} and were not drawn")
    return notes
