"""Results in a few lines, as Python prints them: what was read, the answer, the leading numbers."""

import math
from collections.abc import Iterator

from tallymark.render.facts import responses
from tallymark.render.grids import cell_text
from tallymark.render.layout import paragraph, plain_text
from tallymark.render.layout import table as aligned
from tallymark.render.literal import cut, literal
from tallymark.render.numbers import count, with_interval
from tallymark.render.scope import scale_called
from tallymark.render.sentences import written
from tallymark.results import Estimate, Evaluation, ResultTable

WIDTH = 88
WIDEST = 32
MOST_CLAIMS, MOST_ROWS, MOST_NUMBERS = 4, 6, 3


def estimate_line(estimate: Estimate) -> str:
    """Write a number with its interval, or why there is none."""
    from tallymark.study.request import python_words

    why = f": {python_words('evaluate', literal(estimate.why))}" if estimate.why else ""
    return f"Estimate({estimate.text} {with_interval(estimate)}, n={count(estimate.n)}{why})"


def table_lines(table: ResultTable) -> str:
    """Write the title of a table, and as much of its first rows as a few lines hold."""
    if not table.rows:
        return f"{literal(table.title)}: no rows"
    filled = [i for i, _ in enumerate(table.columns) if any(_cell(row[i]) for row in table.rows)]
    columns = [literal(table.columns[i]) for i in filled]
    rows = [[cut(_cell(row[i]), WIDEST) for i in filled] for row in table.rows[:MOST_ROWS]]
    lines = [line.text for line in aligned(columns, rows, WIDTH)]
    shown = lines[: lines.index("")] if "" in lines else lines  # further columns stand below
    left = len(table.rows) - MOST_ROWS
    further = [f"... and {count(left)} more rows"] if left > 0 else []
    hint = ["all of it: to_frame() or records()"] if further or shown != lines else []
    return "\n".join([literal(table.title), *shown, *further, *hint])


def _cell(value: str | float | None) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return cell_text(value)


def summary_lines(evaluation: Evaluation) -> str:
    """Write what was read, what it says of each system, and the leading numbers."""
    return "\n".join([_title(evaluation), *_claims(evaluation), *_numbers(evaluation)])


def _title(evaluation: Evaluation) -> str:
    data = evaluation.data
    if not data.read:
        return f"{evaluation.kind} {evaluation.options.get('question', '')}".strip()
    read = f"{responses(data.read)} read, {count(data.used)} used"
    called = scale_called(evaluation)
    scale = f"; scale{'' if called == data.scale else ':'} {literal(called)}" if data.scale else ""
    return _wrapped(f"{evaluation.kind}: {read}{scale}")


def _claims(evaluation: Evaluation) -> Iterator[str]:
    """The verdict, or the answer without one; of a plan its findings."""
    from tallymark.analyses.claims import claims
    from tallymark.analyses.findings import words_of
    from tallymark.study.request import python_words

    if evaluation.kind == "plan":
        yield from (_wrapped(written(words_of(n, evaluation).words)) for n in evaluation.notes)
        return
    every = [*claims(evaluation)]
    for claim in every[:MOST_CLAIMS]:
        words = python_words(
            evaluation.kind, f"{literal(claim.name)} {written(claim.words)}".strip()
        )
        yield _wrapped(f"{claim.state}: {words}" if claim.state else words)
    if len(every) > MOST_CLAIMS:
        yield f"... and {len(every) - MOST_CLAIMS} more"


def _wrapped(text: str) -> str:
    return plain_text(paragraph(text, WIDTH, indent="  "))


def _numbers(evaluation: Evaluation) -> Iterator[str]:
    """A row for each system, or rater, with the first of its numbers."""
    from tallymark.analyses.headline import headline
    from tallymark.render.leading import brief

    _, of, shown, rows = headline(evaluation)
    few = [entry.key for entry in (brief(evaluation) if of == "system" else shown)][:MOST_NUMBERS]
    places = [i for i, entry in enumerate(shown) if entry.key in few]
    cells = [[row.name, *(_number(row.numbers[i]) for i in places)] for row in rows[:MOST_ROWS]]
    if cells:
        titles = ["", *(shown[i].title for i in places)]
        yield plain_text(aligned(titles, cells, WIDTH))
    if len(rows) > MOST_ROWS:
        yield f"... and {len(rows) - MOST_ROWS} more"


def _number(estimate: Estimate | None) -> str:
    return "-" if estimate is None else with_interval(estimate)
