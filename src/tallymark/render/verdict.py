"""The verdict at the top of a summary: what the policy says of each system, and why."""

from collections import Counter
from collections.abc import Iterator

from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.rows import MOST_ROWS, more
from tallymark.results import Evaluation, Judgement, Verdict

FIRST_CAUTIONS = 2
"""Cautions told in short."""
MOST_TOLD = 3
"""Of more systems than this, each criterion is told in the files only."""


def verdict_lines(evaluation: Evaluation, width: int, *, full: bool = True) -> list[Line]:
    """Return the lines of the verdict, with every caution if ``full``; none without a policy."""
    verdict = evaluation.verdict
    if verdict is None:
        return []
    lines = paragraph(title(verdict), width, weight="heading")
    for one in verdict.systems[:MOST_ROWS]:
        lines += paragraph(literal(one.words), width, indent="  ")
        if len(verdict.systems) <= MOST_TOLD:
            lines += [
                line for text in _criteria(one) for line in paragraph(text, width, indent="    ")
            ]
    lines += more(len(verdict.systems) - MOST_ROWS)
    for text in missing(verdict):
        lines += paragraph(text, width, indent="  ")
    cautions = literal(" ".join(verdict.cautions if full else verdict.cautions[:FIRST_CAUTIONS]))
    lines += paragraph(f"Read with care: {cautions}", width, indent="  ", weight="lesser")
    return [*lines, Line("")]


def title(verdict: Verdict) -> str:
    """The state, the policy and its version."""
    name, about = literal(verdict.policy), literal(verdict.title)
    about = "" if about == name else f" ({about})"
    return f"{states(verdict)}. Policy {name}, version {literal(verdict.version)}{about}"


def states(verdict: Verdict) -> str:
    """The state of the system, or how many of the systems are in which state."""
    if len(verdict.systems) == 1:
        return f"Verdict: {verdict.state}"
    counted = Counter(one.state for one in verdict.systems)
    told = ", ".join(f"{number} {state}" for state, number in counted.most_common())
    return f"Verdict on {len(verdict.systems)} systems: {told}"


def missing(verdict: Verdict) -> Iterator[str]:
    """Evidence the data do not hold, told once where it is the same for every system."""
    lists = {one.missing for one in verdict.systems}
    same = len(lists) == 1
    for one in verdict.systems[:1] if same else verdict.systems[:MOST_ROWS]:
        if one.missing:
            whose = "" if same else f" for {literal(one.system)}"
            yield f"Missing evidence{whose}: {literal('; '.join(one.missing))}."


def _criteria(judgement: Judgement) -> Iterator[str]:
    for one in judgement.criteria:
        yield f"  {one.state}: {literal(one.words)}"
