"""Rulings: how a statement about curves is decided, with the numbers that decide it."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, called
from tallymark.lab.experiment import Holds, Ruling, Trace, Traces
from tallymark.render.sentences import Sentence, Words, joined
from tallymark.results import split_key

KAPPA_L, AC_L, BP_L = "cohen_kappa[linear]", "gwet_ac[linear]", "brennan_prediger[linear]"
KAPPA_Q, AC_Q, BP_Q = "cohen_kappa[quadratic]", "gwet_ac[quadratic]", "brennan_prediger[quadratic]"
KAPPA, AC, BP = "cohen_kappa[identity]", "gwet_ac[identity]", "brennan_prediger[identity]"
EXACT = "percent_agreement"
MAE = "mae"
LINEAR = (KAPPA_L, AC_L, BP_L)
QUADRATIC = (KAPPA_Q, AC_Q, BP_Q)
UNWEIGHTED = (KAPPA, AC, BP)
LABELS = {
    KAPPA_L: "kappa linear",
    AC_L: "AC linear",
    BP_L: "BP linear",
    KAPPA_Q: "QWK",
    AC_Q: "AC quadratic",
    BP_Q: "BP quadratic",
    KAPPA: "kappa",
    AC: "AC",
    BP: "BP",
    EXACT: "percent agreement",
}
"""What they are called beside each other."""


EXACTLY = 1e-9
CLEARLY = 0.01
"""A mean that moves less than this does not move, whatever its Monte Carlo error."""
SURE = 3.0
"""A mean moves where it moves by so many Monte Carlo errors."""


def state_of(holds: Sequence[bool]) -> Holds:
    """Whether all, some or none hold."""
    if all(holds):
        return "holds"
    return "holds in part" if any(holds) else "does not hold"


def ruled(holds: object, *evidence: Words, scope: str = "") -> Ruling:
    """A statement that holds or does not, and the numbers that say so."""
    return Ruling("holds" if holds else "does not hold", joined(evidence, "; "), scope)


def in_part(holds: Sequence[bool], *evidence: Words, scope: str = "") -> Ruling:
    """A statement of several clauses, which may hold in part."""
    return Ruling(state_of(holds), joined(evidence, "; "), scope)


def each(
    names: Sequence[str],
    test: Callable[[Trace], bool],
    *,
    sweep: str = "",
    show: Callable[[Trace], Words] | None = None,
) -> Callable[[Traces], Ruling]:
    """A statement about several numbers: it may hold for some of them only."""

    def check(traces: Traces) -> Ruling:
        curves = [traces.of(name, sweep) for name in names]
        ruling = for_some((label(x.name), test(x), (show or ends)(x)) for x in curves)
        exact = ruling.state == "holds" and test is constant
        return replace(ruling, scope="exactly") if exact else ruling

    return check


def for_some(clauses: Iterable[tuple[str, bool, Words]]) -> Ruling:
    """A ruling on several subjects (name, holds, evidence), which names those it holds for."""
    names, holds, evidence = zip(*clauses, strict=True)
    subjects = " and ".join(name for name, holding in zip(names, holds, strict=True) if holding)
    partly = any(holds) and not all(holds)
    return in_part(holds, *evidence, scope=f"for {subjects} only" if partly else "")


def label(name: str) -> str:
    """What a number is called: a user's function by its own name."""
    if name in LABELS:
        return LABELS[name]
    if split_key(name)[0] in BY_NAME:
        return called(name)
    return name.rpartition(":")[2].rpartition(".")[2]


def ends(trace: Trace) -> Words:
    """A number at both ends of its axis."""
    first, last = trace.mean[0], trace.mean[-1]
    return Sentence(
        "{label} {first:share} at {x0:g}, {last:share} at {x1:g}",
        label=label(trace.name),
        first=float(first),
        last=float(last),
        x0=round(float(trace.x[0]), 3),
        x1=round(float(trace.x[-1]), 3),
    )


def span(trace: Trace) -> Words:
    """Between what the means of a number lie."""
    return Sentence(
        "{label} {low:share} to {high:share}",
        label=label(trace.name),
        low=float(np.nanmin(trace.mean)),
        high=float(np.nanmax(trace.mean)),
    )


def constant(trace: Trace) -> bool:
    """Whether a number is the same everywhere and in every replicate, to rounding."""
    return bool(np.ptp(trace.values) < EXACTLY)


def rises(trace: Trace) -> bool:
    """Whether a number is clearly higher at the end than at the start."""
    return change(trace) > 0


def falls(trace: Trace) -> bool:
    """Whether a number is clearly lower at the end than at the start."""
    return change(trace) < 0


def change(trace: Trace) -> float:
    """By how much a mean moves from start to end; 0 where that is little or Monte Carlo noise."""
    by = float(trace.mean[-1] - trace.mean[0])
    noise = float(np.hypot(*np.nan_to_num(trace.error[[0, -1]])))
    return by if abs(by) > max(CLEARLY, SURE * noise) else 0.0


def moves(trace: Trace) -> float:
    """How far the means lie apart along the axis."""
    return float(np.nanmax(trace.mean) - np.nanmin(trace.mean))
