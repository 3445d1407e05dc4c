"""What a notebook shows of an evaluation: the leading numbers of each system, or rater."""

from collections.abc import Sequence
from typing import NamedTuple

from tallymark.analyses.sections import what_was_read
from tallymark.questions.people.view import people_sentences, system_sentences
from tallymark.questions.raters.say import in_order
from tallymark.questions.raters.view import ordered, rater_statistics
from tallymark.questions.verdict.first import claims as judged
from tallymark.render.facts import intervals
from tallymark.render.first_screen import Claim
from tallymark.render.html import environment
from tallymark.render.leading import leading
from tallymark.render.literal import literal
from tallymark.render.model import Measure
from tallymark.render.numbers import count, with_interval
from tallymark.render.placed import claim_placed
from tallymark.render.sentences import MINUS, Sentence, written
from tallymark.render.subsets import headline_subsets
from tallymark.render.terminal import section_lines
from tallymark.render.view import View
from tallymark.results import Estimate, Evaluation

MOST_ROWS = 20
_ONE_LINE = 1_000_000


class _Row(NamedTuple):
    """A system or rater, how many responses, and texts with what to say when pointed at."""

    name: str
    n: str
    cells: list[tuple[str, str]]


def first_screen(evaluation: Evaluation) -> str:
    """Return a small HTML table of systems, or raters, by statistics, with intervals."""
    raters = evaluation.kind == "raters"
    caption, shown, rows, left = _of_raters(evaluation) if raters else _of_systems(evaluation)
    facts = [line.text for line in section_lines([what_was_read(evaluation)], _ONE_LINE)]
    page: str = (
        environment()
        .get_template("first_screen.html")
        .render(
            claims=_claims(evaluation),
            caption=f"{caption}{intervals(evaluation)}",
            name="rater" if raters else "system",
            shown=shown,
            rows=rows,
            more=left,
            sentences=[written(sentence, MINUS) for sentence in _sentences(evaluation)],
            facts=[*filter(None, facts)],
        )
    )
    return page


def _sentences(evaluation: Evaluation) -> list[Sentence]:
    """How systems agree with people, and people with each other."""
    return [*system_sentences(evaluation)[:MOST_ROWS], *people_sentences(evaluation)]


def _claims(evaluation: Evaluation) -> list[Claim]:
    """The verdict on each system with its limits, where a policy was named."""
    view = View.of(evaluation)
    return [claim_placed(view, claim) for claim in judged(evaluation)][:MOST_ROWS]


def _of_systems(evaluation: Evaluation) -> tuple[str, Sequence[Measure], list[_Row], int]:
    """The caption, the statistics, the rows, and how many more there are."""
    column, subsets = headline_subsets(evaluation)
    over = f"mean over {column}s, " if column else ""
    shown = leading(evaluation)
    rows = []
    for subset in subsets[:MOST_ROWS]:
        numbers = evaluation.of(subset)
        cells = [_cell(statistic.of(numbers)) for statistic in shown]
        rows.append(_Row(literal(subset.system), count(subset.n), cells))
    return f"Systems against the gold: {over}", shown, rows, len(subsets) - MOST_ROWS


def _of_raters(evaluation: Evaluation) -> tuple[str, Sequence[Measure], list[_Row], int]:
    shown, raters = rater_statistics(evaluation), ordered(evaluation)
    rows = [
        _Row(
            literal(subset.system),
            count(subset.n),
            [_cell(statistic.of(numbers)) for statistic in shown],
        )
        for subset, numbers in raters[:MOST_ROWS]
    ]
    left = len(raters) - len(rows)
    return f"Raters, {in_order(many=left > 0)}: ", shown, rows, left


def _cell(estimate: Estimate | None) -> tuple[str, str]:
    if estimate is None:
        return "–", ""
    return with_interval(estimate).replace("-", MINUS), literal(estimate.why)
