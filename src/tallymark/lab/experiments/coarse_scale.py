"""Ceilings on coarse scales: what a scorer that must give whole points can reach."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import KAPPA_Q, ruled
from tallymark.lab.samples import Rng, rated
from tallymark.reliability.quantised import label_ceilings, label_of, latent
from tallymark.render.sentences import Sentence, joined

N = 2000
SCALES = (
    (3, 1.0, 0.6, 0.4),
    (4, 1.5, 0.9, 0.5),
    (6, 2.5, 1.2, 0.7),
    (8, 3.5, 2.0, 0.8),
    (11, 5.0, 10 / 3, 1.0),
)
"""Points, mean, SD of true scores, SD of the raters' errors."""
CORR, THEORY, ROUNDED, BEST = (
    "r of truth and mean",
    "theoretical ceiling",
    "rounded true score, QWK",
    "quantised ceiling",
)


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Scales of more and more points, the gold rounded to them."""
    places = []
    for points, mean, spread, noise in SCALES:
        made = rated((replicates, N), points - 1, spread, noise, rng, mean=mean)
        score, gold = np.rint(made.truth), np.floor(made.mean + 0.5)
        beside = {
            CORR: made.correlation(made.truth, made.mean),
            THEORY: made.ceilings().theoretical,
            ROUNDED: made.agreement(score, gold),
            BEST: np.full(replicates, _best(points, mean, spread, noise)),
        }
        places.append(Place(x=points, tables=made.tables(gold, score), beside=beside))
    return (Sweep(name="points", x_title="points of the scale", settings=tuple(places)),)


@cache
def _best(points: int, mean: float, spread: float, noise: float) -> float:
    """The highest QWK that whole points can reach against the rounded gold, without drawing."""
    at = np.arange(float(points))
    made = latent(at, mean, spread, noise)
    gold = label_of(made, "mean_up", {2: 1.0})
    if gold is None:
        raise ValueError("the mean of two ratings rounded up is a known rule")
    return float(label_ceilings(made, gold, at, times=1).quantised)


def _same(traces: Traces) -> Ruling:
    apart = float(np.abs(traces.of(CORR).mean - traces.of(THEORY).mean).max())
    words = Sentence("at most {apart:share} apart", apart=apart)
    return ruled(apart < 0.01, words)


def _reached(traces: Traces) -> Ruling:
    gaps = traces.of(THEORY).mean - traces.of(BEST).mean
    said = [
        Sentence("{points:g} points: {gap:share} below", points=x, gap=float(gap))
        for x, gap in zip(traces.of(BEST).x.tolist(), gaps, strict=True)
    ]
    return ruled(gaps.max() < 0.02, joined(said, "; "))


EXPERIMENT = LabExperiment(
    name="coarse-scale",
    title="Ceilings on coarse scales",
    source="Uto (2026), the ceiling carried to few points",
    question="Can whole points reach the theoretical ceiling where the gold is rounded too?",
    how="2,000 responses: a normal true score cut off at the ends of the scale, two raters with noise, "
    "rounded; the gold is their mean, rounded half up. The quantised ceiling is the highest QWK of any "
    "monotone map of the true score to the points, worked out without drawing.",
    draw=draw,
    figures=(
        Shown("Ceilings, and what whole points reach", (THEORY, BEST, ROUNDED)),
        Shown("QWK and the correlation with the mean", (KAPPA_Q, CORR)),
    ),
    statements=(
        Statement("The theoretical ceiling is the correlation of true score and mean", _same),
        Statement("Whole points come within .02 of the theoretical ceiling", _reached, ours=True),
    ),
    y_title="coefficient",
    replicates=60,
)
