"""One score dominates more and more, and the errors stay as they are."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Shown, Statement, Sweep, Trace
from tallymark.lab.rulings import (
    AC_L,
    AC_Q,
    BP_L,
    BP_Q,
    EXACT,
    KAPPA_L,
    KAPPA_Q,
    LINEAR,
    MAE,
    QUADRATIC,
    constant,
    each,
    falls,
    moves,
    rises,
    span,
)
from tallymark.lab.samples import Rng, Whole, counted, moved, normal_points

N, K, SHARE, BY = 5000, 5, 0.25, 2
SPREADS = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0)
CLIPPED = "clipped"


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Gold scores of growing spread, of which a quarter is moved by two points."""

    def setting(sd: float, gold: Whole) -> Place:
        system = moved(gold, SHARE, BY, K, rng)
        return Place(x=sd, tables=counted(gold, system, np.arange(float(K))))

    size = (replicates, N)
    redrawn = [setting(sd, normal_points(K, sd, size, rng)) for sd in SPREADS]
    clipped = [
        setting(sd, np.rint(rng.normal(2, sd, size)).clip(0, K - 1).astype(np.int64))
        for sd in SPREADS
    ]
    axis = "SD of the gold"
    return (
        Sweep(name="redrawn", x_title=axis, settings=tuple(redrawn)),
        Sweep(name=CLIPPED, title="clipped", x_title=axis, settings=tuple(clipped)),
    )


def _little(trace: Trace) -> bool:
    return moves(trace) < 0.02


EXPERIMENT = LabExperiment(
    name="trait-prevalence",
    title="One score dominates, the errors stay",
    source="Yannakoudakis & Cummins (2015), Figure 1",
    question="Does a coefficient move because one score dominates, although the errors are the same?",
    how="5,000 responses on 0 to 4. Gold: a rounded normal score, drawn again where it falls off the "
    "scale. System: exactly a quarter of the gold scores moved by two points, up or down. Always 75 % "
    "exact agreement and a mean error of half a point. The source does not say what becomes of "
    "scores off the scale; `clipped` moves them to its ends instead.",
    draw=draw,
    figures=(
        Shown("Quadratic weights", QUADRATIC),
        Shown("Linear weights", LINEAR),
        Shown(
            "Quadratic weights, scores clipped to the scale", tuple((CLIPPED, q) for q in QUADRATIC)
        ),
        Shown("What stays", (EXACT, MAE)),
    ),
    replicates=50,
    statements=(
        Statement("BP does not move with prevalence", each((BP_Q, BP_L), constant)),
        Statement("Kappa falls as one score comes to dominate", each((KAPPA_Q, KAPPA_L), rises)),
        Statement("AC rises as one score comes to dominate", each((AC_Q, AC_L), falls)),
        Statement(
            "AC is nearly robust to prevalence (moves by less than .02)",
            each((AC_Q, AC_L), _little, show=span),
            ours=True,
        ),
        Statement(
            "Clipping instead of drawing again makes no difference to BP",
            each((BP_Q,), constant, sweep=CLIPPED),
            ours=True,
        ),
    ),
)
