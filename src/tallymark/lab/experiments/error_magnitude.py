"""Fewer and larger errors, with the same sum."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import (
    BP_L,
    BP_Q,
    EXACT,
    LINEAR,
    MAE,
    QUADRATIC,
    constant,
    each,
    falls,
    rises,
    ruled,
)
from tallymark.lab.samples import Rng, counted, moved, normal_points
from tallymark.render.sentences import Sentence

N, K, ERROR = 6000, 10, 0.5
SIZES = (1, 2, 3, 4, 5)


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Errors of one size, as many as give the mean error."""
    settings = []
    for by in SIZES:
        gold = normal_points(K, 1.0, (replicates, N), rng)
        system = moved(gold, ERROR / by, by, K, rng)
        settings.append(Place(x=by, tables=counted(gold, system, np.arange(float(K)))))
    return (Sweep(name="size", x_title="size of the errors", settings=tuple(settings)),)


def _straight(traces: Traces) -> Ruling:
    trace = traces.of(BP_Q)
    steps = np.diff(trace.values, axis=0)
    held = bool(np.ptp(steps) < 1e-9)
    words = Sentence("BP quadratic falls by {step:share} a point", step=float(-steps.mean()))
    return ruled(held, words)


EXPERIMENT = LabExperiment(
    name="error-magnitude",
    title="Fewer and larger errors with the same sum",
    source="Yannakoudakis & Cummins (2015), Figure 4",
    question="Is a coefficient lower where errors are larger but fewer?",
    how="6,000 responses on 0 to 9, gold normal with SD 1. Exactly so many scores are moved by the "
    "size on the axis, up or down, that the mean error is half a point. The source states neither "
    "the SD nor the mean error: both are our choice.",
    draw=draw,
    figures=(
        Shown("Quadratic weights", QUADRATIC),
        Shown("Linear weights", LINEAR),
        Shown("Agreement and mean error", (EXACT, MAE)),
    ),
    statements=(
        Statement("Quadratic weights punish large errors: all fall", each(QUADRATIC, falls)),
        Statement("BP with quadratic weights falls in a straight line", _straight, ours=True),
        Statement("Linear-weighted metrics rise slightly", each(LINEAR, rises)),
        Statement("BP with linear weights is constant", each((BP_L,), constant)),
    ),
    replicates=50,
)
