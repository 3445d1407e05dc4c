"""Pass or fail at every cut: what prevalence and margins do to agreement on decisions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.diagnosis.sweep import TWO, always_majority, prevalence, similarity
from tallymark.lab.experiment import (
    LabExperiment,
    Place,
    Ruling,
    Shown,
    Statement,
    Sweep,
    Trace,
    Traces,
)
from tallymark.lab.rulings import AC, BP, EXACT, KAPPA, UNWEIGHTED, for_some, label, ruled
from tallymark.lab.samples import LEVELS, Rng, scored
from tallymark.render.sentences import Sentence, joined
from tallymark.tally import PairCounts

CUTS = range(8, LEVELS - 6, 2)
LIFT, SHRINK = 1.5, 0.8
LIFTS, MIDDLE = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0), LEVELS // 2
SIMILAR, MAJORITY, LENIENT = "similarity", "majority", "lenient"
LIKENESS = "1 - |gold share - system share|"


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Decisions at every cut, by the share that passes and by how alike the two shares are."""
    gold, system = scored(replicates, rng, lift=LIFT, shrink=SHRINK)
    tables = [decided(gold >= cut, system >= cut) for cut in CUTS]
    by_share = [(float(prevalence(pairs).mean()), pairs) for pairs in tables]
    by_likeness = [(float(similarity(pairs).mean()), pairs) for pairs in tables]
    lenient = [scored(replicates, rng, lift=lift, shrink=SHRINK) for lift in LIFTS]
    by_lift = [decided(first >= MIDDLE, second >= MIDDLE) for first, second in lenient]
    majority = [(x, always_majority(pairs)) for x, pairs in by_share]
    overall = "share passing, mean of gold and system"
    return (
        sweep_of("prevalence", "by prevalence", overall, by_share),
        sweep_of(SIMILAR, "by similarity", LIKENESS, by_likeness),
        sweep_of(
            LENIENT,
            "a lenient system",
            LIKENESS,
            [(float(similarity(pairs).mean()), pairs) for pairs in by_lift],
        ),
        sweep_of(MAJORITY, "always the majority's decision", overall, majority),
    )


def sweep_of(name: str, title: str, axis: str, placed: Sequence[tuple[float, PairCounts]]) -> Sweep:
    """A sweep of decisions, in the order of its axis."""
    settings = [Place(x=x, tables=pairs) for x, pairs in sorted(placed, key=lambda pair: pair[0])]
    return Sweep(name=name, title=title, x_title=axis, settings=tuple(settings))


def decided(gold: NDArray[np.bool_], system: NDArray[np.bool_]) -> PairCounts:
    """Count pass and fail of gold and system, ``[replicate, response]``."""
    cells = [(gold == i) & (system == j) for i in (False, True) for j in (False, True)]
    counts = np.stack([cell.sum(axis=1) for cell in cells], axis=-1)
    return PairCounts(counts.reshape(-1, 2, 2), TWO)


def distance(trace: Trace, agreement: Trace) -> float:
    """Mean distance of a coefficient from percent agreement, where it is defined."""
    return float(np.nanmean(np.abs(trace.values - agreement.values)))


def closest(traces: Traces) -> Ruling:
    """Decide which coefficient stays closest to percent agreement."""
    far = {name: distance(traces.of(name), traces.of(EXACT)) for name in UNWEIGHTED}
    held = far[AC] < far[BP] < far[KAPPA]
    said = [
        Sentence("{name} {far:share} away on average", name=label(n), far=far[n])
        for n in UNWEIGHTED
    ]
    return ruled(held, joined(said, "; "))


def kappa_goes(traces: Traces) -> Ruling:
    """Decide whether kappa falls at both ends."""
    trace = traces.of(KAPPA)
    middle = int(np.abs(trace.x - 0.5).argmin())
    numbers = {"low": trace.mean[0], "mid": trace.mean[middle], "high": trace.mean[-1]}
    held = numbers["mid"] > max(numbers["low"], numbers["high"]) + 0.1
    words = Sentence(
        "kappa {low:share} at a share of {x0:goal}, {mid:share} at {x1:goal}, {high:share} at {x2:goal}",
        x0=float(trace.x[0]),
        x1=float(trace.x[middle]),
        x2=float(trace.x[-1]),
        **{key: float(value) for key, value in numbers.items()},
    )
    return ruled(held, words)


def penalised(traces: Traces) -> Ruling:
    """Decide what the scorer that reads nothing is worth."""
    means = {name: float(np.nanmax(traces.of(name, MAJORITY).mean)) for name in UNWEIGHTED}
    held = {label(name): value <= 0.05 for name, value in means.items()}
    said = [
        Sentence("{name} up to {value:share}", name=label(n), value=v) for n, v in means.items()
    ]
    return for_some(held, said)


EXPERIMENT = LabExperiment(
    name="pass-fail-sweep",
    title="Pass or fail at every cut",
    source="Yannakoudakis & Cummins (2015), the pass/fail figures",
    question="Does a coefficient stay close to the agreement that it corrects, wherever the cut is?",
    how="1,238 responses on 40 levels whose scores correlate by .78; the system is 1.5 levels lenient "
    "and spreads its scores less. A score that reaches the cut passes. The source gives no formula "
    "for its axes: here the mean of both passing shares, and 1 less their difference. At the middle cut the system is also made "
    "lenient by 0 to 10 levels. The scorer that decides as most of the gold does reads nothing.",
    draw=draw,
    figures=(
        Shown("By prevalence", (*UNWEIGHTED, EXACT)),
        Shown(
            "By similarity of the margins", tuple((SIMILAR, name) for name in (*UNWEIGHTED, EXACT))
        ),
        Shown(
            "By similarity, at the middle cut: a system more and more lenient",
            tuple((LENIENT, name) for name in (*UNWEIGHTED, EXACT)),
        ),
        Shown(
            "A scorer that always decides as the majority",
            tuple((MAJORITY, n) for n in (*UNWEIGHTED, EXACT)),
        ),
    ),
    statements=(
        Statement("Kappa falls as nearly all pass or nearly all fail", kappa_goes),
        Statement("AC stays closest to percent agreement, then BP, then kappa", closest),
        Statement("The scorer that always gives the most common decision gains nothing", penalised),
    ),
)
