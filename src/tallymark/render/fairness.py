"""Fairness and true scores in words: which groups a system favours, what raters' errors hide."""

import math
from collections.abc import Sequence

from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.render.rows import MOST_ROWS, counted, few, more
from tallymark.render.subsets import system_against
from tallymark.results import OTHER_GROUPS, TRUE_SCORES, Estimate, Evaluation, Numbers, Subset

_SHOWN = (
    ("dsm", "DSM"),
    ("osd_effect", "error"),
    ("true_effect", "at true score"),
)
_WORDS = (
    "(-) disfavoured and (+) favoured beside all groups, by the test of DSM, adjusted over all groups "
    "and tests of the column. "
    "DSM: standardized system mean less standardized gold mean of the group; error: mean error less "
    "that of the largest group, in score points; at true score: the same among equally good "
    "responses, rater error taken out"
)
SURE = 0.05


def true_score_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Say how well each system predicts true scores."""
    lines = []
    for sentence in true_score_sentences(evaluation):
        lines += paragraph(sentence, width, indent="  ")
    if not lines:
        return []
    return [Line("True scores: as if raters made no errors", "heading"), *lines, Line("")]


def true_score_sentences(evaluation: Evaluation) -> list[str]:
    """Say of each system how well it predicts true scores, where that is known."""
    sentences = []
    for subset in system_against(evaluation, TRUE_SCORES):
        found = evaluation.of(subset)
        prmse = next((e for e in found.values() if e.name == "prmse"), None)
        if prmse is None or math.isnan(prmse.value):
            continue
        error = found["error_variance"]
        known = f"variance of rater errors {value_text(error)}" if error.value > 0 else ""
        caution = f" {literal(prmse.why)[:1].upper()}{literal(prmse.why)[1:]}." if prmse.why else ""
        text = f"{literal(subset.system)} predicts true scores with PRMSE {with_interval(prmse)}"
        sentences.append(f"{text}{f' ({known})' if known else ''}.{caution}")
    return sentences


def fairness_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """For each group column and system: do errors differ by group, and which groups stand out?"""
    overall = [s for s in _of_groups(evaluation) if s.group is None]
    if not overall:
        return []
    lines, tables = [Line("Fairness: each group beside the others", "heading")], 0
    for subset in overall[:MOST_ROWS]:
        sentence, groups = _column(evaluation, subset, width)
        lines += [*sentence, *groups]
        tables += bool(groups)
    lines += more(len(overall) - MOST_ROWS)
    return [*lines, *(paragraph(_WORDS, width, weight="lesser") if tables else []), Line("")]


def _of_groups(evaluation: Evaluation) -> list[Subset]:
    return [subset for subset in evaluation.subsets if subset.against == OTHER_GROUPS]


def _column(evaluation: Evaluation, subset: Subset, width: int) -> tuple[list[Line], list[Line]]:
    """A sentence, and the groups where errors differ or a group stands out."""
    title, p = errors_by_group(evaluation, subset)
    groups = [
        s
        for s in _of_groups(evaluation)
        if (s.system, s.group_column) == (subset.system, subset.group_column) and s.group
    ]
    rows = [(s, evaluation.of(s)) for s in groups[:MOST_ROWS]]
    shown = [(name, word) for name, word in _SHOWN if any(name in own for _, own in rows)]
    cells = [
        [f"{stands_out(own)}{literal(s.group or '')}", counted(s.n), *_cells(own, shown)]
        for s, own in rows
    ]
    sentence = paragraph(title, width, indent="  ")
    if not (p < SURE or any(stands_out(own) for _, own in rows)):
        return sentence, []
    lines = table(["", "n", *(word for _, word in shown)], cells, width)
    return sentence, [*lines, *few([s.n for s, _ in rows]), *more(len(groups) - MOST_ROWS)]


def errors_by_group(evaluation: Evaluation, subset: Subset) -> tuple[str, float]:
    """Say whether a system's errors differ by a group column, and the p of that."""
    osd = evaluation.of(subset)["osd"]
    p = osd.parts.get("p_adjusted", math.nan)
    differ = "differ by" if p < SURE else "are not shown to differ by"
    sentence = (
        f"{literal(subset.system)}: errors {differ} {literal(subset.group_column or '')}, which "
        f"explains {with_interval(osd)} of their variance ({_p(p)})"
    )
    return sentence, p


def _cells(own: Numbers, shown: Sequence[tuple[str, str]]) -> list[str]:
    return [with_interval(own[name]) if name in own else "-" for name, _ in shown]


def stands_out(own: Numbers) -> str:
    """Whether the group is favoured or not, where the adjusted test of its DSM says so."""
    dsm: Estimate | None = own.get("dsm")
    if dsm is None or not dsm.parts.get("p_adjusted", 1.0) < SURE:
        return ""
    return "(+) " if dsm.value > 0 else "(-) "


def _p(p: float) -> str:
    if math.isnan(p):
        return "p undefined"
    return "adjusted p < .001" if p < 0.001 else f"adjusted p = {p:.3f}".replace("0.", ".", 1)
