"""The same scores on coarser and coarser scales."""

from collections.abc import Sequence

import numpy as np

from tallymark.diagnosis.binning import merged
from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import (
    AC_Q,
    BP_Q,
    EXACT,
    KAPPA_Q,
    LINEAR,
    QUADRATIC,
    each,
    ends,
    falls,
    moves,
    ruled,
)
from tallymark.lab.samples import LEVELS, Rng, counted, scored
from tallymark.render.sentences import joined

BINS = (40, 20, 10, 8, 5, 4, 3)


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Tell the same scores on scales of fewer points."""
    gold, system = scored(replicates, rng)
    settings = []
    for bins in BINS:
        place = merged(LEVELS, bins)
        tables = counted(place[gold], place[system], np.arange(float(bins)))
        settings.append(Place(x=bins, tables=tables))
    return (Sweep(name="bins", x_title="points of the scale", settings=tuple(settings)),)


def _order(traces: Traces) -> Ruling:
    kappa, ac, bp = (traces.of(name) for name in (KAPPA_Q, AC_Q, BP_Q))
    held = moves(kappa) > moves(bp) > moves(ac)
    return ruled(held, joined([ends(t) for t in (kappa, bp, ac)], "; "))


EXPERIMENT = LabExperiment(
    name="scale-binning",
    title="The same scores on a coarser scale",
    source="Yannakoudakis & Cummins (2015), scale effects",
    question="Does a coefficient change because the scale has fewer points?",
    how="1,238 responses on 40 levels whose two scores correlate by .78, then told on fewer points of "
    "equal width. Weights are those of the points. The source uses the FCE corpus, whose data "
    "are not redistributed; these scores are synthetic.",
    draw=draw,
    figures=(
        Shown("Quadratic weights", QUADRATIC),
        Shown("Linear weights", LINEAR),
        Shown("Exact agreement and rank correlation", (EXACT, "pearson", "kendall_tau_b")),
    ),
    statements=(
        Statement(
            "On fewer points QWK falls most, and AC less than BP (quadratic weights)", _order
        ),
        Statement(
            "Coefficients with quadratic weights fall on fewer points",
            each(QUADRATIC, falls),
        ),
        Statement(
            "Coefficients with linear weights move less (by at most .05)",
            each(LINEAR, lambda trace: moves(trace) <= 0.05),
            ours=True,
        ),
    ),
)
