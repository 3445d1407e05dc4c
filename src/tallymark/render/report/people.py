"""Human-human: how people agree, who is severe, and how many raters would be enough."""

import math
from collections.abc import Iterator, Mapping

from tallymark.catalogue import members, texts
from tallymark.render import figures
from tallymark.render.gstudy import (
    assignment_sentence,
    enough_sentences,
    parts_of,
    studied,
    study_numbers,
)
from tallymark.render.leading import CONTINUOUS, LEADING, Shown, panel, panel_brief
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Heading, Says, Section, Table
from tallymark.render.people import contrast, left_out_sentences, people_sentences
from tallymark.render.raters import rater_statistics
from tallymark.render.report.blocks import (
    MOST_SAID,
    any_curves,
    by_part,
    drawn,
    same_axes,
    statistics_table,
)
from tallymark.render.report.view import MOST_ROWS, View, counted, headings, words
from tallymark.render.severity import assignment, judgement
from tallymark.render.subsets import panels, rater_pairs, single_raters, whole
from tallymark.results import AMONG_PEOPLE, GSTUDY, OTHERS, Subset, split_key

_FIT = tuple(Shown(one.text, one.heading, one.gloss) for one in members("rater_fit"))
_SOURCES = "Variance of one rating by where it comes from, in squared score points"
_DESIGNS = "crossed: raters are known people; nested: as if they were not."
_STUDY = (
    Shown("generalizability", "G", "for ranking responses that the same raters scored"),
    Shown("dependability", "Phi", "for the score as it stands, severity counted as error"),
    Shown("sem_absolute", "SEM", "standard error of the score, in score points"),
)


def people(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="people",
        title="Human-human",
        question="How well do people agree with each other, and with systems?",
        blocks=tuple(_blocks(view)),
        needs="two ratings of some responses: a second --human column.",
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    everyone = panels(evaluation)
    if not everyone:
        return
    if len(view.systems) <= MOST_SAID:
        yield Says((*people_sentences(evaluation), *left_out_sentences(evaluation)))
    yield from _beside(view)
    parts = [(evaluation.subsets.index(s), s) for s in everyone if not s.fisher_z]
    first = [(i, s) for i, s in parts if s.average is not None or whole(s)]
    groups = [(i, s) for i, s in parts if (i, s) not in first]
    yield Heading("People as a panel")
    yield by_part(view, "panel", "Agreement of people", first, panel(evaluation))
    if groups:
        yield by_part(view, "panel parts", "In each part", groups, panel_brief(evaluation))
    yield from _raters(view)
    yield from _pairs(view)
    yield from _study(view)


def _beside(view: View) -> Iterator[Block]:
    """System with a person, two people, and the difference."""
    known = {one.text: one.heading for one in (*LEADING, CONTINUOUS)}
    rows = []
    for i, subset in view.whole(AMONG_PEOPLE):
        every = [e for e in view.numbers[i].values() if e.name == "degradation"]
        for text in (str(e.params["of"]) for e in every):
            found = contrast(view.numbers[i], text)
            if found is None or split_key(text)[0] not in {
                split_key(t)[0] for t in texts("beside_people")
            }:
                continue
            label = words(known.get(text, text))
            rows.append((words(subset.system), label, counted(subset.n), *map(view.cell, found)))
    if rows:
        yield Table(
            id=view.free_id("beside people"),
            caption="Systems beside people, on the responses that people scored twice",
            columns=(
                Column("system"),
                Column("statistic"),
                Column("responses", numeric=True),
                Column("with a person", numeric=True),
                Column("two people", numeric=True),
                Column("difference", "below 0: less than people", numeric=True),
            ),
            rows=tuple(rows[:MOST_ROWS]),
            note="An interval that holds 0 leaves both open: it does not prove equality.",
            left=max(len(rows) - MOST_ROWS, 0),
        )


def _raters(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    found = [(evaluation.subsets.index(s), s) for s in single_raters(evaluation)]
    if not found:
        return
    yield Heading("Each rater")
    shown = rater_statistics(evaluation)
    rows = [(words(s.system), s.n, view.numbers[i]) for i, s in found]
    yield statistics_table(view, "raters", "Raters beside the others", rows, shown, first="rater")
    fitted = [(i, s) for i, s in found if "infit" in view.numbers[i]]
    if not fitted:
        return
    fitted.sort(key=lambda one: _down(view.numbers[one[0]]["severity"].value))
    caption = "Severity of raters, the most severe first, and how regular their scores are"
    yield from drawn(view, figures.severity, figures.raters_of(evaluation), caption=caption)
    cells = [
        (
            words(s.system),
            *(view.cell(view.numbers[i].get(one.text)) for one in _FIT),
            words(", ".join(judgement(view.numbers[i]))),
        )
        for i, s in fitted[:MOST_ROWS]
    ]
    yield Table(
        id=view.free_id("severity"),
        caption="Severity by the Rasch model",
        columns=(Column("rater"), *headings(_FIT), Column("in words")),
        rows=tuple(cells),
        note=" ".join(assignment(evaluation)),
        left=max(len(fitted) - MOST_ROWS, 0),
    )
    yield from _drift(view)


def _drift(view: View) -> Iterator[Block]:
    parts = [(i, s) for i, s in view.subsets(OTHERS) if not whole(s) and not s.subject.is_system]
    if parts:
        shown = [Shown("rater_difference", "difference", "score points above the other raters")]
        yield by_part(view, "drift", "Raters over time", parts, shown)


def _pairs(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    found = [(evaluation.subsets.index(s), s) for s in rater_pairs(evaluation) if whole(s)]
    known = {one.text: one for one in (*LEADING, CONTINUOUS)}
    shown = [known[t] for t in texts("rater_pairs") if any(t in view.numbers[i] for i, _ in found)]
    if not shown:
        return

    def row(i: int, subset: Subset) -> tuple[Cell, ...]:
        numbers = (view.cell(one.of(view.numbers[i])) for one in shown)
        return words(str(subset.against)), words(subset.system), counted(subset.n), *numbers

    yield Table(
        id=view.free_id("pairs"),
        caption="Every two raters",
        columns=(
            Column("rater"),
            Column("and"),
            Column("responses", numeric=True),
            *headings(shown),
        ),
        rows=tuple(row(i, s) for i, s in found[:MOST_ROWS]),
        left=max(len(found) - MOST_ROWS, 0),
    )


def _study(view: View) -> Iterator[Block]:
    """Where differences between ratings come from, and how many raters would be enough."""
    found = studied(view.evaluation)
    for i, subset in [(i, s) for i, s in view.subsets(GSTUDY) if s == found]:
        numbers, over = study_numbers(view.evaluation, subset), subset.average
        parts = parts_of(view.evaluation, subset)
        yield Heading("How many raters are enough")
        sources = [e for e in numbers.values() if e.name == "variance_component"]
        if sources:  # none where prompts are on scales of their own
            yield Table(
                id=view.free_id("variance"),
                caption=_SOURCES,
                columns=(Column("design"), Column("source"), Column("variance", numeric=True)),
                rows=tuple(
                    (words(str(e.params["design"])), words(_source(e.params)), view.cell(e))
                    for e in sources
                ),
                note=" ".join(
                    [_DESIGNS, assignment_sentence(numbers, "severity and error")]
                ).strip(),
            )
        if "raters_needed[crossed,dependability,0.8]" in numbers:
            yield Says(tuple(enough_sentences(numbers, over, parts)))
        curves = [c for c in view.evaluation.curves if c.subset == i]
        study = [c for c in curves if c.name in ("generalizability", "dependability")]
        if study:
            caption = "Reliability of the mean of so many ratings"
            yield from drawn(view, figures.d_study, study, caption=caption, small=True)
        for other in same_axes(c for c in curves if c not in study):
            yield from any_curves(view, other, literal(other[0].y_title))
        sizes = [n for n in (1, 2, 3, 4, 6, 8, 10) if f"dependability[crossed,{n}]" in numbers]
        if sizes:
            rows = tuple(
                (
                    words(str(n)),
                    *(view.cell(numbers.get(f"{one.text}[crossed,{n}]")) for one in _STUDY),
                )
                for n in sizes
            )
            columns = (Column("raters", numeric=True), *headings(_STUDY))
            caption = "Reliability of the mean of so many ratings, in numbers"
            yield Table(id=view.free_id("study"), caption=caption, columns=columns, rows=rows)


def _source(params: Mapping[str, object]) -> str:
    own = str(params["of"])
    return {"response": "responses", "rater": "raters' severity", "residual": "neither"}.get(
        own, own
    )


def _down(number: float) -> tuple[bool, float]:
    return math.isnan(number), -number
