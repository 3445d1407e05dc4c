"""Ceilings: what agreement with these people is attainable, and where systems stand."""

from collections.abc import Iterator
from functools import partial

from tallymark.questions.ceilings.behind import behind_sentences
from tallymark.questions.ceilings.lines import assumed, standing_sentence
from tallymark.questions.ceilings.within import within_sentences
from tallymark.render import figures
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.model import Block, Column, Says, Section, Table, Text
from tallymark.render.report.blocks import any_curves, by_part, drawn, said
from tallymark.render.report.view import View, counted, words
from tallymark.render.subsets import system_against, whole
from tallymark.results import CEILING, PEOPLE, Key, Subset, gold_in_use

_RUNGS = ("human_human", "human_like", "quantised", "theoretical")
_EXPLAINED = {
    "human_human": "of two raters",
    "human_like": "of one more rater, calibrated",
    "quantised": "of the best scorer on the points of the scale",
    "theoretical": "of a scorer who knew every true score",
}


def ceilings(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="ceilings",
        title="Ceilings",
        question="What agreement with these people is attainable at all?",
        blocks=tuple(_blocks(view)),
        needs="two ratings of some responses: a second --human column.",
    )


def _blocks(view: View) -> Iterator[Block]:
    people = view.subsets(CEILING, PEOPLE)
    if not people:
        return
    yield Text(
        "Human scores hold rater error, so that even a perfect scorer stays below 1. A coefficient "
        "is best read beside the ceiling of its own data."
    )
    caption = "Where systems stand between people and the ceilings"
    yield from drawn(view, figures.ladder_of, view.evaluation, caption=caption)
    yield said(
        system_against(view.evaluation, CEILING), partial(standing_sentence, view.evaluation)
    )
    yield from _rungs(view)
    yield from _gaps(view)
    everyone = [(i, s) for i, s in people if whole(s)]
    for i, subset in everyone[:1]:
        gold = gold_in_use(view.evaluation, subset)
        within = within_sentences(view.evaluation)
        told = within or behind_sentences(view.numbers[i], gold)
        yield Says((*assumed(view.evaluation, subset), *told))
    whose = {i for i, _ in everyone}
    curves = [c for c in view.evaluation.curves if c.subset in whose]
    if curves:
        caption = "The ceiling, if the errors of raters are alike, as after training together"
        yield from any_curves(view, curves, caption, small=True)


def _rungs(view: View) -> Iterator[Block]:
    """The ceilings of all responses and of each part."""
    people = view.subsets(CEILING, PEOPLE)
    shown = _shown(view, people[0][1])
    if shown:
        yield by_part(view, "ceilings by part", "Ceilings of QWK and r", people, shown)


def _shown(view: View, people: Subset) -> list[Shown]:
    numbers, gold = view.evaluation.of(people), gold_in_use(view.evaluation, people)
    kappa = "lin_ccc" if "human_human[lin_ccc]" in numbers else "cohen_kappa[quadratic]"
    points = gold if Key("ceiling_quantised", gold=gold) in numbers else "mean_up"
    texts = {
        "human_human": Key("human_human", of=kappa),
        "human_like": Key("ceiling_human_like", gold=gold),
        "quantised": Key("ceiling_quantised", gold=points),
        "theoretical": Key("ceiling_theoretical", gold=gold),
    }
    return [
        Shown(text, rung.replace("_", "-"), _EXPLAINED[rung])
        for rung, text in texts.items()
        if text in numbers
    ]


def _gaps(view: View) -> Iterator[Block]:
    """How far each system is from each ceiling."""
    found = [
        (i, s)
        for i, s in view.subsets(CEILING)
        if s.subject.is_system and whole(s) and view.numbers[i]
    ]
    if not found:
        return
    first = view.numbers[found[0][0]]
    of = "lin_ccc" if "gap_to_ceiling[lin_ccc,human_human]" in first else "cohen_kappa[quadratic]"
    name = "CCC" if of == "lin_ccc" else "QWK"
    gaps = {r: Key("gap_to_ceiling", of=of, ceiling=r) for r in _RUNGS}
    gaps = {r: key for r, key in gaps.items() if any(key in view.numbers[i] for i, _ in found)}
    share = Key("share_of_ceiling", of=of, ceiling="theoretical")
    yield Table(
        id=view.free_id("gaps"),
        caption=f"{name} of each system less the ceilings; below 0 is below the ceiling",
        columns=(
            Column("system"),
            Column("responses", numeric=True),
            *(Column(f"less {r.replace('_', '-')}", "", key, True) for r, key in gaps.items()),
            Column("share", "of the theoretical ceiling that is reached", share, numeric=True),
        ),
        rows=tuple(
            (
                words(literal(s.system)),
                counted(s.n),
                *(view.cell(view.numbers[i].get(key)) for key in gaps.values()),
                view.cell(view.numbers[i].get(share)),
            )
            for i, s in found
        ),
    )
