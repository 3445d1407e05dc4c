"""Words for what is told on other scales, at pass marks and after recalibration, by name."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tallymark.inference.interval import wilson
from tallymark.results import Estimate, Table

GRADES = "grades"
MISFIT = 0.03
"""The model is doubted from this difference to what was counted on, if the data settle it."""


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
