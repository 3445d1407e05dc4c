"""Human-human: how people agree, who is severe, and how many raters would be enough."""

import math
from collections.abc import Iterator, Mapping

from tallymark.catalogue import members
from tallymark.render import figures
from tallymark.render.gstudy import (
    assignment_sentence,
    enough_sentences,
    parts_of,
    studied,
    study_numbers,
)
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.model import Block, Column, Heading, Says, Section, Table
from tallymark.render.raters import rater_statistics
from tallymark.render.report.blocks import (
    any_curves,
    by_part,
    drawn,
    same_axes,
    statistics_table,
)
from tallymark.render.report.view import MOST_ROWS, View, headings, words
from tallymark.render.severity import assignment, judgement
from tallymark.render.subsets import single_raters, whole
from tallymark.results import GSTUDY, OTHERS

_FIT = tuple(Shown(one.text, one.heading, one.gloss) for one in members("rater_fit"))
_SOURCES = "Variance of one rating by where it comes from, in squared score points"
_DESIGNS = "crossed: raters are known people; nested: as if they were not."
_STUDY = (
    Shown("generalizability", "G", "for ranking responses that the same raters scored"),
    Shown("dependability", "Phi", "for the score as it stands, severity counted as error"),
    Shown("sem_absolute", "SEM", "standard error of the score, in score points"),
)


def raters(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="each-rater",
        title="Raters",
        question="Who is severe, and how many raters are enough?",
        blocks=(*_raters(view), *_study(view)),
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
