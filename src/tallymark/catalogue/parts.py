"""Parts: what lies behind a chance-corrected coefficient, and Gwet's standard error."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tallymark.agreement import chance, kappa, percent
from tallymark.arrays import Floats


def chance_parts(
    disagreement: Callable[..., chance.Disagreement],
) -> Callable[..., Mapping[str, float]]:
    """Observed and chance agreement, given a coefficient's two disagreements."""

    def parts(tally: Any, **params: Any) -> Mapping[str, float]:
        observed, expected = disagreement(tally, **params)
        return {"pa": 1 - float(observed), "pe": 1 - float(expected)}

    return parts


def cohen_parts(pairs: Any, **params: Any) -> Mapping[str, float]:
    """The parts of Cohen's kappa, and its standard error if there were none beyond chance."""
    null = float(kappa.se_under_chance(pairs, **params))
    return {**chance_parts(kappa.cohen_disagreement)(pairs, **params), "se_null": null}


def percent_parts(tally: Any) -> Mapping[str, float]:
    """Percent agreement is its own observed agreement; it corrects for no chance."""
    return {"pa": float(percent.percent_agreement(tally)), "pe": 0.0}


def gwet_error(value: Callable[..., Floats]) -> dict[str, Any]:
    """Gwet's standard error: the share of responses rated twice is taken as given.

    The factor is 1, but its derivative takes that of the share out of the statistic's.
    Gwet (2008), doi:10.1348/000711006X126600.
    """

    def linear(tally: Any, **params: Any) -> Floats:
        share = tally.paired / tally.n
        return np.asarray(value(tally, **params) * share / np.real(share))

    return {"value": value, "linear": linear, "analytic": "t", "ddof": 1}
