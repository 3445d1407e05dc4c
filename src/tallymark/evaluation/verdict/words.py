"""Words of a verdict: what a manager can read and a statistician can defend."""

import math
from collections.abc import Sequence

from tallymark.catalogue import texts
from tallymark.defaults import POWER
from tallymark.evaluation.verdict.numbers import Writer, bare, demand, level_words, position
from tallymark.evaluation.verdict.policy import Limit, Policy
from tallymark.evaluation.verdict.states import (
    Bounds,
    decides,
    effective_clusters,
    inside,
    state_of,
)
from tallymark.inference.making import FEWEST_CLUSTERS
from tallymark.planning.settling import more_for_power
from tallymark.results import Criterion, Estimate, Evaluation, State, Subset, split_key
from tallymark.study.parts import AVERAGED

QWK, QWK_LIMIT = "cohen_kappa[quadratic]", 0.70
CONTINUOUS = "The gold is continuous: CCC, which is the quadratic weighted kappa of such scores, stands for it."
AGREEMENT_ONLY = (
    "This is agreement evidence only: whether the scores are valid, can be gamed, or fail on "
    "off-topic responses was not tested. How hard a limit on agreement is to meet depends on "
    "how reliable the human scores are."
)
MOST_NEEDED = 10_000_000
"""More responses than this are no answer."""


def cautions(level: float, *, still_open: bool) -> tuple[str, ...]:
    """How the numbers of a verdict are to be read, also where some limit is open."""
    times = more_for_power(POWER, level)
    adjusted = (
        f"Intervals are of {level_words(level)} each and not adjusted for their number. Only the "
        "tests by which a group or prompt is found outside a limit are adjusted (Holm)."
    )
    settling = (
        "The number of responses that would settle a limit gives an even chance of it if the value "
        f"is the true one; {times:.1f} times as many give four chances in five."
    )
    return (adjusted, *([settling] if still_open else []))


def judgement(system: str, policy: Policy, state: State, criteria: Sequence[Criterion]) -> str:
    """The verdict on one system in a sentence."""
    titles = {
        each: [one.title for one in criteria if one.state == each]
        for each in ("not met", "undecided", "not computable", "met")
    }
    if state == "met":
        every = (
            "the one criterion is" if len(criteria) == 1 else f"all {len(criteria)} criteria are"
        )
        return f"{system} meets {policy.name}: {every} met."
    start = (
        f"{system} does not meet {policy.name}"
        if state == "not met"
        else f"These data do not settle whether {system} meets {policy.name}"
    )
    told = [f"{each}: {_listed(own)}" for each, own in titles.items() if own]
    told = told or ["no limit has any evidence"]
    return f"{start} ({'; '.join(told)})."


def missing(limit: Limit, why: str) -> str:
    """Why there is no evidence, and whether the policy does without it."""
    return f"{why} (the policy does without it)" if limit.optional else why


def not_computable(limit: Limit, why: str) -> str:
    """A criterion without a value."""
    return f"{limit.title} ({demand(limit)}): {why}."


def small_part(part: Subset, fewest: int) -> str:
    """Why a mean over prompts or traits decides nothing: one of them has hardly any responses."""
    many = "1 response" if part.n == 1 else f"{part.n} responses"
    return (
        f"{part.column} {part.trait or part.prompt} has only {many}: below {fewest} coefficients are "
        f"too low, which a mean over {part.column}s does not mend"
    )


def one(limit: Limit, found: Estimate, told: Criterion, fewest: int, *, small: str = "") -> str:
    """A limit on one number; ``small`` tells of a part with too few responses."""
    write = Writer(limit, found)
    where = position(limit, write, inside=bool(told.passes))
    start = f"{limit.title} {write.with_interval()}:"
    if limit.decide == "point":
        return f"{start} {where} as a point, which alone decides here."
    if told.state != "undecided":
        return f"{start} the whole interval is {where}."
    settle = _settling(write, told, _responses(found), found)
    if math.isnan(found.low) or math.isnan(found.high):
        return f"{start} {where} as a point, but without an interval nothing is settled."
    return f"{start} {where} as a point, but {small or _too_little(found, fewest)}{'' if small else settle}."


def _too_little(found: Estimate, fewest: int) -> str:
    """Why an interval on both sides of a limit, or of too few responses, decides nothing."""
    if found.n < fewest:
        return (
            f"{found.n} responses are too few to decide it: below {fewest} a verdict on this "
            "statistic errs more often than its interval says"
        )
    if not decides(found, fewest):
        return (
            f"{_clusters(found)} are too few to decide it: below {FEWEST_CLUSTERS} a verdict errs "
            "more often than its interval says"
        )
    return "these data do not settle it"


def several(
    limit: Limit,
    found: Estimate,
    told: Criterion,
    every: Sequence[Estimate],
    *,
    names: Sequence[str],
    fewest: int,
) -> str:
    """A limit on every group, or on every prompt; ``found`` is the one that decides."""
    write, own = (
        Writer(limit, found),
        next(n for n, e in zip(names, every, strict=True) if e is found),
    )
    what = limit.where.removeprefix("every ")
    head = f"{own} {write.with_interval()}, n {found.n:,},"
    where = position(limit, write, inside=inside(found.value, limit.bounds))
    small = _too_few([n for n, e in zip(names, every, strict=True) if e.n < fewest], fewest)
    small += _few_clusters(
        [n for n, e in zip(names, every, strict=True) if e.n >= fewest and not decides(e, fewest)]
    )
    if limit.decide == "point" and math.isnan(found.value):
        return (
            f"{limit.title}: the point alone decides here, no {what} breaks the limit "
            f"({demand(limit)}), but it is undefined for {own}: {found.why}."
        )
    if limit.decide == "point":
        return f"{limit.title}: {head} is {where} as a point, which alone decides here."
    if told.state == "not met":
        return (
            f"{limit.title}: {head} is {where}, also when the tests of all {len(every)} {what}s are "
            f"adjusted (Holm).{small}"
        )
    if told.state == "met":
        return (
            f"{limit.title}: each of the {len(every)} intervals is {where}; the one that reaches "
            f"furthest is {head[:-1]}."
        )
    states = [state_of(e.low, e.high, limit.bounds) if decides(e, fewest) else "" for e in every]
    kept = (
        f"{limit.title}: {states.count('met')} of {len(every)} intervals keep the limit "
        f"({demand(limit)}) and no {what} is shown to break it."
    )
    if math.isnan(found.value):
        return f"{kept} It is undefined for {own}: {found.why}.{small}"
    settle = _settling(write, told, f"responses of this {what}", found)
    return (
        f"{kept} Furthest is {head} {where} as a point{settle.replace('; if', ': if', 1)}.{small}"
    )


def above_ceiling(ceiling: Estimate | None, bounds: Bounds) -> str:
    """Say where raters disagree so much that a limit is out of reach."""
    if ceiling is None or ceiling.value >= bounds.lower:
        return ""
    reached = f"{bare(ceiling.value, 2)} (upper end {bare(ceiling.high, 2)})"
    start = "No system can be expected to keep this limit"
    if ceiling.high >= bounds.lower:
        start = "This limit may be out of reach of any system"
    return (
        f"{start}: raters disagree so much that even a scorer who knew every true score would reach "
        f"only {reached} against this gold."
    )


def other_weights(told: Criterion, qwk: float | None) -> str:
    """Say that a limit made for QWK is held against another coefficient."""
    here = ""
    if qwk is not None and not math.isnan(qwk):
        here = f": on these data QWK is {bare(qwk, 2)} where this is {bare(told.value, 2)}"
    return f"The limit {bare(QWK_LIMIT, 2)} is commonly cited for QWK and asks another thing here{here}."


def fits_qwk(statistic: str) -> bool:
    """Whether the limit of QWK may be held against a statistic without a word."""
    return statistic == QWK or split_key(statistic)[0] not in texts("chance_corrected")


def pooled(evaluation: Evaluation, found: Estimate, limit: Limit) -> str:
    """Say that a number is of all responses where the others are averages over prompts."""
    averaged = {s.average for s in evaluation.subsets if s.average in AVERAGED[:2]}
    if limit.where != "overall" or not averaged or evaluation.subsets[found.subset].average:
        return ""
    return f"Of all responses together: differences between {min(averaged, key=str)}s count too."


def _settling(write: Writer, told: Criterion, what: str, found: Estimate) -> str:
    value = write(told.value)
    if told.needed is not None and found.parts.get("clusters"):
        more = math.ceil(told.needed / max(found.n, 1) * found.parts["clusters"] - 1e-9)
        rounded = int(float(f"{more:.2g}"))
        what = f"{what} in {max(rounded, more if more < 100 else 0):,} clusters like these"
    if told.needed is None:
        return f"; if {value} is the true value no number of responses would"
    if told.needed > MOST_NEEDED:
        return f"; if {value} is the true value more than {MOST_NEEDED:,} {what} would"
    about = int(float(f"{told.needed:.2g}"))
    # rounded it must not fall back to what there is
    number = f"about {about:,}" if about > told.n else f"{told.needed:,}"
    return f"; if {value} is the true value {number} {what} would"


def _responses(found: Estimate) -> str:
    return (
        "responses rated twice"
        if found.name in (*texts("contrast"), "disattenuated_r")
        else "responses"
    )


def _too_few(names: Sequence[str], fewest: int) -> str:
    if not names:
        return ""
    return f" Too few responses to decide anything (below {fewest}): {_listed(names)}."


def _few_clusters(names: Sequence[str]) -> str:
    if not names:
        return ""
    return f" Too few clusters to decide anything (below {FEWEST_CLUSTERS}): {_listed(names)}."


def _clusters(found: Estimate) -> str:
    """How many clusters there are and, where they differ in size, how many equal ones they are worth."""
    number, worth = round(found.parts["clusters"]), effective_clusters(found)
    many = "1 cluster" if number == 1 else f"{number} clusters"
    return (
        many
        if number - worth < 0.5
        else f"{many} as unequal as these, worth {worth:.0f} equal ones,"
    )


def _listed(names: Sequence[str]) -> str:
    most = 8
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
