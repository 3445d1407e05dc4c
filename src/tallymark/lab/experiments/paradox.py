"""Almost all scores are the same: agreement tends to 1, kappa does not."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import AC_Q, BP_Q, EXACT, KAPPA, KAPPA_L, KAPPA_Q, each, ends, ruled
from tallymark.lab.samples import Rng, counted
from tallymark.render.sentences import Sentence

FIRST, SECOND, FILL, LOWEST, POINTS = (5, 7, 7, 9, 8), (8, 6, 9, 6, 8), 9, 5, 5
SIZES = (50, 100, 200, 500, 1000, 2000, 5000)
PRINTED = (0.998, 0.488)
"""Agreement and QWK as the source prints them, for 1,000 responses."""


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """Five pairs as listed, and all others in full agreement."""
    settings = []
    for size in SIZES:
        columns = [np.array([*head, *[FILL] * (size - len(head))]) for head in (FIRST, SECOND)]
        gold, system = (np.stack([column - LOWEST] * replicates) for column in columns)
        tables = counted(gold, system, np.arange(float(LOWEST), LOWEST + POINTS))
        settings.append(Place(x=size, tables=tables))
    return (Sweep(name="size", x_title="responses", settings=tuple(settings)),)


def _at(traces: Traces, name: str, size: int) -> float:
    return float(traces.of(name).mean[SIZES.index(size)])


def _printed_at(size: int, traces: Traces) -> Ruling:
    exact, qwk = (_at(traces, name, size) for name in (EXACT, KAPPA_Q))
    held = abs(exact - PRINTED[0]) < 5e-4 and abs(qwk - PRINTED[1]) < 5e-4
    words = Sentence(
        "{exact:tenths} and QWK {qwk:share} of {n:responses}", exact=exact, qwk=qwk, n=size
    )
    return ruled(held, words)


EXPERIMENT = LabExperiment(
    name="paradox",
    title="Almost all scores are the same",
    source="Doewes, Kurdhi & Saxena (2023), the kappa paradox",
    question="What becomes of coefficients where nearly every response gets the same score?",
    how="Five pairs of scores as the source lists them (5, 7, 7, 9, 8 and 8, 6, 9, 6, 8), and all "
    "other responses scored 9 by both; on 5 to 9.",
    draw=draw,
    figures=(
        Shown("Kappa by its weights", (KAPPA_Q, KAPPA_L, KAPPA)),
        Shown("Agreement, AC and BP", (EXACT, AC_Q, BP_Q)),
    ),
    statements=(
        Statement(
            "1,000 responses have 99.8 % agreement and QWK .488",
            lambda traces: _printed_at(1000, traces),
        ),
        Statement(
            "These numbers belong to 2,000 responses",
            lambda traces: _printed_at(2000, traces),
            ours=True,
        ),
        Statement(
            "QWK stays below .50 although agreement tends to 100 %",
            each((KAPPA_Q,), lambda trace: bool(trace.mean.max() < 0.5), show=ends),
            ours=True,
        ),
    ),
    replicates=1,
)
