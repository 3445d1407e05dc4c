"""Ceilings by other models of the raters: from variance components, and from the severity model."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import ROUNDING, student
from tallymark.inference.making import NO_SPREAD
from tallymark.questions.ceilings.labels import simple
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.questions.ceilings.say import MODELS, assumption
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.generalizability import Components
from tallymark.reliability.gold_rule import gold_weights
from tallymark.reliability.rasch import NotFitted
from tallymark.reliability.severity import Severities, fair_average
from tallymark.reliability.true_and_error import (
    GoldWeights,
    ceiling_of_components,
    ceiling_of_raters,
    of_components,
    of_severities,
    one_more_rater,
)
from tallymark.results import Estimate, Key, ResultTable
from tallymark.study.measured import stream_of
from tallymark.study.models import severity_model
from tallymark.study.parts import People
from tallymark.study.units import Rows, summed

Floats = NDArray[np.float64]
COMPONENTS, SEVERITY = "components", "severity"
NAMES = ("ceiling_theoretical", "ceiling_human_like")
GROUPS = 20
"""The severity model is fitted again without each of this many groups of responses or clusters."""
ALIKE = "responses do not differ more than their ratings do, or too few were rated twice"
QUICK = "the severity model was fitted once; tallymark ceiling fits it again for an interval"
NO_GOLD = "no response has the ratings that this gold needs"
FAILED = "without some of the responses the severity model cannot be fitted"
LEFT_OUT = "a rater gave only the lowest or only the highest score, and has no severity"
MODEL = "ceiling_model"


class _Parts(NamedTuple):
    """Variance components, and by gold the weights that make it."""

    parts: Components
    golds: Mapping[str, GoldWeights]


def other_models(rungs: Rungs, settings: Settings, label: str, *, refit: bool) -> list[Estimate]:
    """Theoretical and human-like ceilings by both models; without ``refit`` one has no interval."""
    rows = rungs.people.rows.rated().distinct()
    weights = {
        rule: made
        for rule in dict.fromkeys(["mean", "first", rungs.gold or "mean"])
        if simple(rule) and (made := gold_weights(rule, rows.scores)) is not None
    }
    units = _units(rows, weights)
    formulas = [_of_components(name, rule) for rule in weights for name in NAMES]
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    people = rungs.people._replace(rows=rows)
    estimates += _by_severity(people, weights, settings, refit=refit)
    return [replace(estimate, score="human") for estimate in estimates]


def _units(rows: Rows, weights: Mapping[str, Floats]) -> Units[_Parts]:
    """Sums of the variance components, then of each gold: responses, squared weights, weights."""
    absorbed_units = absorb(rows.scores, rows.counts, rows.clusters)
    golds = [
        np.concatenate(
            [weight.any(axis=1, keepdims=True), (weight**2).sum(axis=1, keepdims=True), weight],
            axis=1,
        )
        for weight in weights.values()
    ]
    start, width = absorbed_units.rows.shape[1], rows.scores.shape[1] + 2

    def build(sums: NDArray[Any]) -> _Parts:
        made = {}
        for i, rule in enumerate(weights):
            gold_sums = sums[..., start + i * width : start + (i + 1) * width]
            n = gold_sums[..., :1]
            with np.errstate(invalid="ignore", divide="ignore"):  # no gold was drawn
                made[rule] = GoldWeights(gold_sums[..., 2:] / n, gold_sums[..., 1] / n[..., 0])
        return _Parts(absorbed(absorbed_units.tally(sums[..., :start])), made)

    return summed(rows, np.concatenate([absorbed_units.rows, *golds], axis=1), build)


def _of_components(name: str, rule: str) -> Formula:
    def value(tally: _Parts) -> Floats:
        top = ceiling_of_components(tally.parts, tally.golds[rule])
        if name == "ceiling_theoretical":
            return top
        return np.asarray(top * one_more_rater(of_components(tally.parts, absolute=False)))

    params = {"gold": rule, "raters": COMPONENTS}
    return Formula(name=name, params=params, value=value, undefined=ALIKE)


def _by_severity(
    people: People, weights: Mapping[str, Floats], settings: Settings, *, refit: bool
) -> Iterator[Estimate]:
    """Ceilings of the severity model; the interval is of refits without a group at a time."""
    whole = _fit(people)
    which = [(rule, i) for rule in weights for i in range(len(NAMES))]
    n = int(people.rows.counts.sum())
    blank = Estimate(key=Key(""), value=np.nan, level=settings.level, n=n)
    if isinstance(whole, str):
        values, again, why = np.full(len(which), np.nan), None, whole
    else:
        values = _ceilings(whole, people, weights)
        again = _without_groups(people, weights, settings.seed) if refit else None
        why = FAILED if refit else QUICK
    for place, (rule, i) in enumerate(which):
        ceiling = replace(
            blank, key=Key(NAMES[i], gold=rule, raters=SEVERITY),
            value=float(values[place]),
            why=NO_GOLD if np.isnan(values[place]) and not isinstance(whole, str) else why,
        )  # fmt: skip
        yield ceiling if again is None else _with_interval(ceiling, again[:, place])


def _fit(people: People) -> Severities | str:
    fitted = severity_model(people, "auto")
    if isinstance(fitted, NotFitted):
        return fitted.why
    return LEFT_OUT if fitted.one_sided.size else fitted


def _ceilings(fitted: Severities, people: People, weights: Mapping[str, Floats]) -> Floats:
    """For each gold: theoretical, then human-like."""
    model, counts = of_severities(fitted), people.rows.counts
    severity = fair_average(fitted, fitted.fit.severity)
    given = ~np.isnan(people.rows.scores)[:, fitted.raters]
    ratings = (counts @ given).astype(np.float64)
    made = []
    for weight in weights.values():
        some = weight[:, fitted.raters] * weight.any(axis=1, keepdims=True)
        n = counts @ weight.any(axis=1)
        if not n:
            made += [np.nan, np.nan]
            continue
        gold = GoldWeights(counts @ some / n, (some * counts[:, None]).T @ some / n)
        top = float(ceiling_of_raters(model, severity - severity.mean(), gold))
        made += [top, top * float(one_more_rater(model, ratings))]
    return np.array(made)


def _without_groups(people: People, weights: Mapping[str, Floats], seed: int) -> Floats | None:
    """The ceilings without each group of responses, or of clusters; None where a fit fails."""
    rows, rng = people.rows, np.random.default_rng([seed, GROUPS])
    row = np.repeat(np.arange(rows.counts.size), rows.counts)
    unit = np.arange(row.size) if rows.clusters is None else rows.clusters[row]
    places = np.unique(unit, return_inverse=True)[1]
    groups = rng.permutation(places.max() + 1) % GROUPS
    made = []
    for group in range(min(GROUPS, int(places.max()) + 1)):
        kept = np.bincount(row[groups[places] != group], minlength=rows.counts.size)
        some = kept > 0
        kept_people = people._replace(rows=replace(rows, counts=kept).where(some))
        fitted = _fit(kept_people)
        if isinstance(fitted, str):
            return None
        made.append(_ceilings(fitted, kept_people, {rule: w[some] for rule, w in weights.items()}))
    return np.array(made)


def _with_interval(ceiling: Estimate, again: Floats) -> Estimate:
    """A jackknife over groups on the scale of Fisher's z, carried back."""
    groups = len(again)
    if not (abs(ceiling.value) < 1 and (np.abs(again) < 1).all()):
        return replace(ceiling, why="a ceiling of 1 has no interval")
    se_z = float(np.sqrt((groups - 1) * np.arctanh(again).var()))
    if not se_z > ROUNDING:
        return replace(ceiling, why=NO_SPREAD)
    low, high = student(float(np.arctanh(ceiling.value)), se_z, groups - 1, ceiling.level)
    return replace(
        ceiling, se=se_z * (1 - ceiling.value**2), low=float(np.tanh(low)), high=float(np.tanh(high)),
        method=f"jackknife over {groups} groups, t of Fisher's z", why="",
    )  # fmt: skip


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


def model_table(rungs: Rungs) -> ResultTable:
    """Which model the ceilings rest on, then other models beside it; what each assumes."""
    design, names = rungs.design, rungs.people.names
    alike = np.flatnonzero(design.linked if design.core is None else design.core)
    bent = design.bent is not None
    assumed_here = assumption(design.model, names, [names[i] for i in alike], bent=bent)
    assumed = {design.model: assumed_here, **(MODELS if rungs.units.worth is None else {})}
    return ResultTable(
        name=MODEL,
        title="How the ceilings take raters",
        columns=("model", "raters", "assumption"),
        rows=tuple((model, design.raters, words) for model, words in assumed.items()),
    )
