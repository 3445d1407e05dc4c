"""Published numbers of other systems, from a table with the columns system, part, statistic, value."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.roles import listed
from tallymark.sources.tables import open_table

COLUMNS = ("system", "part", "statistic", "value")


class PublishedNumber(NamedTuple):
    """A number of a system that others published; without a part it is their average."""

    system: str
    part: str
    statistic: str
    value: float


def read_published(source: object) -> tuple[PublishedNumber, ...]:
    """Read published numbers; what a statistic is called is checked where it is used."""
    with open_table(source) as table:
        lacking = [name for name in COLUMNS if name not in table.columns]
        if lacking:
            raise DataError(
                f"--reference {table.name} has no column {lacking[0]!r}; it needs {', '.join(COLUMNS)}"
            )
        kept = ", ".join(table.columns[name].sql for name in COLUMNS)
        rows = table.rows(f"SELECT {kept} FROM tallymark_data")
    numbers = [_number(table.name, place, row) for place, row in enumerate(rows, 1)]
    places = [number[:3] for number in numbers]
    twice = [place for place in places if places.count(place) > 1]
    if twice:
        raise DataError(f"--reference {table.name} gives {listed(twice[0])} more than once")
    if not numbers:
        raise DataError(f"--reference {table.name} has no rows")
    return tuple(numbers)


def _number(name: str, place: int, row: Sequence[object]) -> PublishedNumber:
    system, part, statistic, value = ("" if cell is None else str(cell).strip() for cell in row)
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not (system and statistic and isfinite(number)):
        raise DataError(
            f"row {place} of --reference {name} must have a system, a statistic and a number, got "
            f"{system!r}, {statistic!r}, {value!r}"
        )
    return PublishedNumber(system, part, statistic, number)


def check_parts(numbers: Sequence[PublishedNumber], parts: Sequence[str]) -> None:
    """Refuse numbers of parts that the data do not have."""
    for number in numbers:
        if number.part and number.part not in parts:
            known = (
                f"the parts are {listed(parts)}." if parts else "there are no prompts or traits."
            )
            hint = did_you_mean(number.part, parts)
            raise OptionError(f"--reference: there is no part {number.part!r}; {known}{hint}")
