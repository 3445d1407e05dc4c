"""The checklist as a section of the page."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tallymark.questions.checklist import say
from tallymark.render.model import Column, Rank, Section, Table
from tallymark.render.sentences import written
from tallymark.render.subsets import systems_of
from tallymark.results import Evaluation

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


def section(evaluation: Evaluation) -> Section:
    """Show each item with what documents it here and what is missing; nothing without a system."""
    rows = tuple(
        (
            item.source,
            item.asks,
            written(say.documented(evaluation, item.evidence)),
            say.missing(evaluation, item.evidence, item.yours),
        )
        for item in (items() if systems_of(evaluation) else ())
    )
    table = Table(
        id="checklist",
        caption=say.CAPTION,
        columns=tuple(map(Column, ("source", "asks", "this report", "missing"))),
        rows=rows,
        note=say.NOTE,
        folded=True,
        rank=Rank.PAGE,
    )
    return Section(
        id="checklist",
        title=say.TITLE,
        question=say.QUESTION,
        blocks=(table,) if rows else (),
    )
