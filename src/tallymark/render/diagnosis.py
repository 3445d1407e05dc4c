"""Which metric to trust, in a few lines."""

from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.rows import more
from tallymark.render.subsets import place, systems_of
from tallymark.results import Evaluation, Finding

MOST_SYSTEMS = 3


def trust_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Which metric to trust on these data, for each system."""
    told = [one for one in evaluation.diagnoses if one.name == "metric_to_trust"]
    if not told:
        return []
    lines = [Line("Which metric to trust here", "heading")]
    for one in told[:MOST_SYSTEMS]:
        text = f"{_who(evaluation, one)}{literal(one.words)}"
        lines += paragraph(text, width, indent="  ")
    return [*lines, *more(len(told) - MOST_SYSTEMS), Line("")]


def _who(evaluation: Evaluation, one: Finding) -> str:
    """The system where there are several, and the part of the data."""
    several = len(systems_of(evaluation)) > 1 and bool(one.system)
    named = [literal(one.system)] if several else []
    named += _part(evaluation, one)
    return f"{', '.join(named)}: " if named else ""


def _part(evaluation: Evaluation, one: Finding) -> list[str]:
    if one.subset < 0:
        return []
    where = place(evaluation.subsets[one.subset])
    return [f"{key} {value}" for key, value in where.items()]
