"""Shared error: how much lower the ceiling is if raters err in the same direction."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.reliability.ceiling import single_rating, theoretical, without_shared_error
from tallymark.results import Curve, Estimate

Floats = NDArray[np.float64]
SHARED = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Correlations of rater errors for which the theoretical ceiling is reported where possible."""
BAND = 41
"""Points of the curve of shared error."""


def shared_error(rungs: Rungs) -> Iterator[Formula]:
    """The theoretical ceiling if raters err together, as far as their agreement allows."""
    ladder = rungs.units.tally
    most = float(single_rating(ladder.reliability("mean"), ladder.variances.ratings))
    for shared in SHARED:
        if shared < most:
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
        known = np.full(BAND, reliability)
        return tuple(np.where(np.isnan(ceiling) & ~np.isnan(known), 0.0, ceiling).tolist())

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
