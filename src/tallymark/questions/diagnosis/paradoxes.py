"""Paradoxes: coefficients that contradict each other, found only where the data settle it.

Every limit is held against the end of an interval. Their reasons are in docs/diagnosis.md.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from tallymark.agreement.chance import brennan_prediger, gwet_ac
from tallymark.agreement.kappa import fleiss_kappa
from tallymark.agreement.paradox import bias_index, prevalence_doewes, prevalence_index
from tallymark.diagnosis.homogeneity import bhapkar, margin_gap, stuart_maxwell
from tallymark.diagnosis.trivial import always_most_common, errors_from, largest_share
from tallymark.questions.diagnosis.part import (
    AC,
    ACCEPTED,
    KAPPA,
    QWK,
    Here,
    finding,
    point,
    settled_above,
    settled_below,
    share_ends,
    value_of,
)
from tallymark.results import Finding, Key
from tallymark.tally import PairCounts

HIGH_AGREEMENT = 0.80
GAP = 0.20
"""Points used evenly leave kappa at most so far below an agreement of .80 or more."""
DOMINANT = 0.90
"""Where one score is so common, the others are too rare to settle kappa at all."""
LOW_ORDER = 0.30
LOW_PRMSE = 0.10
HALF = 0.50
SHORT_SCALE = 10
CRITICAL_SHARE = 0.05
EXACT, TAU, R = "percent_agreement", "kendall_tau_b", "pearson"


def paradoxes(here: Here, level: float) -> Iterator[Finding]:
    """Yield each contradiction that these data show."""
    if here.table is None:
        return
    yield from kappa_paradox(here, here.table, level)
    yield from ac_without_discrimination(here, here.table)
    yield from agreement_without_order(here, here.table)
    yield from qwk_without_exact(here)
    yield from qwk_with_critical_errors(here, here.table, level)


def kappa_paradox(here: Here, table: PairCounts, level: float) -> Iterator[Finding]:
    """High agreement, low kappa: one score dominates."""
    exact, kappa = here.numbers.get(EXACT), here.numbers.get(KAPPA)
    if exact is None or kappa is None or not settled_above(exact, HIGH_AGREEMENT):
        return
    most = largest_share(table).item()
    sure = share_ends(here, table, largest_share, level).low
    dominated = sure >= DOMINANT and kappa.value < exact.value - GAP
    if not (dominated or settled_below(kappa, exact.low - GAP)):
        return
    even, alike = (float(f(table)) for f in (brennan_prediger, fleiss_kappa))
    test = stuart_maxwell(table)
    apart = float(margin_gap(table))
    numbers = {
        "percent_agreement": exact.value, "kappa": kappa.value,
        "qwk": value_of(here.numbers, QWK), "largest_share": most,
        "prevalence_doewes": float(prevalence_doewes(table)),
        "margin_gap": apart, "stuart_maxwell_p": test.p, "bhapkar_p": bhapkar(test, here.n).p,
        "kappa_if_margins_were_equal": alike, "kappa_if_points_were_even": even,
    }  # fmt: skip
    if table.points.size == 2:
        numbers["prevalence_index"] = float(prevalence_index(table))
        numbers["bias_index"] = float(bias_index(table))
    yield finding(here, "kappa_paradox", numbers, texts=_most_common(here, table))


def ac_without_discrimination(here: Here, table: PairCounts) -> Iterator[Finding]:
    """AC is high although the system does not tell responses apart."""
    ac, r = here.numbers.get(AC), here.numbers.get(R)
    prmse = here.true.get("prmse")
    if ac is None or r is None or not settled_above(ac, ACCEPTED):
        return
    constant = _constant(here)
    if not (constant or settled_below(r, LOW_ORDER)):
        return
    if not constant and prmse is not None and settled_above(prmse, LOW_PRMSE):
        return  # the gold is noisy, and the system does predict true scores
    trivial = float(gwet_ac(always_most_common(table), weights="quadratic"))
    numbers = {
        "gwet_ac": ac.value, "pearson": r.value, "most_common_ac": trivial,
        "prmse": prmse.value if prmse else math.nan,
    }  # fmt: skip
    texts = {"constant": constant, **_most_common(here, table)}
    yield finding(here, "ac_without_discrimination", numbers, texts=texts)


def agreement_without_order(here: Here, table: PairCounts) -> Iterator[Finding]:
    """Exact agreement is high, and the order of the responses is not that of the gold."""
    exact, tau = here.numbers.get(EXACT), here.numbers.get(TAU)
    if exact is None or tau is None or not settled_above(exact, HIGH_AGREEMENT):
        return
    constant = _constant(here)
    if constant == "gold" or not (constant or settled_below(tau, LOW_ORDER)):
        return
    numbers = {
        "percent_agreement": exact.value, "kendall_tau_b": tau.value,
        "largest_share": float(largest_share(table)),
    }  # fmt: skip
    yield finding(here, "agreement_without_order", numbers, texts=_most_common(here, table))


def qwk_without_exact(here: Here) -> Iterator[Finding]:
    """QWK is high, and most responses do not get the score of the gold."""
    exact, qwk = here.numbers.get(EXACT), here.numbers.get(QWK)
    if exact is None or qwk is None or not settled_above(qwk, ACCEPTED):
        return
    if not settled_below(exact, HALF):
        return
    people = value_of(here.people, Key("human_human", of=EXACT))
    numbers = {"qwk": qwk.value, "percent_agreement": exact.value, "people": people}
    loud = len(here.scale.points) <= SHORT_SCALE and not people <= exact.high
    yield finding(here, "qwk_without_exact", numbers, loud=loud)


def qwk_with_critical_errors(here: Here, table: PairCounts, level: float) -> Iterator[Finding]:
    """QWK is high, and more than one response in twenty is far off."""
    qwk, points = here.numbers.get(QWK), here.scale.points
    if not settled_above(qwk, ACCEPTED) or qwk is None or len(points) < 3:
        return
    lambda_ = here.part.lambda_
    width = points[-1] - points[0]
    # on a short scale every disagreement is lambda of the range; exact agreement tells of those
    size = max(lambda_ * width, 2 * float(np.diff(points).min()))
    far_off = partial(errors_from, size=size)
    rate = float(far_off(table))
    low, high = share_ends(here, table, far_off, level)
    if not low > CRITICAL_SHARE:
        return
    asked = here.part.critical
    csrate = Key("csrate", lambda_=lambda_) if asked is None else Key("csrate", points=asked)
    same = size == lambda_ * width  # only then people were counted alike
    people = value_of(here.people, Key("human_human", of=csrate)) if same else math.nan
    numbers = {
        "qwk": qwk.value, "errors": rate, "low": low, "high": high, "size": size, "people": people,
        csrate.text: value_of(here.numbers, csrate),
    }  # fmt: skip
    loud = not low <= people  # a limit that people do not keep either is no fault of the system
    yield finding(here, "qwk_with_critical_errors", numbers, loud=loud)


def _constant(here: Here) -> str:
    """Who gives every response the same score: the gold, the system or, empty, neither."""
    for who, column in (("gold", 0), ("system", 1)):
        if np.ptp(here.rows.scores[:, column]) == 0:
            return who
    return ""


def _most_common(here: Here, table: PairCounts) -> dict[str, str]:
    """The score that gold and system give most often together."""
    at = int(np.argmax(table.counts.sum(axis=0) + table.counts.sum(axis=1)))
    return {"most_common": point(here.scale, here.scale.points[at])}
