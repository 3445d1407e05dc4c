"""JSON and TOML that somebody edited: seeded changes of any place in a document."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 10**6, 10**50, -(10**50), 0.5, -0.0, 1e308, -1e308, "", "x", "0", "*", "../x", "a/b",
    "\0", "\ud800", "é" * 300, "[" * 50, [], {}, [[]], [None], ["x"], [1, 2], {"x": 1}, {"": None}, {"a": {"b": [1]}},
)  # fmt: skip


def places(raw: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a document."""
    entries = (
        raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    )
    for key, value in entries:
        yield (*here, key)
        yield from places(value, (*here, key))


def changed(raw: Any, rng: random.Random) -> Any:
    """A copy with one to three values replaced, removed, doubled or shortened, anywhere."""
    found = copy.deepcopy(raw)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        all_places = [*places(found)]
        if not all_places:
            break
        # a place of any depth is as likely as any other: long tables do not hide the rest
        depth = rng.choice(sorted({len(one) for one in all_places}))
        path = rng.choice([one for one in all_places if len(one) == depth])
        _change(found, path, rng)
    return found


def _change(found: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    parent = found
    for key in path[:-1]:
        parent = parent[key]
    key, kind = path[-1], rng.randrange(6)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent.append(copy.deepcopy(parent[key]))
    elif kind == 1:
        parent[rng.choice(("x", "", str(key) * 2))] = copy.deepcopy(parent[key])
    elif kind == 2 and isinstance(parent[key], str | list) and parent[key]:
        parent[key] = parent[key][: rng.randrange(len(parent[key]))]
    elif kind == 3 and isinstance(parent[key], int | float):
        parent[key] = rng.choice(
            (-parent[key], parent[key] + 1, parent[key] * 1000, str(parent[key]))
        )
    else:
        parent[key] = copy.deepcopy(rng.choice(ODD))


def as_text(raw: Any, rng: random.Random) -> bytes:
    """The document as a file; now and then cut off, with bytes flipped, or nested deeply."""
    text = bytearray(json.dumps(raw).encode())
    kind = rng.randrange(20)
    if kind == 0:
        del text[rng.randrange(len(text)) :]
    elif kind == 1:
        for _ in range(3):
            text[rng.randrange(len(text))] = rng.randrange(256)
    elif kind == 2:
        deep = b"[" * 100_000 + b"]" * 100_000
        text = bytearray(text.replace(b"null", deep, 1) if b"null" in text else deep)
    return bytes(text)
