"""Diagnosis: what the coefficients of a system hide, on all responses and on each prompt."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from tallymark.agreement.chance import brennan_prediger, gwet_ac
from tallymark.agreement.kappa import cohen_kappa, fleiss_kappa
from tallymark.agreement.paradox import bias_index, prevalence_doewes, prevalence_index
from tallymark.diagnosis.homogeneity import bhapkar, margin_gap, stuart_maxwell
from tallymark.diagnosis.position import EVERY, Placements, apart_rows, placements, spread_evenly
from tallymark.diagnosis.trivial import always_most_common, errors_from, largest_share
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.diagnosis.influence import (
    influence_table,
    influential,
    largest_disagreements,
)
from tallymark.questions.diagnosis.metrics import metric_to_trust, metrics_here
from tallymark.questions.diagnosis.part import (
    AC,
    ACCEPTED,
    KAPPA,
    QWK,
    SystemOnPart,
    Where,
    finding,
    most_common,
    point,
    result_table,
    scores_on_part,
    settled_above,
    settled_below,
    share_ends,
    value_of,
)
from tallymark.results import DIAGNOSIS, Estimate, Finding, Key, ResultTable, system_called
from tallymark.scale import MOST_POINTS
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part, within
from tallymark.study.units import cell_units
from tallymark.tally import PairCounts, nearest

ON_TWO_POINTS = ("kappa_paradox", "ac_without_discrimination")
"""What two points can hide: they have no near misses, and no order beyond the two labels."""
TEST = "chi-squared test"
NO_INTERVAL = "a test statistic has no interval"
EXTREME = "the extreme over all placements of these counts, not an estimate: it has no interval"
ONE_SCORE = "all scores are one and the same point"
NEVER_DIFFER = "gold and system never differ"
ONE_WAY = "every response differs, and the margins share no score"
DEPENDENT = "the test takes responses for independent, not those of one cluster"
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


def diagnosed(
    parts: Sequence[Part], results: Sequence[SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the diagnosis of every system; ``results`` are those known already.

    Of all responses, or of each trait or prompt where there are several. All responses together
    have tables then, and no findings: how prompts differ raises their coefficients.
    """
    by_subset = {of_subset.subset.where: of_subset for of_subset in reversed(results)}
    separate = within(parts)
    for system in parts[0].scores.roles.systems:
        for part in dict.fromkeys((parts[0], *separate)):
            for diagnosis in _of_part(system, part, by_subset, settings):
                yield diagnosis if part in separate else diagnosis._replace(findings=())


def _of_part(
    system: str, part: Part, results: Mapping[Where, SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    on_part, scores = scores_on_part(system, part, results), part.scores
    diagnosis = partial(subset_of, part, system_called(system), against=DIAGNOSIS)
    everything = not part.where
    tables: list[ResultTable | None] = []
    if everything:
        listed = scores.worst.get(system, ())
        tables.append(largest_disagreements(listed, scores.gold_scale))
    if on_part is None:  # prompts have scales of their own
        if listed_tables := tuple(filter(None, tables)):
            subset = diagnosis(n=scores.facts.used)
            yield SubsetResults(subset, [], [], tables=listed_tables)
        return
    estimates: list[Estimate] = []
    findings = [*_paradoxes(on_part, settings.level), *influential(on_part)]
    if everything:
        tables.append(influence_table(on_part))
    table = on_part.table
    if table is not None and 2 <= table.points.size <= MOST_POINTS:
        positions, extremes = _positions(on_part, table, settings)
        metrics = metrics_here(on_part, table, extremes)
        estimates = [*_margins(on_part, table), *positions]
        tables = [_by_point(on_part, table), metrics if everything else None, *tables]
        findings += _position_effect(on_part, table, positions[0], extremes)
        findings += metric_to_trust(on_part, table, metrics)
    if scores.gold_scale.view == "binary":
        findings = [found for found in findings if found.name in ON_TWO_POINTS]
    yield SubsetResults(
        diagnosis(n=on_part.n),
        estimates,
        [],
        tables=tuple(filter(None, tables)),
        findings=tuple(findings),
    )


def _paradoxes(on_part: SystemOnPart, level: float) -> Iterator[Finding]:
    """Yield each contradiction that these data show: every limit is held against the end of an interval.

    The reasons for the limits are in docs/diagnosis.md.
    """
    if on_part.table is None:
        return
    yield from _kappa_paradox(on_part, on_part.table, level)
    yield from _ac_without_discrimination(on_part, on_part.table)
    yield from _agreement_without_order(on_part, on_part.table)
    yield from _qwk_without_exact(on_part)
    yield from _qwk_with_critical_errors(on_part, on_part.table, level)


def _kappa_paradox(on_part: SystemOnPart, table: PairCounts, level: float) -> Iterator[Finding]:
    """High agreement, low kappa: one score dominates."""
    exact, kappa = on_part.numbers.get(EXACT), on_part.numbers.get(KAPPA)
    if exact is None or kappa is None or not settled_above(exact, HIGH_AGREEMENT):
        return
    lowest_share = share_ends(on_part, table, largest_share, level).low
    dominated = lowest_share >= DOMINANT and kappa.value < exact.value - GAP
    if not (dominated or settled_below(kappa, exact.low - GAP)):
        return
    test = stuart_maxwell(table)
    numbers = {
        "percent_agreement": exact.value, "kappa": kappa.value,
        "qwk": value_of(on_part.numbers, QWK), "largest_share": largest_share(table).item(),
        "prevalence_doewes": float(prevalence_doewes(table)),
        "margin_gap": float(margin_gap(table)), "stuart_maxwell_p": test.p, "bhapkar_p": bhapkar(test, on_part.n).p,
        "kappa_if_margins_were_equal": float(fleiss_kappa(table)),
        "kappa_if_points_were_even": float(brennan_prediger(table)),
    }  # fmt: skip
    if table.points.size == 2:
        numbers["prevalence_index"] = float(prevalence_index(table))
        numbers["bias_index"] = float(bias_index(table))
    yield finding(on_part, "kappa_paradox", numbers, texts=_dominant(on_part, table))


def _ac_without_discrimination(on_part: SystemOnPart, table: PairCounts) -> Iterator[Finding]:
    """AC is high although the system does not tell responses apart."""
    ac, r = on_part.numbers.get(AC), on_part.numbers.get(R)
    prmse = on_part.true.get("prmse")
    if ac is None or r is None or not settled_above(ac, ACCEPTED):
        return
    constant = _constant(on_part)
    if not (constant or settled_below(r, LOW_ORDER)):
        return
    if not constant and prmse is not None and settled_above(prmse, LOW_PRMSE):
        return  # the gold is noisy, and the system does predict true scores
    trivial = float(gwet_ac(always_most_common(table), weights="quadratic"))
    numbers = {
        "gwet_ac": ac.value, "pearson": r.value, "most_common_ac": trivial,
        "prmse": prmse.value if prmse else math.nan,
    }  # fmt: skip
    texts = {"constant": constant, **_dominant(on_part, table)}
    yield finding(on_part, "ac_without_discrimination", numbers, texts=texts)


def _agreement_without_order(on_part: SystemOnPart, table: PairCounts) -> Iterator[Finding]:
    """Exact agreement is high, and the order of the responses is not that of the gold."""
    exact, tau = on_part.numbers.get(EXACT), on_part.numbers.get(TAU)
    if exact is None or tau is None or not settled_above(exact, HIGH_AGREEMENT):
        return
    constant = _constant(on_part)
    if constant == "gold" or not (constant or settled_below(tau, LOW_ORDER)):
        return
    numbers = {
        "percent_agreement": exact.value, "kendall_tau_b": tau.value,
        "largest_share": float(largest_share(table)),
    }  # fmt: skip
    yield finding(on_part, "agreement_without_order", numbers, texts=_dominant(on_part, table))


def _qwk_without_exact(on_part: SystemOnPart) -> Iterator[Finding]:
    """QWK is high, and most responses do not get the score of the gold."""
    exact, qwk = on_part.numbers.get(EXACT), on_part.numbers.get(QWK)
    if exact is None or qwk is None or not settled_above(qwk, ACCEPTED):
        return
    if not settled_below(exact, HALF):
        return
    people = value_of(on_part.people, Key("human_human", of=EXACT))
    numbers = {"qwk": qwk.value, "percent_agreement": exact.value, "people": people}
    loud = len(on_part.scale.points) <= SHORT_SCALE and not people <= exact.high
    yield finding(on_part, "qwk_without_exact", numbers, loud=loud)


def _qwk_with_critical_errors(
    on_part: SystemOnPart, table: PairCounts, level: float
) -> Iterator[Finding]:
    """QWK is high, and more than one response in twenty is far off."""
    qwk, points = on_part.numbers.get(QWK), on_part.scale.points
    if not settled_above(qwk, ACCEPTED) or qwk is None or len(points) < 3:
        return
    lambda_ = on_part.part.lambda_
    width = points[-1] - points[0]
    # on a short scale every disagreement is lambda of the range; exact agreement tells of those
    size = max(lambda_ * width, 2 * float(np.diff(points).min()))
    far_off = partial(errors_from, size=size)
    rate = float(far_off(table))
    low, high = share_ends(on_part, table, far_off, level)
    if not low > CRITICAL_SHARE:
        return
    critical = on_part.part.critical
    csrate = Key("csrate", lambda_=lambda_) if critical is None else Key("csrate", points=critical)
    people = math.nan
    if size == lambda_ * width:  # only then people were counted alike
        people = value_of(on_part.people, Key("human_human", of=csrate))
    numbers = {
        "qwk": qwk.value, "errors": rate, "low": low, "high": high, "size": size, "people": people,
        csrate.text: value_of(on_part.numbers, csrate),
    }  # fmt: skip
    loud = not low <= people  # a limit that people do not keep either is no fault of the system
    yield finding(on_part, "qwk_with_critical_errors", numbers, loud=loud)


def _constant(on_part: SystemOnPart) -> str:
    """Who gives every response the same score: the gold, the system or, empty, neither."""
    for who, column in (("gold", 0), ("system", 1)):
        if np.ptp(on_part.rows.scores[:, column]) == 0:
            return who
    return ""


def _dominant(on_part: SystemOnPart, table: PairCounts) -> dict[str, str]:
    """The score that gold and system give most often together."""
    counts = table.counts.sum(axis=0) + table.counts.sum(axis=1)
    return {"most_common": most_common(on_part, counts)}


def _margins(on_part: SystemOnPart, table: PairCounts) -> Iterator[Estimate]:
    """Test whether the gold and the system use the points equally often."""
    stuart = stuart_maxwell(table)
    tests = {"stuart_maxwell": stuart, "bhapkar": bhapkar(stuart, on_part.n)}
    for name, test in tests.items():
        why = NO_INTERVAL
        if math.isnan(test.statistic):
            why = ONE_WAY if test.df else NEVER_DIFFER
        elif on_part.rows.clusters is not None:
            why = f"{NO_INTERVAL}; {DEPENDENT}"
        yield Estimate(
            key=Key(name), value=test.statistic, n=on_part.n, method=TEST, score="rounded", why=why,
            parts={"p": test.p, "df": float(test.df)},
        )  # fmt: skip


def _positions(
    on_part: SystemOnPart, table: PairCounts, settings: Settings
) -> tuple[list[Estimate], Placements]:
    """QWK with the agreement spread evenly, and the range over all placements of it."""
    even = Formula(
        name="qwk_even_position",
        value=partial(cohen_kappa, weights="quadratic"),
        undefined=ONE_SCORE,
    )
    rows, points = on_part.rows, on_part.rows.points
    first, second = nearest(rows.scores, points).T
    cells, unit = np.unique(first * points.size + second, return_inverse=True)
    columns = apart_rows(*np.divmod(cells, points.size), points)
    units = cell_units(rows, unit, columns, partial(spread_evenly, points=points))
    estimates = estimate_all([even], units, settings, key=stream_of(on_part.part.label))
    extremes = placements(table)
    method, bound = "exact", {}
    if points.size > EVERY:
        method, bound = "search; part bound is never exceeded", {"bound": extremes.bound}
    for name, value, how, numbers in (
        ("qwk_lowest_position", extremes.lowest, "exact", {}),
        ("qwk_highest_position", extremes.highest, method, bound),
    ):
        why = ONE_SCORE if math.isnan(value) else EXTREME
        estimates.append(
            Estimate(key=Key(name), value=value, n=on_part.n, method=how, why=why, parts=numbers)
        )
    return [replace(estimate, score="rounded") for estimate in estimates], extremes


def _position_effect(
    on_part: SystemOnPart, table: PairCounts, even: Estimate, extremes: Placements
) -> Iterator[Finding]:
    """Yield a finding where the place of the agreement decides on which side of .70 QWK lies."""
    qwk = on_part.numbers.get(QWK)
    if qwk is None or math.isnan(qwk.value) or math.isnan(extremes.lowest):
        return
    if not extremes.lowest < ACCEPTED <= extremes.highest:
        return
    diagonal = np.diagonal(table.counts)
    agreed = int(diagonal.sum())
    numbers = {
        "qwk": qwk.value, "even": even.value, "lowest": extremes.lowest, "highest": extremes.highest,
        "agreements": float(agreed), "largest_share": float(diagonal.max() / agreed),
    }  # fmt: skip
    texts = {"most_agreed": most_common(on_part, diagonal)}
    # what might have been must not excuse what is
    yield finding(on_part, "position_effect", numbers, texts=texts, loud=False)


def _by_point(on_part: SystemOnPart, table: PairCounts) -> ResultTable:
    """Agreement at each score point."""
    gold, system = table.counts.sum(axis=1), table.counts.sum(axis=0)
    agreed = np.diagonal(table.counts)
    rows = [
        (point(on_part.scale, x), int(g), int(s), int(b), float(b / g) if g else math.nan)
        for x, g, s, b in zip(on_part.scale.points, gold, system, agreed, strict=True)
    ]
    columns = ("score", "gold", "system", "both", "share_of_gold")
    return result_table("agreement_by_point", "Where the agreement sits", columns, rows)
