"""The margins of gold and system drift apart, and the errors stay as they are."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import (
    AC,
    AC_L,
    AC_Q,
    BP,
    BP_L,
    EXACT,
    KAPPA,
    KAPPA_L,
    KAPPA_Q,
    LINEAR,
    MAE,
    QUADRATIC,
    UNWEIGHTED,
    constant,
    each,
    label,
    moves,
    rises,
    span,
    state_of,
)
from tallymark.lab.samples import Rng, counted, normal_points, replaced
from tallymark.render.sentences import Sentence, joined
from tallymark.tally import PairCounts

N, K = 5000, 10
MEANS = (0.0, 1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0)
APART = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
SET = "set"
TWO = np.array([0.0, 1.0])


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Wrong scores from elsewhere until the errors sum to n; tables with set margins."""
    size = (replicates, N)
    wrong = []
    for mean in MEANS:
        gold = normal_points(K, 1.0, size, rng)
        system = replaced(gold, normal_points(K, 1.0, size, rng, mean), N)
        wrong.append(Place(x=mean, tables=counted(gold, system, np.arange(float(K)))))
    return (
        Sweep(name="wrong", x_title="mean of the wrong scores", settings=tuple(wrong)),
        Sweep(
            name=SET,
            title="set margins",
            x_title="gold share passing - system share",
            settings=tuple(Place(x=by, tables=with_margins(by, replicates)) for by in APART),
        ),
    )


def with_margins(apart: float, replicates: int) -> PairCounts:
    """Pass or fail with 40 % agreement and a mean passing share of .5; shares so far apart."""
    table = np.array([[200, 300 - 500 * apart], [300 + 500 * apart, 200]])
    return PairCounts(np.rint(np.stack([table] * replicates)).astype(np.int64), TWO)


def _lowest_where_alike(traces: Traces) -> Ruling:
    held, said = [], []
    for name in (KAPPA_Q, KAPPA_L):
        trace = traces.of(name)
        at = float(trace.x[trace.mean.argmin()])
        held.append(abs(at - (K - 1) / 2) <= 0.5)
        said.append(
            Sentence(
                "{label} lowest at {at:g} ({value:share})",
                label=label(name),
                at=at,
                value=float(trace.mean.min()),
            )
        )
    return Ruling(state_of(held), joined(said, "; "))


def _less(traces: Traces) -> Ruling:
    pairs = [(traces.of(ac), traces.of(kappa)) for ac, kappa in ((AC_Q, KAPPA_Q), (AC_L, KAPPA_L))]
    held = [moves(ac) < moves(kappa) for ac, kappa in pairs]
    return Ruling(state_of(held), joined([span(trace) for pair in pairs for trace in pair], "; "))


EXPERIMENT = LabExperiment(
    name="marginal-homogeneity",
    title="Margins drift apart, the errors stay",
    source="Yannakoudakis & Cummins (2015), Figure 2",
    question="Does a coefficient move because gold and system use the scale differently, although the "
    "errors are the same?",
    how="5,000 responses on 0 to 9, gold normal about 4.5 with SD 1. System: response after response "
    "gets a wrong score from a normal distribution with SD 1 and the mean on the axis, until the "
    "errors sum to 5,000 points (MAE 1); the margins match where that mean is 4.5. Set margins: pass "
    "or fail of 1,000 responses, always 40 % agreement and a mean passing share of .5, while the "
    "shares of gold and system move apart, so that margins alone change (the source's Table 2 is "
    "the end of that line).",
    draw=draw,
    figures=(
        Shown("Quadratic weights", QUADRATIC),
        Shown("Linear weights", LINEAR),
        Shown("Set margins, 40 % agreement", tuple((SET, name) for name in UNWEIGHTED)),
        Shown("What stays, and what does not", (EXACT, MAE)),
    ),
    statements=(
        Statement("BP with linear weights does not move", each((BP_L,), constant)),
        Statement("Kappa is lowest where the margins match", _lowest_where_alike),
        Statement(
            "With set margins and set agreement, kappa rises as margins differ",
            each((KAPPA,), rises, sweep=SET),
        ),
        Statement(
            "AC and BP do not move with set agreement and mean share",
            each((AC, BP), constant, sweep=SET),
            ours=True,
        ),
        Statement("AC moves less than kappa as margins drift apart", _less, ours=True),
    ),
    replicates=30,
)
