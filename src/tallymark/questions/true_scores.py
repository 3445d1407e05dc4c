"""True scores: how well would systems do if raters made no errors?"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.accuracy.true_score import error_variance, mse_true, prmse, true_score_variance
from tallymark.catalogue.reasons import ONE_RATER, beyond_range
from tallymark.defaults import MANY
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.leading import by_part, grid, of_systems, shown_of
from tallymark.render.model import Block, Measure, Rank, Says, Section, Text
from tallymark.render.sentences import Sentence, Words, asked_by
from tallymark.render.subsets import asked_alone, rated_twice, scope, standing_for_all
from tallymark.results import TRUE_SCORES, Estimate, Evaluation, Numbers, Subset, system_called
from tallymark.study.average import average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, summed
from tallymark.tally import RatedSums

FEW_DOUBLE = 50
"""Fewer responses rated twice than this leave the variance of rater errors uncertain."""
CONSTANT = "true scores do not vary"
MEANING = (
    "A true score is the mean of very many ratings of the same response. People err, so a system "
    "can be better than its agreement with them looks."
)
ON_GOLD_SCALE = "ratings on the scale of the gold: here the gold has a scale of its own."
NEEDS = "responses that were rated twice, or the variance of a rater's error: --error-variance."


def true_scores(
    system: str, parts: Sequence[Part], settings: Settings, *, error: float | None = None
) -> Iterator[SubsetResults]:
    """Yield rater error and how well the system predicts true scores, but not of groups.

    Of all responses and of each prompt, trait and fold where they are not many; then the means
    over those prompts or traits in which rater error is known.
    """
    subject, formulas = system_called(system), _formulas(error)
    rated: dict[Part, tuple[Rows, Units[RatedSums]]] = {}
    for part in parts:
        if any(key.startswith("group:") for key in part.where):
            continue
        rows = rated_rows(system, part)
        if rows is None:
            continue
        rated[part] = rows, rated_units(rows)
        if not part.many:
            estimates = _estimates(*rated[part], formulas, settings, part.label, error)
            n = int(rows.counts.sum())
            subset = subset_of(part, subject, n=n, against=TRUE_SCORES)
            yield SubsetResults(subset, estimates, [])
    for key, averaged in faceted([*rated]):
        error_known = [
            rated[part] for part in averaged if error is not None or _double(rated[part][0])
        ]
        if len(error_known) > 1:
            yield _average(system, key, error_known, formulas, settings)


def _average(
    system: str,
    key: str,
    rated: Sequence[tuple[Rows, Units[RatedSums]]],
    formulas: Sequence[Formula],
    settings: Settings,
) -> SubsetResults:
    """The means over prompts or traits; of PRMSE alone where their scales differ."""
    if len({tuple(rows.points) for rows, _ in rated}) > 1:
        formulas = [formula for formula in formulas if formula.name == "prmse"]
    if len(rated) > MANY and settings.interval is None:  # ratios of small prompts bend too far
        settings = replace(settings, interval="analytic")
    estimates = means([(formulas, units) for _, units in rated], key, settings)
    estimates = [replace(e, score="trimmed", why=_beyond(e) or e.why) for e in estimates]
    sizes = [int(rows.counts.sum()) for rows, _ in rated]
    return SubsetResults(
        average_subset(system_called(system), TRUE_SCORES, key, sizes), estimates, []
    )


def true_score_estimates(rows: Rows, settings: Settings, label: str) -> list[Estimate]:
    """Estimate true-score accuracy from ratings and, in the last column, the system's scores."""
    return _estimates(rows, rated_units(rows), _formulas(None), settings, label, None)


def _estimates(
    rows: Rows,
    units: Units[RatedSums],
    formulas: Sequence[Formula],
    settings: Settings,
    label: str,
    error: float | None,
) -> list[Estimate]:
    double = _double(rows)
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="trimmed", why=_caution(e, double, error)) for e in estimates]


def _double(rows: Rows) -> int:
    """How many responses were rated twice or more."""
    ratings = (~np.isnan(rows.scores[:, :-1])).sum(axis=1)
    return int(rows.counts[ratings > 1].sum())


def rated_rows(system: str, part: Part) -> Rows | None:
    """Human ratings and, in the last column, the system's score, where both are given."""
    scores, scales = part.scores, part.scales
    if scales is None or not scores.humans or scales[0].ends != scales[1].ends:
        return None
    names = [*(f"human:{name}" for name in scores.humans), f"system:{system}"]
    rows = part.columns(names, scales[0])
    people = ~np.isnan(rows.scores[:, :-1])
    rows = rows.where(np.asarray(people.any(axis=1) & ~np.isnan(rows.scores[:, -1])))
    return rows if rows.counts.size else None


def rated_units(rows: Rows) -> Units[RatedSums]:
    """Units of the sums that tell rater error from true differences."""
    center = float(rows.points[0] + rows.points[-1]) / 2
    distinct = rows.distinct()
    values = RatedSums.rows(distinct.scores[:, :-1] - center, distinct.scores[:, -1] - center)
    return replace(summed(distinct, values, RatedSums), shape="rated")


def _formulas(error: float | None) -> list[Formula]:
    params: dict[str, Any] = {} if error is None else {"error": error}
    undefined = ONE_RATER if error is None else CONSTANT
    return [
        Formula(name="error_variance", value=error_variance, undefined=ONE_RATER),
        *(
            Formula(
                name=value.__name__,
                params=params,
                value=partial(value, error=error),
                undefined=undefined,
            )
            for value in (true_score_variance, mse_true, prmse)
        ),
    ]


def _caution(estimate: Estimate, double: int, error: float | None) -> str:
    """Add a warning where few responses were rated twice, or PRMSE leaves 0 to 1."""
    if np.isnan(estimate.value):
        return CONSTANT if double and error is None else estimate.why
    reasons = [estimate.why]
    if error is None and double < FEW_DOUBLE:
        reasons.append(f"only {double} responses were rated twice: rater error is uncertain")
    return "; ".join(filter(None, (*reasons, _beyond(estimate))))


def _beyond(estimate: Estimate) -> str:
    """What a PRMSE that leaves 0 to 1 means."""
    return beyond_range(estimate) if estimate.name == "prmse" else ""


def section(evaluation: Evaluation) -> Section:
    """Show how well each system predicts true scores."""
    measured = [entry.subset for entry in evaluation.where(against=TRUE_SCORES)]
    subsets = [subset for subset in measured if subset.subject.is_system]
    needs = ""
    if evaluation.kind != "compare" and not asked_alone(evaluation):
        needs = ON_GOLD_SCALE if rated_twice(evaluation) else asked_by(evaluation, NEEDS)
    return Section(
        id="true-scores",
        title="True scores",
        question="What would be left without rater error?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        needs=needs,
        takes=asked_by(evaluation, NEEDS),
    )


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    leading = standing_for_all(evaluation, subsets)
    sentences = [_prediction(s.system, evaluation.of(s), scope(evaluation, s)) for s in leading]
    few = len(leading) <= SIDE_BY_SIDE
    if any(sentences) and few:
        yield Says(tuple(filter(None, sentences)))
    if leading:
        rows, rank = of_systems(evaluation, leading), Rank.PAGE if few else Rank.FULL
        measures = shown_of("true_scores")
        caption = "Prediction of true scores"
        yield grid("true scores", caption, ("system",), rows, measures, rank=rank)
    yield from by_part(evaluation, subsets, "True scores", [Measure("PRMSE", key="prmse")])


def _prediction(system: str, numbers: Numbers, data: Sentence | None) -> Sentence | None:
    """Say how well a system predicts true scores, and on which data; nothing where not known."""
    accuracy = next((e for e in numbers.values() if e.name == "prmse"), None)
    if accuracy is None or math.isnan(accuracy.value):
        return None
    error = numbers.get("error_variance")
    variance: Words = ""
    if error is not None and error.value > 0:
        variance = Sentence(" (variance of rater errors {error:value})", error=error)
    caution: Words = ""
    if why := accuracy.why:
        caution = Sentence(" {why}.", why=f"{why[:1].upper()}{why[1:]}")
    return Sentence(
        "{system} predicts true scores with PRMSE {prmse}{error}{of}.{caution}",
        system=system,
        prmse=accuracy,
        error=variance,
        of="" if data is None else Sentence(", {of}", of=data),
        caution=caution,
    )
