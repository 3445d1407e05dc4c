"""Decisions at cuts in a few lines: against the gold, and against true scores."""

import math
from collections.abc import Sequence

from tallymark.evaluation.cuts.scores import CUT_SCORES
from tallymark.evaluation.cuts.words import GRADES
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import with_interval
from tallymark.render.rows import MOST_ROWS, more
from tallymark.render.subsets import place, system_against
from tallymark.results import Evaluation, Numbers, Subset

_SHOWN = (
    ("decision_agreement[{}]", "as the gold"),
    ("decision_accuracy[system,{}]", "as true scores"),
    ("decision_accuracy[rater,{}]", "a rating"),
    ("false_pass[true score,{}]", "wrong pass"),
    ("false_fail[true score,{}]", "wrong fail"),
    ("error_at_cut[system,{}]", "error"),
)
_WORDS = (
    "Share of responses with the same decision; true scores are what many ratings would give, a "
    "rating is one rating against them. Wrong pass and fail: shares of all responses, against true "
    "scores; error: distance of the system from true scores beside the cut, in score points"
)


def cut_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """One table a system: how its decisions at each cut compare with people's."""
    lines: list[Line] = []
    told = system_against(evaluation, CUT_SCORES) or _of_prompts(evaluation)
    for subset in told[:MOST_ROWS]:
        lines += [*([Line("")] if lines else []), *_of_system(evaluation, subset, width)]
    if not lines:
        return []
    lines += more(len(told) - MOST_ROWS)
    title = "Pass marks: a score that reaches the cut passes"
    return [Line(title, "heading"), *lines, *paragraph(_WORDS, width, weight="lesser"), Line("")]


def _of_prompts(evaluation: Evaluation) -> list[Subset]:
    """Where prompts are on scales of their own there is nothing of all responses together."""
    found = [s for s in evaluation.subsets if s.against == CUT_SCORES and s.prompt is not None]
    return [s for s in found if len(place(s)) == 1]


def _of_system(evaluation: Evaluation, subset: Subset, width: int) -> list[Line]:
    found = evaluation.of(subset)
    agreed = [e for e in found.values() if e.name == "decision_agreement"]
    cuts = [GRADES if "cuts" in e.params else f"{e.params['cut']:g}" for e in agreed]
    shown = [(text, word) for text, word in _SHOWN if _known(found, text, cuts)]
    cells = [[cut, *(_cell(found, text.format(cut)) for text, _ in shown)] for cut in cuts]
    name = ", ".join([literal(subset.system), *place(subset).values()])
    lines = table([name, *(word for _, word in shown)], cells, width)
    return [*lines, *_cautions(found, width)]


def _cautions(found: Numbers, width: int) -> list[Line]:
    """Why nothing is told of true scores, or where they are to be taken with care."""
    accuracy = [
        e for e in found.values() if e.name == "decision_accuracy" and e.params["of"] == "system"
    ]
    told = dict.fromkeys((math.isnan(e.value), literal(e.why)) for e in accuracy if e.why)
    lines = []
    for undefined, why in told:
        ahead = "as true scores: undefined, because" if undefined else "Note:"
        lines += paragraph(f"{ahead} {why}.", width, indent="  ")
    return lines


def _known(found: Numbers, text: str, cuts: Sequence[str]) -> bool:
    here = [found.get(text.format(cut)) for cut in cuts]
    return any(e is not None and not math.isnan(e.value) for e in here)


def _cell(found: Numbers, text: str) -> str:
    return with_interval(found[text]) if text in found else "-"
