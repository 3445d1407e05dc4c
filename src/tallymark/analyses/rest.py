"""Tables and curves that no question shows, so that nothing of a record is lost on the page."""

from collections.abc import Iterator

from tallymark.render.model import Block, Section
from tallymark.render.records import curves_of, drawing, table_block, tables_of
from tallymark.render.sentences import Sentence
from tallymark.results import CONFIDENCE, Evaluation, split_key

SHOWN_TABLES = frozenset({
    "accepted_errors", "agreement_by_point", "alt_test", "ceiling_model", "confidences", "cost", "critical_errors_by_lambda", "cut_scores",
    "decisions", "groups", "influential", "largest_disagreements", "metrics_here", "pairs",
    "pass_fail", "plan", "ranking", "recalibration", "routing", "scale_effect",
})  # fmt: skip
"""Tables that questions show."""
SHOWN_CURVES = (
    "ceiling_", "dependability", "generalizability", "pass_fail", "risk_", "scale_effect",
    "threshold",
)  # fmt: skip
"""Beginnings of the names of curves that questions show."""


def section(evaluation: Evaluation) -> Section:
    """Show whatever else an evaluation holds."""
    return Section(
        id="rest",
        title="Further tables",
        question="What else was found?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    names = dict.fromkeys(split_key(curve.name)[0] for curve in evaluation.curves)
    for name in names:
        if not name.startswith(SHOWN_CURVES):
            for curves in curves_of(evaluation, name):
                words = Sentence("{name} by {x}", name=name.replace("_", " "), x=curves[0].x_title)
                yield drawing(evaluation, curves, words)
    for name in dict.fromkeys(table.name for table in evaluation.tables):
        if name not in SHOWN_TABLES:
            for table in tables_of(evaluation, name):
                of = evaluation.subsets[table.subset].against if table.subset >= 0 else None
                if of != CONFIDENCE:
                    yield table_block(evaluation, table)
