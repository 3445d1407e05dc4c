"""The first screen: the answer, the limits, the numbers that carry it, and what is missing."""

import math
import re
from collections.abc import Iterator

from tallymark.evaluation.people import PEOPLE
from tallymark.render.facts import intervals, responses
from tallymark.render.literal import literal
from tallymark.render.numbers import count, decimals, is_coefficient, rounded, with_interval
from tallymark.render.people import Contrast, leading_contrast
from tallymark.render.report.carrying import against_limits, carrying
from tallymark.render.report.diagnosis import findings
from tallymark.render.report.model import Cell, Claim, Criterion, First
from tallymark.render.report.view import View
from tallymark.render.subsets import headline_subsets, system_against
from tallymark.results import Criterion as Held
from tallymark.results import Estimate, Judgement

MOST_CLAIMS = 12
KINDS = {
    "evaluate": "Evaluation",
    "raters": "Raters",
    "ceiling": "Ceilings",
    "compare": "Comparison",
    "route": "Routing",
}


def first(view: View) -> First:
    """Put the first screen together."""
    evaluation = view.evaluation
    claims = [*_claims(view)]
    verdict = evaluation.verdict
    kind = KINDS.get(evaluation.kind, evaluation.kind.capitalize())
    return First(
        title=f"{kind} of {_names(view)}",
        policy="" if verdict is None else literal(verdict.title),
        claims=tuple(claims[:MOST_CLAIMS]),
        more=max(len(claims) - MOST_CLAIMS, 0),
        numbers=tuple(carrying(view)),
        warnings=tuple(one for one in findings(view) if one.loud),
        missing=tuple(_missing(view)),
        facts=tuple(_facts(view)),
        cautions=() if verdict is None else tuple(map(literal, verdict.cautions)),
    )


def _claims(view: View) -> Iterator[Claim]:
    verdict = view.evaluation.verdict
    if verdict is not None:
        yield from (_judged(view, one) for one in verdict.systems)
    elif view.evaluation.kind in ("raters", "ceiling"):
        yield from _of_people(view)
    else:
        yield from _unjudged(view)


def _judged(view: View, found: Judgement) -> Claim:
    name = literal(found.system)
    said, detail = _halves(literal(found.words).removeprefix(name).strip())
    return Claim(
        name=name,
        state=found.state,
        words=said,
        detail=detail,
        criteria=tuple(_criterion(view, found.system, one) for one in found.criteria),
        missing=tuple(map(literal, found.missing)),
    )


def _criterion(view: View, system: str, one: Held) -> Criterion:
    """A limit with the number that decides it, drawn against the limit."""
    rows = [view.evaluation.estimates[i] for i in one.rows if i < len(view.evaluation.estimates)]
    own = next((e for e in rows if e.value == one.value), rows[0] if len(rows) == 1 else None)
    if own is None:
        own = Estimate(name=one.statistic, value=one.value, low=one.low, high=one.high, n=one.n)
    missing = one.state == "not computable" or math.isnan(one.value)
    return Criterion(
        title=literal(one.title),
        state=one.state,
        limit=limit_text(one),
        number=Cell("–") if missing else view.cell(own),
        words=_rest(literal(one.words), literal(one.title)),
        svg="" if missing else against_limits(view, system, own, one),
    )


def _halves(sentence: str) -> tuple[str, str]:
    """The verdict, and what stands behind it after a colon or in brackets.

    >>> _halves("does not meet it (not met: SMD; met: QWK).")
    ('does not meet it.', 'Not met: SMD; met: QWK.')
    """
    found = re.match(r"([^:(]+?)(?:: | \()(.+)", sentence)
    if found is None:
        return sentence, ""
    said, rest = found.groups()
    rest = rest.rstrip(".").removesuffix(")") if " (" in sentence[: len(said) + 2] else rest
    return f"{said}.", f"{rest[:1].upper()}{rest[1:].rstrip('.')}."


def _rest(sentence: str, title: str) -> str:
    """What is said after the number, which stands beside it anyway."""
    _, colon, rest = sentence.partition(": ")
    if not colon or not sentence.startswith(title):
        return sentence
    return f"{rest[:1].upper()}{rest[1:]}"


def limit_text(one: Held) -> str:
    """Write a limit.

    >>> limit_text(Held(statistic="dsm", title="", state="met", words="", at_least=-0.1, at_most=0.1))
    'within ±0.10'
    """

    def write(number: float) -> str:
        coefficient = is_coefficient(one.statistic)
        places = max(2, decimals(number, math.nan, math.nan, coefficient=coefficient) - 1)
        return rounded(number, min(places, 3), coefficient=coefficient)

    low, high = one.at_least, one.at_most
    if low is not None and high is not None:
        return f"within ±{write(high)}" if low == -high else f"{write(low)} to {write(high)}"
    if low is not None:
        return f"at least {write(low)}"
    return f"at most {write(high)}" if high is not None else ""


def _unjudged(view: View) -> Iterator[Claim]:
    """What the numbers say of each system without a policy."""
    contrasts = {s.system: s for s in system_against(view.evaluation, PEOPLE)}
    _, subsets = headline_subsets(view.evaluation)
    for subset in subsets:
        name = literal(subset.system)
        if subset.system in contrasts:
            one, found = leading_contrast(view.evaluation, contrasts[subset.system])
            if found is not None:
                on = responses(contrasts[subset.system].n)
                detail = (
                    f"{one.heading} {with_interval(found.system)} with a person, "
                    f"{with_interval(found.people)} between two people; difference "
                    f"{with_interval(found.difference)} on {on} rated twice or more."
                )
                yield Claim(name=name, state="", words=_beside(found), detail=detail)
                continue
        yield Claim(name=name, state="", words="was compared with one rating per response.",
                    detail="How well people agree with each other is not known here.")  # fmt: skip


def _beside(found: Contrast) -> str:
    if found.more_or_less:
        return f"agrees with a person {found.more_or_less} than two people agree with each other."
    if math.isnan(found.difference.low):
        return "cannot be held against people: these data do not say how sure the difference is."
    return "agrees with a person as two people do, as far as these data can tell."


def _of_people(view: View) -> Iterator[Claim]:
    from tallymark.render.people import among_people

    for sentence in among_people(view.evaluation):
        head, _, rest = sentence.partition(": ")
        yield Claim(name="", state="", words=f"{head}:", detail=rest)


def _missing(view: View) -> Iterator[str]:
    """What would be needed to say more."""
    evaluation = view.evaluation
    if evaluation.kind not in ("evaluate", "compare"):
        return
    if evaluation.verdict is None:
        yield "No policy was named, so that there is no verdict: name limits with --policy."
    if not system_against(evaluation, PEOPLE):
        yield "No response was rated twice: how people agree, and the ceilings, are not known."
    if not evaluation.options.get("groups"):
        yield "No group column was named: fairness was not looked at."


def _names(view: View) -> str:
    """The systems, or that it is about people."""
    names = [literal(name) for name in view.systems]
    if not names:
        return "people"
    if len(names) > 3:
        return f"{len(names)} systems"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _facts(view: View) -> Iterator[str]:
    data = view.evaluation.data
    excluded = "; ".join(f"{literal(why)} ({count(n)})" for why, n in data.exclusions)
    why = (
        f", {count(data.read - data.used)} excluded: {excluded}" if excluded else ", none excluded"
    )
    yield f"{responses(data.read)} read, {count(data.used)} used{why}."
    inferred = ", read off the human scores" if data.scale_inferred else ""
    yield f"Scale {literal(data.scale)}{inferred}."
    if data.gold and view.evaluation.kind not in ("raters", "ceiling"):
        scale = f", scale {literal(data.gold_scale)}" if data.gold_scale != data.scale else ""
        yield f"Gold, the human score that counts: {literal(data.gold)}{scale}."
    yield f"Brackets hold {intervals(view.evaluation)}."
