"""Selective scoring on a terminal: what a confidence is worth, and whom a threshold leaves out."""

from collections.abc import Sequence

from tallymark.render.facts import intervals
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import count, percent, rounded, value_text, with_interval
from tallymark.render.rows import MOST_ROWS, more
from tallymark.render.subsets import place, system_against
from tallymark.results import CONFIDENCE, Estimate, Evaluation, Key, Numbers, Subset

_NOTE = (
    "AUROC: how often a score that is no critical error has the higher confidence; .50 says "
    "nothing. Thresholds above were chosen on these data: `tallymark route certify` finds one "
    "with a guarantee."
)


def selective_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Say what each system's confidence is worth, and how groups fare at one threshold."""
    whole = system_against(evaluation, CONFIDENCE)
    beside = _beside_people(evaluation, width)
    if not whole:
        return [*beside, Line("")] if beside else []
    share = float(evaluation.options.get("lambda", 0.2))
    title = (
        f"Confidence: CSRate among the most confident (an error of {100 * share:g} % of the score "
        f"range is critical), {intervals(evaluation)}"
    )
    cells = [_row(evaluation.of(s), s) for s in whole[:MOST_ROWS]]
    headings = ["", "25 %", "50 %", "75 %", "AUROC", "coverage at CSRate .02", ".05"]
    lines = [*paragraph(title, width, weight="heading"), *beside, *table(headings, cells, width)]
    lines += more(len(whole) - MOST_ROWS)
    lines += paragraph(_NOTE, width, weight="lesser")
    for subset in whole:
        lines += _parts(evaluation, subset, width)
    return [*lines, Line("")]


def _beside_people(evaluation: Evaluation, width: int) -> list[Line]:
    """How often two people lie a critical error apart, for no rate of a system means much alone."""
    found = [one for one in evaluation.tables if one.name == "critical_errors_by_lambda"]
    gap = [one for one in evaluation.estimates if one.name == "human_gap"]
    share = float(evaluation.options.get("lambda", 0.2))
    rows = [row for row in (found[0].rows if found else ()) if row[0] == share]
    if not gap or not rows:
        return []
    value, low, high = (float(cell or 0) for cell in rows[0][1:4])
    people = Estimate(key=Key("human_csrate"), value=value, low=low, high=high, n=0)
    said = f"Two people differ by a critical error (lambda {share:g}) on {percent(people)} of the "
    said += f"responses they both scored; their mean gap is {with_interval(gap[0])} of the range."
    if share < gap[0].value:
        said += " Such a lambda calls the usual differences of people critical."
    return paragraph(said, width, indent="  ")


def _row(numbers: Numbers, subset: Subset) -> list[str]:
    """Critical errors among the most confident, AUROC, and coverage at two rates."""
    top = [e for e in numbers.values() if _is_csrate(e)]
    rates = [value_text(e) for e in top] or ["-"] * 3
    covered = [e for e in numbers.values() if e.name == "coverage_at" and e.params["kind"] == "max"]
    reached = [f"{rounded(100 * e.value, 0)} %" for e in covered]
    return [literal(subset.system), *rates, with_interval(numbers["auroc_cse"]), *reached]


def _is_csrate(found: Estimate) -> bool:
    return found.name == "most_confident" and str(found.params["of"]).startswith("csrate")


def _parts(evaluation: Evaluation, whole: Subset, width: int) -> list[Line]:
    """Coverage and critical errors of prompts and groups at one threshold."""
    own = [
        (subset, evaluation.of(subset))
        for subset in evaluation.subsets
        if subset.against == CONFIDENCE and subset.subject == whole.subject and place(subset)
    ]
    cells = [_shares(subset, numbers) for subset, numbers in own[:MOST_ROWS]]
    if not cells:
        return []
    headings = [
        f"{literal(whole.system)}, one threshold",
        "n",
        "accepted",
        "CSRate of the accepted",
    ]
    return [Line(""), *table(headings, cells, width), *more(len(own) - MOST_ROWS)]


def _shares(subset: Subset, numbers: Numbers) -> list[str]:
    named = ", ".join(place(subset).values())
    both: Sequence[Estimate] = [
        e for e in numbers.values() if e.name in ("accepted", "accepted_csrate")
    ]
    return [named, count(subset.n), *(with_interval(e) for e in both)]
