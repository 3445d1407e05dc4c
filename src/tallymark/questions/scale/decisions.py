"""Decisions: whether QWK is accepted on each scale and under each rule, and where that turns."""

import math
from collections.abc import Mapping, Sequence

from tallymark.results import Estimate, Finding, ResultTable

LIMIT = 0.695
"""The commonly cited limit of .70 for QWK, met by what rounds to it."""
GUARD = 1e-9
UNSETTLED = "not settled"


def decision(estimate: Estimate) -> str:
    """Whether QWK is accepted at .70, as far as the data settle it."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return UNSETTLED
    if estimate.low >= LIMIT - GUARD:
        return "accepted"
    return "rejected" if estimate.high < LIMIT - GUARD else UNSETTLED


def way_name(estimate: Estimate) -> str:
    """Name the scale or rule of an estimate."""
    if estimate.name == "resolved":
        return f"{estimate.params['rule']} of the ratings"
    return f"{estimate.params['points']} points"


def scale_table(
    binned: Sequence[Estimate], ruled: Sequence[Estimate], short: Mapping[str, str]
) -> ResultTable:
    """One row for each scale and rule: every coefficient, and whether QWK reaches .70."""
    ways: dict[str, list[Estimate]] = {}
    for estimate in [*binned, *ruled]:
        ways.setdefault(way_name(estimate), []).append(estimate)
    rows = tuple(
        (name, estimates[0].n, *(_number(e.value) for e in estimates), _number(estimates[0].low),
         _number(estimates[0].high), decision(estimates[0]))
        for name, estimates in ways.items()
    )  # fmt: skip
    return ResultTable(
        name="scale_effect",
        title="The same scores on other scales and under other resolution rules",
        columns=("scale or rule", "n", *short.values(), "QWK low", "QWK high", "QWK at .70"),
        rows=rows,
        note="A plain mean of the ratings gives what their sum gives: only the unit differs.",
    )


def scale_decides(system: str, estimates: Sequence[Estimate]) -> tuple[Finding, ...]:
    """Find where the choice of scale or rule turns the decision at QWK .70 around.

    Binnings count down to half of the points, and to three: pass or fail is another question.
    """
    known = [e for e in estimates if not math.isnan(e.value)]
    most = max((int(e.params["points"]) for e in known if e.name == "binned"), default=0)
    rules = [e for e in known if e.name == "resolved"]
    binned = [
        e for e in known if e.name == "binned" and int(e.params["points"]) >= max(3, most / 2)
    ]
    turned = [_turned(system, rules), _turned(system, binned)]
    return tuple(finding for finding in turned if finding)


def _turned(system: str, estimates: Sequence[Estimate]) -> Finding | None:
    """The decision turned around among estimates of the same responses, if it is."""
    for loud in (True, False):
        passes = [e for e in estimates if _side(e, loud=loud) == "accepted"]
        fails = [e for e in estimates if _side(e, loud=loud) == "rejected"]
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
    """The best and the worst, on which scale or by which rule each, and how many are settled."""
    numbers = {"accepted": best.value, "rejected": worst.value}
    texts = {}
    for side, estimate in (("accepted", best), ("rejected", worst)):
        if estimate.name == "resolved":
            texts[side] = str(estimate.params["rule"])
        else:
            numbers[f"{side}_points"] = float(estimate.params["points"])
    numbers["settled"] = float(sum(decision(estimate) != UNSETTLED for estimate in (best, worst)))
    return Finding(
        name="resolution_decides" if best.name == "resolved" else "scale_decides",
        system=system,
        numbers=numbers,
        texts=texts,
        # a scale that nobody uses is worth knowing, and no alarm
        weight="loud" if loud and best.name == "resolved" else "quiet",
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
