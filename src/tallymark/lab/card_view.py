"""Cards on every screen: a table of grades, and the page to cite when choosing a metric."""

import json
import math
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from tallymark.defaults import SEED
from tallymark.inference import Settings
from tallymark.lab.card import PROPERTIES, Card, Property, cards
from tallymark.lab.contenders import Function
from tallymark.render.latex import section_tables
from tallymark.render.model import Column, Number, Rank, Section, Table, Terms, Text, Value
from tallymark.render.numbers import rounded
from tallymark.render.sentences import Sentence
from tallymark.render.tables import csv_text

INTRO = (
    "What each statistic does where a good metric should stay, move or refuse. Numbers are measured by "
    "the experiments of the lab; a grade says which side of a line they are on. Choose by what your "
    "question needs: no statistic has every property."
)
NOTE = (
    "A dash: the property does not apply (errors in points have no scale of their own), the statistic is "
    "undefined there, or no coverage is recorded. The score counts yes as 1 and partly as a half, over the "
    "properties that apply: a summary, not a ranking."
)
HOW = (
    "This page is written by `tallymark lab properties --out DIR`. `--statistic mypackage:function` "
    "puts a function of two arrays, gold and system, on the same card; `tallymark lab run NAME` shows the "
    "curves of the experiment that a property names."
)


class Properties(Struct, frozen=True):
    """The cards of several statistics."""

    cards: tuple[Card, ...]
    seed: int

    def records(self) -> list[dict[str, Any]]:
        """One dictionary for each statistic: a grade and a number for each property."""
        return [
            {"statistic": card.name, "score": card.score}
            | {
                key: value
                for of, grade, number in zip(PROPERTIES, card.grades, card.values, strict=True)
                for key, value in ((of.name, grade), (f"{of.name}_value", number))
            }
            for card in self.cards
        ]

    def to_json(self) -> str:
        """Strict JSON: what does not apply is null."""
        clean = [
            {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in record.items()}
            for record in self.records()
        ]
        raw = {
            "format": "tallymark lab properties",
            "version": 1,
            "seed": self.seed,
            "cards": clean,
        }
        return json.dumps(raw, indent=1, allow_nan=False)

    def to_csv(self) -> str:
        """One row for each statistic."""
        records = self.records()
        return (
            csv_text([*records[0]], ([*record.values()] for record in records)) if records else ""
        )

    def section(self) -> Section:
        """The cards, for a terminal or any other screen."""
        columns = [Column("statistic"), Column("score", numeric=True)]
        columns += [Column(of.name) for of in PROPERTIES]
        table = Table(
            id="properties",
            caption="Properties of statistics",
            columns=tuple(columns),
            rows=tuple(_row(card) for card in self.cards),
            rank=Rank.FIRST,
        )
        asked = tuple((of.title, f"{of.asks}.") for of in PROPERTIES)
        about = [Text(words, rank=Rank.FIRST) for words in (INTRO, NOTE)]
        blocks = (about[0], table, Terms(asked, rank=Rank.FIRST), about[1])
        return Section(id="properties", title="Which metric?", question="", blocks=blocks)

    def to_text(self, width: int = 100) -> str:
        """What a terminal shows."""
        from tallymark.render.layout import plain_text
        from tallymark.render.terminal import section_lines

        return plain_text(section_lines([self.section()], width)).rstrip()

    def to_markdown(self) -> str:
        """The whole page, docs/metrics.md."""
        lines = ["# Which metric?", "", INTRO, "", NOTE, "", HOW, ""]
        lines += [f"- **{of.title}**: {of.asks}. {_line(of)}" for of in PROPERTIES]
        heads = ["statistic", "score", *(of.title for of in PROPERTIES)]
        lines += ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        for card in self.cards:
            cells = [f"`{card.name}`", rounded(card.score, 2, coefficient=True)]
            cells += [_cell(*pair) for pair in zip(card.grades, card.values, strict=True)]
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"

    def files(self) -> dict[str, str]:
        """What ``tallymark lab properties --out`` writes, by name."""
        return {
            "metrics.md": self.to_markdown(),
            "properties.csv": self.to_csv(),
            "properties.json": self.to_json() + "\n",
            "tables/properties.tex": section_tables(self.section()),
        }

    def __repr__(self) -> str:
        """What a terminal shows."""
        return self.to_text()


def properties(
    statistics: Iterable[str | Function] | str | Function = (), *, seed: int = SEED
) -> Properties:
    """Put statistics to the test, property by property: all of the catalogue, or those given.

    Names of the catalogue, ``"module:function"`` or functions of two arrays, gold and system.

    >>> properties("brennan_prediger[linear]").records()[0]["marginals"]
    'yes'
    """
    given = [statistics] if isinstance(statistics, str) or callable(statistics) else statistics
    Settings(seed=seed)  # refuses one that none can be
    return Properties(tuple(sorted(cards(given, seed=seed), key=lambda card: -card.score)), seed)


def _row(card: Card) -> tuple[Value, ...]:
    graded = [
        Sentence("{grade} {value:goal}", grade=grade, value=value) if grade else "-"
        for grade, value in zip(card.grades, card.values, strict=True)
    ]
    return card.name, Number(card.score, "goal"), *graded


def _cell(grade: str, value: float) -> str:
    return f"{grade} {rounded(value, 2, coefficient=True)}" if grade else "–"


def _line(of: Property) -> str:
    way = "at least" if of.more else "at most"
    ends = [rounded(end, 2, coefficient=True) for end in (of.yes, of.partly)]
    return f"Yes: {way} {ends[0]}; partly: {way} {ends[1]}."
