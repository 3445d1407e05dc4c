"""Raters told apart: how reliable each one is, and what the ceilings take them for."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula
from tallymark.questions.ceilings.by_model import WORDS as ASSUMED
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.reliability.congeneric import LINK, MOST_RATERS
from tallymark.results import Table

Floats = NDArray[np.float64]
MODEL = "ceiling_model"
INDEPENDENT = "errors of raters are independent of each other"


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
    found = {
        "error_variance": float(raters.error[rater]),
        "slope": float(raters.loading[rater] / np.mean(raters.loading[ladder.design.linked])),
        "ratings": float(raters.ratings[rater]),
    }
    return {name: value for name, value in found.items() if np.isfinite(value)}


def model_table(rungs: Rungs) -> Table:
    """Which model the ceilings rest on, then other models beside it; what each assumes."""
    beside = ASSUMED if rungs.units.worth is None else {}
    assumed = {rungs.design.model: assumption(rungs), **beside}
    return Table(
        name=MODEL,
        title="How the ceilings take raters",
        columns=("model", "raters", "assumption"),
        rows=tuple((model, rungs.design.raters, words) for model, words in assumed.items()),
    )


def assumption(rungs: Rungs) -> str:
    """Say what is assumed of the raters."""
    number = len(rungs.people.names)
    if rungs.design.model == "grubbs":
        equal = rungs.design.linked if rungs.design.core is None else rungs.design.core
        names = [rungs.people.names[i] for i in np.flatnonzero(equal)]
        who = " and ".join(names) if len(names) == 2 else f"the {len(names)} raters"
        ends = "" if rungs.design.bent is None else ", but for what the ends of the scale do"
        return (
            f"{who} each have an error variance of their own and follow true scores with the same "
            f"slope{ends}; {INDEPENDENT}"
        )
    if rungs.design.model == "congeneric":
        return (
            f"each of {number} raters has an error variance and a slope on true scores of its own; "
            f"{INDEPENDENT}"
        )
    why = f"they are more than {MOST_RATERS}"
    if number <= MOST_RATERS:
        why = f"too many of them share fewer than {LINK} responses with any other"
    return (
        f"raters are drawn anew for each response from a pool and all have the same error variance, "
        f"since {why}; {INDEPENDENT}"
    )
