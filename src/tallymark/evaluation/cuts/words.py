"""Words for what is told on other scales, at pass marks and after recalibration, by name."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tallymark.evaluation.other_scales.sweep import SWEEP_WORDS
from tallymark.evaluation.other_scales.words import SCALE_WORDS
from tallymark.inference.interval import wilson
from tallymark.results import Definition, Estimate, Table

GRADES = "grades"
MISFIT = 0.03
"""The model is doubted from this difference to what was counted on, if the data settle it."""
_LIVINGSTON = "Livingston & Lewis (1995), doi:10.1111/j.1745-3984.1995.tb00462.x"
_SHARES = "P(same grade) of two normal variables, shares passing as seen, rounding taken out"
CUT_WORDS: dict[str, Definition] = {
    "decision_accuracy": Definition(
        name="decision_accuracy",
        title="Decision accuracy",
        reading="How often the system, or a single rating, decides as true scores would: as most "
        "ratings of the response would, if there were many. Needs responses rated twice.",
        formula=f"{_SHARES}: true score and system, or rating",
        reference=_LIVINGSTON,
    ),
    "decision_consistency": Definition(
        name="decision_consistency",
        title="Decision consistency",
        reading="How often the system, or a single rating, decides as another rating would; lower "
        "than accuracy, because that rating errs too. Part `counted` is the share of ratings that "
        "do, which the model should meet.",
        formula=f"{_SHARES}: one rating and system, or another rating",
        reference=_LIVINGSTON,
    ),
    "decision_agreement": Definition(
        name="decision_agreement",
        title="Same decision as the gold",
        reading="Share of responses on which the system decides as the gold does, as counted.",
        formula="share of responses with both scores on one side of the cut",
    ),
    "false_pass": Definition(
        name="false_pass",
        title="Passed by the system alone",
        reading="Share of all responses that the system passes and the gold, or the true score, "
        "fails.",
        formula="P(system >= cut, gold < cut)",
        better="lower",
    ),
    "false_fail": Definition(
        name="false_fail",
        title="Failed by the system alone",
        reading="Share of all responses that the system fails and the gold, or the true score, "
        "passes.",
        formula="P(system < cut, gold >= cut)",
        better="lower",
    ),
    "error_at_cut": Definition(
        name="error_at_cut",
        title="Standard error at the cut (conditional SEM)",
        reading="Among responses that the system puts at the points beside the cut, in score "
        "points of a rating: how far a rating, or the system, lies from the true score.",
        formula="rater: sqrt(error_variance); system: sqrt(mse_true); of these responses",
        better="lower",
    ),
}
"""Definitions of decisions at cuts, by name."""
RECALIBRATION_WORDS: dict[str, Definition] = {
    "recalibrated": Definition(
        name="recalibrated",
        title="After recalibration",
        reading="What the system would reach if its scores were given the gold's mean and spread: "
        "by a straight line, or by rising steps that also mend the shape. Each response is "
        "recalibrated by a fit to the other folds; the interval takes these fits as given.",
        formula="linear: mean g + (s_g / s_m)(m - mean m); isotonic: steps, then the same",
        reference="Kolen & Brennan (2014), doi:10.1007/978-1-4939-0317-7",
        better="neither",
    ),
    "recalibration_gain": Definition(
        name="recalibration_gain",
        title="Gain by recalibration",
        reading="Agreement after recalibration less agreement as it is: what was lost by severity, "
        "spread or shape alone, although the order of responses was right.",
        formula="s(recalibrated) - s(as it is)",
        reference="Kolen & Brennan (2014), doi:10.1007/978-1-4939-0317-7",
        better="neither",
    ),
}
"""Definitions of recalibration, by name."""
DIAGNOSED: dict[str, Definition] = {
    **SCALE_WORDS,
    **SWEEP_WORDS,
    **CUT_WORDS,
    **RECALIBRATION_WORDS,
}
"""Definitions of statistics of the diagnosis, by name."""


def cautioned(found: Sequence[Estimate]) -> list[Estimate]:
    """Warn at cuts where the model expects another agreement with ratings than was counted."""
    why: dict[object, str] = {}
    for said in (e for e in found if "counted" in e.parts and not math.isnan(e.value)):
        seen = said.parts["counted"]
        ends = wilson(seen, said.n, said.level)
        if abs(said.value - seen) > MISFIT and not ends.low <= said.value <= ends.high:
            why[said.params["cut"]] = (
                f"at {said.params['cut']:g} the model expects the same decision as a rating in "
                f"{100 * said.value:.0f} % of responses, and {100 * seen:.0f} % were counted: "
                "scores there are not as the model has them, so take decisions against true scores "
                "with care"
            )
    whole = next(iter(why.values()), "")  # grades hang on every cut
    return [
        e
        if e.name == "error_at_cut" or math.isnan(e.value)
        else replace(
            e, why=why.get(e.params["cut"], e.why) if "cut" in e.params else whole or e.why
        )
        for e in found
    ]


def cut_table(cuts: Sequence[float], found: Sequence[Estimate]) -> Table:
    """One row a cut, and one for the grades between them: how often decisions are the same."""
    values = {estimate.text: estimate.value for estimate in found}
    names = [f"{cut:g}" for cut in cuts] + ([GRADES] if len(cuts) > 1 else [])
    columns = {
        "as the gold": "decision_agreement[{}]",
        "as true scores": "decision_accuracy[system,{}]",
        "a rating as true scores": "decision_accuracy[rater,{}]",
        "as another rating": "decision_consistency[system,{}]",
        "two ratings": "decision_consistency[rater,{}]",
        "passed wrongly": "false_pass[true score,{}]",
        "failed wrongly": "false_fail[true score,{}]",
        "rating's error": "error_at_cut[rater,{}]",
        "system's error": "error_at_cut[system,{}]",
    }
    return Table(
        name="cut_scores",
        title="Decisions of the system at each cut",
        columns=("cut", *columns),
        rows=tuple(
            (name, *(_number(values.get(text.format(name))) for text in columns.values()))
            for name in names
        ),
        note="Shares of responses; errors in score points, beside the cut. Wrongly: against true "
        "scores, which need responses rated twice.",
    )


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
