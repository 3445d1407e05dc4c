"""Probes: scores of texts that stand in the place of responses, brought beside the responses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from tallymark.errors import DataError, OptionError
from tallymark.sources.joining import Columns, columns_of
from tallymark.sources.roles import Roles, expand, listed

ROW, PROBE, TEXT = "row", "probe", "text"
"""Columns of a file of probes: the response's row in its table, which probe it is, and its text."""
_BETWEEN = " @ "


class JoinedProbes(NamedTuple):
    """A table of responses with the scores of probes beside them, the columns of these by system."""

    columns: Columns
    probed: dict[str, tuple[str, ...]]
    notes: tuple[str, ...]


def probe_of(system: str, column: str) -> str:
    """The name of the probe whose scores by a system a joined column holds."""
    return column.removeprefix(f"{system}{_BETWEEN}")


def join_probes(
    source: object,
    given: object,
    roles: Roles,
    place: Mapping[str, Any] = MappingProxyType({}),
) -> JoinedProbes:
    """Bring the scores of probes beside the responses: by id, prompt and trait, else by row."""
    if roles.long:
        raise OptionError("--probe-scores needs a wide table, one row per response")
    name, columns = columns_of(source, place)
    label, probes = columns_of(given)
    if PROBE not in probes:
        raise DataError(
            f"{label} has no column {PROBE!r}, which says which probe a row is; it has "
            f"{listed([*probes])}. `tallymark baseline --probe-out` writes such a file"
        )
    by = _joined_by(roles, probes, label)
    systems = _systems(roles, columns, probes, by, label)
    numbered = {ROW: [str(i) for i, _ in enumerate(next(iter(columns.values()), []), 1)]}
    at = _places(_keys({**numbered, **columns} if by != [ROW] else numbered, by, name), by, name)
    kinds = [(kind or "").strip() for kind in probes[PROBE]]
    keys = _keys(probes, by, label)
    _check_once(keys, kinds, by, label)
    known = [i for i, key in enumerate(keys) if key in at and kinds[i]]
    if not known:
        first = f", such as {_named(by, keys[0])}" if keys else ""
        raise DataError(f"no row of {label} is the probe of a response of {name}{first}")
    joined: Columns = {}
    for system in systems:
        for i in known:
            cells = joined.setdefault(f"{system}{_BETWEEN}{kinds[i]}", [None] * len(at))
            cells[at[keys[i]]] = probes[system][i]
    probed = {
        system: tuple(c for c in joined if c.startswith(f"{system}{_BETWEEN}"))
        for system in systems
    }
    left = len(keys) - len(known)
    notes = (f"{label}: {left:,} of {len(keys):,} probes belong to no response",) if left else ()
    return JoinedProbes({**columns, **joined}, probed, notes)


def _places(
    keys: Sequence[tuple[str, ...]], by: Sequence[str], name: str
) -> dict[tuple[str, ...], int]:
    """Where each response stands; refuse what names two of them."""
    twice = [key for key, times in Counter(keys).items() if times > 1]
    if twice:
        raise DataError(
            f"{name} has {_named(by, twice[0])} more than once; each response needs its own"
        )
    return {key: i for i, key in enumerate(keys)}


def _joined_by(roles: Roles, probes: Columns, label: str) -> list[str]:
    if roles.id is not None and roles.id in probes:
        return [c for c in (roles.id, roles.prompt, roles.trait) if c is not None and c in probes]
    if ROW not in probes:
        raise DataError(
            f"{label} must say whose probe a row is: in the column that --id names, or in {ROW!r}, the "
            f"row of the response in its table; it has {listed([*probes])}"
        )
    return [ROW]


def _systems(
    roles: Roles, columns: Columns, probes: Columns, by: Sequence[str], label: str
) -> list[str]:
    taken = {*by, ROW, PROBE, TEXT, roles.id, roles.prompt, roles.trait}
    shared = [name for name in probes if name in columns and name not in taken]
    asked = expand(roles.systems, [*columns]) if roles.systems else shared
    systems = [name for name in shared if name in asked]
    if not systems:
        raise DataError(
            f"{label} has no scores by {listed(asked) if roles.systems else 'a system'}: give each column "
            "of scores the name that the system has beside the responses"
        )
    return systems


def _keys(columns: Columns, by: Sequence[str], label: str) -> list[tuple[str, ...]]:
    lacking = [name for name in by if name not in columns]
    if lacking:
        raise DataError(f"{label} has no column {lacking[0]!r}, by which probes are joined")
    cells = ([(cell or "").strip() for cell in columns[name]] for name in by)
    return list(zip(*cells, strict=True))


def _check_once(
    keys: Sequence[tuple[str, ...]], kinds: Sequence[str], by: Sequence[str], label: str
) -> None:
    times = Counter(zip(keys, kinds, strict=True))
    for (key, kind), number in times.items():
        if number > 1:
            raise DataError(
                f"{label} has the probe {kind!r} of {_named(by, key)} more than once; keep one row"
            )


def _named(by: Sequence[str], key: Sequence[str]) -> str:
    return ", ".join(f"{name} {value!r}" for name, value in zip(by, key, strict=True))
