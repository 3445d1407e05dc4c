"""What a notebook shows of a result: the answer, the leading numbers, a figure; in Python's words."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from markupsafe import Markup
from msgspec.structs import replace

from tallymark.analyses.claims import claims
from tallymark.analyses.headline import MOST_ROWS, headline
from tallymark.analyses.opening import opening
from tallymark.analyses.sections import sections, what_was_read
from tallymark.questions.people.view import people_sentences, system_sentences
from tallymark.questions.planning.view import section as plan
from tallymark.render.first_screen import Claim
from tallymark.render.grids import cell_text
from tallymark.render.html import environment
from tallymark.render.literal import literal
from tallymark.render.model import Block, Drawing, Figure, Section, Slider, Strips
from tallymark.render.numbers import count, with_interval
from tallymark.render.placed import blocks_placed, claim_placed
from tallymark.render.sentences import MINUS, Sentence, written
from tallymark.render.terminal import section_lines
from tallymark.render.view import View
from tallymark.results import Estimate, Evaluation, ResultTable
from tallymark.study.request import python_words

_ONE_LINE = 1_000_000
_MOST_FIGURES = 2
_FURTHER = ("intervals.ladder", "ranking", "severity")
"""Figures that answer where none leads the page."""


def first_screen(evaluation: Evaluation) -> str:
    """Return the answer, a table of systems, or raters, by statistics, and a figure, as HTML."""
    from tallymark.render.figures.style import STYLE

    view = View.of(evaluation)
    view.prefix = f"tallymark {evaluation.data.hash[:8]}"
    numbers = headline(evaluation)
    asked = {"route": "route certify"}.get(evaluation.kind, evaluation.kind)

    def said(text: str) -> str:
        return python_words(asked, text)

    page: str = (
        environment()
        .get_template("first_screen.html")
        .render(
            claims=[*_claims(view, said)],
            headline=numbers,
            rows=[
                (row.name, count(row.n), [_cell(number, said) for number in row.numbers])
                for row in numbers.rows[:MOST_ROWS]
            ],
            more=len(numbers.rows) - MOST_ROWS,
            figures=[*_figures(view)],
            style=Markup(STYLE),
            sentences=[said(written(sentence, MINUS)) for sentence in _sentences(evaluation)],
            facts=[said(line) for line in _lines(what_was_read(evaluation))],
        )
    )
    return page


def table_html(table: ResultTable) -> str:
    """Return the first rows of a table as HTML."""
    rows = [[*map(_text, row)] for row in table.rows[:MOST_ROWS]]
    page: str = (
        environment().get_template("result_table.html").render(
            table=table, columns=[*map(literal, table.columns)], rows=rows, title=literal(table.title),
            more=len(table.rows) - MOST_ROWS,
        )
    )  # fmt: skip
    return page


def _text(value: str | float | None) -> str:
    return "" if value is None or value != value else cell_text(value)  # noqa: PLR0124 - NaN


def _lines(section: Section) -> list[str]:
    return [line.text for line in section_lines([section], _ONE_LINE) if line.text]


def _sentences(evaluation: Evaluation) -> list[Sentence]:
    """How systems agree with people, and people with each other."""
    return [*system_sentences(evaluation)[:MOST_ROWS], *people_sentences(evaluation)]


def _claims(view: View, said: Callable[[str], str]) -> Iterator[Claim]:
    """The verdict on each system with its limits, or what the numbers say; the answer of a plan."""
    if view.evaluation.kind == "plan":
        for line in _lines(plan(view.evaluation)):
            yield Claim(name="", state="", words=said(line))
        return
    for claim in [*claims(view.evaluation)][:MOST_ROWS]:
        placed = claim_placed(view, claim)
        missing = tuple(said(str(words)) for words in placed.missing)
        yield replace(placed, detail=said(str(placed.detail)), missing=missing)


def _figures(view: View) -> Iterator[Block]:
    """The figures that lead the page; where none does, the first below that answers."""
    leading: Sequence[Block] = [*_plots(opening(view.evaluation))]
    if not leading:
        every = [b for section in sections(view.evaluation) for b in _plots(section.blocks)]
        leading = [b for b in every if isinstance(b, Drawing) and b.draw in _FURTHER][:1]
    shown = blocks_placed(view, leading[:_MOST_FIGURES])
    yield from (block for block in shown if isinstance(block, Strips | Figure))


def _plots(blocks: Iterable[Block]) -> Iterator[Block]:
    """Small plots as they are, figures in their full size."""
    for block in blocks:
        plot = block.figure if isinstance(block, Slider) else block
        if isinstance(plot, Drawing):
            yield replace(plot, small=False)
        elif isinstance(plot, Strips):
            yield plot


def _cell(estimate: Estimate | None, said: Callable[[str], str]) -> tuple[str, str]:
    if estimate is None:
        return "–", ""
    return with_interval(estimate).replace("-", MINUS), said(literal(estimate.why))
