"""Ceilings by variance components, the reliability of each rater, and what each model assumes."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.ceilings.labels import simple
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.questions.ceilings.say import COMPONENTS_ASSUME, assumption
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.ceiling import (
    GoldWeights,
    ceiling_of_components,
    further_rater_of_components,
)
from tallymark.reliability.generalizability import Components
from tallymark.reliability.gold_rule import gold_weights
from tallymark.results import Estimate, ResultTable
from tallymark.study.measured import stream_of
from tallymark.study.units import Rows, summed

Floats = NDArray[np.float64]
COMPONENTS = "components"
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
    formulas = [
        Formula(
            name=name,
            params={"gold": rule, "raters": COMPONENTS},
            value=partial(value, rule=rule),
            undefined=ALIKE,
        )
        for rule in weights
        for name, value in (
            ("ceiling_theoretical", _theoretical),
            ("ceiling_human_like", _human_like),
        )
    ]
    estimates = estimate_all(formulas, _units(rows, weights), settings, key=stream_of(label))
    return [replace(estimate, score="human") for estimate in estimates]


def _theoretical(tally: ComponentsAndGolds, *, rule: str) -> Floats:
    return ceiling_of_components(tally.components, tally.golds[rule])


def _human_like(tally: ComponentsAndGolds, *, rule: str) -> Floats:
    return np.asarray(
        _theoretical(tally, rule=rule) * further_rater_of_components(tally.components)
    )


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


def model_table(rungs: Rungs) -> ResultTable:
    """The model that the ceilings rest on, then that of variance components; what each assumes."""
    design, names = rungs.design, rungs.people.names
    alike = np.flatnonzero(design.linked if design.core is None else design.core)
    bent = design.bent is not None
    assumed_here = assumption(design.model, names, [names[i] for i in alike], bent=bent)
    assumed = {
        design.model: assumed_here,
        **({COMPONENTS: COMPONENTS_ASSUME} if rungs.units.worth is None else {}),
    }
    return ResultTable(
        name=MODEL,
        title="How the ceilings take raters",
        columns=("model", "raters", "assumption"),
        rows=tuple((model, design.raters, words) for model, words in assumed.items()),
    )
