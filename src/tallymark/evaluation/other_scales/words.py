"""Words on the scale effect: which decision the scale makes, and what each number is."""

import math
from collections.abc import Mapping, Sequence

from tallymark.results import Estimate, Finding, Table, worded

LIMIT = 0.695
"""The commonly cited limit of .70 for QWK, met by what rounds to it."""
GUARD = 1e-9


def decision(estimate: Estimate) -> str:
    """Whether QWK is accepted at .70, as far as the data settle it."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return "not settled"
    if estimate.low >= LIMIT - GUARD:
        return "accepted"
    return "rejected" if estimate.high < LIMIT - GUARD else "not settled"


def told(estimate: Estimate) -> str:
    """Name the scale or rule of an estimate."""
    if estimate.name == "resolved":
        return f"{estimate.params['rule']} of the ratings"
    return f"{estimate.params['points']} points"


def scale_table(
    binned: Sequence[Estimate], ruled: Sequence[Estimate], short: Mapping[str, str]
) -> Table:
    """One row for each scale and rule: every coefficient, and whether QWK reaches .70."""
    ways: dict[str, list[Estimate]] = {}
    for estimate in [*binned, *ruled]:
        ways.setdefault(told(estimate), []).append(estimate)
    rows = tuple(
        (name, own[0].n, *(_number(e.value) for e in own), _number(own[0].low),
         _number(own[0].high), decision(own[0]))
        for name, own in ways.items()
    )  # fmt: skip
    return Table(
        name="scale_effect",
        title="The same scores on other scales and under other resolution rules",
        columns=("told as", "n", *short.values(), "QWK low", "QWK high", "QWK at .70"),
        rows=rows,
        note="A plain mean of the ratings gives what their sum gives: only the unit differs.",
    )


def scale_decides(system: str, found: Sequence[Estimate]) -> tuple[Finding, ...]:
    """Say where the choice of scale or rule turns the decision at QWK .70 around.

    Binnings count down to half of the points, and to three: pass or fail is another question.
    """
    known = [e for e in found if not math.isnan(e.value)]
    most = max((int(e.params["points"]) for e in known if e.name == "binned"), default=0)
    rules = [e for e in known if e.name == "resolved"]
    binned = [
        e for e in known if e.name == "binned" and int(e.params["points"]) >= max(3, most / 2)
    ]
    told = [_turned(system, rules), _turned(system, binned)]
    return tuple(diagnosis for diagnosis in told if diagnosis)


def _turned(system: str, found: Sequence[Estimate]) -> Finding | None:
    """The decision turned around among estimates of the same responses, if it is."""
    for loud in (True, False):
        passes = [e for e in found if _side(e, loud=loud) == "accepted"]
        fails = [e for e in found if _side(e, loud=loud) == "rejected"]
        if passes and fails:
            best = max(passes, key=lambda e: e.value)
            return _decides(system, best, min(fails, key=lambda e: e.value), loud=loud)
    return None


def _side(estimate: Estimate, *, loud: bool) -> str:
    """The decision that data settle or, less loudly, that of the point alone."""
    if loud:
        return decision(estimate)
    return "accepted" if estimate.value >= LIMIT - GUARD else "rejected"


def _decides(system: str, best: Estimate, worst: Estimate, *, loud: bool) -> Finding:
    settled = "" if loud else " These data settle neither: both intervals hold .70."
    if not loud and decision(best) != decision(worst):
        settled = " These data settle only one of the two."
    return worded(
        name="resolution_decides" if best.name == "resolved" else "scale_decides",
        system=system,
        words=f"QWK at .70: accepted {_as(best)} ({_short(best.value)}), rejected "
        f"{_as(worst)} ({_short(worst.value)}): the people and the system are the same.{settled}",
        advice="Fix the scale and the resolution rule before the numbers are seen and tell both "
        "with QWK; AC2 and Brennan-Prediger change less with the scale.",
        numbers={"accepted": best.value, "rejected": worst.value},
        loud=loud,
    )


def _as(estimate: Estimate) -> str:
    return f"as the {told(estimate)}" if estimate.name == "resolved" else f"on {told(estimate)}"


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
