"""The same agreements at other scores: QWK depends on where they lie."""

from collections.abc import Sequence

import numpy as np

from tallymark.agreement.kappa import cohen_kappa
from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import AC_Q, BP_Q, EXACT, KAPPA_Q, constant, each, ruled, state_of
from tallymark.lab.samples import REBUILT, TABLE_6, TABLE_7, Rng, between, with_diagonal
from tallymark.render.sentences import Sentence, joined
from tallymark.tally import PairCounts

STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
SIX, SEVEN, TWO_BY_TWO = "table 6", "table 7", "pass or fail"
PRINTED = {SIX: (0.6646, 0.8530), SEVEN: (0.5993, 0.8548)}
TWO = np.array([0.0, 1.0])


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """Exchange the agreements at 1 and 3; move agreements of pass or fail to one side."""

    def sweep(name: str, start: tuple[int, ...]) -> Sweep:
        swapped = (start[0], start[3], start[2], start[1])
        places = [
            Place(x=step, tables=with_diagonal(between(start, swapped, step), replicates))
            for step in STEPS
        ]
        return Sweep(
            name=name, title=name, x_title="share of agreements exchanged", settings=tuple(places)
        )

    two = [
        Place(
            x=moved,
            tables=PairCounts(np.stack([[[90 + moved, 10], [10, 90 - moved]]] * replicates), TWO),
        )
        for moved in (0, 20, 40, 60, 80)
    ]
    aside = Sweep(
        name=TWO_BY_TWO,
        title=TWO_BY_TWO,
        x_title="agreements moved to one side",
        settings=tuple(two),
    )
    return sweep(SIX, TABLE_6), sweep(SEVEN, TABLE_7), aside


def _swapped(traces: Traces) -> Ruling:
    held, said = [], []
    for name, printed in PRINTED.items():
        ends = [float(traces.of(KAPPA_Q, name).mean[i]) for i in (0, -1)]
        held += [abs(a - b) < 5e-5 for a, b in zip(ends, printed, strict=True)]
        said.append(
            Sentence("{name}: {a:share} before, {b:share} after", name=name, a=ends[0], b=ends[1])
        )
    return Ruling(state_of(held), joined(said, "; "))


def _figure_2(traces: Traces) -> Ruling:
    ends = [float(traces.of(KAPPA_Q, TWO_BY_TWO).mean[i]) for i in (0, -1)]
    held = abs(ends[0] - 0.8) < 5e-4 and abs(ends[1] - 0.444) < 5e-4
    words = Sentence("{a:share} and {b:share} at 90 % agreement", a=ends[0], b=ends[1])
    return ruled(held, words)


def _table_2(traces: Traces) -> Ruling:  # noqa: ARG001 - three responses, no curve
    values = [_three(3), _three(4)]
    words = Sentence(
        "{a:share} on three points, {b:share} on four: .78 is cut off, not rounded",
        a=values[0],
        b=values[1],
    )
    held = [abs(values[0] - 0.5) < 5e-3, abs(values[1] - 0.78) < 5e-3]
    return Ruling(state_of(held), words, "" if all(held) else "for the first of two only")


def _three(last: int) -> float:
    """QWK of 1, 2 and the last point against 2, 1 and the last."""
    table = np.zeros((last, last))
    table[0, 1] = table[1, 0] = table[last - 1, last - 1] = 1
    return float(cohen_kappa(PairCounts(table, np.arange(1.0, last + 1)), weights="quadratic"))


EXPERIMENT = LabExperiment(
    name="diagonal-swap",
    title="The same agreements at other scores",
    source="Doewes, Kurdhi & Saxena (2023), Figures 2, 3 and 5, Tables 2 and 3",
    question="Does QWK move although not one response is scored better or worse?",
    how=f"1,770 responses on 0 to 3: agreements at scores 1 and 3 are exchanged, bit by bit; all "
    f"disagreements stay. Pass or fail: 200 responses, 90 % agreement, moved to one side. {REBUILT}",
    draw=draw,
    figures=(
        Shown("QWK as agreements change places", ((SIX, KAPPA_Q), (SEVEN, KAPPA_Q))),
        Shown("Table 7, quadratic weights", ((SEVEN, KAPPA_Q), (SEVEN, AC_Q), (SEVEN, BP_Q))),
        Shown("Pass or fail", ((TWO_BY_TWO, KAPPA_Q), (TWO_BY_TWO, AC_Q), (TWO_BY_TWO, BP_Q))),
        Shown("What stays", ((SIX, EXACT), (SEVEN, EXACT))),
    ),
    statements=(
        Statement(
            "Exchanging agreements moves QWK from .6646 to .8530 and from .5993 to .8548", _swapped
        ),
        Statement("Accuracy stays", each((EXACT,), constant, sweep=SEVEN)),
        Statement(
            "BP does not depend on where agreements lie",
            each((BP_Q,), constant, sweep=SEVEN),
            ours=True,
        ),
        Statement("Kappa is .80 and .444 at the same 90 % agreement (Figure 2)", _figure_2),
        Statement(
            "The same disagreement gives .50 on three points and .78 on four (Table 2)", _table_2
        ),
    ),
    replicates=1,
    y_title="coefficient",
)
