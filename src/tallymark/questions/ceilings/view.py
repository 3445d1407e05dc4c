"""Ceilings, as a section: what is attainable, where systems stand, and what lies behind it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from tallymark.catalogue import called, member
from tallymark.defaults import FEW_SYSTEMS, LEVEL
from tallymark.questions.ceilings import say
from tallymark.questions.ceilings.formulas import MODEL
from tallymark.questions.ceilings.ladder import kappa_in
from tallymark.questions.ceilings.say import behind, within
from tallymark.render.figures.records import Whisker
from tallymark.render.grids import reasons
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
    table_by,
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import (
    asked_alone,
    at_a_glance,
    by_kind_of_part,
    ceilings,
    headline_subsets,
    known,
    place,
    rated_twice,
    scope,
    standing_for_all,
    systems_leading,
    systems_of,
)
from tallymark.results import (
    CEILING,
    GOLD,
    Estimate,
    Evaluation,
    Key,
    Kind,
    Subset,
    gold_in_use,
    parts_of,
    system_called,
)

Rungs = Mapping[str, Estimate]
"""What is attainable, by rung from the top down: those that are known."""
TWICE = "two ratings of some responses: a second --human column."
_TITLES = {rung: rung.replace("_", "-") for rung in say.PLACES}
_LEADING = ("human_like", "theoretical")


def section(evaluation: Evaluation) -> Section:
    """Show the ceilings of all responses, then the place of each system, then each part."""
    people = ceilings(evaluation)
    blocks = [*_blocks(evaluation, people)] if people else []
    if not people and evaluation.kind == "ceiling":
        blocks = [Text(say.NO_CEILING, rank=Rank.FIRST)]
    return Section(
        id="ceilings",
        title="Ceilings",
        question="What agreement with these people is attainable at all?",
        blocks=tuple(blocks),
        needs="" if rated_twice(evaluation) or asked_alone(evaluation) else TWICE,
        takes=TWICE,
    )


def _blocks(evaluation: Evaluation, people: Sequence[Subset]) -> Iterator[Block]:
    yield Text(say.ERRORS, rank=Rank.PAGE)
    everyone = next(iter(standing_for_all(evaluation, people)), None)
    if everyone is not None:
        yield _drawing(evaluation, everyone)
        yield from _ladder(evaluation, everyone)
        yield from _standing(evaluation)
    yield from _behind(evaluation, everyone, people)
    yield from _published(evaluation, everyone)
    for kind, parts in by_kind_of_part(people):
        yield _parts(evaluation, kind, parts)
    if everyone is not None:
        yield from _shared_error(evaluation, everyone)


def _rungs(evaluation: Evaluation, people: Subset) -> Rungs:
    """The ceilings against the gold that is in use."""
    numbers, gold = evaluation.of(people), gold_in_use(evaluation, people)
    points = gold if Key("ceiling_quantised", gold=gold) in numbers else "mean_up"
    keys = {
        "theoretical": Key("ceiling_theoretical", gold=gold),
        "quantised": Key("ceiling_quantised", gold=points),
        "human_like": Key("ceiling_human_like", gold=gold),
        "human_human": Key("human_human", of=kappa_in(numbers)),
    }
    return {rung: numbers[key] for rung, key in keys.items() if key in numbers}


def _measure(number: Estimate, kappa: str) -> Measure:
    """Its heading and gloss: of ceilings those of the catalogue."""
    if number.name == "human_human":
        return Measure("human-human", f"{called(kappa)} of two raters", "human_human")
    words = member(number.name)
    gloss = words.gloss
    if number.params.get("gold") == "mean_up":
        gloss = f"{gloss}, gold too"
    return Measure(words.heading, gloss, number.name)


def _ladder(evaluation: Evaluation, everyone: Subset) -> Iterator[Block]:
    """The ceilings of all data, from the top down, and what they assume."""
    numbers, rungs = evaluation.of(everyone), _rungs(evaluation, everyone)
    gold, level = gold_in_use(evaluation, everyone), float(evaluation.options.get("level", LEVEL))
    kappa, r = kappa_in(numbers), numbers.get(Key("human_human", of="pearson"))
    attainable = say.attainable(kappa, rungs, scope(evaluation, everyone))
    if attainable is not None:  # a matrix holds these numbers
        yield Text(attainable, rank=Rank.FULL if at_a_glance(evaluation) else Rank.FIRST)
    yield Grid(
        id="ceilings",
        caption=say.ladder(kappa, gold, level, scope(evaluation, everyone)),
        names=("",),
        measures=(
            *(_measure(number, kappa) for number in rungs.values()),
            Measure("their r", "correlation of two raters", "human_human"),
        ),
        entries=(Entry(("attainable",), (*rungs.values(), r), everyone.n),),
    )
    sources = parts_of(evaluation.subsets, everyone) if everyone.average else [everyone]
    places = [evaluation.subsets.index(subset) for subset in sources]
    assumed = {
        str(table.rows[0][2])
        for table in evaluation.tables
        if table.name == MODEL
        and table.subset in places
        and known(evaluation.numbers[table.subset])
    }
    if len(assumed) == 1 and any(not math.isnan(rung.value) for rung in rungs.values()):
        yield Text(Sentence("Assumed: {words}.", words=assumed.pop()), "lesser")


def _standing(evaluation: Evaluation) -> Iterator[Block]:
    """Where each system stands: few in sentences, many in a table."""
    systems = [(s, evaluation.of(s)) for s in systems_leading(evaluation, CEILING)]
    column, _ = headline_subsets(evaluation)
    sentence_of_each = [
        say.standing(s.system, e, scope(evaluation, s) if (s.average or "") != column else None)
        for s, e in systems
    ]
    sentences = [sentence for sentence in sentence_of_each if sentence is not None]
    if not sentences:
        return
    few = len(systems) <= FEW_SYSTEMS
    if few:
        yield Says(tuple(sentences), rank=Rank.FIRST)
    gaps = [say.gaps_to(say.compared(numbers), numbers) for _, numbers in systems]
    if few and any(say.at(gap) for gaps_of_system in gaps for gap in gaps_of_system.values()):
        yield Text(say.NOT_SHOWN, "lesser")
    shares = [
        numbers.get(Key("share_of_ceiling", of=say.compared(numbers), ceiling="theoretical"))
        for _, numbers in systems
    ]
    share = Measure("share", "of the theoretical ceiling", "share_of_ceiling", Rank.PAGE)
    data = scope(evaluation, systems[0][0])
    yield Grid(
        id="gaps",
        caption=Sentence(
            "{statistic} of each system less each ceiling{of}",
            statistic=called(say.compared(systems[0][1])),
            of="" if data is None else Sentence(", {of}", of=data),
        ),
        names=("system",),
        measures=(*(_gap(rung, title, few=few) for rung, title in _TITLES.items()), share),
        entries=tuple(
            Entry((s.system,), (*map(gaps_of_system.get, _TITLES), reached), s.n)
            for (s, _), gaps_of_system, reached in zip(systems, gaps, shares, strict=True)
        ),
        note="Below 0 is below the ceiling.",
        rank=Rank.PAGE if few else Rank.FIRST,
    )


def _gap(rung: str, title: str, *, few: bool) -> Measure:
    """How far below a ceiling; of many systems a first screen has those that stand nowhere else."""
    rank = Rank.FIRST if few or rung in _LEADING else Rank.FULL
    words = "" if title in say.PLACES[rung] else f"less {say.PLACES[rung]}"
    return Measure(title, words, "gap_to_ceiling", rank)


def _references(evaluation: Evaluation) -> list[Subset]:
    """Published numbers among the ceilings of all data."""
    published = [s for s in evaluation.subsets if s.subject.kind is Kind.PUBLISHED]
    return standing_for_all(evaluation, [s for s in published if s.against == CEILING])


def _published(evaluation: Evaluation, everyone: Subset | None) -> Iterator[Block]:
    references = _references(evaluation)
    if references:
        yield Heading("Published numbers")
        gold = gold_in_use(evaluation, everyone) if everyone is not None else "mean"
        yield Says(
            tuple(say.published_standing(s.system, evaluation.of(s), gold) for s in references)
        )


def _behind(
    evaluation: Evaluation, everyone: Subset | None, people: Sequence[Subset]
) -> Iterator[Block]:
    """What reliability lies behind: within traits or prompts where there are several."""
    sentences = _within(evaluation, people)
    if not sentences and everyone is not None:
        sentences = [*behind(evaluation.of(everyone), gold_in_use(evaluation, everyone))]
    if sentences:
        yield Heading("Behind the ceilings", folded=True)
        yield Says(tuple(sentences))


def _within(evaluation: Evaluation, people: Sequence[Subset]) -> list[Sentence]:
    for column in ("trait", "prompt"):
        of_parts = [s for s in people if [*place(s)] == [column]]
        if len(of_parts) > 1:
            parts = [(", ".join(place(s).values()), evaluation.of(s)) for s in of_parts]
            mean = [evaluation.of(s) for s in people if s.average == column]
            return [*within(column, mean[0] if mean else {}, parts)]
    return []


def _parts(evaluation: Evaluation, kind: str, parts: Sequence[Subset]) -> Table:
    """The ceilings of each prompt, trait or group, from the bottom up."""
    rungs = {part: _rungs(evaluation, part) for part in parts}
    kappa = kappa_in(evaluation.of(parts[0]))
    measures = {}
    for rung in say.PLACES:
        numbers = [rungs_of_part[rung] for rungs_of_part in rungs.values() if rung in rungs_of_part]
        if numbers:
            measures[rung] = _measure(numbers[0], kappa)

    def rung_of(rung: str) -> tuple[Column, Callable[[Subset], Value]]:
        measure, rank = measures[rung], Rank.PAGE if rung == "quantised" else Rank.FIRST
        column = Column(measure.title, key=measure.key, numeric=True, rank=rank)
        return column, lambda part: rungs[part].get(rung)

    golds = list(dict.fromkeys(gold_in_use(evaluation, part) for part in parts))
    defined = [[rungs[part].get(rung) for rung in measures] for part in parts]
    return table_by(
        "ceilings by part", say.by_part(f"{kind[0].lower()}{kind[1:]}", golds), parts,
        (Column(""), lambda part: ", ".join(place(part).values())),
        (Column("n", numeric=True), lambda part: Responses(part.n)),
        *map(rung_of, measures),
        note=" ".join(reasons([*measures.values()], defined)),
    )  # fmt: skip


def _drawing(evaluation: Evaluation, everyone: Subset) -> Drawing:
    """The ladder of all responses, and below it what systems or published numbers reach."""
    kappa = kappa_in(evaluation.of(everyone))
    numbers = _rungs(evaluation, everyone).values()
    rungs = [Whisker.of(number, _measure(number, kappa).title) for number in numbers]
    index = evaluation.subsets.index(everyone)
    reached = [
        (name, evaluation.beside(index, GOLD, system_called(name)).get(kappa))
        for name in systems_of(evaluation)
    ]
    reached += [(s.system, evaluation.of(s).get("reference")) for s in _references(evaluation)]
    drawn = [(name, number) for name, number in reached if number is not None]
    systems = [Whisker.of(e, name, series=1 + i % 6) for i, (name, e) in enumerate(drawn)]
    caption = "Where systems stand between people and the ceilings"
    return Drawing(
        "intervals.ladder", (rungs, systems), caption, options={"statistic": called(kappa)}
    )


def _shared_error(evaluation: Evaluation, everyone: Subset) -> Iterator[Drawing]:
    index = evaluation.subsets.index(everyone)
    curves = [curve for curve in evaluation.curves if curve.subset == index]
    if curves:
        caption = "The ceiling, if the errors of raters are alike, as after training together"
        yield Drawing("lines.curves", (curves, [c.y_title for c in curves]), caption, small=True)
