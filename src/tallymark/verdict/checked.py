"""Keys and values of a policy's file, checked: unknown ones are refused, with those that are known."""

from collections.abc import Mapping
from typing import Any

from tallymark.errors import OptionError, did_you_mean

_EXPECTED = {
    "text": "text in quotes", "texts": "a list of texts", "number": "a number",
    "whole number": "a whole number", "switch": "true or false",
    "tables": "tables that begin with [[criteria]]",
}  # fmt: skip


def choice(given: Mapping[str, Any], key: str, known: tuple[str, ...], where: str) -> str:
    """One of the known values; the first where none is given."""
    value: str = given.get(key, known[0])
    if value not in known:
        raise OptionError(
            f"{where}: unknown {key} {value!r}; choose {', '.join(known)}."
            + did_you_mean(value, known)
        )
    return value


def check(given: Mapping[str, Any], known: Mapping[str, str], where: str) -> None:
    """Refuse unknown keys and values of another kind."""
    for key, value in given.items():
        if key not in known:
            raise OptionError(
                f"{where} has the unknown key {key!r}.{did_you_mean(key, known)} "
                f"It takes {', '.join(known)}."
            )
        if not _fits(value, known[key]):
            raise OptionError(f"{key} of {where} must be {_EXPECTED[known[key]]}, got {value!r}")


def _fits(value: Any, kind: str) -> bool:
    if kind in ("texts", "tables"):
        each = str if kind == "texts" else dict
        return isinstance(value, list) and all(isinstance(item, each) for item in value)
    wanted: dict[str, Any] = {
        "text": str, "number": (int, float), "whole number": int, "switch": bool,
    }  # fmt: skip
    right = isinstance(value, wanted[kind])
    return right and (kind == "switch" or not isinstance(value, bool))
