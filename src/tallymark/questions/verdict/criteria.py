"""Sentences on the limits of a policy: what the data say of each."""

import math
from collections.abc import Iterator, Sequence

from tallymark.catalogue import texts
from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.questions.verdict.parts import each_alone, of_every_part
from tallymark.questions.verdict.say import joined, titled, why_missing
from tallymark.questions.verdict.settling import DECIDED, decided_by, settling
from tallymark.questions.verdict.sides import demand, ends_of, limit_bounds, side_of
from tallymark.render.limits import Beside, End
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import part_called
from tallymark.results import Criterion, Estimate, Evaluation, Note
from tallymark.verdict.evidence import MEANS
from tallymark.verdict.judged import FEWEST_OF_PART, QWK_LIMIT
from tallymark.verdict.states import DECIDE, effective_clusters
from tallymark.verdict.statistics import QWK


def criterion(evaluation: Evaluation, limit: Criterion) -> Sentence:
    """A limit, the number it is held against, and what the data say of it."""
    number = beside_limit(evaluation, limit)
    head = Sentence("{title} {number}", title=titled(limit), number=number)
    if math.isnan(limit.value):
        head = Sentence("{title} ({demand})", title=limit.title, demand=demand(limit))
    return Sentence(
        f"{limit.state}: {{head}}. {{words}}", head=head, words=criterion_words(evaluation, limit)
    )


def beside_limit(evaluation: Evaluation, limit: Criterion) -> Sentence:
    """The number that decides a limit, with the decimals that keep them apart."""
    return Sentence("{number}", number=Beside(decided_by(evaluation, limit), ends_of(limit)))


def criterion_words(evaluation: Evaluation, criterion: Criterion) -> Sentence:
    """What the data say of a limit, beside its title and number."""
    if criterion.lack is not None:
        return Sentence("Missing: {why}.", why=why_missing(criterion.lack, criterion.where))
    if criterion.decided_by is None:
        whys = [evaluation.estimates[row].why for row in criterion.rows]
        return Sentence("Undefined: {why}.", why=next(iter(whys), ""))
    decided = (
        of_every_part(evaluation, criterion)
        if criterion.group is not None
        else [*_of_one(evaluation, criterion), *each_alone(evaluation, criterion)]
    )
    return joined([*decided, *_notes(evaluation, criterion)])


def _of_one(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    estimate = decided_by(evaluation, criterion)
    side = side_of(criterion, estimate)
    if DECIDE[criterion.decide].by_value or criterion.state != "undecided":
        yield Sentence(DECIDED[criterion.decide].whole, side=side)
    elif math.isnan(estimate.low) or math.isnan(estimate.high):
        why = Sentence(" ({why})", why=estimate.why) if estimate.why else ""
        yield Sentence(
            "The value is {side}, but there is no interval{why}: nothing is settled.",
            side=side,
            why=why,
        )
    else:
        open_ = held_open(evaluation, criterion) or "these data leave it open"
        yield Sentence("The value is {side}, but {open}.", side=side, open=open_)
        yield settling(criterion, estimate, responses_of(estimate))


def held_open(evaluation: Evaluation, criterion: Criterion) -> Sentence | None:
    """Why an interval decides nothing, on whichever side of a limit it lies; None where it would."""
    if criterion.small_part is not None:
        part = evaluation.subsets[criterion.small_part]
        return Sentence(
            "{part} has only {n:responses}: below {fewest} a coefficient is too low, and "
            "a mean over {column}s does not mend that",
            part=part_called(part.column or "", part.trait or part.prompt or ""),
            column=part.column or "",
            n=part.n,
            fewest=FEWEST_OF_PART,
        )
    if criterion.few:
        return Sentence(
            "{n:responses} decide nothing: below {fewest}, verdicts err too often",
            n=criterion.n,
            fewest=criterion.fewest,
        )
    if criterion.few_clusters:
        return Sentence(
            "nothing can be decided from {clusters}: below {fewest} a verdict errs more often than "
            "its interval says",
            clusters=_clusters(decided_by(evaluation, criterion)),
            fewest=FEWEST_CLUSTERS,
        )
    return None


def _notes(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    """What does not fit: other weights than the limit was made for, a ceiling below it."""
    numbers = evaluation.numbers[decided_by(evaluation, criterion).subset]
    if Note.CONTINUOUS in criterion.notes:
        yield Sentence(
            "The gold is continuous: CCC, the quadratic weighted kappa of such scores, stands for "
            "QWK."
        )
    if Note.OTHER_WEIGHTS in criterion.notes:
        yield _other_weights(criterion, numbers.get(QWK))
    if not math.isnan(criterion.ceiling):
        yield _above_ceiling(criterion)
    if Note.POOLED in criterion.notes:
        over = next(
            (key for key in reversed(MEANS) if any(s.average == key for s in evaluation.subsets)),
            "",
        )
        yield Sentence(f"Of all responses together: differences between {over}s count too.")
    if Note.CAUTION in criterion.notes:
        yield Sentence("Note: {why}.", why=decided_by(evaluation, criterion).why)


def _other_weights(criterion: Criterion, qwk: Estimate | None) -> Sentence:
    cited = Sentence(
        "The limit {end} is commonly cited for QWK and asks something else here",
        end=End(QWK_LIMIT, QWK),
    )
    if qwk is None or math.isnan(qwk.value):
        return Sentence("{cited}.", cited=cited)
    return Sentence(
        "{cited}: on these data QWK is {qwk:value} where this is {this:value}.",
        cited=cited,
        qwk=_plainly(qwk.value),
        this=_plainly(criterion.value),
    )


def _above_ceiling(criterion: Criterion) -> Sentence:
    """Say that raters disagree so much that a limit is out of reach."""
    start = "No system can be expected to keep this limit"
    if criterion.ceiling_high >= limit_bounds(criterion).lower:
        start = "This limit may be out of reach of any system"
    return Sentence(
        f"{start}: raters disagree so much that even a scorer who knew every true score would reach "
        "only {ceiling:value} (upper end {high:value}) against this gold.",
        ceiling=_plainly(criterion.ceiling, ends_of(criterion)),
        high=_plainly(criterion.ceiling_high, ends_of(criterion)),
    )


def _plainly(number: float, ends: Sequence[float] = ()) -> Beside:
    return Beside(Estimate(key=QWK, value=number, n=0), ends)


def _clusters(estimate: Estimate) -> Sentence:
    """How many clusters there are and, where they differ in size, how many equal ones they are worth."""
    n, worth = round(estimate.parts.get("clusters", 0)), effective_clusters(estimate)
    many = Sentence("1 cluster" if n == 1 else "{n} clusters", n=n)
    if n - worth < 0.5:
        return many
    return Sentence(
        "{many} as unequal as these, worth {worth} equal ones", many=many, worth=round(worth)
    )


def responses_of(estimate: Estimate) -> str:
    """The responses that a number is of."""
    twice = estimate.name in (*texts("contrast"), "disattenuated_r")
    return "responses rated twice" if twice else "responses"
