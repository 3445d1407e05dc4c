"""Filters: responses that are left out on purpose, each counted by its reason."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check, problem
from tallymark.sources.judges.shaping import REASON
from tallymark.sources.roles import listed
from tallymark.sources.sql import all_of, any_of, as_number, literal, numbers, texts

LABELLED = "tallymark labelled"
"""The column that says which responses are in the file of people's scores."""
SUPPRESSED = "tallymark_suppressed"
"""The column of a tally that marks the row of all cells below its least count."""


class Filters(Struct, frozen=True):
    """What keeps responses from being used beside what is wrong with them.

    ``flags`` tell which values of a column are kept; ``min_items`` is the least number of usable
    responses of a candidate. A tally has a ``suppressed`` row where small cells were not given;
    ``reasons`` are those that a judge's file gives itself; ``labels`` why a response has no score of people that are in a file.
    """

    exclude_zero: bool = False
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    candidate: str | None = None
    min_items: int | None = None
    suppressed: bool = False
    reasons: tuple[str, ...] = ()
    labels: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """The columns that filters look at, by their name in SQL."""
        names = {f"f{i}": column for i, column in enumerate(self.flags)}
        names |= {"suppressed": SUPPRESSED} if self.suppressed else {}
        names |= {"reason": REASON} if self.reasons else {}
        names |= {"labelled": LABELLED} if self.labels else {}
        return names | ({"candidate": self.candidate} if self.candidate is not None else {})


def make_filters(
    exclude_zero: bool,
    flags: Mapping[str, object] | None,
    candidate: str | None,
    min_items: int | None,
) -> Filters:
    """Read filters as the user gives them; a single value of a flag needs no list."""
    if (candidate is None) != (min_items is None):
        raise OptionError(
            "--candidate and --min-items go together: the column that names candidates, and how "
            "many responses each must have"
        )
    if min_items is not None and min_items < 1:
        raise OptionError(f"--min-items must be 1 or more, got {min_items}")
    kept = {column: _values(column, given) for column, given in (flags or {}).items()}
    return Filters(exclude_zero, kept, candidate, min_items)


def check_filters(
    filters: Filters, columns: Sequence[str], source: str, *, long: bool, words: bool
) -> None:
    """Refuse filters that the table cannot serve."""
    if long and filters.columns:
        raise OptionError("--flag and --candidate need a wide table, one row per response")
    if words and filters.exclude_zero:
        raise OptionError("--exclude-zero needs scores that are numbers, not words")
    for name, column in filters.columns.items():
        if column not in columns:
            role = "--candidate" if name == "candidate" else "--flag"
            raise DataError(
                f"{source} has no column {column!r} (asked for as {role}); it has "
                f"{listed(columns)}.{did_you_mean(column, columns)}"
            )


def flag_checks(filters: Filters) -> list[Check]:
    """A response must have the flags that are kept; 1, 1.0 and '1' are the same.

    Before all else, its cell of a tally must be large enough to have been given.
    """
    checks = []
    if filters.suppressed:
        small = f"coalesce({as_number('suppressed')} = 1, FALSE)"
        words = "in a cell below the least count of the tally"
        checks.append(Check("suppressed", SUPPRESSED, small, "suppressed", words))
    for i, (column, kept) in enumerate(filters.flags.items()):
        same = [f"f{i} IN {texts(kept)}"]
        values = [number for number in map(_number, kept) if number is not None]
        if values:
            same.append(f"{as_number(f'f{i}')} IN {numbers(values)}")
        lacking = f"NOT coalesce({any_of(same)}, FALSE)"
        words = f"{column} is not {' or '.join(kept)}"
        checks.append(Check("flag", column, lacking, f"f{i}", words))
    checks += [
        Check("flag", REASON, f"coalesce(reason = {literal(reason)}, FALSE)", "reason", reason)
        for reason in filters.reasons
    ]
    if filters.labels:
        checks.append(Check("unresolved", "", "labelled IS NULL", words=filters.labels))
    return checks


def zero_check(without: Check, with_zeros: Check) -> Check:
    """A zero is no score: the gold must come about without it."""
    lost = all_of([without.condition, f"NOT ({with_zeros.condition})"])
    return Check("zero", "", lost, "'0'", "zero human score")


def candidate_checks(filters: Filters, cells: ScoreCells, others: Sequence[Check]) -> list[Check]:
    """A candidate needs enough responses that fail no other check."""
    if filters.min_items is None:
        return []
    few = (
        f"SELECT coalesce(candidate, '') FROM (SELECT *, {problem(others)} AS problem "
        f"FROM ({cells.tallied})) WHERE problem = -1 GROUP BY 1 HAVING {cells.times} < {filters.min_items}"
    )
    words = f"candidate with fewer than {filters.min_items} responses"
    condition = f"coalesce(candidate, '') IN ({few})"
    return [Check("candidate", str(filters.candidate), condition, "candidate", words)]


def _values(column: str, given: object) -> tuple[str, ...]:
    several = given if isinstance(given, list | tuple | set | frozenset) else [given]
    kept = tuple(str(value).strip() for value in several)
    if not kept or "" in kept:
        raise OptionError(
            f"--flag of {column} must say which values are kept, as in --flag {column}=0,1"
        )
    return kept


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
