"""Agreement moves to one score: prevalence grows, nothing else does."""

from collections.abc import Sequence

import numpy as np

from tallymark.agreement.paradox import prevalence_doewes
from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import (
    AC_Q,
    BP_Q,
    EXACT,
    KAPPA,
    KAPPA_L,
    KAPPA_Q,
    constant,
    each,
    falls,
    rises,
    ruled,
)
from tallymark.lab.samples import REBUILT, TABLE_1, TABLE_6, TABLE_7, Rng, between, with_diagonal
from tallymark.render.sentences import Sentence

STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
PRINTED = ((TABLE_1, 0.1192, 0.7653), (TABLE_7, 0.2942, 0.5993))
"""Diagonal, prevalence and QWK of the tables at both ends."""


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """From table 1 to table 6, and on to table 7."""
    diagonals = [between(TABLE_1, TABLE_6, step) for step in STEPS]
    diagonals += [between(TABLE_6, TABLE_7, step) for step in (0.5, 1.0)]
    tables = [with_diagonal(diagonal, replicates) for diagonal in diagonals]
    places = [Place(x=float(prevalence_doewes(table)[0]), tables=table) for table in tables]
    return (
        Sweep(
            name="prevalence",
            x_title="prevalence",
            settings=tuple(sorted(places, key=lambda p: p.x)),
        ),
    )


def _printed(traces: Traces) -> Ruling:
    trace = traces.of(KAPPA_Q)
    ends = [(float(trace.x[i]), float(trace.mean[i])) for i in (0, -1)]
    held = all(
        abs(x - prevalence) < 5e-5 and abs(y - qwk) < 5e-5
        for (x, y), (_, prevalence, qwk) in zip(ends, PRINTED, strict=True)
    )
    words = Sentence(
        "prevalence {x0:share} with QWK {y0:share}, {x1:share} with {y1:share}",
        x0=ends[0][0],
        y0=ends[0][1],
        x1=ends[1][0],
        y1=ends[1][1],
    )
    return ruled(held, words)


def _ac_and_bp(traces: Traces) -> Ruling:
    up, same = traces.of(AC_Q), traces.of(BP_Q)
    held = rises(up) and constant(same)
    words = Sentence(
        "AC quadratic {a:share} to {b:share}; BP quadratic {c:share} throughout",
        a=float(up.mean[0]),
        b=float(up.mean[-1]),
        c=float(np.mean(same.mean)),
    )
    return ruled(held, words)


EXPERIMENT = LabExperiment(
    name="prevalence-series",
    title="Agreement moves to one score",
    source="Doewes, Kurdhi & Saxena (2023), Figure 4",
    question="What does the prevalence of one score do to coefficients at the same accuracy?",
    how=f"1,770 responses on 0 to 3 with the same disagreements and always 66.0 % exact agreement; the "
    f"agreements move from all scores to score 1, step by step. {REBUILT}",
    draw=draw,
    figures=(
        Shown("Quadratic weights", (KAPPA_Q, AC_Q, BP_Q)),
        Shown("Kappa by its weights", (KAPPA_Q, KAPPA_L, KAPPA)),
        Shown("What stays", (EXACT, "mae")),
    ),
    statements=(
        Statement("QWK falls as one score prevails", each((KAPPA_Q, KAPPA_L, KAPPA), falls)),
        Statement("Accuracy does not move", each((EXACT,), constant)),
        Statement("AC rises, BP stays", _ac_and_bp, ours=True),
        Statement("Tables 1 and 7 have prevalence .1192 and .2942, QWK .7653 and .5993", _printed),
    ),
    replicates=1,
    y_title="coefficient",
)
