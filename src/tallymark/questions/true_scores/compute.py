"""True scores: how well a system predicts what people would give if they made no errors."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.accuracy.true_score import error_variance, mse_true, prmse, true_score_variance
from tallymark.catalogue.reasons import ONE_RATER, beyond_range
from tallymark.defaults import MANY
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.results import TRUE_SCORES, Estimate, system_called
from tallymark.study.average import average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, summed
from tallymark.tally import RatedSums

FEW_DOUBLE = 50
"""Fewer responses rated twice than this leave the variance of rater errors uncertain."""


def true_scores(
    system: str, parts: Sequence[Part], settings: Settings, *, error: float | None = None
) -> Iterator[SubsetResults]:
    """Yield rater error and how well the system predicts true scores, but not of groups.

    Of all responses and of each prompt, trait and fold where they are not many; then the means
    over prompts or traits.
    """
    every: dict[Part, tuple[Rows, Units[RatedSums]]] = {}
    formulas = _formulas(error)
    for part in parts:
        grouped = any(key.startswith("group:") for key in part.where)
        rows = None if grouped else rated_rows(system, part)
        if rows is not None:
            every[part] = rows, rated_units(rows)
        if rows is not None and not part.many:
            estimates = _estimates(*every[part], formulas, settings, part.label, error)
            n = int(rows.counts.sum())
            yield SubsetResults(
                subset_of(part, system_called(system), n=n, against=TRUE_SCORES), estimates, []
            )
    for key, over in faceted([*every]):
        known = [every[part] for part in over if error is not None or _double(*every[part])]
        yield from _average(system, key, known, formulas, settings)


def _average(
    system: str,
    key: str,
    known: Sequence[tuple[Rows, Units[RatedSums]]],
    formulas: Sequence[Formula],
    settings: Settings,
) -> Iterator[SubsetResults]:
    """Yield the means over prompts or traits in which rater error is known."""
    if len(known) < 2:
        return
    one_scale = len({tuple(rows.points) for rows, _ in known}) == 1
    wanted = [f for f in formulas if f.name == "prmse" or one_scale]
    if len(known) > MANY and settings.interval is None:  # ratios of small prompts bend too far
        settings = replace(settings, interval="analytic")
    estimates = means([(wanted, units) for _, units in known], key, settings)
    estimates = [replace(e, score="trimmed", why=_beyond(e) or e.why) for e in estimates]
    sizes = [int(rows.counts.sum()) for rows, _ in known]
    subset = average_subset(system_called(system), TRUE_SCORES, key, sizes)
    yield SubsetResults(subset, estimates, [])


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
    double = _double(rows, units)
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="trimmed", why=_caution(e, double, error)) for e in estimates]


def _double(rows: Rows, units: Units[RatedSums]) -> float:
    """How many responses were rated twice or more."""
    if rows.weights is None:
        return float(units.tally.sums[..., 8])
    return float(rows.counts[(~np.isnan(rows.scores[:, :-1])).sum(axis=1) > 1].sum())


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
    kept = rows.distinct()
    values = RatedSums.rows(kept.scores[:, :-1] - center, kept.scores[:, -1] - center)
    return replace(summed(kept, values, RatedSums), shape="rated")


def _formulas(error: float | None) -> list[Formula]:
    known: dict[str, Any] = {} if error is None else {"error": error}
    unknown = ONE_RATER if error is None else "true scores do not vary"
    first = Formula(name="error_variance", value=error_variance, undefined=ONE_RATER)
    others = {
        "true_score_variance": true_score_variance, "mse_true": mse_true, "prmse": prmse,
    }  # fmt: skip
    return [
        first,
        *(
            Formula(
                name=name,
                params=known,
                value=partial(value, error=error),
                undefined=unknown,
            )
            for name, value in others.items()
        ),
    ]


def _caution(estimate: Estimate, double: float, error: float | None) -> str:
    """Add a warning where few responses were rated twice, or PRMSE leaves 0 to 1."""
    if np.isnan(estimate.value):
        return "true scores do not vary" if double and error is None else estimate.why
    words = [estimate.why]
    if error is None and double < FEW_DOUBLE:
        words.append(f"only {int(double)} responses were rated twice: rater error is uncertain")
    return "; ".join(word for word in (*words, _beyond(estimate)) if word)


def _beyond(estimate: Estimate) -> str:
    """What a PRMSE that leaves 0 to 1 means."""
    return beyond_range(estimate) if estimate.name == "prmse" else ""
