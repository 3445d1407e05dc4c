"""Reliability of people and every ceiling of their scores, as formulas of the ladder."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.ceilings.labels import LabelCurve, simple
from tallymark.evaluation.ceilings.ladder import Ladder, qwk_of_people, r_of_people
from tallymark.evaluation.ceilings.raters import LIKE_THESE, raters_like_these
from tallymark.evaluation.ceilings.rungs import Rungs
from tallymark.evaluation.measured import stream_of
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability.ceiling import (
    Components,
    components,
    f_limits,
    human_like,
    rater_in_gold,
    raters_needed,
    theoretical,
    uncalibrated,
    without_shared_error,
)
from tallymark.reliability.gold_rule import POSITIONS
from tallymark.results import Curve, Estimate
from tallymark.scale import Scale

Floats = NDArray[np.float64]
Value = Callable[[Components], Floats]
SHARED = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Correlations of rater errors for which the theoretical ceiling is told, as far as possible."""
BAND = 41
"""Points of the curve of shared error."""
GOALS = (0.8, 0.9)
"""Reliabilities for which it is told how many ratings they take."""


def rung_estimates(rungs: Rungs, settings: Settings, label: str) -> list[Estimate]:
    """Estimate reliability, human-human agreement and every ceiling, with shared resamples."""
    formulas = list(_formulas(rungs, settings.level))
    found = estimate_all(formulas, rungs.units, settings, key=stream_of(label))
    found = [replace(estimate, score="human") for estimate in found]
    return found + _for_raters_like_these(rungs, found, settings, stream_of(label))


def _formulas(rungs: Rungs, level: float) -> Iterator[Formula]:
    make = partial(_formula, rungs, level)
    yield make("reliability", lambda own: own.one, of="one")
    yield make("reliability", lambda own: own.mean, of="mean")
    twice = {"rated_twice": float(rungs.twice)}
    yield replace(make("error_variance", lambda own: own.error), parts=lambda _: twice)
    yield make("true_score_variance", lambda own: own.true)
    yield make("sem", lambda own: np.sqrt(own.error), of="one")
    yield make("sem", lambda own: np.sqrt(own.error / own.ratings), of="mean")
    for goal in GOALS:
        yield make("raters_needed", partial(_raters_needed, goal=goal), target=goal)
    yield from human_human(rungs.people.scale)
    yield make("ceiling_human_like", lambda own: human_like(own.one, own.mean), gold="mean")
    yield make("ceiling_theoretical", lambda own: theoretical(own.mean), gold="mean")
    yield make("ceiling_human_like", lambda own: human_like(own.one, own.one), gold="first")
    yield make("ceiling_theoretical", lambda own: theoretical(own.one), gold="first")
    yield make("ceiling_uncalibrated", lambda own: uncalibrated(own.one, own.mean), of="human_like")
    yield make(
        "ceiling_uncalibrated",
        lambda own: uncalibrated(np.ones_like(own.mean), own.mean),
        of="theoretical",
    )
    yield make("rater_in_gold", lambda own: rater_in_gold(own.one, own.mean))
    yield from _label_formulas(rungs, make)
    yield from _sensitivity(rungs, make)
    if rungs.people.rows.whole.all():
        yield _fixed(rungs, level, "reliability", lambda own: own.mean, of="mean")
        yield _fixed(
            rungs, level, "ceiling_theoretical", lambda own: theoretical(own.mean), gold="mean"
        )


def _raters_needed(own: Components, *, goal: float) -> Floats:
    return raters_needed(own.one, goal)


def human_human(scale: Scale) -> Iterator[Formula]:
    """Agreement of two people, under the names it has beside systems."""
    qwk = "lin_ccc" if scale.continuous else "cohen_kappa[quadratic]"
    for of, value in ((qwk, qwk_of_people), ("pearson", r_of_people)):
        yield Formula(
            name="human_human", params={"of": of}, value=value, undefined="the ratings do not vary"
        )


def _formula(rungs: Rungs, level: float, name: str, value: Value, **params: Any) -> Formula:
    """Bind a function of the components, with F-based limits where ratings are equally many."""
    follows_f = name.startswith(("reliability", "raters_needed", "rater_in_gold", "ceiling_"))
    equal = len(rungs.rated.ratings) == 1 and rungs.units.kind == "responses"
    limits = partial(_limits, value=value) if follows_f and equal else None
    return Formula(
        name=name,
        params=params,
        value=lambda ladder: value(ladder.own),
        undefined=rungs.undefined,
        closed_form=limits,
        parts=partial(_as_parts, limits=limits, level=level) if limits and rungs.f_based else None,
    )


def _limits(
    ladder: Ladder,
    level: float,
    *,
    value: Value,
    fixed: bool = False,
) -> tuple[float, float]:
    """Limits of F carried over; a ceiling whose reliability may be negative starts at 0."""
    own = components(ladder.fixed) if fixed else ladder.own
    n = float(ladder.fixed.n if fixed else ladder.ratings.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = [float(value(end)) for end in f_limits(own, n, level=level, fixed=fixed)]
    if np.isnan(ends[0]) and not np.isnan(ends[1]):
        ends[0] = 0.0
    return min(ends), max(ends)


def _as_parts(
    ladder: Ladder, *, limits: Callable[[Ladder, float], tuple[float, float]], level: float
) -> dict[str, float]:
    low, high = limits(ladder, level)
    return {"f_low": low, "f_high": high}


def _fixed(rungs: Rungs, level: float, name: str, value: Value, **params: Any) -> Formula:
    """The same for these very raters: their severity is part of no error."""
    limits = partial(_limits, value=value, fixed=True)
    plain = rungs.units.kind == "responses"
    return Formula(
        name=name,
        params={**params, "raters": "fixed"},
        value=lambda ladder: value(components(ladder.fixed)),
        undefined=rungs.undefined,
        closed_form=limits if plain else None,
        parts=partial(_as_parts, limits=limits, level=level) if plain and rungs.f_based else None,
    )


def _label_formulas(rungs: Rungs, make: Callable[..., Formula]) -> Iterator[Formula]:
    """Ceilings of the gold as it was made, and on its points where they are few."""
    gold = rungs.gold
    if gold == "sum":
        yield make("ceiling_human_like", lambda own: human_like(own.one, own.mean), gold=gold)
        yield make("ceiling_theoretical", lambda own: theoretical(own.mean), gold=gold)
    elif gold in POSITIONS[1:]:
        yield make("ceiling_human_like", lambda own: human_like(own.one, own.one), gold=gold)
        yield make("ceiling_theoretical", lambda own: theoretical(own.one), gold=gold)
    elif gold is not None and not simple(gold):
        curve = rungs.curves[gold]
        yield _of_curve(rungs, curve, "ceiling_human_like", curve.along("human_like"))
        yield _of_curve(rungs, curve, "ceiling_theoretical", curve.along("theoretical"))
    if not rungs.coarse:
        return
    for rule in dict.fromkeys(filter(None, ["mean_up", gold])):
        curve = rungs.curves[rule]
        yield _of_curve(rungs, curve, "ceiling_quantised", curve.along("quantised"))
        rounded = _of_curve(rungs, curve, "ceiling_quantised", curve.along("uncalibrated"))
        yield replace(rounded, params={**rounded.params, "scores": "uncalibrated"})


def _of_curve(
    rungs: Rungs, curve: LabelCurve, name: str, value: Callable[[Ladder], Floats]
) -> Formula:
    return Formula(
        name=name,
        params={"gold": curve.rule},
        value=value,
        undefined=curve.why or rungs.undefined,
        analytic=None,
    )


def _sensitivity(rungs: Rungs, make: Callable[..., Formula]) -> Iterator[Formula]:
    """The theoretical ceiling if raters err together, as far as their agreement allows."""
    one = float(rungs.own.one)
    for shared in SHARED:
        if shared < one:
            value = partial(_with_shared_error, shared=shared)
            yield make("ceiling_theoretical", value, gold="mean", shared=shared)


def _with_shared_error(own: Components, *, shared: float) -> Floats:
    return theoretical(without_shared_error(own.one, own.ratings, shared)[1])


def sensitivity(rungs: Rungs, one: Estimate) -> tuple[Curve, ...]:
    """The theoretical ceiling against the correlation of rater errors, from none to agreement."""
    if not 0 < one.value < 1:
        return ()
    shared, k = np.linspace(0, one.value, BAND, endpoint=False), rungs.own.ratings

    def along(reliability: float) -> tuple[float, ...]:
        found = theoretical(without_shared_error(np.array(reliability), k, shared)[1])
        # as much shared error as agreement leaves nothing to be reached
        return tuple(np.nan_to_num(found, nan=0.0).tolist())

    return (
        Curve(
            name="ceiling_theoretical[shared]",
            subset=-1,
            x_title="correlation of the errors of raters",
            y_title="theoretical ceiling against the mean of the ratings",
            x=tuple(shared.tolist()),
            y=along(one.value),
            low=along(one.low),
            high=along(one.high),
        ),
    )


def _for_raters_like_these(
    rungs: Rungs, found: list[Estimate], settings: Settings, key: int
) -> list[Estimate]:
    """The leading estimates again, with raters resampled too."""
    statistics: dict[str, Value] = {
        "reliability[one]": lambda own: own.one,
        "reliability[mean]": lambda own: own.mean,
        "ceiling_human_like[mean]": lambda own: human_like(own.one, own.mean),
        "ceiling_theoretical[mean]": lambda own: theoretical(own.mean),
    }
    usual = {estimate.text: estimate for estimate in found}
    if not rungs.own.one > 0:
        return []
    like = raters_like_these(rungs.people.rows.distinct(), rungs.own, statistics, settings, key)
    return [
        replace(
            usual[name],
            params={**usual[name].params, "for": LIKE_THESE},
            low=made.low,
            high=made.high,
            se=made.se,
            method=made.method,
            parts={},
            why="",
        )
        for name, made in like.items()
    ]
