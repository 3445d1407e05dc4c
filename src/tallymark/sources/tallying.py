"""Tallying: one GROUP BY over the table; what fails a check is refused, or excluded and counted."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.inference.units import SHARDS
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import (
    Check,
    is_allowed,
    problem,
    refuse,
)
from tallymark.sources.representing import represented, summed_cells
from tallymark.sources.roles import COUNT, Roles, listed, natural
from tallymark.sources.settings import ReadingSettings
from tallymark.sources.sql import NOT_A_NUMBER
from tallymark.sources.tables import SqlTable

_ENOUGH = 20
"""From this many responses on, prompts can be distinguished from responses."""
MANY = 1_000_000
"""More distinct rows than this save nothing, and do not fit; each takes some 300 bytes."""
_MOST_PROMPTS = 0.9
"""More prompts than this share of the responses are the responses."""


class RawTally(Struct, frozen=True):
    """Distinct rows as they were read, with the responses that are not used among them.

    ``usable`` marks patterns that fail no check; ``readable`` also those that only lack a score.
    """

    scores: Mapping[str, Floats]
    keys: Mapping[str, Whole]
    labels: Mapping[str, tuple[str, ...]]
    counts: Whole
    usable: NDArray[np.bool_]
    readable: NDArray[np.bool_]
    exclusions: tuple[tuple[str, int], ...]

    @property
    def read(self) -> int:
        """Responses read."""
        return int(self.counts.sum())


_NONE = np.empty(0, np.bool_)
NOTHING = RawTally({}, {}, {}, np.empty(0, np.int64), _NONE, _NONE, ())
"""What was read before anything is."""
LACKING = ("unresolved", "unscored", "zero")
"""Reasons for which a response has no gold that counts; its ratings are ratings all the same."""
ROW = "row"
"""The score that is the row's number, where responses are kept apart."""


def tally_rows(
    table: SqlTable,
    cells: ScoreCells,
    checks: Sequence[Check],
    exclude: frozenset[str],
    *,
    numbered: bool = False,
    people_only: bool = False,
) -> RawTally:
    """Tally the table; raise for the first check that fails without leave.

    ``numbered`` keeps every response apart, by the number of its row. With ``people_only`` scores
    of others are left aside.
    """
    lenient = [i for i, check in enumerate(checks) if check.reason in LACKING]
    kept = [i for i, cell in enumerate(cells.scores) if cell.name != COUNT]
    if people_only:
        kept = [*cells.at("human:"), *cells.at("gold")]
    if cells.grids and not people_only:
        same = [*_keys(cells), *(f"s{i}" for i in kept if i not in cells.grids), "problem"]
        query = summed_cells(cells, same, _readable(cells, checks, kept, lenient))
        arrays = represented(cells, table.arrays(query), same)
    else:
        arrays = table.arrays(_query(cells, checks, kept, numbered=numbered))
    if cells.at(COUNT):  # rows that stand for no response
        arrays = {name: column[arrays["n"] > 0] for name, column in arrays.items()}
    counts = arrays["n"].astype(np.int64)
    if counts.sum() == 0:
        raise DataError(f"{table.name} has a header but no rows; it needs one row per response")
    failed = np.asarray(arrays["problem"], dtype=np.int64)
    for which in np.unique(failed[failed >= 0]):
        if not is_allowed(checks[which], exclude):
            refuse(table, cells, checks, int(which))
    codes, labels = _coded({name: arrays[f"k{i}"] for i, name in enumerate(cells.keys)})
    scores = {cells.scores[i].name: arrays[f"s{i}"] + 0.0 for i in kept}
    return RawTally(
        scores | ({ROW: arrays["row"].astype(np.float64)} if numbered else {}),
        codes,
        labels,
        counts,
        usable=failed < 0,
        readable=(failed < 0) | np.isin(failed, lenient),
        exclusions=_counted(checks, failed, counts),
    )


def _keys(cells: ScoreCells) -> list[str]:
    return [f"k{i}" for i, _ in enumerate(cells.keys)]


def _readable(
    cells: ScoreCells, checks: Sequence[Check], kept: Sequence[int], lenient: Sequence[int]
) -> str:
    """Write the rows whose scores are grouped; of those that cannot be read only the check stays."""
    fine = f"problem IN ({', '.join(map(str, [-1, *lenient]))})"
    chosen = [f"coalesce({key}, '') AS {key}" for key in _keys(cells)]
    chosen += [
        f"CASE WHEN {fine} THEN {score} ELSE {missing} END AS s{i}"
        for i in kept
        for missing in ("NULL" if i in cells.grids else NOT_A_NUMBER,)
        for score in (f"s{i}" if i in cells.grids else f"coalesce(s{i}, {NOT_A_NUMBER})",)
    ]
    rows = f"SELECT *, CAST({problem(checks)} AS BIGINT) AS problem FROM ({cells.tallied})"
    return f"SELECT {', '.join(chosen)}, problem, n FROM ({rows})"


def _query(
    cells: ScoreCells, checks: Sequence[Check], kept: Sequence[int], *, numbered: bool
) -> str:
    chosen = [f"coalesce({key}, '') AS {key}" for key in _keys(cells)]
    chosen += [f"coalesce(s{i}, {NOT_A_NUMBER}) AS s{i}" for i in kept]
    chosen.append(f"CAST({problem(checks)} AS BIGINT) AS problem")
    if numbered:
        return f"SELECT {', '.join(chosen)}, row, 1 AS n FROM ({cells.numbered})"
    return f"SELECT {', '.join(chosen)}, {cells.times} AS n FROM ({cells.tallied}) GROUP BY ALL"


def _counted(checks: Sequence[Check], failed: Whole, counts: Whole) -> tuple[tuple[str, int], ...]:
    times: dict[str, int] = {}
    for i, check in enumerate(checks):
        lost = int(counts[failed == i].sum())
        if lost:
            times[check.words] = times.get(check.words, 0) + lost
    return tuple(times.items())


def _coded(
    texts: Mapping[str, NDArray[Any]],
) -> tuple[dict[str, Whole], dict[str, tuple[str, ...]]]:
    """Turn texts into codes and their labels, 2 before 10; the empty text is missing, code -1.

    Clusters, of which there may be very many, are in any order.
    """
    codes, labels = {}, {}
    for name, column in texts.items():
        words = column.tolist()
        labels[name] = tuple(sorted(set(words) - {""}, key=None if name == "cluster" else natural))
        place = {word: i for i, word in enumerate(labels[name])} | {"": -1}
        codes[name] = np.array([place[word] for word in words], dtype=np.int64)
    return codes, labels


def check_left(name: str, raw: RawTally) -> None:
    """Refuse a table of which no response can be used."""
    if not raw.usable.any():
        why = "; ".join(f"{reason}: {count}" for reason, count in raw.exclusions)
        raise DataError(f"no response of {name} can be used: {raw.read} read, {why}")


def too_many(raw: RawTally, cells: ScoreCells) -> tuple[str, ...]:
    """Note that distinct rows are so many that a tally of them saves nothing, and what was done."""
    if cells.grids:
        note = (
            f"about {MANY:,} rows or more differ, too many to tally: scores within {cells.near} stand "
            f"together, as {raw.counts.size:,} rows of their number, mean and variance. Ranks, areas and "
            "absolute errors are close, not exact"
        )
        return (note,)
    if raw.counts.size < MANY:
        return ()
    shards = f"intervals come from {SHARDS:,} random shards of the responses"
    return (f"{raw.counts.size:,} rows differ, too many to tally: {shards}",)


def check_prompts(settings: ReadingSettings, roles: Roles, raw: RawTally) -> None:
    """Refuse prompts, traits and groups that are responses, and options for a prompt that is not there."""
    if settings.prompts and roles.prompt is None:
        raise OptionError("options for single prompts need a prompt column; name it with --prompt")
    known = raw.labels.get("prompt", ())
    traits = max(len(raw.labels.get("trait", ())), 1)
    prompt_last = sorted(roles.keys.items(), key=lambda role: role[0] == "prompt")
    for key, column in prompt_last:  # a prompt within such traits has few responses, too
        option = key.partition(":")[0]
        values = len(raw.labels.get(key, ()))
        within = values * (traits if key == "prompt" else 1)
        apart = option in ("prompt", "trait", "group") and within > _MOST_PROMPTS * raw.read
        if apart and raw.read >= _ENOUGH:
            raise OptionError(
                f"--{option} {column!r} has {values:,} values for {raw.read:,} responses: it names "
                f"responses, not {option}s. Leave it out"
            )
    for prompt in settings.prompts:
        if prompt not in known:
            raise OptionError(
                f"there is no prompt {prompt!r}; the prompts are {listed(known)}."
                f"{did_you_mean(prompt, known)}"
            )
