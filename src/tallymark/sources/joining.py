"""Joining: scores by several systems in tables of their own, brought beside the people by id."""

from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, as_text
from tallymark.sources.tables import SqlTable, check_one_sheet, open_table

Predictions = Mapping[str, object] | Sequence[object]
Columns = dict[str, list[Any]]


class JoinedPredictions(Struct, frozen=True):
    """One table of people and systems, the systems' and the tables' names, and what did not match."""

    columns: Columns
    systems: tuple[str, ...]
    tables: tuple[str, ...]
    notes: tuple[str, ...]


def join_predictions(
    source: object,
    predictions: Predictions,
    *,
    key: str | None,
    systems: Sequence[str] = (),
    place: Mapping[str, Any] = MappingProxyType({}),
) -> JoinedPredictions:
    """Bring tables of predictions beside a table of people, by the column ``key``.

    Each holds the id and one column of scores, which becomes a system under the table's name; or
    several, of which ``systems`` names those to take, under their own names. ``place`` says where
    the table of people is. Ids that do not match
    are counted: nothing is dropped in silence.
    """
    if key is None:
        raise OptionError("--predictions are joined by id: name the column with --id")
    with open_table(source, **place) as table:
        check_one_sheet(table)
        columns = columns_in(table, [*table.columns])
        ids = _ids(table, columns, key)
    predicted: dict[str, dict[str, Any]] = {}
    notes: list[str] = []
    for name, given in _named(predictions):
        with open_table(given) as table:
            check_one_sheet(table)
            here = _scores(table, name, key, systems)
            taken = columns_in(table, list(here.values()))
            predicted_ids = _ids(table, columns_in(table, [key]), key)
        notes += _unmatched(name, predicted_ids, ids)
        for system, column in here.items():
            if system in columns or system in predicted:
                raise OptionError(
                    f"two columns or tables are called {system!r}; rename one with "
                    "--predictions NAME=FILE"
                )
            predicted[system] = dict(zip(predicted_ids, taken[column], strict=True))
    joined = {system: [of.get(name) for name in ids] for system, of in predicted.items()}
    kept = tuple(name for name in systems if name in columns)
    tables = tuple(name for name, _ in _named(predictions))
    return JoinedPredictions({**columns, **joined}, (*kept, *predicted), tables, tuple(notes))


def _named(predictions: Predictions) -> list[tuple[str, object]]:
    """The tables by name: as given, else by that of the file."""
    if isinstance(predictions, Mapping):
        return [(str(name), given) for name, given in predictions.items()]
    named: list[tuple[str, object]] = []
    for given in predictions:
        if not isinstance(given, str | PathLike):
            raise OptionError(
                "name each table of predictions: predictions={'engine': frame}, or give files"
            )
        path, (name, equals, file) = Path(given), str(given).partition("=")
        if equals and not path.exists():
            named.append((name, Path(file)))
        else:
            named.append((path.name.partition(".")[0], path))
    return named


def columns_of(
    source: object, place: Mapping[str, Any] = MappingProxyType({})
) -> tuple[str, Columns]:
    """The name of a table, and all its columns as text; ``place`` says where it is."""
    with open_table(source, **place) as table:
        check_one_sheet(table)
        return table.name, columns_in(table, [*table.columns])


def columns_in(table: SqlTable, names: Sequence[str]) -> Columns:
    """Columns as text, which is read as numbers where numbers belong."""
    chosen = ", ".join(as_text(table.columns[name].sql) for name in names)
    rows = table.rows(f"SELECT {chosen} FROM {DATA}")
    every = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {name: list(values) for name, values in zip(names, every, strict=True)}


def _ids(table: SqlTable, columns: Columns, name: str) -> list[str]:
    """The ids of a table; each must occur once."""
    if name not in columns:
        raise DataError(_no_column(table, name))
    ids = [None if value is None else value.strip() for value in columns[name]]
    empty = sum(1 for value in ids if not value)
    if empty:
        row = next(i for i, value in enumerate(ids, 1) if not value)
        rows = "1 row" if empty == 1 else f"{empty} rows"
        raise DataError(
            f"{table.name} lacks an id in {rows}, first in row {row}; predictions are joined by "
            f"{name!r}, so fill it in or leave the rows out"
        )
    twice = [value for value, times in Counter(ids).items() if times > 1]
    if twice:
        raise DataError(
            f"{table.name} has the id {twice[0]!r} more than once; each response needs its own "
            f"{name!r} (repeated: {len(twice)})"
        )
    return [str(value) for value in ids]


def _no_column(table: SqlTable, name: str) -> str:
    known = [*table.columns]
    return (
        f"{table.name} has no column {name!r} (asked for as --id); it has {listed(known)}."
        f"{did_you_mean(name, known)}"
    )


def _scores(table: SqlTable, name: str, key: str, systems: Sequence[str]) -> dict[str, str]:
    """Which columns hold scores, by the name of their system."""
    if key not in table.columns:
        raise DataError(_no_column(table, key))
    others = [column for column in table.columns if column != key]
    asked = [column for column in others if column in systems]
    if asked:
        return {column: column for column in asked}
    if len(others) == 1:
        return {name: others[0]}
    raise DataError(
        f"{table.name} should hold {key!r} and one column of scores; beside it there are "
        f"{listed(others) or 'none'}. Name those to take with --system"
    )


def _unmatched(name: str, predicted_ids: Sequence[str], ids: Sequence[str]) -> list[str]:
    """Say how many ids stand on one side only."""
    here, there = set(predicted_ids), set(ids)
    alone, lacking = len(here - there), len(there - here)
    if len(here) == alone:
        raise DataError(
            f"no id of the predictions {name} is among those of the people, such as {predicted_ids[0]!r} "
            f"against {ids[0]!r}; check --id"
            if predicted_ids and ids
            else f"the predictions {name} have no rows"
        )
    notes = []
    if alone:
        notes.append(f"{name}: {alone} of {len(here)} predictions have an id that no person scored")
    if lacking:
        notes.append(f"{name}: {lacking} of {len(there)} responses have no prediction by it")
    return notes
