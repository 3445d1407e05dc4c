"""The benchmark table: one row a prompt or trait, as papers print it, with the average below."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tallymark.catalogue import called
from tallymark.questions.verdict.by_part import numbers_of, parts_in
from tallymark.render.model import Column, Number, Rank, Responses, Section, Table, Value
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import headline_subsets, systems_of
from tallymark.results import (
    CEILING,
    GOLD,
    PEOPLE,
    Estimate,
    Evaluation,
    Key,
    Subset,
    gold_in_use,
    gold_rule,
    system_called,
)
from tallymark.verdict.statistics import KAPPA, QWK

R = Key("pearson")
AVERAGE = "Avg."
MOST_SYSTEMS = 6
"""Of more systems the matrix has room."""
FACTS = ("n", "scale", "gold")
CEILINGS = (
    "Ceilings of {kappa} for the gold of each row: theoretical, of a scorer who knew every true score; "
    "human-like, of one more rater. Share: {kappa} over the theoretical ceiling. "
)
NOTE = "Avg.: plain mean of the rows."


def kappa_of(evaluation: Evaluation) -> Key:
    """Agreement beyond chance: QWK, or kappa on two points."""
    return QWK if evaluation.data.view == "ordinal" else KAPPA


class _Row(NamedTuple):
    """One row: a part of the data, or the average over all of them where it has no name."""

    evaluation: Evaluation
    column: str
    part: str

    def people(self) -> Mapping[str, Estimate]:
        return numbers_of(self.evaluation, PEOPLE, CEILING, self.column, self.part)

    def ceiling(self, kind: str) -> Estimate | None:
        """The ceiling of the gold in use."""
        numbers = self.people()
        if not numbers:
            return None
        subset = self.evaluation.subsets[next(iter(numbers.values())).subset]
        return numbers.get(Key(f"ceiling_{kind}", gold=gold_in_use(self.evaluation, subset)))

    def of_system(self, system: str) -> Iterator[Estimate | None]:
        """QWK, r and the share of the theoretical ceiling."""
        scorer = system_called(system)
        numbers = numbers_of(self.evaluation, scorer, GOLD, self.column, self.part)
        beside = numbers_of(self.evaluation, scorer, CEILING, self.column, self.part)
        kappa = kappa_of(self.evaluation)
        yield from (numbers.get(kappa), numbers.get(R))
        yield beside.get(Key("share_of_ceiling", of=kappa, ceiling="theoretical"))

    def facts(self, subsets: Sequence[Subset]) -> Iterator[Value]:
        """How many responses, on which scale, and how their gold was made; nothing of the average."""
        here = next(
            (s for s in subsets if self.part and getattr(s, self.column) == self.part), None
        )
        if here is None:
            yield from ("", "", "")
            return
        options, data = self.evaluation.options, self.evaluation.data
        setting = options.get("prompts", {}).get(self.part, {}) if self.column == "prompt" else {}
        yield Responses(here.n)
        yield str(setting.get("scale") or data.gold_scale or data.scale)
        yield gold_rule(self.evaluation, here) or data.gold


def section(evaluation: Evaluation) -> Section:
    """Show every prompt or trait in a row, beside people, ceilings and published systems."""
    table = benchmark(evaluation)
    return Section(
        id="benchmark",
        title="Benchmark table",
        question="How would a paper print it?",
        blocks=() if table is None else (table,),
        titled=False,
    )


def benchmark(evaluation: Evaluation) -> Table | None:
    """The table, without columns that are empty.

    None without several prompts or traits, without a number, or with too many systems for it.
    """
    column, _ = headline_subsets(evaluation)
    parts, systems = parts_in(evaluation, column), systems_of(evaluation)
    if len(parts) < 2 or not 0 < len(systems) <= MOST_SYSTEMS:
        return None
    published = _published(evaluation)
    headings = [*FACTS, "theoretical", "human-like", "human-human"]
    headings += [f"{name} {called(statistic)}" for name, statistic in published]
    several, kappa = len(systems) > 1, called(kappa_of(evaluation))
    for system in systems:
        headings += [f"{system} {title}" if several else title for title in (kappa, "r", "share")]
    subsets = [s for s in evaluation.subsets if s.against == GOLD and s.average is None]
    *rows, average = [
        (
            part or AVERAGE,
            *_cells(_Row(evaluation, column, part), subsets, systems, published, parts),
        )
        for part in (*parts, "")
    ]
    rows.append(_of_the_same(average, rows))
    facts = 1 + len(FACTS)
    known = [i for i in range(facts, 1 + len(headings)) if any(row[i] is not None for row in rows)]
    if not known:
        return None
    table = Table(
        id="benchmark",
        caption=Sentence(
            "Agreement by {column}, {intervals}", column=column, intervals=intervals(evaluation)
        ),
        columns=(Column(column), *(Column(title, numeric=True) for title in headings)),
        rows=tuple(rows),
        note=CEILINGS.format(kappa=kappa) + NOTE if facts in known else NOTE,
        below=1,
        folded=several,  # wider than a page
        rank=Rank.FULL,
    )
    return table.only([*range(facts), *known])


def _of_the_same(
    average: tuple[Value, ...], rows: Sequence[tuple[Value, ...]]
) -> tuple[Value, ...]:
    """The average without the ceilings of another gold than that of the rows."""
    return tuple(
        None
        if isinstance(mean, Estimate)
        and {cell.key for cell in cells if isinstance(cell, Estimate)} != {mean.key}
        else mean
        for mean, *cells in zip(average, *rows, strict=True)
    )


def _cells(
    row: _Row,
    subsets: Sequence[Subset],
    systems: Sequence[str],
    published: Mapping[tuple[str, str], Mapping[str, float]],
    parts: Sequence[str],
) -> Iterator[Value]:
    yield from row.facts(subsets)
    yield from (row.ceiling("theoretical"), row.ceiling("human_like"))
    yield row.people().get(Key("human_human", of=kappa_of(row.evaluation)))
    for numbers in published.values():
        value = numbers.get(row.part, math.nan)
        if not row.part and "" not in numbers:  # the average as published, else of all parts
            value = sum(numbers.get(part, math.nan) for part in parts) / len(parts)
        yield None if math.isnan(value) else Number(value, "share")
    for system in systems:
        yield from row.of_system(system)


def _published(evaluation: Evaluation) -> dict[tuple[str, str], dict[str, float]]:
    """The published numbers by system and statistic, each by part."""
    numbers: dict[tuple[str, str], dict[str, float]] = {}
    for table in evaluation.tables:
        for record in table.records() if table.name == "published" else ():
            at = str(record["system"]), str(record["statistic"])
            numbers.setdefault(at, {})[str(record["part"] or "")] = float(record["value"])
    return numbers


def benchmark_rows(table: Table) -> tuple[list[str], list[list[Any]]]:
    """The table at full precision: each number with the ends of its interval."""
    ends = [
        any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))
    ]
    columns: list[str] = []
    for column, with_ends in zip(table.columns, ends, strict=True):
        columns += [
            f"{column.title}{end}" for end in (("", " low", " high") if with_ends else ("",))
        ]
    rows = []
    for row in table.rows:
        cells: list[Any] = []
        for cell, with_ends in zip(row, ends, strict=True):
            if isinstance(cell, Estimate):
                cells += [cell.value, cell.low, cell.high]
            elif with_ends:
                cells += [None, None, None]
            else:
                cells.append(getattr(cell, "value", getattr(cell, "n", cell)))
        rows.append(cells)
    return columns, rows
