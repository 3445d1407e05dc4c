"""Paradoxes: coefficients that contradict each other, told only where the data settle it.

Every limit is held against the end of an interval. Their reasons are in docs/diagnosis.md.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from tallymark.agreement.brennan_prediger import brennan_prediger
from tallymark.agreement.gwet import gwet_ac
from tallymark.agreement.kappa import fleiss_kappa
from tallymark.agreement.paradox import bias_index, prevalence_doewes, prevalence_index
from tallymark.diagnosis.homogeneity import Homogeneity, by_bhapkar, margin_gap, stuart_maxwell
from tallymark.diagnosis.trivial import always_most_common, errors_from, largest_share
from tallymark.evaluation.diagnosis.part import (
    AC,
    ACCEPTED,
    KAPPA,
    QWK,
    Here,
    point,
    settled_above,
    settled_below,
    share,
    share_ends,
    short,
    told,
    value_of,
)
from tallymark.results import Finding, Key, worded
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
    blind = [*ac_without_discrimination(here, here.table)]
    yield from kappa_paradox(here, here.table, level, blind=bool(blind))
    yield from blind
    yield from agreement_without_order(here, here.table)
    yield from qwk_without_exact(here)
    yield from qwk_with_critical_errors(here, here.table, level)


def kappa_paradox(here: Here, table: PairCounts, level: float, *, blind: bool) -> Iterator[Finding]:
    """High agreement, low kappa: one score dominates; ``blind``: and kappa is right."""
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
    words = (
        f"Exact agreement is {told(exact)} but kappa {told(kappa)} and QWK "
        f"{short(value_of(here.numbers, QWK))}. {share(most)} of all scores are "
        f"{_most_common(here, table)}, so two scorers who never read a response would agree in "
        f"{share(kappa.parts.get('pe', math.nan))}; on points used evenly the same agreement "
        f"would be a kappa of {short(even)}. {_margins(apart, test)}"
    )
    advice = (
        "Here kappa is right to be low: the system does not tell responses apart."
        if blind
        else "Show AC or Brennan-Prediger beside kappa, and score more responses with the rare "
        "scores: these data say little about them."
    )
    numbers = {
        "percent_agreement": exact.value, "kappa": kappa.value,
        "qwk": value_of(here.numbers, QWK), "largest_share": most,
        "prevalence_doewes": float(prevalence_doewes(table)),
        "margin_gap": apart, "stuart_maxwell_p": test.p, "bhapkar_p": by_bhapkar(test, here.n).p,
        "kappa_if_margins_were_equal": alike, "kappa_if_points_were_even": even,
    }  # fmt: skip
    if table.points.size == 2:
        numbers["prevalence_index"] = float(prevalence_index(table))
        numbers["bias_index"] = float(bias_index(table))
    yield _diagnosis(here, "kappa_paradox", words, advice, numbers)


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
    why = {
        "": f"its correlation with the gold is {told(r)}",
        "system": "it gives every response the same score",
        "gold": "the gold is the same for every response, so nothing shows whether it can",
    }[constant]
    words = f"AC2 is {told(ac)} although the system does not tell responses apart: {why}"
    words += f"; PRMSE is {told(prmse)}" if prmse and not math.isnan(prmse.value) else ""
    if constant != "gold":
        words += (
            f". A scorer that always gives {_most_common(here, table)} would reach an AC2 of "
            f"{short(trivial)}"
        )
    advice = (
        "Do not accept on AC or percent agreement alone: ask for a correlation, QWK or PRMSE too."
    )
    numbers = {
        "gwet_ac": ac.value, "pearson": r.value, "most_common_ac": trivial,
        "prmse": prmse.value if prmse else math.nan,
    }  # fmt: skip
    yield _diagnosis(here, "ac_without_discrimination", f"{words}.", advice, numbers)


def agreement_without_order(here: Here, table: PairCounts) -> Iterator[Finding]:
    """Exact agreement is high, and the order of the responses is not that of the gold."""
    exact, tau = here.numbers.get(EXACT), here.numbers.get(TAU)
    if exact is None or tau is None or not settled_above(exact, HIGH_AGREEMENT):
        return
    constant = _constant(here)
    if constant == "gold" or not (constant or settled_below(tau, LOW_ORDER)):
        return
    order = "undefined, for all its scores are equal" if constant else told(tau)
    words = (
        f"Exact agreement is {told(exact)} but Kendall's tau-b {order}: where two responses differ "
        f"in the gold, the system hardly knows which is better. Agreement comes from "
        f"{_most_common(here, table)}, {share(float(largest_share(table)))} of all scores."
    )
    advice = "Do not use these scores to rank or select; look at the responses with other scores."
    numbers = {"percent_agreement": exact.value, "kendall_tau_b": tau.value}
    yield _diagnosis(here, "agreement_without_order", words, advice, numbers)


def qwk_without_exact(here: Here) -> Iterator[Finding]:
    """QWK is high, and most responses do not get the score of the gold."""
    exact, qwk = here.numbers.get(EXACT), here.numbers.get(QWK)
    if exact is None or qwk is None or not settled_above(qwk, ACCEPTED):
        return
    if not settled_below(exact, HALF):
        return
    near = next((e for t, e in here.numbers.items() if t.startswith("adjacent_agreement")), None)
    words = (
        f"QWK is {told(qwk)} but only {share(exact.value)} of the responses get their gold score"
    )
    if near is not None:
        words += f" ({share(near.value)} lie within a point)"
    people = value_of(here.people, Key("human_human", of=EXACT))
    words += "" if math.isnan(people) else f"; two people agree on {share(people)}"
    advice = (
        "QWK credits near misses. Where single scores are reported or decide something, read the "
        "confusion matrix."
    )
    numbers = {"qwk": qwk.value, "percent_agreement": exact.value, "people": people}
    loud = len(here.scale.points) <= SHORT_SCALE and not people <= exact.high
    yield _diagnosis(here, "qwk_without_exact", f"{words}.", advice, numbers, loud=loud)


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
    csrate = Key("csrate", lambda_=lambda_)
    same = size == lambda_ * width  # only then people were counted alike
    people = value_of(here.people, Key("human_human", of=csrate)) if same else math.nan
    beside = "" if math.isnan(people) else f"; two people differ as much on {share(people)}"
    words = (
        f"QWK is {told(qwk)} but {share(rate)} ({share(low)} to {share(high)}) of the responses are "
        f"off by {size:g} score points or more{beside}."
    )
    advice = "Read these responses before the scores stand alone; QWK averages such errors away."
    numbers = {
        "qwk": qwk.value, "errors": rate, "size": size, "people": people,
        csrate.text: value_of(here.numbers, csrate),
    }  # fmt: skip
    loud = not low <= people  # a limit that people do not keep either is no fault of the system
    yield _diagnosis(here, "qwk_with_critical_errors", words, advice, numbers, loud=loud)


def _constant(here: Here) -> str:
    """Who gives every response the same score: the gold, the system or, empty, neither."""
    for who, column in (("gold", 0), ("system", 1)):
        if np.ptp(here.rows.scores[:, column]) == 0:
            return who
    return ""


def _most_common(here: Here, table: PairCounts) -> str:
    at = int(np.argmax(table.counts.sum(axis=0) + table.counts.sum(axis=1)))
    return point(here.scale, here.scale.points[at])


def _margins(apart: float, test: Homogeneity) -> str:
    if math.isnan(test.p) or test.p >= 0.05:
        p = "" if math.isnan(test.p) else f", Stuart-Maxwell p = {test.p:.2g}"
        return f"Gold and system use the points alike (margins differ by {share(apart)}{p})."
    return (
        f"Gold and system also use the points differently (margins differ by {share(apart)}, "
        f"Stuart-Maxwell p = {test.p:.2g})."
    )


def _diagnosis(
    here: Here, name: str, words: str, advice: str, numbers: dict[str, float], *, loud: bool = True
) -> Finding:
    return worded(
        name=name, system=here.system, words=words, advice=advice, numbers=numbers, loud=loud
    )
