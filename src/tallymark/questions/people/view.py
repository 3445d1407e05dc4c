"""People, as a section: systems beside them, the panel that they are, and every two of them."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import (
    contrast,
    contrasts,
    members,
    preferred_contrast,
    texts,
)
from tallymark.defaults import LEVEL
from tallymark.questions.people.pairs import pairs_table
from tallymark.questions.people.say import (
    CAUTION,
    NOBODY_TWICE,
    OWN_SCALES,
    among_people,
    beside_people,
    left_out_in_turn,
    other_differences,
    panel,
    pooled,
    turned,
)
from tallymark.render.asking import asked_by
from tallymark.render.grids import cautions
from tallymark.render.leading import grid, panel_brief, unglossed
from tallymark.render.leading import panel as shown_of_panel
from tallymark.render.model import (
    Bare,
    Block,
    Column,
    Heading,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.records import table_block, tables_of
from tallymark.render.scope import scope
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import (
    FEWEST,
    asked_alone,
    by_kind_of_part,
    panels,
    place,
    single_raters,
    standing_for_all,
    systems_leading,
    whole,
)
from tallymark.render.subsets import rated_twice as rated_twice_anywhere
from tallymark.results import AMONG_PEOPLE, OTHERS, Evaluation, Numbers, Subset, split_key

TWICE = "two ratings of some responses: a second --human column."
FURTHER = ("percent_agreement", "gwet_ac", "pearson")
_ALPHAS = [texts("panel_brief", view)[0] for view in ("ordinal", "nominal")]
"""Also said of a system beside people."""


def section(evaluation: Evaluation) -> Section:
    """Show how people agree with each other, and whether systems agree with them as well."""
    twice = asked_by(evaluation, TWICE)
    return Section(
        id="people",
        title="People" if evaluation.kind == "raters" else "People and systems",
        question="How well do people agree with each other, and with systems?",
        blocks=tuple(_blocks(evaluation)),
        needs="" if rated_twice_anywhere(evaluation) or asked_alone(evaluation) else twice,
        takes=twice,
        titled=evaluation.kind != "raters",
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    alone, as_panel = evaluation.kind == "raters", bool(panels(evaluation))
    if alone and not as_panel:
        yield Text(NOBODY_TWICE, rank=Rank.FIRST)
    if not alone and (as_panel or systems_leading(evaluation, AMONG_PEOPLE)):
        yield from _beside_systems(evaluation)
    if not as_panel:
        return
    rank = Rank.FULL if alone else Rank.PAGE
    if not alone:
        yield Heading("People as a panel", rank=rank, folded=True)
    yield from _panel(evaluation, rank)
    yield from pairs_table(evaluation, rank)
    for title, subsets in by_kind_of_part(panels(evaluation)):
        rows = [
            ((", ".join(place(s).values()),), rated_twice(evaluation.of(s)), evaluation.of(s))
            for s in subsets
        ]
        shown = unglossed(panel_brief(evaluation))
        caption = f"People {title[0].lower()}{title[1:]}"
        yield grid("panel parts", caption, ("part",), rows, shown, rank=rank)


def _beside_systems(evaluation: Evaluation) -> Iterator[Block]:
    """Does a system agree with a person as two people agree with each other?"""
    compared = systems_leading(evaluation, AMONG_PEOPLE)
    preferred = [preferred_contrast(evaluation.of(subset)) for subset in compared]
    if len(compared) >= FEWEST:
        yield _of_many(evaluation, compared)
    else:
        yield Says(tuple(system_sentences(evaluation)), rank=Rank.FIRST)
        yield Says(tuple(_other_differences(evaluation)))
    differences = [pair[1].difference for pair in preferred if pair is not None]
    if any(difference.low <= 0 <= difference.high for difference in differences):
        yield Text(CAUTION, "lesser")
    yield Says(tuple(_left_out(evaluation)), rank=Rank.FIRST)
    yield Says(tuple(people_sentences(evaluation)))
    yield from _every(evaluation)
    styles = {"as close": "share", "winning rate": "share", "p": "p"}
    tables = tables_of(evaluation, "alt_test")
    yield from (table_block(evaluation, table, styles=styles) for table in tables)


def system_sentences(evaluation: Evaluation) -> list[Sentence]:
    """Say whether each system agrees with a person as well as two people agree."""
    said = []
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        preferred = preferred_contrast(evaluation.of(subset))
        if preferred is not None:
            statistic, compared = preferred
            of = scope(evaluation, subset)
            words = beside_people(subset.system, statistic.heading, compared, subset.n, of)
            without = turned(evaluation, subset.system)
            said.append(Sentence("{words}{without}", words=words, without=without))
    return said


def _other_differences(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say the same of each system in a few other statistics."""
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        shown = [m for m in members("beside_people", evaluation.data.view) if m.row.name in FURTHER]
        contrasts = {m.heading: contrast(evaluation.of(subset), m.text) for m in shown}
        known = {name: each.difference for name, each in contrasts.items() if each is not None}
        if known:
            yield other_differences(subset.system, known)


def people_sentences(evaluation: Evaluation) -> list[Sentence]:
    """Say how people agree with each other, if responses were rated twice."""
    everyone = standing_for_all(evaluation, panels(evaluation))
    numbers: Numbers = evaluation.of(everyone[0]) if everyone else {}
    n = rated_twice(numbers)
    if not n:
        return []
    each = {
        statistic.title: numbers[statistic.key]
        for statistic in panel_brief(evaluation)
        if statistic.key in numbers
    }
    return [among_people(each, n, scope(evaluation, everyone[0]))]


def rated_twice(numbers: Numbers) -> int:
    """How many responses of a panel were rated twice or more."""
    known = [text for text in _ALPHAS if text in numbers]
    return numbers[known[0]].n if known else 0


def _left_out(evaluation: Evaluation) -> Iterator[Sentence]:
    (ccc,) = members("leading_continuous")
    pairs = [
        (subset.system, contrast(evaluation.of(subset), ccc.text))
        for subset in systems_leading(evaluation, OTHERS)
    ]
    known = [(system, pair) for system, pair in pairs if pair is not None]
    if known:
        yield left_out_in_turn(ccc.heading, known)


def _of_many(evaluation: Evaluation, compared: Sequence[Subset]) -> Table:
    """Many systems in a table: with a person, between people, the difference, and what it says."""
    rows: list[tuple[Value, ...]] = []
    heading, of = "", scope(evaluation, compared[0])
    for subset in compared:
        preferred = preferred_contrast(evaluation.of(subset))
        if preferred is not None:
            heading = preferred[0].heading
            both = Bare(preferred[1].system), Bare(preferred[1].people)
            said = preferred[1].more_or_less
            rows.append((subset.system, Responses(subset.n), *both, preferred[1].difference, said))
    return Table(
        id="systems beside people",
        caption=Sentence(
            "{heading} of system and person, less that of two people{of}",
            heading=heading,
            of="" if of is None else Sentence(", {of}", of=of),
        ),
        columns=(*_COLUMNS[:1], *_COLUMNS[2:], Column("")),
        rows=tuple(rows),
        rank=Rank.FIRST,
    )


_COLUMNS = (
    Column("system"),
    Column("statistic"),
    Column("n", numeric=True),
    Column("with a person", numeric=True),
    Column("two people", numeric=True),
    Column("difference", "below 0: less than people", numeric=True),
)


def _every(evaluation: Evaluation) -> Iterator[Table]:
    """System with a person, two people, and the difference, in each statistic."""
    headings = {
        statistic.text: statistic.heading
        for statistic in members("beside_people", evaluation.data.view)
    }
    rows = [
        (subset.system, heading, Responses(subset.n), *contrast)
        for subset in systems_leading(evaluation, AMONG_PEOPLE)
        for text, contrast in contrasts(evaluation.of(subset)).items()
        if (heading := headings.get(text) or headings.get(split_key(text)[0]))
    ]
    if rows:
        yield Table(
            id="beside people",
            caption="Systems beside people, on the responses that people scored twice",
            columns=_COLUMNS,
            rows=tuple(rows),
            names=2,
            folded=True,
            rank=Rank.PAGE,
        )


def _panel(evaluation: Evaluation, rank: Rank) -> Iterator[Block]:
    """All raters together: means over traits, prompts and folds, and all responses."""
    subsets = [s for s in panels(evaluation) if not s.fisher_z and (s.average or whole(s))]
    subsets.sort(key=lambda subset: subset.average is None)
    if not subsets:
        yield Text(OWN_SCALES, rank=rank)
        return
    names = [f"mean over {s.average}s" if s.average else "all responses" for s in subsets]
    rows = [
        ((name,) if len(subsets) > 1 else (), rated_twice(evaluation.of(s)), evaluation.of(s))
        for name, s in zip(names, subsets, strict=True)
    ]
    level = float(evaluation.options.get("level", LEVEL))
    caption = panel(len(single_raters(evaluation)), rows[0][1], level)
    table = grid("panel", caption, ("of",), rows, shown_of_panel(evaluation), rank=rank)
    uncounted = tuple(replace(entry, n=None) for entry in table.entries)  # the caption has it
    note = pooled(subsets[0].average or "") if len(subsets) > 1 else ""
    yield replace(table, entries=uncounted, note=note)
    yield Says(tuple(cautions(table)), rank=rank)
