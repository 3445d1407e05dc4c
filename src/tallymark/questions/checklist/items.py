"""The items of the checklist, by name, and whether what a user states is on one of them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from tallymark.errors import OptionError, did_you_mean

FILE = Path(__file__).with_name("items.toml")


class Item(Struct, frozen=True, kw_only=True):
    """What a source asks, which evidence of ours answers it, and what only the user can add."""

    name: str
    source: str
    asks: str
    evidence: tuple[str, ...]
    yours: str


@cache
def items() -> tuple[Item, ...]:
    """Return every item, in the order of the file."""
    import tomllib

    contents = tomllib.loads(FILE.read_text("utf-8"))["items"]
    return tuple(Item(**{**entry, "evidence": tuple(entry["evidence"])}) for entry in contents)


def check_items(statements: Mapping[str, str]) -> dict[str, str]:
    """Return what a user states, by item; refuse an item that the checklist does not have.

    >>> check_items({"3.8": "Groups were chosen by the board."})
    {'3.8': 'Groups were chosen by the board.'}
    """
    known = [item.name for item in items()]
    for name, text in statements.items():
        if name not in known:
            raise OptionError(
                f"--evidence: the checklist has no item {name!r}.{did_you_mean(name, known)} "
                f"Its items are {', '.join(known)}"
            )
        if not text.strip():
            raise OptionError(
                f"--evidence: the statement on {name} is empty; write it or leave it out"
            )
    return dict(statements)
