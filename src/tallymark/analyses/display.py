"""Results in Python: a few lines of text where it prints them, HTML where a notebook shows them."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from tallymark.analyses.claims import claims
from tallymark.analyses.findings import words_of
from tallymark.analyses.sections import opening, sections, what_was_read
from tallymark.questions.people.view import people_sentences, system_sentences
from tallymark.questions.planning.view import section as plan
from tallymark.questions.raters import in_order, ordered, rater_statistics
from tallymark.render.grids import cell_text
from tallymark.render.html import environment
from tallymark.render.layout import paragraph, plain_text
from tallymark.render.layout import table as aligned
from tallymark.render.leading import brief, leading
from tallymark.render.literal import cut, literal
from tallymark.render.model import Block, Claim, Drawing, Figure, Measure, Section, Slider, Strips
from tallymark.render.numbers import MOST_ROWS, count, intervals, responses, with_interval
from tallymark.render.placed import blocks_placed, claim_placed
from tallymark.render.sentences import MINUS, written
from tallymark.render.subsets import headline_subsets, scale_called
from tallymark.render.terminal import section_lines
from tallymark.render.view import View
from tallymark.results import Estimate, Evaluation, ResultTable
from tallymark.study.request import python_words

WIDTH = 88
WIDEST = 32
MOST_LINES, MOST_CLAIMS, MOST_NUMBERS, MOST_FIGURES = 6, 4, 3, 2
"""So many rows are printed, claims, numbers of a row, and so many figures are shown."""
_ONE_LINE = 1_000_000
_FURTHER = ("intervals.ladder", "ranking", "severity")
"""Figures that answer where none leads the page."""


class LeadingNumbers(NamedTuple):
    """A system or rater, how many responses, and its numbers."""

    name: str
    n: int
    numbers: list[Estimate | None]


class Headline(NamedTuple):
    """The leading numbers of each system, or rater, and what stands above them."""

    caption: str
    of: str
    measures: Sequence[Measure]
    rows: list[LeadingNumbers]


def headline(evaluation: Evaluation) -> Headline:
    """Return the leading numbers of the systems against the gold, or of raters."""
    if evaluation.kind == "raters":
        raters, measures = ordered(evaluation), rater_statistics(evaluation)
        order = in_order(many=len(raters) > MOST_ROWS)
        scorers = [(subset.system, subset.n, numbers) for subset, numbers in raters]
        caption, of = f"Raters, {order}", "rater"
    else:
        (column, subsets), measures = headline_subsets(evaluation), leading(evaluation)
        scorers = [(subset.system, subset.n, evaluation.of(subset)) for subset in subsets]
        caption, of = "Systems against the gold", "system"
        caption += f": mean over {column}s" if column else ""
    rows = [
        LeadingNumbers(literal(name), n, [m.of(numbers) for m in measures])
        for name, n, numbers in scorers
    ]
    joined = ", " if ":" in caption else ": "
    return Headline(f"{caption}{joined}{intervals(evaluation)}", of, measures, rows)


def estimate_line(estimate: Estimate) -> str:
    """Write a number with its interval, or why there is none."""
    why = f": {python_words('evaluate', literal(estimate.why))}" if estimate.why else ""
    return f"Estimate({estimate.text} {with_interval(estimate)}, n={count(estimate.n)}{why})"


def table_lines(table: ResultTable) -> str:
    """Write the title of a table, and as much of its first rows as a few lines hold."""
    if not table.rows:
        return f"{literal(table.title)}: no rows"
    filled = [i for i, _ in enumerate(table.columns) if any(_text(row[i]) for row in table.rows)]
    columns = [literal(table.columns[i]) for i in filled]
    rows = [[cut(_text(row[i]), WIDEST) for i in filled] for row in table.rows[:MOST_LINES]]
    lines = [line.text for line in aligned(columns, rows, WIDTH)]
    block = lines[: lines.index("")] if "" in lines else lines  # further columns stand below
    left = len(table.rows) - MOST_LINES
    further = [f"... and {count(left)} more rows"] if left > 0 else []
    hint = ["all of it: to_frame() or records()"] if further or block != lines else []
    return "\n".join([literal(table.title), *block, *further, *hint])


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
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return cell_text(value)


def summary_lines(evaluation: Evaluation) -> str:
    """Write what was read, what it says of each system, and the leading numbers."""
    return "\n".join([_title(evaluation), *_claim_lines(evaluation), *_number_lines(evaluation)])


def _title(evaluation: Evaluation) -> str:
    data = evaluation.data
    if not data.read:
        return f"{evaluation.kind} {evaluation.options.get('question', '')}".strip()
    read = f"{responses(data.read)} read, {count(data.used)} used"
    called = scale_called(evaluation)
    scale = f"; scale{'' if called == data.scale else ':'} {literal(called)}" if data.scale else ""
    return _wrapped(f"{evaluation.kind}: {read}{scale}")


def _claim_lines(evaluation: Evaluation) -> Iterator[str]:
    """The verdict, or the answer without one; of a plan its findings."""
    if evaluation.kind == "plan":
        yield from (_wrapped(written(words_of(n, evaluation).words)) for n in evaluation.notes)
        return
    found = [*claims(evaluation)]
    for claim in found[:MOST_CLAIMS]:
        words = f"{literal(claim.name)} {written(claim.words)}".strip()
        words = python_words(evaluation.kind, words)
        yield _wrapped(f"{claim.state}: {words}" if claim.state else words)
    if len(found) > MOST_CLAIMS:
        yield f"... and {len(found) - MOST_CLAIMS} more"


def _wrapped(text: str) -> str:
    return plain_text(paragraph(text, WIDTH, indent="  "))


def _number_lines(evaluation: Evaluation) -> Iterator[str]:
    """A row for each system, or rater, with the first of its numbers."""
    _, of, measures, rows = headline(evaluation)
    few = [m.key for m in (brief(evaluation) if of == "system" else measures)][:MOST_NUMBERS]
    places = [i for i, measure in enumerate(measures) if measure.key in few]
    cells = [
        [row.name, *("-" if (e := row.numbers[i]) is None else with_interval(e) for i in places)]
        for row in rows[:MOST_LINES]
    ]
    if cells:
        titles = ["", *(measures[i].title for i in places)]
        yield plain_text(aligned(titles, cells, WIDTH))
    if len(rows) > MOST_LINES:
        yield f"... and {len(rows) - MOST_LINES} more"


def first_screen(evaluation: Evaluation) -> str:
    """Return the answer, a table of systems, or raters, by statistics, and a figure, as HTML."""
    from tallymark.render.figures.style import STYLE

    view = View.of(evaluation)
    view.prefix = f"tallymark {evaluation.data.hash[:8]}"
    numbers = headline(evaluation)
    command = {"route": "route certify"}.get(evaluation.kind, evaluation.kind)

    def in_python(text: str) -> str:
        return python_words(command, text)

    # how systems agree with people, and people with each other
    sentences = [*system_sentences(evaluation)[:MOST_ROWS], *people_sentences(evaluation)]
    page: str = (
        environment()
        .get_template("first_screen.html")
        .render(
            claims=[*_claims(view, in_python)],
            headline=numbers,
            rows=[
                (row.name, count(row.n), [_cell(number, in_python) for number in row.numbers])
                for row in numbers.rows[:MOST_ROWS]
            ],
            more=len(numbers.rows) - MOST_ROWS,
            figures=[*_figures(view)],
            style=Markup(STYLE),
            sentences=[in_python(written(sentence, MINUS)) for sentence in sentences],
            facts=[in_python(line) for line in _lines(what_was_read(evaluation))],
        )
    )
    return page


def _lines(section: Section) -> list[str]:
    return [line.text for line in section_lines([section], _ONE_LINE) if line.text]


def _claims(view: View, in_python: Callable[[str], str]) -> Iterator[Claim]:
    """The verdict on each system with its limits, or what the numbers say; the answer of a plan."""
    if view.evaluation.kind == "plan":
        for line in _lines(plan(view.evaluation)):
            yield Claim(name="", state="", words=in_python(line))
        return
    for claim in [*claims(view.evaluation)][:MOST_ROWS]:
        placed = claim_placed(view, claim)
        missing = tuple(in_python(str(words)) for words in placed.missing)
        yield replace(placed, detail=in_python(str(placed.detail)), missing=missing)


def _figures(view: View) -> Iterator[Block]:
    """The figures that lead the page; where none does, the first below that answers."""
    plots: Sequence[Block] = [*_plots(opening(view.evaluation))]
    if not plots:
        below = [b for section in sections(view.evaluation) for b in _plots(section.blocks)]
        plots = [b for b in below if isinstance(b, Drawing) and b.draw in _FURTHER][:1]
    blocks = blocks_placed(view, plots[:MOST_FIGURES])
    yield from (block for block in blocks if isinstance(block, Strips | Figure))


def _plots(blocks: Iterable[Block]) -> Iterator[Block]:
    """Small plots as they are, figures in their full size."""
    for block in blocks:
        plot = block.figure if isinstance(block, Slider) else block
        if isinstance(plot, Drawing):
            yield replace(plot, small=False)
        elif isinstance(plot, Strips):
            yield plot


def _cell(estimate: Estimate | None, in_python: Callable[[str], str]) -> tuple[str, str]:
    if estimate is None:
        return "–", ""
    return with_interval(estimate).replace("-", MINUS), in_python(literal(estimate.why))
