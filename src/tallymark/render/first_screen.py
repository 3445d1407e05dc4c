"""What the first screen of the page holds: the verdict, and the numbers that carry it."""

from dataclasses import dataclass

from tallymark.render.model import Block, Cell, Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is said of one system at the top of the page."""

    name: str
    state: str
    words: str
    detail: str = ""
    criteria: tuple["Criterion", ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A limit and what the data say of it."""

    title: str
    state: str
    limit: str
    number: Cell
    words: str
    svg: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """The first screen."""

    title: str
    policy: str
    claims: tuple[Claim, ...]
    words: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Block, ...] = ()
    warnings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
