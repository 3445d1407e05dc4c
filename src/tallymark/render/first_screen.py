"""What the first screen of the page holds: the verdict, and the numbers that carry it."""

from tallymark.records import record
from tallymark.render.model import Block, Remark, Strip
from tallymark.render.sentences import Words


@record(kw_only=True)
class Requirement:
    """A limit, what the data say of it, and the number against it; none where it is undefined."""

    title: Words
    state: str
    limit: Words
    words: Words
    strip: Strip | None = None


@record(kw_only=True)
class Claim:
    """The claim about one system at the top of the page."""

    name: str
    state: str
    words: Words
    detail: Words = ""
    criteria: tuple[Requirement, ...] = ()
    missing: tuple[Words, ...] = ()


@record(kw_only=True)
class First:
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
