"""G-study and D-study in words: where the variance comes from, how many raters are enough."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tallymark.reliability.assignment import REJECTED
from tallymark.render.facts import intervals, responses
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown
from tallymark.render.numbers import count, p_text, rounded, value_text, with_interval
from tallymark.render.rows import MOST_ROWS, reasons
from tallymark.render.subsets import place, whole
from tallymark.results import GSTUDY, Estimate, Evaluation, Numbers, Subset

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
TARGETS = (0.8, 0.9)
_ROWS = (1, 2, 3, 4, 6, 10)
"""Numbers of raters in the table."""


def gstudy_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines on variance components and on the number of raters."""
    found = studied(evaluation)
    if found is None:
        return []
    parts, numbers = parts_of(evaluation, found), study_numbers(evaluation, found)
    title = f"Where differences of ratings come from: {responses(found.n)}, "
    title += f"mean over {found.average}s, " if found.average else ""
    lines = paragraph(title + intervals(evaluation), width, weight="heading")
    if not any(e.name == "variance_component" for e in numbers.values()):
        text = f"Variances are in score points, and {found.average}s are on scales of their own."
        lines += paragraph(text, width, weight="lesser")
    each = [own for _, own in parts]
    for design in ("crossed", "once", "prompts", "raters within prompts"):
        lines += _components(numbers, design, width, each if design == "crossed" else ())
    told = assignment_sentence(numbers, "severity and error") or _dealt(each, found.average)
    lines += paragraph(told, width, indent="  ")
    lines += [] if found.average else _mixed(evaluation, width)
    return [*lines, Line(""), *_raters_enough(numbers, found.average, parts, width)]


def studied(evaluation: Evaluation) -> Subset | None:
    """The G-study to tell: the mean over traits or prompts where there are several."""
    own = [s for s in evaluation.subsets if s.against == GSTUDY]
    means = [s for key in ("trait", "prompt") for s in own if s.average == key]
    return next(iter([*means, *(s for s in own if whole(s))]), None)


def study_numbers(evaluation: Evaluation, found: Subset) -> Numbers:
    """Its numbers; designs in which prompts are a source of their own are of all responses."""
    numbers = dict(evaluation.of(found))
    for every in [s for s in evaluation.subsets if s.against == GSTUDY and whole(s)]:
        facets = evaluation.of(every).items()
        numbers |= {k: e for k, e in facets if "prompts" in str(e.params.get("design", ""))}
        if not found.average:
            return evaluation.of(every)
    return numbers


def parts_of(evaluation: Evaluation, found: Subset) -> list[tuple[str, Numbers]]:
    """Each part that a mean is over, by its name."""
    return [
        (place(s)[found.average], evaluation.of(s))
        for s in evaluation.subsets
        if found.average and s.against == GSTUDY and [*place(s)] == [found.average]
    ]


def _mixed(evaluation: Evaluation, width: int) -> list[Line]:
    for column in ("prompt", "trait"):
        if any(s.against == GSTUDY and s.column == column for s in evaluation.subsets):
            text = (
                f"Pooled over {column}s: the responses' share also holds differences of {column}s"
            )
            return paragraph(text, width, weight="lesser")
    return []


def _dealt(each: Sequence[Numbers], column: str | None) -> str:
    """In how many parts raters may have been given better or worse responses."""
    piles = sum(map(_piles, each))
    if not piles:
        return ""
    where = f"{count(piles)} of {count(len(each))} {column}s"
    return f"Responses not shown to be dealt at random in {where}: severity and error from within them."


def _piles(numbers: Numbers) -> bool:
    return "random_assignment" in numbers and not numbers["random_assignment"].parts["random"]


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


def _components(
    numbers: Numbers, design: str, width: int, each: Sequence[Numbers] = ()
) -> list[Line]:
    own = [
        e
        for e in numbers.values()
        if e.name == "variance_component" and e.params["design"] == design
    ]
    if not own:
        return []
    total = sum(max(e.value, 0.0) for e in own if not math.isnan(e.value))
    piles = any(map(_piles, [numbers, *each]))
    cells = [[_source(e, design, piles=piles), _variance(e), _share(e, total)] for e in own]
    cells = [
        [*row, *([_range(e, each)] if each else [])] for row, e in zip(cells, own, strict=True)
    ]
    lines = [] if design in ("crossed", "once") else [Line("")]
    headings = ["source", "variance", "share", *(["range"] if each else [])]
    lines += table(headings, cells, width)
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


def _range(found: Estimate, each: Sequence[Numbers]) -> str:
    """The least and the most of the parts."""
    values = [own[found.text].value for own in each if found.text in own]
    known = [max(value, 0.0) for value in values if not math.isnan(value)]
    if known and max(known) == 0:
        return "0"
    return (
        " to ".join(value_text(replace(found, value=f(known))) for f in (min, max))
        if known
        else "-"
    )


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


def _raters_enough(
    numbers: Numbers, over: str | None, parts: Sequence[tuple[str, Numbers]], width: int
) -> list[Line]:
    """The D-study: reliability of the mean of so many ratings."""
    titles = {"generalizability": "G", "dependability": "Phi", "sem_absolute": "SEM"}
    names = [name for name in titles if f"{name}[crossed,1]" in numbers]
    if not names:
        return []
    cells = [
        [str(raters), *(with_interval(numbers[f"{name}[crossed,{raters}]"]) for name in names)]
        for raters in _ROWS
    ]
    title = "How many raters? Reliability of the mean of so many ratings"
    whole = title + (f", mean over {over}s" if over else "")
    lines = paragraph(whole, width, weight="heading")
    lines += table(["raters", *(titles[name] for name in names)], cells, width)
    shown = [Shown(f"{name}[crossed,1]", name, "") for name in names]
    lines += reasons(shown, [numbers], width)
    for sentence in enough_sentences(numbers, over, parts):
        lines += paragraph(sentence, width, indent="  ")
    return [*lines, *paragraph(_WORDS, width, weight="lesser"), Line("")]


def enough_sentences(
    numbers: Numbers, over: str | None = None, parts: Sequence[tuple[str, Numbers]] = ()
) -> list[str]:
    """Say how many raters reach which dependability, and what holds if raters were unknown."""
    sentences = []
    texts = {t: f"raters_needed[crossed,dependability,{t:g}]" for t in TARGETS}
    found = [(t, numbers[text]) for t, text in texts.items() if text in numbers]
    told = [
        f"{_raters(e)} for {rounded(t, 2, coefficient=True)}"
        for t, e in found
        if not math.isnan(e.value)
    ]
    if told:
        mean = f", mean over {over}s" if over else ""
        sentences.append(f"Raters needed for a Phi{mean}: {'; '.join(told)}.")
    each = [_of_part(name, own, texts[TARGETS[0]]) for name, own in parts[:MOST_ROWS]]
    if any(each):
        goal = rounded(TARGETS[0], 2, coefficient=True)
        sentences.append(f"Raters needed for a Phi of {goal}: {'; '.join(filter(None, each))}.")
    unknown = numbers.get("dependability[nested,1]")
    if unknown is not None and not math.isnan(unknown.value):
        sentences.append(
            f"Were raters not the same people throughout: Phi of one rating {with_interval(unknown)}."
        )
    return sentences


def _of_part(name: str, numbers: Numbers, text: str) -> str:
    """A part's own number of raters."""
    found = numbers.get(text)
    if found is None:
        return ""
    return f"{name} {'undefined' if math.isnan(found.value) else _raters(found)}"


def _raters(found: Estimate) -> str:
    """A number of raters, rounded up, with its interval."""
    value, low, high = (math.ceil(n - 1e-9) if math.isfinite(n) else None for n in _ends(found))
    if low is None or high is None:
        return count(value or 0)
    return f"{count(value or 0)} [{count(low)}, {count(high)}]"


def _ends(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high
