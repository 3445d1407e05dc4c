"""Records: any JSON as a table, by the path to its records; columns are paths inside of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from tallymark.errors import DataError, did_you_mean
from tallymark.sources.files import LONGEST_NAME
from tallymark.sources.judges.contents import DEEPEST
from tallymark.sources.judges.ratings import float_of

Columns = dict[str, list[str | None]]
KEY = "key"
"""The column of the keys for which ``*`` stands in a path."""
MOST_COLUMNS = 2_000
MOST_PLACES = 50
"""So many elements of a list inside a record become columns."""


def is_table(content: Any) -> bool:
    """Whether JSON is a list of objects, a row each."""
    return isinstance(content, list) and bool(content) and all(isinstance(r, dict) for r in content)


def records_of(source: str, content: Any, path: str) -> Columns:
    """The records at a dotted path; lists on the way are gone through, ``*`` is every key.

    Columns are named by the path inside a record, ``metrics.quality``; what encloses a record is
    named from the top, with a dot before it, ``.items.id``. Elements of a list inside a record go by their
    ``name`` where each has another, else by their place from 0. Where objects hold one value each, under
    different keys, it is ``payload.*`` too.
    """
    steps = [step for step in path.split(".") if step]
    rows = [{**_flat(record), **above} for record, above in _walked(content, steps, "", {})]
    if not rows:
        raise DataError(_nothing(source, content, path, steps))
    rows = _with_only_values(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    if not names:
        raise DataError(
            f"the records at {path!r} of {source} are empty objects; no field holds a score"
        )
    if len(names) > MOST_COLUMNS:
        raise DataError(
            f"the records at {path!r} of {source} have {len(names):,} different fields, too many for "
            "columns; name the path of shorter records with --records"
        )
    return {name: [row.get(name) for row in rows] for name in names}


def _with_only_values(rows: list[dict[str, str | None]]) -> list[dict[str, str | None]]:
    """Add ``a.*`` where the records have one value below ``a``, but not under one key."""
    below: dict[str, list[list[str]]] = {}
    for row in rows:
        here: dict[str, list[str]] = {}
        for name in row:
            here.setdefault(name.rpartition(".")[0], []).append(name)
        for prefix, names in here.items():
            below.setdefault(prefix, []).append(names)
    several = {
        prefix
        for prefix, lists in below.items()
        if prefix.strip(".") and all(len(names) == 1 for names in lists)
        if len({name for names in lists for name in names}) > 1
    }
    for row in rows if several else ():
        row.update({f"{p}.*": row[n] for n in row if (p := n.rpartition(".")[0]) in several})
    return rows


def _walked(
    value: Any, steps: list[str], here: str, above: dict[str, str | None]
) -> Iterator[tuple[dict[str, Any], dict[str, str | None]]]:
    """Yield the objects at the end of the steps, each with what encloses it."""
    if isinstance(value, list):
        for item in value:
            yield from _walked(item, steps, here, above)
        return
    if not isinstance(value, dict):
        return
    if not steps:
        yield value, above
        return
    step, *rest = steps
    chosen = {step: value[step]} if step in value else value if step == "*" else {}
    others = {
        key: item for key, item in value.items() if key not in chosen and not isinstance(item, list)
    }
    around = {**above, **{f"{here}.{name}": text for name, text in _flat(others).items()}}
    for key, item in chosen.items():
        keyed = {**around, KEY: key} if step == "*" else around
        yield from _walked(item, rest, f"{here}.{step}", keyed)


def _flat(record: Mapping[str, Any]) -> dict[str, str | None]:
    return dict(_cells(record, "", 0))


def _cells(value: Any, here: str, depth: int) -> Iterator[tuple[str, str | None]]:
    if isinstance(value, Mapping) and depth < DEEPEST:
        for key, item in value.items():
            yield from _cells(item, f"{here}.{key}" if here else str(key), depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        for name, item in zip(_places(value), value[:MOST_PLACES], strict=True):
            yield from _cells(item, f"{here}.{name}", depth + 1)
    elif len(here) <= LONGEST_NAME:  # a longer path leads to no score
        yield here, _text(value)


def _places(items: list[Any]) -> list[str]:
    names = [item.get("name") if isinstance(item, dict) else None for item in items[:MOST_PLACES]]
    if all(isinstance(name, str) and name for name in names) and len({*names}) == len(names):
        return [str(name) for name in names]
    return [str(i) for i in range(len(names))]


def _text(value: Any) -> str | None:
    """A value as a cell of a table holds it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else repr(float_of(value))
    return None if value != value else repr(value)  # noqa: PLR0124 - NaN is a gap


def _nothing(source: str, content: Any, path: str, steps: list[str]) -> str:
    """Say how far a path leads."""
    value = content
    for i, step in enumerate(steps):
        while isinstance(value, list) and value:
            value = next((item for item in value if isinstance(item, dict)), None)
        if isinstance(value, dict) and step == "*":
            value = next(iter(value.values()), None)
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            known = [*value] if isinstance(value, dict) else []
            has = (
                f"; {'.'.join(steps[:i]) or 'the top'} has {', '.join(known[:12])}" if known else ""
            )
            return (
                f"{source} has no {step!r} on the way of --records {path}{has}."
                f"{did_you_mean(step, known)}"
            )
    return f"there are no records at {path!r} of {source}; --records names a list of objects"
