"""Reliability of people and every ceiling of their scores, as formulas of the ladder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.defaults import LEVEL
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.bootstrap import resamples
from tallymark.inference.interval import percentile
from tallymark.questions.ceilings.gold_curves import LabelCurve, simple, summary
from tallymark.questions.ceilings.ladder import Ladder, kappa_on, qwk_of_people, r_of_people
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.ceiling import (
    CeilingComponents,
    GoldWeights,
    ceiling_of_components,
    components,
    f_limits,
    further_rater_of_components,
    human_like,
    rater_in_gold,
    single_rating,
    theoretical,
    uncalibrated,
    without_shared_error,
)
from tallymark.reliability.congeneric import LINK, MOST_RATERS, Model, unbounded_reliability
from tallymark.reliability.generalizability import Components
from tallymark.reliability.gold_rule import POSITIONS, gold_weights
from tallymark.reliability.quantised import LabelCeilings
from tallymark.results import Curve, Estimate, Key, ResultTable
from tallymark.scale import Scale
from tallymark.study.measured import stream_of
from tallymark.study.units import Rows, summed

Value = Callable[[CeilingComponents], Floats]
POOL = "pool"
"""As if every rating came from one pool of raters, all with the same error."""


def rung_estimates(
    rungs: Rungs, settings: Settings, label: str, estimated: Sequence[Estimate] = ()
) -> list[Estimate]:
    """Reliability, human-human agreement and every ceiling, with shared resamples.

    ``estimated`` are estimates of all their formulas, where there are some already.
    """
    if not estimated:
        formulas = [*rung_formulas(rungs, settings.level)]
        estimated = estimate_all(formulas, rungs.units, settings, key=stream_of(label))
    estimates = [replace(estimate, score="human") for estimate in estimated]
    return [*estimates, *raters_like_these(rungs, estimates, settings, stream_of(label))]


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
    name = "ceiling_uncalibrated"
    yield make(name, lambda v: uncalibrated(v.single, v.mean), of="human_like")
    yield make(name, lambda v: uncalibrated(np.ones_like(v.mean), v.mean), of="theoretical")
    yield make("rater_in_gold", lambda v: rater_in_gold(v.single, v.mean))
    yield from _label_formulas(rungs)
    yield from shared_error(rungs)
    yield from by_rater(rungs)
    if rungs.people.rows.whole.all():
        yield make("reliability", lambda v: v.mean, fixed=True, of="mean")
        yield make("ceiling_theoretical", lambda v: theoretical(v.mean), fixed=True, gold="mean")


def _rungs(rungs: Rungs, make: Callable[..., Formula]) -> Iterator[Formula]:
    """Ceilings of golds that are ratings, sums or means: as raters are told apart, and as a pool."""
    separate = rungs.design.model != "pool"
    for gold in dict.fromkeys(["mean", "first", rungs.gold or "mean"]):
        if not simple(gold):
            continue
        single = gold in POSITIONS
        values: dict[str, tuple[Callable[[Ladder], Floats], Value]] = {
            "ceiling_human_like": (HumanLike(gold), partial(_pool_human_like, single=single)),
            "ceiling_theoretical": (Theoretical(gold), partial(_pool_theoretical, single=single)),
        }
        for name, (each_rater, pool) in values.items():
            if separate:
                formula = Formula(
                    name=name,
                    params={"gold": gold},
                    value=each_rater,
                    undefined=rungs.unexplained(gold),
                )
                rooted = name == "ceiling_theoretical" and rungs.design.model == "congeneric"
                yield _rooted(formula, gold) if rooted and gold in rungs.design.rules else formula
            yield make(name, pool, gold=gold, **({"raters": POOL} if separate else {}))


def _rooted(formula: Formula, gold: str) -> Formula:
    """With free slopes the reliability is often at its bound, where resampling holds too little."""
    square = partial(_unbounded, gold=gold)
    return replace(
        formula, interval="analytic", analytic="root", linear=square, ddof=1, range=(0, 1)
    )


def _unbounded(ladder: Ladder, *, gold: str) -> Floats:
    return unbounded_reliability(ladder.raters, ladder.golds[gold])


def _pool_theoretical(variances: CeilingComponents, *, single: bool) -> Floats:
    return theoretical(variances.single if single else variances.mean)


def _pool_human_like(variances: CeilingComponents, *, single: bool) -> Floats:
    return human_like(variances.single, variances.single if single else variances.mean)


def human_human(scale: Scale) -> Iterator[Formula]:
    """Agreement of two people, under the names it has beside systems."""
    qwk = kappa_on(scale)
    for statistic, value in ((qwk, qwk_of_people), ("pearson", r_of_people)):
        yield Formula(
            name="human_human",
            params={"of": statistic},
            value=value,
            undefined="the ratings do not vary",
        )


def _formula(
    rungs: Rungs, level: float, name: str, value: Value, *, fixed: bool = False, **params: Any
) -> Formula:
    """Bind a function of the components, with F-based limits where ratings are equally many.

    If raters are ``fixed`` it is for exactly these raters, whose severity is not error.
    """
    follows_f = fixed or name.startswith(("reliability", "rater_in_gold", "ceiling_"))
    equal = fixed or len(rungs.rated.ratings) == 1
    limits = None
    if follows_f and equal and rungs.independent:
        limits = partial(_limits, value=value, fixed=fixed)
    return Formula(
        name=name,
        params={**params, "raters": "fixed"} if fixed else params,
        value=partial(_of_components, value=value, fixed=fixed),
        undefined=rungs.undefined,
        closed_form=limits,
        parts=partial(_f_parts, limits=limits, level=level) if limits and rungs.f_based else None,
    )


def _of_components(ladder: Ladder, *, value: Value, fixed: bool) -> Floats:
    return value(components(ladder.fixed) if fixed else ladder.variances)


def _limits(ladder: Ladder, level: float, *, value: Value, fixed: bool) -> tuple[float, float]:
    """Limits of F carried over; a ceiling whose reliability may be negative starts at 0."""
    variances = components(ladder.fixed) if fixed else ladder.variances
    n = float(ladder.fixed.n if fixed else ladder.ratings.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = [float(value(end)) for end in f_limits(variances, n, level=level, fixed=fixed)]
    if np.isnan(ends[0]) and not np.isnan(ends[1]):
        ends[0] = 0.0
    return min(ends), max(ends)


def _f_parts(
    ladder: Ladder, *, limits: Callable[[Ladder, float], tuple[float, float]], level: float
) -> dict[str, float]:
    low, high = limits(ladder, level)
    return {"f_low": low, "f_high": high}


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


def _of_curve(rungs: Rungs, curve: LabelCurve, name: str, ceiling: str) -> Formula:
    return Formula(
        name=name,
        params={"gold": curve.rule},
        value=Modelled(curve.rule, ceiling),
        undefined=curve.why or rungs.undefined,
    )


class Theoretical(Struct, frozen=True):
    """The theoretical ceiling against a kind of gold."""

    rule: str

    def __call__(self, ladder: Ladder) -> Floats:
        """From the reliability of the gold where that is enough."""
        if not simple(self.rule):
            return Modelled(self.rule, "theoretical")(ladder)
        return theoretical(ladder.reliability(self.rule))


class HumanLike(Struct, frozen=True):
    """The human-like ceiling against a kind of gold."""

    rule: str

    def __call__(self, ladder: Ladder) -> Floats:
        """From the reliability of the gold, and of one more rater, where that is enough."""
        if not simple(self.rule):
            return Modelled(self.rule, "human_like")(ladder)
        return ladder.further(self.rule) * theoretical(ladder.reliability(self.rule))


class Modelled(Struct, frozen=True):
    """A ceiling of a gold on its points, by way of the reliability of one rating."""

    rule: str
    ceiling: str

    def __call__(self, ladder: Ladder) -> Floats:
        """Read it off the curve of the ladder."""
        single, *numbers = summary(ladder, self.rule)
        curve = ladder.curves.get(self.rule)
        if curve is None:
            return np.full_like(single, np.nan)
        column = LabelCeilings._fields.index(self.ceiling)
        ceiling = _between(single, curve.reliability, curve.ceilings[..., column])
        for i, number in enumerate(numbers):
            ceiling = ceiling + curve.slopes[..., i, column] * (number - curve.moments[..., i])
        ceiling = np.where(np.real(ceiling) > 1, 1.0, ceiling)
        return np.where(np.real(single) > 0, ceiling, np.nan)


def _between(x: Any, points: Floats, values: Floats) -> Any:
    """The polynomial through the points, which also moves along complex numbers; held beyond them.

    Newton's form: differences of the values, divided by how far their points are apart.
    """
    real_x, low, high = np.real(x), points[..., 0], points[..., -1]
    x = np.where((real_x < low) | (real_x > high), np.clip(real_x, low, high), x)
    nodes, divided = (list(np.moveaxis(part, -1, 0)) for part in (points, values))
    for order in range(1, len(nodes)):
        for i in range(len(nodes) - 1, order - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - order])
    total = np.zeros_like(x) + divided[-1]
    for i in range(len(nodes) - 2, -1, -1):
        total = total * (x - nodes[i]) + divided[i]
    return total


SHARED = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Correlations of rater errors for which the theoretical ceiling is reported where possible."""
BAND = 41
"""Points of the curve of shared error."""


def shared_error(rungs: Rungs) -> Iterator[Formula]:
    """The theoretical ceiling if raters err together, as far as their agreement allows."""
    ladder = rungs.units.tally
    reliability = float(single_rating(ladder.reliability("mean"), ladder.variances.ratings))
    for shared in SHARED:
        if shared < reliability:
            yield Formula(
                name="ceiling_theoretical",
                params={"gold": "mean", "shared": shared},
                value=partial(_with_shared_error, shared=shared),
                undefined=rungs.undefined,
            )


def _with_shared_error(ladder: Ladder, *, shared: float) -> Floats:
    k = ladder.variances.ratings
    single = single_rating(ladder.reliability("mean"), k)
    return theoretical(without_shared_error(single, k, shared)[1])


def sensitivity(rungs: Rungs, top: Estimate) -> tuple[Curve, ...]:
    """The theoretical ceiling against the correlation of rater errors, from none to agreement."""
    k = rungs.variances.ratings
    ends = np.clip([top.value, top.low, top.high], 0.0, 1.0)
    single, low, high = (single_rating(end**2, k) for end in ends)
    if not 0 < single < 1:
        return ()
    shared = np.linspace(0, single, BAND, endpoint=False)

    def along(reliability: Floats) -> tuple[float, ...]:
        ceiling = theoretical(without_shared_error(reliability, k, shared)[1])
        # as much shared error as agreement leaves nothing to be reached
        reliabilities = np.full(BAND, reliability)
        return tuple(np.where(np.isnan(ceiling) & ~np.isnan(reliabilities), 0.0, ceiling).tolist())

    return (
        Curve(
            name="ceiling_theoretical[shared]",
            subset=-1,
            x_title="correlation of the errors of raters",
            y_title="theoretical ceiling against the mean of the ratings",
            x=tuple(shared.tolist()),
            y=along(single),
            low=along(low),
            high=along(high),
        ),
    )


COMPONENTS = "components"
COMPONENTS_ASSUME = (
    "raters differ in severity and all have the same slope and error variance; they are compared "
    "within responses, so that it does not matter who was given the better ones"
)
INDEPENDENT = "errors of raters are independent of each other"
ALIKE = "responses do not differ more than their ratings do, or too few were rated twice"
MODEL = "ceiling_model"


class ComponentsAndGolds(NamedTuple):
    """Variance components, and by gold the weights that make it."""

    components: Components
    golds: Mapping[str, GoldWeights]


def component_ceilings(rungs: Rungs, settings: Settings, label: str) -> list[Estimate]:
    """Theoretical and human-like ceilings of golds that add up, from variance components."""
    rows = rungs.people.rows.rated().distinct()
    weights = {
        rule: gold
        for rule in dict.fromkeys(["mean", "first", rungs.gold or "mean"])
        if simple(rule) and (gold := gold_weights(rule, rows.scores)) is not None
    }
    values = {"ceiling_theoretical": _theoretical, "ceiling_human_like": _human_like}
    formulas = [
        Formula(
            name=name,
            params={"gold": rule, "raters": COMPONENTS},
            value=partial(value, rule=rule),
            undefined=ALIKE,
        )
        for rule in weights
        for name, value in values.items()
    ]
    estimates = estimate_all(formulas, _units(rows, weights), settings, key=stream_of(label))
    return [replace(estimate, score="human") for estimate in estimates]


def _theoretical(tally: ComponentsAndGolds, *, rule: str) -> Floats:
    return ceiling_of_components(tally.components, tally.golds[rule])


def _human_like(tally: ComponentsAndGolds, *, rule: str) -> Floats:
    further = further_rater_of_components(tally.components)
    return np.asarray(_theoretical(tally, rule=rule) * further)


def _units(rows: Rows, weights: Mapping[str, Floats]) -> Units[ComponentsAndGolds]:
    """Sums of the variance components, then of each gold: responses, squared weights, weights."""
    component_units = absorb(rows.scores, rows.counts, rows.clusters)
    golds = [
        np.concatenate(
            [weight.any(axis=1, keepdims=True), (weight**2).sum(axis=1, keepdims=True), weight],
            axis=1,
        )
        for weight in weights.values()
    ]
    start, width = component_units.rows.shape[1], rows.scores.shape[1] + 2

    def build(sums: NDArray[Any]) -> ComponentsAndGolds:
        golds = {}
        for i, rule in enumerate(weights):
            gold_sums = sums[..., start + i * width : start + (i + 1) * width]
            n = gold_sums[..., :1]
            with np.errstate(invalid="ignore", divide="ignore"):  # no gold was drawn
                golds[rule] = GoldWeights(gold_sums[..., 2:] / n, gold_sums[..., 1] / n[..., 0])
        return ComponentsAndGolds(absorbed(component_units.tally(sums[..., :start])), golds)

    return summed(rows, np.concatenate([component_units.rows, *golds], axis=1), build)


def by_rater(rungs: Rungs) -> Iterator[Formula]:
    """How reliable each rater is, where raters are told apart."""
    if rungs.design.model == "pool":
        return
    for rater in np.flatnonzero(rungs.design.linked).tolist():
        yield Formula(
            name="rater_reliability",
            params={"rater": rungs.people.names[rater]},
            value=partial(_of_rater, rater=rater),
            parts=partial(_about_rater, rater=rater),
            undefined=rungs.undefined,
        )


def _of_rater(ladder: Ladder, *, rater: int) -> Floats:
    return np.asarray(ladder.raters.reliability[..., rater])


def _about_rater(ladder: Ladder, *, rater: int) -> dict[str, float]:
    """Error variance, slope beside the mean of all raters, and ratings."""
    raters = ladder.raters
    facts = {
        "error_variance": float(raters.error[rater]),
        "slope": float(raters.loading[rater] / np.mean(raters.loading[ladder.design.linked])),
        "ratings": float(raters.ratings[rater]),
    }
    return {name: value for name, value in facts.items() if np.isfinite(value)}


def assumption(model: Model, raters: Sequence[str], equal: Sequence[str], *, bent: bool) -> str:
    """Say what is assumed of the raters, of whom those of ``equal`` slopes are named."""
    if model == "grubbs":
        subject = " and ".join(equal) if len(equal) == 2 else f"the {len(equal)} raters"
        ends = ", but for what the ends of the scale do" if bent else ""
        return (
            f"{subject} each have an error variance of their own and follow true scores with the same "
            f"slope{ends}; {INDEPENDENT}"
        )
    if model == "congeneric":
        return (
            f"each of {len(raters)} raters has an error variance and a slope on true scores of its "
            f"own; {INDEPENDENT}"
        )
    why = f"they are more than {MOST_RATERS}"
    if len(raters) <= MOST_RATERS:
        why = f"too many of them share fewer than {LINK} responses with any other"
    return (
        f"raters are drawn anew for each response from a pool and all have the same error variance, "
        f"since {why}; {INDEPENDENT}"
    )


def model_table(rungs: Rungs) -> ResultTable:
    """The model that the ceilings rest on, then that of variance components; what each assumes."""
    design, names = rungs.design, rungs.people.names
    core = np.flatnonzero(design.linked if design.core is None else design.core)
    bent = design.bent is not None
    assumed: dict[str, str] = {
        design.model: assumption(design.model, names, [names[i] for i in core], bent=bent)
    }
    if rungs.units.worth is None:
        assumed[COMPONENTS] = COMPONENTS_ASSUME
    return ResultTable(
        name=MODEL,
        title="How the ceilings take raters",
        columns=("model", "raters", "assumption"),
        rows=tuple((model, design.raters, words) for model, words in assumed.items()),
    )


FEWEST_RATERS = 5
"""Fewer raters than this cannot stand for others."""
MANY_RATERS = 500
LARGE = 100_000_000
"""Ratings times replicates; above it fewer replicates are drawn, at least 200."""
LIKE_THESE = "raters like these"


def raters_like_these(
    rungs: Rungs, estimates: Sequence[Estimate], settings: Settings, key: int
) -> Iterator[Estimate]:
    """Yield the leading estimates again, with raters and responses resampled, both with replacement.

    Nothing with too few raters or no error. A rater drawn twice does not count as two who agree:
    only pairs of different raters tell the error. Resampling both inflates the spread of the
    responses a little, which with few raters makes up for their small number.
    McCullagh (2000), doi:10.2307/3318577; Owen (2007), doi:10.1214/07-AOAS122.
    """
    rows, variances = rungs.people.rows.distinct(), rungs.variances
    raters = int((~np.isnan(rows.scores)).any(axis=0).sum())
    if not variances.single > 0 or rungs.units.worth is not None:
        return
    if not FEWEST_RATERS <= raters <= MANY_RATERS or not variances.error > 0:
        return
    statistics: dict[str, Value] = {
        "reliability[one]": lambda v: v.single,
        "reliability[mean]": lambda v: v.mean,
        "ceiling_human_like[mean]": lambda v: human_like(v.single, v.mean),
        "ceiling_theoretical[mean]": lambda v: theoretical(v.mean),
    }
    number = max(200, min(settings.replicates, LARGE // max(rows.scores.size, 1)))
    resampled = _resampled(rows, variances, number, np.random.default_rng([settings.seed, key, 1]))
    for estimate in estimates:
        # these raters stand for others like them as a pool
        separate = rungs.design.model != POOL and estimate.name.startswith("ceiling_")
        params = dict(estimate.params)
        if separate and params.pop("raters", "") != POOL:
            continue
        statistic = statistics.get(Key(estimate.name, **params))
        if statistic is None:
            continue
        values = statistic(resampled)
        finite = values[~np.isnan(values)]
        if finite.size < 0.9 * number:
            continue
        low, high = percentile(finite, settings.level)
        yield replace(
            estimate, key=Key(estimate.name, **params, **{"for": LIKE_THESE}), low=low, high=high,
            se=float(finite.std(ddof=1)), parts={}, why="",
            method=f"percentile bootstrap over raters and responses, {number} replicates, "
            f"seed {settings.seed}, {raters} raters",
        )  # fmt: skip


def _resampled(
    rows: Rows, variances: CeilingComponents, number: int, rng: "np.random.Generator"
) -> CeilingComponents:
    """Components of every resample: ratings weigh by how often rater and response were drawn."""
    present = ~np.isnan(rows.scores)
    raters_present = np.flatnonzero(present.any(axis=0))
    present = present[:, raters_present] * 1.0
    filled = np.where(present > 0, rows.scores[:, raters_present] - np.nanmean(rows.scores), 0.0)
    drawn = rng.multinomial(
        raters_present.size, np.full(raters_present.size, 1 / raters_present.size), size=number
    )
    if rows.clusters is None:
        unit, times = np.arange(rows.counts.size), rows.counts
    else:
        clusters, unit = np.unique(rows.clusters, return_inverse=True)
        times = np.ones(clusters.size, dtype=np.int64)
    error, total, start = np.empty(number + 1), np.empty(number + 1), 1
    counts = rows.counts[:, None].astype(np.float64)
    error[:1], total[:1] = _variances(present, filled, np.ones((1, raters_present.size)), counts)
    for block in resamples(times, number, rng):
        weights = block.T[unit].astype(np.float64)  # of each row in each resample
        if rows.clusters is not None:
            weights *= counts
        stop = start + len(block)
        raters = drawn[start - 1 : stop - 1].astype(np.float64)
        error[start:stop], total[start:stop] = _variances(present, filled, raters, weights)
        start = stop
    # so that the data as they are give the estimate itself
    scale = np.array([variances.error / error[0], (variances.true + variances.error) / total[0]])
    error, total = error[1:] * scale[0], total[1:] * scale[1]
    return CeilingComponents(total - error, error, np.full(number, float(variances.ratings)))


def _variances(
    present: Floats, scores: Floats, raters: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Error variance from pairs of different raters, and the variance of all ratings."""
    number, total = present @ raters.T, scores @ raters.T
    squares, twice = (scores * scores) @ raters.T, present @ (raters * raters).T
    ratings = np.where(number > 0, number, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):  # no two different raters were drawn
        disagreement = weights * (squares - total * total / ratings)
        pairs = weights * (number - twice / ratings)
        n = (weights * number).sum(axis=0)
        mean = (weights * total).sum(axis=0) / n
        variance = (weights * squares).sum(axis=0) / n - mean**2
        weight = pairs.sum(axis=0)
        return np.where(weight > 1e-9, disagreement.sum(axis=0) / weight, np.nan), variance
