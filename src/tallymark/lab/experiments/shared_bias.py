"""Raters who err alike: the ceiling that their agreement suggests is too high."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import KAPPA_Q, each, falls, ruled
from tallymark.lab.samples import Rng, rated
from tallymark.render.sentences import Sentence, joined

N, TOP, SINGLE, RATERS = 2000, 20, 0.75, 2
SHARED = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
QUOTED = {0.0: 0.926, 0.1: 0.909, 0.3: 0.857, 0.5: 0.756}
"""The true ceiling where two raters correlate by .75 and their errors by the key."""
OBSERVED, TRUE, FORMULA = "ceiling by ratings", "true ceiling", "formula"


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Two raters who always correlate by .75, and share more and more of their errors."""
    places = []
    for shared in SHARED:
        error = (1 - SINGLE) / (1 - shared)
        spread = 3.0 * np.sqrt(1 - error)
        made = rated(
            (replicates, N),
            TOP,
            spread,
            3.0 * float(np.sqrt(error)),
            rng,
            shared=shared,
            whole=False,
        )
        points = [np.rint(scores).clip(0, TOP) for scores in (made.truth, made.mean)]
        beside = {
            OBSERVED: made.ceilings().theoretical,
            TRUE: made.correlation(made.truth, made.mean),
            FORMULA: np.full(replicates, _ceiling(shared)),
        }
        places.append(Place(x=shared, tables=made.tables(*points), beside=beside))
    return (Sweep(name="shared", x_title="correlation of errors", settings=tuple(places)),)


def _ceiling(shared: float) -> float:
    error = (1 - SINGLE) / (1 - shared)
    return float(np.sqrt((1 - error) / (1 - error + error * (1 + (RATERS - 1) * shared) / RATERS)))


def _too_high(traces: Traces) -> Ruling:
    gaps = traces.of(OBSERVED).mean - traces.of(TRUE).mean
    said = [
        Sentence("{gap:share} too high at {shared:g}", gap=float(gap), shared=x)
        for x, gap in zip(SHARED[1:], gaps[1:], strict=True)
    ]
    held = bool((gaps[1:] > 0.005).all())
    return ruled(held, joined(said, "; "))


def _formula(traces: Traces) -> Ruling:
    apart = float(np.abs(traces.of(FORMULA).mean - traces.of(TRUE).mean).max())
    quoted = max(abs(_ceiling(e) - value) for e, value in QUOTED.items())
    words = Sentence(
        "simulation at most {apart:share} from the formula, which gives .926, .909, .857, .756 at 0, "
        ".1, .3, .5",
        apart=apart,
    )
    return ruled(apart < 0.005 and quoted < 6e-4, words)


EXPERIMENT = LabExperiment(
    name="shared-bias",
    title="Raters who err alike",
    source="Uto (2026), errors assumed independent",
    question="What if the errors of two raters are correlated?",
    how="2,000 responses: normal true scores and two raters whose ratings always correlate by .75; the "
    "share of their errors that both have grows. Ceilings are of unrounded ratings; tables hold the "
    "true score and the mean rating, rounded to 0 to 20.",
    draw=draw,
    figures=(
        Shown("Ceilings", (OBSERVED, TRUE, FORMULA)),
        Shown("QWK of the true score", (KAPPA_Q,)),
    ),
    statements=(
        Statement(
            "Independent errors are assumed; with shared errors the ceiling is too high",
            _too_high,
            ours=True,
        ),
        Statement("The true ceiling follows the formula for shared errors", _formula, ours=True),
        Statement(
            "The agreement of the true score with the gold falls",
            each((KAPPA_Q, TRUE), falls),
            ours=True,
        ),
    ),
    y_title="coefficient",
    replicates=60,
)
