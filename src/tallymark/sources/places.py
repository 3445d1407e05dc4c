"""Places: where a table is found and by what means, apart from what is read of it."""

from collections.abc import Mapping
from typing import Any

PLACE = ("sheet", "records", "memory_limit", "allow_network")
"""Options that say where a table is; whoever has read it has no more use for them."""


def place_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Where the table is, of all options of reading."""
    return {name: options[name] for name in PLACE if options.get(name)}


def recorded(place: Mapping[str, Any]) -> dict[str, Any]:
    """What the record holds of a place: what was read, not the means."""
    return {name: place[name] for name in ("sheet", "records") if name in place}


def read_already(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of reading a table whose columns are here."""
    return {name: value for name, value in options.items() if name not in PLACE}
