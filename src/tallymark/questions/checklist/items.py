"""The items of the checklist, from the file beside this one."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("items.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What a source asks, which evidence of ours answers it, and what only the user can add."""

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
