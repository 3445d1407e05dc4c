"""Severity and drift in words: who is severe, erratic or keeps to few scores, and who changes."""

import math
from collections.abc import Sequence

from tallymark.render.facts import intervals
from tallymark.render.gstudy import assignment_sentence
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.render.rows import more
from tallymark.render.subsets import (
    place,
    single_raters,
    system_against,
    whole,
)
from tallymark.results import OTHERS, PEOPLE, SEVERITY, Evaluation, Numbers, Subset

ERRATIC, PREDICTABLE = 1.5, 0.5
"""Infit or outfit outside these is flagged."""
COMPRESSED = 0.9
"""A rater whose spread is surely below this share of that expected compresses the scale."""
MOST_BATCHES = 12
MOST_RATERS = 10
"""Raters in the table of severities and of drift: those furthest off."""
_WORDS = (
    "severity: in logits, whoever else rated; points: the same in score points; infit, outfit: 1 is "
    "expected, above 1.5 erratic; spread: of the rater's scores, over that expected, compressed where surely below .9"
)
_DRIFT = (
    "Score points above the other raters of the same responses, their own severity taken out; "
    "change: first to last along a straight line. It is relative: one rater's change moves the others "
    "a little the other way, and a change of all together cannot be seen."
)


def severity_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the table of severities, the most severe first."""
    found = [(s, evaluation.of(s)) for s in single_raters(evaluation)]
    undefined = _why(found)
    found = [(s, own) for s, own in found if "infit" in own]
    if not found:
        lines = [line for text in undefined for line in paragraph(text, width, indent="  ")]
        return [*lines, Line("")] if lines else []
    found.sort(key=lambda one: -one[1]["severity"].value)
    furthest = sorted(found, key=lambda one: -abs(one[1]["severity"].value))[:MOST_RATERS]
    shown = [one for one in found if one in furthest]
    cells = [
        [
            literal(subset.system),
            with_interval(own["severity"]),
            value_text(own["fair_difference"]),
            *(value_text(own[name]) for name in ("infit", "outfit", "rater_spread")),
            ", ".join(judgement(own)),
        ]
        for subset, own in shown
    ]
    method = found[0][1]["severity"].method.partition(",")[0]
    title = f"Severity, {intervals(evaluation)}: Rasch model, {method}"
    headings = ["rater", "severity", "points", "infit", "outfit", "spread", ""]
    lines = [*paragraph(title, width, weight="heading"), *table(headings, cells, width)]
    lines += more(len(found) - len(shown))
    for text in (*assignment(evaluation), *undefined):
        lines += paragraph(text, width, indent="  ")
    return [*lines, *paragraph(_WORDS, width, weight="lesser"), Line("")]


def assignment(evaluation: Evaluation) -> list[str]:
    """Say which responses the severities come from, where not all raters read the same."""
    models = [s for s in evaluation.subsets if s.against == SEVERITY and s.subject == PEOPLE]
    found = [assignment_sentence(evaluation.of(s), "severity") for s in models]
    return [sentence for sentence in found if sentence]


def _why(found: Sequence[tuple[Subset, Numbers]]) -> list[str]:
    """Say whose severity is undefined, and why."""
    by_reason: dict[str, list[str]] = {}
    for subset, own in found:
        if "severity" in own and math.isnan(own["severity"].value):
            by_reason.setdefault(own["severity"].why, []).append(literal(subset.system))
    everyone = len(found)
    return [
        ("Severity in logits" if len(who) == everyone else f"Severity of {', '.join(who)}")
        + f" is undefined, because {literal(why)}."
        for why, who in by_reason.items()
    ]


def judgement(numbers: Numbers) -> list[str]:
    """What the numbers say of a rater or a system, in single words."""
    words = []
    severity = numbers["severity"]
    if severity.low > 0 or severity.high < 0:
        words.append("severe" if severity.low > 0 else "lenient")
    fit = [numbers["infit"].value, numbers["outfit"].value]
    if max(fit) > ERRATIC:
        words.append("erratic")
    if min(fit) < PREDICTABLE:
        words.append("predictable")
    if numbers["rater_spread"].high < COMPRESSED:
        words.append("compressed")
    return words


def system_severity_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Say of every system how it would look as one more rater."""
    lines: list[Line] = []
    for subset in system_against(evaluation, SEVERITY):
        lines += paragraph(as_rater_sentence(evaluation, subset), width, indent="  ")
    if not lines:
        return []
    title = f"Systems as one more rater: Rasch model, {intervals(evaluation)}"
    return [Line(title, "heading"), *lines, Line("")]


def as_rater_sentence(evaluation: Evaluation, subset: Subset) -> str:
    """Say how a system would look as one more rater."""
    own = evaluation.of(subset)
    points = own["fair_difference"]
    words = ", ".join(judgement(own)) or "neither severe nor lenient, and it fits"
    return (
        f"{literal(subset.system)}: {words}. Given the same responses it differs from the average "
        f"rater by {with_interval(points)} points; severity {with_interval(own['severity'])} "
        f"logits, infit {value_text(own['infit'])}, outfit {value_text(own['outfit'])}, spread "
        f"{value_text(own['rater_spread'])} of that expected."
    )


def drift_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return each rater's difference from the others in every batch, and the change."""
    parts = [s for s in evaluation.subsets if s.against == OTHERS and not whole(s)]
    if not parts:
        return []
    batches = list(dict.fromkeys(str(s.group) for s in parts))[:MOST_BATCHES]
    by_batch = {(s.subject, s.group): evaluation.of(s) for s in parts}
    changes = [(s, evaluation.of(s).get("drift")) for s in single_raters(evaluation)]
    known = [(s, e) for s, e in changes if e is not None and not math.isnan(e.value)]
    known.sort(key=lambda one: -abs(one[1].value))
    cells = []
    for subset, change in known[:MOST_RATERS]:
        own = [by_batch.get((subset.subject, batch)) for batch in batches]
        values = ["-" if o is None else value_text(o["rater_difference"]) for o in own]
        word = "to lenient" if change.low > 0 else "to severe" if change.high < 0 else ""
        cells.append([literal(subset.system), with_interval(change), word, *values])
    column = next(iter(place(parts[0])))
    title = f"Drift over {column}, {intervals(evaluation)}; those who change most first"
    headings = ["rater", "change", "", *(literal(batch) for batch in batches)]
    lines = [*paragraph(title, width, weight="heading"), *table(headings, cells, width)]
    lines += more(len(known) - MOST_RATERS)
    return [*lines, *paragraph(_DRIFT, width, weight="lesser"), Line("")]
