"""What coefficients hide, in a few lines: loud findings near the top, the metric to trust below."""

from collections.abc import Sequence

from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.rows import more
from tallymark.render.subsets import place, systems_of
from tallymark.results import Evaluation, Finding

MOST = 8
"""At most so many loud findings are told; the others are in the files."""
MOST_PARTS = 4
MOST_SYSTEMS = 3


def loud_once(evaluation: Evaluation) -> list[Finding]:
    """The loud findings, each once: as told of all responses, else of the first part."""
    found: dict[tuple[str, str], Finding] = {}
    for one in evaluation.diagnoses:
        if one.loud:
            found.setdefault((one.system, one.name), one)
    return list(found.values())


def diagnosis_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """The loud findings, with what to do about each."""
    found = loud_once(evaluation)
    if not found:
        return []
    lines = [Line("What these numbers hide", "heading")]
    for one in found[:MOST]:
        text = f"! {_who(evaluation, one)}{literal(one.words)}{_also(evaluation, one)}"
        lines += paragraph(text, width, indent="  ")
        if one.advice:
            advice = paragraph(f"  {literal(one.advice)}", width, indent="  ", weight="lesser")
            lines += advice
    return [*lines, *more(len(found) - MOST), Line("")]


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


def _also(evaluation: Evaluation, one: Finding) -> str:
    """Where else the same was found."""
    same: Sequence[Finding] = [
        other
        for other in evaluation.diagnoses
        if (other.name, other.system) == (one.name, one.system) and other.loud
    ]
    parts = [", ".join(_part(evaluation, other)) for other in same if other is not one]
    parts = [part for part in dict.fromkeys(parts) if part]
    if not parts:
        return ""
    rest = f" and {len(parts) - MOST_PARTS} more" if len(parts) > MOST_PARTS else ""
    return f" The same holds for {'; '.join(parts[:MOST_PARTS])}{rest}."
