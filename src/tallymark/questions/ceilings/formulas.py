"""Reliability of people and every ceiling of their scores, as formulas of the ladder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.defaults import LEVEL
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.ceilings.by_model import by_rater
from tallymark.questions.ceilings.kappas import kappa_on
from tallymark.questions.ceilings.labels import LabelCurve, simple
from tallymark.questions.ceilings.ladder import Ladder, qwk_of_people, r_of_people
from tallymark.questions.ceilings.raters import LIKE_THESE, raters_like_these
from tallymark.questions.ceilings.reached import HumanLike, Modelled, Theoretical
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.questions.ceilings.shared_error import shared_error
from tallymark.reliability.ceiling import (
    CeilingComponents,
    components,
    f_limits,
    human_like,
    rater_in_gold,
    theoretical,
    uncalibrated,
)
from tallymark.reliability.congeneric import unbounded_reliability
from tallymark.reliability.gold_rule import POSITIONS
from tallymark.results import Estimate, Key
from tallymark.scale import Scale
from tallymark.study.measured import stream_of

Floats = NDArray[np.float64]
Value = Callable[[CeilingComponents], Floats]
POOL = "pool"
"""As if every rating came from one pool of raters, all with the same error."""


def rung_estimates(
    rungs: Rungs, settings: Settings, label: str, made: Sequence[Estimate] = ()
) -> list[Estimate]:
    """Reliability, human-human agreement and every ceiling, with shared resamples.

    ``made`` are estimates of all their formulas, where there are some already.
    """
    if not made:
        formulas = [*rung_formulas(rungs, settings.level)]
        made = estimate_all(formulas, rungs.units, settings, key=stream_of(label))
    estimates = [replace(estimate, score="human") for estimate in made]
    return estimates + _for_raters_like_these(rungs, estimates, settings, stream_of(label))


def rung_formulas(rungs: Rungs, level: float = LEVEL) -> Iterator[Formula]:
    """Every number of the ladder and beside it, as a formula."""
    make = partial(_formula, rungs, level)
    yield make("reliability", lambda v: v.single, of="one")
    yield make("reliability", lambda v: v.mean, of="mean")
    twice = {"rated_twice": float(rungs.twice)}
    yield replace(make("error_variance", lambda v: v.error), parts=lambda _: twice)
    yield make("true_score_variance", lambda v: v.true)
    yield make("sem", lambda v: np.sqrt(v.error), of="one")
    yield make("sem", lambda v: np.sqrt(v.error / v.ratings), of="mean")
    yield from human_human(rungs.people.scale)
    yield from _rungs(rungs, make)
    yield make(
        "ceiling_uncalibrated",
        lambda v: uncalibrated(v.single, v.mean),
        of="human_like",
    )
    yield make(
        "ceiling_uncalibrated",
        lambda v: uncalibrated(np.ones_like(v.mean), v.mean),
        of="theoretical",
    )
    yield make("rater_in_gold", lambda v: rater_in_gold(v.single, v.mean))
    yield from _label_formulas(rungs)
    yield from shared_error(rungs)
    yield from by_rater(rungs)
    if rungs.people.rows.whole.all():
        yield _fixed(rungs, level, "reliability", lambda v: v.mean, of="mean")
        yield _fixed(
            rungs,
            level,
            "ceiling_theoretical",
            lambda v: theoretical(v.mean),
            gold="mean",
        )


def _rungs(rungs: Rungs, make: Callable[..., Formula]) -> Iterator[Formula]:
    """Ceilings of golds that are ratings, sums or means: as raters are told apart, and as a pool."""
    named = rungs.design.model != "pool"
    for gold in dict.fromkeys(["mean", "first", rungs.gold or "mean"]):
        if not simple(gold):
            continue
        single = gold in POSITIONS
        values: dict[str, tuple[Callable[[Ladder], Floats], Value]] = {
            "ceiling_human_like": (HumanLike(gold), partial(_pool_human_like, single=single)),
            "ceiling_theoretical": (Theoretical(gold), partial(_pool_theoretical, single=single)),
        }
        for name, (each_rater, pool) in values.items():
            if named:
                made = Formula(
                    name=name,
                    params={"gold": gold},
                    value=each_rater,
                    undefined=rungs.unexplained(gold),
                )
                rooted = name == "ceiling_theoretical" and rungs.design.model == "congeneric"
                yield _rooted(made, gold) if rooted and gold in rungs.design.rules else made
            yield make(name, pool, gold=gold, **({"raters": POOL} if named else {}))


def _rooted(made: Formula, gold: str) -> Formula:
    """With free slopes the reliability is often at its bound, where resampling holds too little."""
    square = partial(_unbounded, gold=gold)
    return replace(made, interval="analytic", analytic="root", linear=square, ddof=1, range=(0, 1))


def _unbounded(ladder: Ladder, *, gold: str) -> Floats:
    return unbounded_reliability(ladder.raters, ladder.golds[gold])


def _pool_theoretical(variances: CeilingComponents, *, single: bool) -> Floats:
    return theoretical(variances.single if single else variances.mean)


def _pool_human_like(variances: CeilingComponents, *, single: bool) -> Floats:
    return human_like(variances.single, variances.single if single else variances.mean)


def human_human(scale: Scale) -> Iterator[Formula]:
    """Agreement of two people, under the names it has beside systems."""
    qwk = kappa_on(scale)
    for of, value in ((qwk, qwk_of_people), ("pearson", r_of_people)):
        yield Formula(
            name="human_human", params={"of": of}, value=value, undefined="the ratings do not vary"
        )


def _formula(rungs: Rungs, level: float, name: str, value: Value, **params: Any) -> Formula:
    """Bind a function of the components, with F-based limits where ratings are equally many."""
    follows_f = name.startswith(("reliability", "rater_in_gold", "ceiling_"))
    equal = len(rungs.rated.ratings) == 1 and rungs.alike
    limits = partial(_limits, value=value) if follows_f and equal else None
    return Formula(
        name=name,
        params=params,
        value=partial(_of_pool, value=value),
        undefined=rungs.undefined,
        closed_form=limits,
        parts=partial(_as_parts, limits=limits, level=level) if limits and rungs.f_based else None,
    )


def _of_pool(ladder: Ladder, *, value: Value) -> Floats:
    return value(ladder.variances)


def _of_these(ladder: Ladder, *, value: Value) -> Floats:
    return value(components(ladder.fixed))


def _limits(
    ladder: Ladder,
    level: float,
    *,
    value: Value,
    fixed: bool = False,
) -> tuple[float, float]:
    """Limits of F carried over; a ceiling whose reliability may be negative starts at 0."""
    variances = components(ladder.fixed) if fixed else ladder.variances
    n = float(ladder.fixed.n if fixed else ladder.ratings.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = [float(value(end)) for end in f_limits(variances, n, level=level, fixed=fixed)]
    if np.isnan(ends[0]) and not np.isnan(ends[1]):
        ends[0] = 0.0
    return min(ends), max(ends)


def _as_parts(
    ladder: Ladder, *, limits: Callable[[Ladder, float], tuple[float, float]], level: float
) -> dict[str, float]:
    low, high = limits(ladder, level)
    return {"f_low": low, "f_high": high}


def _fixed(rungs: Rungs, level: float, name: str, value: Value, **params: Any) -> Formula:
    """The same for exactly these raters: their severity is not error."""
    limits = partial(_limits, value=value, fixed=True)
    plain = rungs.alike
    return Formula(
        name=name,
        params={**params, "raters": "fixed"},
        value=partial(_of_these, value=value),
        undefined=rungs.undefined,
        closed_form=limits if plain else None,
        parts=partial(_as_parts, limits=limits, level=level) if plain and rungs.f_based else None,
    )


def _label_formulas(rungs: Rungs) -> Iterator[Formula]:
    """Ceilings of the gold as it was made, and on its points where they are few."""
    gold = rungs.gold
    if gold is not None and not simple(gold):
        curve = rungs.curves[gold]
        yield _of_curve(rungs, curve, "ceiling_human_like", "human_like")
        yield _of_curve(rungs, curve, "ceiling_theoretical", "theoretical")
    if not rungs.coarse:
        return
    for rule in dict.fromkeys(filter(None, ["mean_up", gold])):
        curve = rungs.curves[rule]
        yield _of_curve(rungs, curve, "ceiling_quantised", "quantised")
        rounded = _of_curve(rungs, curve, "ceiling_quantised", "uncalibrated")
        yield replace(rounded, params={**rounded.params, "scores": "uncalibrated"})


def _of_curve(rungs: Rungs, curve: LabelCurve, name: str, which: str) -> Formula:
    return Formula(
        name=name,
        params={"gold": curve.rule},
        value=Modelled(curve.rule, which),
        undefined=curve.why or rungs.undefined,
    )


def _for_raters_like_these(
    rungs: Rungs, estimates: list[Estimate], settings: Settings, key: int
) -> list[Estimate]:
    """The leading estimates again, with raters resampled too."""
    statistics: dict[str, Value] = {
        "reliability[one]": lambda v: v.single,
        "reliability[mean]": lambda v: v.mean,
        "ceiling_human_like[mean]": lambda v: human_like(v.single, v.mean),
        "ceiling_theoretical[mean]": lambda v: theoretical(v.mean),
    }
    usual = {e.text.replace(f",{POOL}]", "]"): e for e in estimates if _as_pool(e, rungs)}
    if not rungs.variances.single > 0 or rungs.units.worth is not None:
        return []
    like = raters_like_these(
        rungs.people.rows.distinct(), rungs.variances, statistics, settings, key
    )
    return [
        replace(
            usual[name],
            key=_like_these(usual[name]),
            low=made.low,
            high=made.high,
            se=made.se,
            method=made.method,
            parts={},
            why="",
        )
        for name, made in like.items()
    ]


def _as_pool(estimate: Estimate, rungs: Rungs) -> bool:
    """Whether raters are taken as a pool here, as those are who stand for others like them."""
    separate = rungs.design.model != "pool" and estimate.name.startswith("ceiling_")
    return not separate or estimate.params.get("raters") == POOL


def _unpooled(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in params.items() if (key, value) != ("raters", POOL)}


def _like_these(estimate: Estimate) -> Key:
    return Key(estimate.name, **_unpooled(estimate.params), **{"for": LIKE_THESE})
