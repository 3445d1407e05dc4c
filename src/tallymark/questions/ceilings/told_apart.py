"""Raters told apart: how reliable each one is, and what the ceilings take them for."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.questions.ceilings.say import MODELS, assumption
from tallymark.results import ResultTable

Floats = NDArray[np.float64]
MODEL = "ceiling_model"


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
