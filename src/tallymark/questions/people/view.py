"""People, as a section: systems beside them, the panel that they are, and every two of them."""

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import contrast, contrasts, members, preferred_contrast, texts
from tallymark.defaults import FEW_SYSTEMS, LEVEL, MANY_RATERS
from tallymark.questions.people.say import (
    CAUTION,
    NOBODY_TWICE,
    OWN_SCALES,
    among_people,
    beside_people,
    left_out_in_turn,
    many_raters,
    met_in_one,
    other_differences,
    panel,
    pooled,
    turned,
)
from tallymark.render.grids import cautions
from tallymark.render.leading import grid, panel_brief, unglossed
from tallymark.render.leading import panel as shown_of_panel
from tallymark.render.model import (
    Bare,
    Block,
    Column,
    Drawing,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    table_by,
)
from tallymark.render.records import table_block, tables_of
from tallymark.render.sentences import Sentence, asked_by
from tallymark.render.subsets import (
    FACETS,
    asked_alone,
    by_kind_of_part,
    panels,
    place,
    rater_pairs,
    scope,
    single_raters,
    standing_for_all,
    systems_leading,
    whole,
)
from tallymark.render.subsets import rated_twice as rated_twice_anywhere
from tallymark.results import AMONG_PEOPLE, OTHERS, Estimate, Evaluation, Numbers, Subset, split_key

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
    raters_only, as_panel = evaluation.kind == "raters", bool(panels(evaluation))
    if raters_only and not as_panel:
        yield Text(NOBODY_TWICE, rank=Rank.FIRST)
    if not raters_only and (as_panel or systems_leading(evaluation, AMONG_PEOPLE)):
        yield from _beside_systems(evaluation)
    if not as_panel:
        return
    rank = Rank.FULL if raters_only else Rank.PAGE
    if not raters_only:
        yield Heading("People as a panel", rank=rank, folded=True)
    yield from _panel(evaluation, rank)
    yield from pairs_table(evaluation, rank)
    for title, subsets in by_kind_of_part(panels(evaluation)):
        rows = [
            ((", ".join(place(s).values()),), rated_twice(evaluation.of(s)), evaluation.of(s))
            for s in subsets
        ]
        measures = unglossed(panel_brief(evaluation))
        caption = f"People {title[0].lower()}{title[1:]}"
        yield grid("panel parts", caption, ("part",), rows, measures, rank=rank)


def _beside_systems(evaluation: Evaluation) -> Iterator[Block]:
    """Does a system agree with a person as two people agree with each other?"""
    compared = systems_leading(evaluation, AMONG_PEOPLE)
    preferred = [preferred_contrast(evaluation.of(subset)) for subset in compared]
    if len(compared) > FEW_SYSTEMS:
        yield _of_many(evaluation, compared)
    else:
        yield Says(tuple(system_sentences(evaluation)), rank=Rank.FIRST)
        yield Says(tuple(_other_differences(evaluation)))
    differences = [pair[1].difference for pair in preferred if pair is not None]
    if any(difference.low <= 0 <= difference.high for difference in differences):
        yield Text(CAUTION, "lesser")
    yield Says(tuple(_left_out(evaluation)), rank=Rank.FIRST)
    yield Says(tuple(people_sentences(evaluation)))
    yield from _all_statistics(evaluation)
    styles = {"as close": "share", "winning rate": "share", "p": "p"}
    tables = tables_of(evaluation, "alt_test")
    yield from (table_block(evaluation, table, styles=styles) for table in tables)


def system_sentences(evaluation: Evaluation) -> list[Sentence]:
    """Say whether each system agrees with a person as well as two people agree."""
    sentences = []
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        preferred = preferred_contrast(evaluation.of(subset))
        if preferred is not None:
            statistic, compared = preferred
            data = scope(evaluation, subset)
            words = beside_people(subset.system, statistic.heading, compared, subset.n, data)
            without = turned(evaluation, subset.system)
            sentences.append(Sentence("{words}{without}", words=words, without=without))
    return sentences


def _other_differences(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say the same of each system in a few other statistics."""
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        differences = {}
        for statistic in members("beside_people", evaluation.data.view):
            compared = contrast(evaluation.of(subset), statistic.text)
            if statistic.row.name in FURTHER and compared is not None:
                differences[statistic.heading] = compared.difference
        if differences:
            yield other_differences(subset.system, differences)


def people_sentences(evaluation: Evaluation) -> list[Sentence]:
    """Say how people agree with each other, if responses were rated twice."""
    everyone = standing_for_all(evaluation, panels(evaluation))
    numbers: Numbers = evaluation.of(everyone[0]) if everyone else {}
    n = rated_twice(numbers)
    if not n:
        return []
    estimates = {
        statistic.title: numbers[statistic.key]
        for statistic in panel_brief(evaluation)
        if statistic.key in numbers
    }
    return [among_people(estimates, n, scope(evaluation, everyone[0]))]


def rated_twice(numbers: Numbers) -> int:
    """How many responses of a panel were rated twice or more."""
    alphas = [text for text in _ALPHAS if text in numbers]
    return numbers[alphas[0]].n if alphas else 0


def _left_out(evaluation: Evaluation) -> Iterator[Sentence]:
    (ccc,) = members("leading_continuous")
    pairs = [
        (subset.system, contrast(evaluation.of(subset), ccc.text))
        for subset in systems_leading(evaluation, OTHERS)
    ]
    defined = [(system, pair) for system, pair in pairs if pair is not None]
    if defined:
        yield left_out_in_turn(ccc.heading, defined)


def _of_many(evaluation: Evaluation, compared: Sequence[Subset]) -> Table:
    """Many systems in a table: with a person, between people, the difference, and what it says."""
    preferred = [(s, preferred_contrast(evaluation.of(s))) for s in compared]
    rows = [(subset, *pair) for subset, pair in preferred if pair is not None]
    data = scope(evaluation, compared[0])
    return table_by(
        "systems beside people",
        Sentence(
            "{heading} of system and person, less that of two people{of}",
            heading=rows[-1][1].heading if rows else "",
            of="" if data is None else Sentence(", {of}", of=data),
        ),
        rows,
        (Column("system"), lambda row: row[0].system),
        (Column("n", numeric=True), lambda row: Responses(row[0].n)),
        (Column("with a person", numeric=True), lambda row: Bare(row[2].system)),
        (Column("two people", numeric=True), lambda row: Bare(row[2].people)),
        (_DIFFERENCE, lambda row: row[2].difference),
        (Column(""), lambda row: row[2].more_or_less),
        rank=Rank.FIRST,
    )  # fmt: skip


_DIFFERENCE = Column("difference", "below 0: less than people", numeric=True)


def _all_statistics(evaluation: Evaluation) -> Iterator[Table]:
    """System with a person, two people, and the difference, in each statistic."""
    statistics = members("beside_people", evaluation.data.view)
    headings = {statistic.text: statistic.heading for statistic in statistics}
    rows = [
        (subset, heading, contrast)
        for subset in systems_leading(evaluation, AMONG_PEOPLE)
        for text, contrast in contrasts(evaluation.of(subset)).items()
        if (heading := headings.get(text) or headings.get(split_key(text)[0]))
    ]
    if rows:
        yield table_by(
            "beside people",
            "Systems beside people, on the responses that people scored twice",
            rows,
            (Column("system"), lambda row: row[0].system),
            (Column("statistic"), lambda row: row[1]),
            (Column("n", numeric=True), lambda row: Responses(row[0].n)),
            (Column("with a person", numeric=True), lambda row: row[2].system),
            (Column("two people", numeric=True), lambda row: row[2].people),
            (_DIFFERENCE, lambda row: row[2].difference),
            names=2, folded=True, rank=Rank.PAGE,
        )  # fmt: skip


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


def pairs_table(evaluation: Evaluation, rank: Rank) -> Iterator[Block]:
    """Every two raters, those who agree least first."""
    pairs, title = _rater_pairs(evaluation)
    wanted = [
        statistic
        for statistic in members("rater_pairs", evaluation.data.view)
        if any(statistic.text in numbers for _, numbers in pairs)
    ]
    if not wanted:
        if len(single_raters(evaluation)) > MANY_RATERS:
            yield Text(many_raters(MANY_RATERS), "lesser", rank=rank)
        return
    pairs.sort(key=lambda pair: _undefined_last(pair[1].get(wanted[0].text)))
    table = grid(
        "pairs",
        title,
        ("rater", "and"),
        [((str(subset.against), subset.system), subset.n, numbers) for subset, numbers in pairs],
        unglossed(map(Measure.headed, wanted)),
        rank=rank,
    )
    points = texts("preferred", evaluation.data.view)[0] in {statistic.text for statistic in wanted}
    first = ("cohen_kappa", "percent_agreement") if points else ("lin_ccc", "pearson")
    measures = tuple(
        replace(measure, rank=Rank.FIRST if statistic.row.name in first else Rank.PAGE)
        for statistic, measure in zip(wanted, table.measures, strict=True)
    )
    yield replace(table, measures=measures)
    met_once = [subset for subset, _ in pairs if subset.column is not None]
    if met_once:
        yield Text(met_in_one(len(met_once), str(met_once[0].column)), "lesser", rank=rank)


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """How every two raters agree, as a figure."""
    pairs, _ = _rater_pairs(evaluation)
    statistics = [
        m
        for m in members("rater_pairs", evaluation.data.view)
        if any(m.text in n for _, n in pairs)
    ]
    for statistic in statistics[:1]:
        values = {
            (str(subset.against), subset.system): numbers[statistic.text].value
            for subset, numbers in pairs
            if statistic.text in numbers
        }
        names = [subset.system for subset in single_raters(evaluation)]
        caption = Sentence("{name} of every two raters", name=statistic.heading)
        options = {"statistic": statistic.heading}
        yield Drawing("heatmap", (names, values), caption, options=options)


def _rater_pairs(evaluation: Evaluation) -> tuple[list[tuple[Subset, Numbers]], str]:
    """Every two raters within prompts or traits, or on all responses where there are none.

    Two raters who meet in one prompt alone have the number of that prompt.
    """
    order, pairs = "those who agree least first", rater_pairs(evaluation)
    for column in FACETS:
        means = [s for s in pairs if s.average == column]
        if means:
            with_mean = {(s.subject, s.against) for s in means}
            in_column = [s for s in pairs if s.column == column]
            met_once = [s for s in in_column if (s.subject, s.against) not in with_mean]
            title = f"Every two raters, mean over {column}s, {order}"
            return [(s, evaluation.of(s)) for s in (*means, *met_once)], title
    whole_of = [(s, evaluation.of(s)) for s in pairs if whole(s)]
    return whole_of, f"Every two raters, {order}"


def _undefined_last(estimate: Estimate | None) -> tuple[bool, float]:
    undefined = estimate is None or math.isnan(estimate.value)
    return undefined, 0.0 if estimate is None or undefined else estimate.value
