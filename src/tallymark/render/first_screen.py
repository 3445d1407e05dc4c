"""What the first screen of the page holds: the verdict, and the numbers that carry it."""

from msgspec import Struct

from tallymark.render.model import Block, Remark, Strip
from tallymark.render.sentences import Words


class Requirement(Struct, frozen=True, kw_only=True):
    """A limit, what the data say of it, and the number against it; none where it is undefined."""

    title: Words
    state: str
    limit: Words
    words: Words
    strip: Strip | None = None


class Claim(Struct, frozen=True, kw_only=True):
    """The claim about one system at the top of the page."""

    name: str
    state: str
    words: Words
    detail: Words = ""
    criteria: tuple[Requirement, ...] = ()
    missing: tuple[Words, ...] = ()


class First(Struct, frozen=True, kw_only=True):
    """The first screen, with so many ``more`` findings below; criteria are ``folded`` where a matrix shows them at a glance."""

    title: str
    policy: str
    claims: tuple[Claim, ...]
    words: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Block, ...] = ()
    warnings: tuple[Remark, ...] = ()
    more: int = 0
    missing: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    folded: bool = False
