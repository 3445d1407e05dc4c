"""G-study and D-study in words: where the variance comes from, how many raters are enough."""

import math

from tallymark.evaluation.gstudy import GSTUDY, TARGETS
from tallymark.reliability.assignment import REJECTED
from tallymark.render.comparing import p_text
from tallymark.render.facts import intervals, responses
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown
from tallymark.render.numbers import count, rounded, with_interval
from tallymark.render.rows import reasons
from tallymark.render.subsets import Numbers, estimates_of, whole
from tallymark.results import Estimate, Evaluation

_SOURCES = {
    "response": "responses",
    "rater": "raters' severity",
    "candidate": "candidates",
    "prompt": "prompts",
    "candidate x rater": "candidates x raters",
    "candidate x prompt": "candidates x prompts",
    "rater x prompt": "raters x prompts",
    "residual": "neither",
}
_WORDS = (
    "G: for ranking responses that the same raters scored; Phi: the score as it stands; SEM: its "
    "standard error in score points. Intervals are for these raters."
)
_PILES = "responses as dealt"
SURE = 0.05
_ROWS = (1, 2, 3, 4, 6, 10)
"""Numbers of raters in the table."""


def gstudy_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines on variance components and on the number of raters."""
    found = [s for s in evaluation.subsets if s.against == GSTUDY and whole(s)]
    if not found:
        return []
    numbers = estimates_of(evaluation, found[0])
    title = f"Where differences of ratings come from: {responses(found[0].n)}, "
    lines = paragraph(title + intervals(evaluation), width, weight="heading")
    for design in ("crossed", "once", "prompts", "raters within prompts"):
        lines += _components(numbers, design, width)
    lines += paragraph(assignment_sentence(numbers, "severity and error"), width, indent="  ")
    for column in ("prompt", "trait"):
        if any(s.against == GSTUDY and s.column == column for s in evaluation.subsets):
            text = (
                f"Pooled over {column}s: the responses' share also holds differences of {column}s"
            )
            lines += paragraph(text, width, weight="lesser")
    return [*lines, Line(""), *_raters_enough(numbers, width)]


def assignment_sentence(numbers: Numbers, what: str) -> str:
    """Say which responses tell ``what`` of raters, and why; empty where all read the same."""
    found = numbers.get("random_assignment")
    residual = numbers.get("variance_component[crossed,residual]")
    if found is None or (residual is not None and math.isnan(residual.value)):
        return ""
    p, shared = found.parts["p"], int(found.parts["shared"])
    tested = "" if math.isnan(p) else f" (p {p_text(p)})"
    twice = "within them" if shared == found.n else f"the {count(shared)} rated twice or more"
    if found.parts["random"]:
        whole = "all of them" if found.parts["all_count"] else twice
        return f"Responses look dealt at random{tested}: severity from {whole}."
    surely = ("not" if p < SURE else "perhaps not") if p < REJECTED else "not shown to be"
    if found.parts["all_count"]:
        return f"Responses {surely} dealt at random{tested}, yet {what} from all of them."
    return f"Responses {surely} dealt at random{tested}: {what} from {twice}."


def _components(numbers: Numbers, design: str, width: int) -> list[Line]:
    own = [
        e
        for e in numbers.values()
        if e.name == "variance_component" and e.params["design"] == design
    ]
    if not own:
        return []
    total = sum(max(e.value, 0.0) for e in own if not math.isnan(e.value))
    piles = "random_assignment" in numbers and not numbers["random_assignment"].parts["random"]
    cells = [[_source(e, design, piles=piles), _variance(e), _share(e, total)] for e in own]
    lines = [] if design in ("crossed", "once") else [Line("")]
    lines += table(["source", "variance", "share"], cells, width)
    shown = [Shown(e.text, _source(e, design), "") for e in own]
    lines += reasons(shown, [numbers], width)
    if design == "once":
        text = "Every response was read once: responses and errors cannot be told apart."
        lines += paragraph(text, width, weight="lesser")
    return lines + _of_facets(numbers, design, width)


def _source(found: Estimate, design: str, *, piles: bool = False) -> str:
    """Name a source; who was given which responses is part of the responses' variance."""
    own = str(found.params["of"])
    if own == "response" and piles:
        return _PILES
    if design == "once" and own == "residual":
        return "responses and errors"
    return _SOURCES[own]


def _variance(found: Estimate) -> str:
    """A component below 0 is shown as 0, and marked."""
    if found.value < 0:
        return "0 (estimated below 0)"
    return with_interval(found)


def _share(found: Estimate, total: float) -> str:
    if math.isnan(found.value) or total <= 0:
        return "-"
    return f"{rounded(100 * max(found.value, 0.0) / total, 0)} %"


def _of_facets(numbers: Numbers, design: str, width: int) -> list[Line]:
    """Coefficients of means over raters and prompts."""
    own = [
        e for e in numbers.values() if e.params.get("design") == design and "prompts" in e.params
    ]
    if not own:
        return []
    sizes = dict.fromkeys((e.params["raters"], e.params["prompts"]) for e in own)
    cells = [
        [f"{raters:g}", f"{prompts:g}"]
        + [
            with_interval(e)
            for e in own
            if (e.params["raters"], e.params["prompts"]) == (raters, prompts)
        ]
        for raters, prompts in sizes
    ]
    return [Line(""), *table(["raters", "prompts", "G", "Phi"], cells, width, names=2)]


def _raters_enough(numbers: Numbers, width: int) -> list[Line]:
    """The D-study: reliability of the mean of so many ratings."""
    names = ("generalizability", "dependability", "sem_absolute")
    if "generalizability[crossed,1]" not in numbers:
        return []
    cells = [
        [str(raters), *(with_interval(numbers[f"{name}[crossed,{raters}]"]) for name in names)]
        for raters in _ROWS
    ]
    lines = [Line("How many raters? Reliability of the mean of so many ratings", "heading")]
    lines += table(["raters", "G", "Phi", "SEM"], cells, width)
    shown = [Shown(f"{name}[crossed,1]", name, "") for name in names]
    lines += reasons(shown, [numbers], width)
    for sentence in enough_sentences(numbers):
        lines += paragraph(sentence, width, indent="  ")
    return [*lines, *paragraph(_WORDS, width, weight="lesser"), Line("")]


def enough_sentences(numbers: Numbers) -> list[str]:
    """Say how many raters reach which dependability, and what holds if raters were unknown."""
    sentences = []
    found = [(t, numbers[f"raters_needed[crossed,dependability,{t:g}]"]) for t in TARGETS]
    parts = [
        f"{_raters(e)} for {rounded(t, 2, coefficient=True)}"
        for t, e in found
        if not math.isnan(e.value)
    ]
    if parts:
        sentences.append(f"Raters needed for a Phi: {'; '.join(parts)}.")
    unknown = numbers.get("dependability[nested,1]")
    if unknown is not None and not math.isnan(unknown.value):
        sentences.append(
            f"Were raters not the same people throughout: Phi of one rating {with_interval(unknown)}."
        )
    return sentences


def _raters(found: Estimate) -> str:
    """A number of raters, rounded up, with its interval."""
    value, low, high = (math.ceil(n - 1e-9) if math.isfinite(n) else None for n in _ends(found))
    if low is None or high is None:
        return count(value or 0)
    return f"{count(value or 0)} [{count(low)}, {count(high)}]"


def _ends(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high
