"""The verdict on one system in a sentence: how many limits it meets, and the numbers of the others."""

import math
from collections.abc import Sequence

from tallymark.questions.verdict.say import joined, listed, titled
from tallymark.questions.verdict.sides import ends_of, short_demand
from tallymark.render.limits import Beside
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import part_called
from tallymark.results import Criterion, Estimate, Judgement, Key, Verdict
from tallymark.verdict.policy import OVERALL

MOST_REASONS = 2
"""Of so many limits that decide a verdict the numbers stand in its sentence."""


def judgement(judged: Judgement, verdict: Verdict, labels: Words = "") -> Sentence:
    """The verdict on one system, and on which criteria it rests."""
    words = answer(judged, verdict, labels)
    said = Sentence("{system} {answer}", system=judged.system, answer=words)
    why = reasons(judged)
    return joined([said, why]) if why.template else said


def in_short(judged: Judgement, verdict: Verdict, labels: Words = "") -> Sentence:
    """The verdict on one system above a table of its criteria, which has the numbers of several."""
    words = answer(judged, verdict, labels, most=1)
    said = [Sentence("{system} {answer}", system=judged.system, answer=words)]
    said += [] if judged.criteria else [Sentence("No limit has any evidence.")]
    return joined([*said, *_alone(judged)])


def answer(
    judged: Judgement, verdict: Verdict, labels: Words = "", *, most: int | None = None
) -> Sentence:
    """What the policy says of a system, whose name stands before it; what it finds of ``labels`` too.

    Where a limit is missed or open, the sentence holds its number instead, unless they are more
    than ``most``.
    """
    several = most is not None and len(_turned_on(judged)) > most
    if labels and (judged.state == "met" or several):
        said = answer(judged, verdict, most=most)
        return Sentence("{labels}, and {answer}", labels=labels, answer=said)
    held_up = [each.title for each in judged.criteria if each.precondition and each.state != "met"]
    if held_up:
        template = (
            "is not judged by {policy}: {titles} must be met first, which these data do not show."
        )
        return Sentence(template, policy=verdict.policy, titles=listed(held_up))
    kept, why = [each for each in judged.criteria if each.state == "met"], _turned_on(judged)
    template, left = _met(judged), len(why) - MOST_REASONS
    if judged.state == "not met":
        template = "misses {k} of {n} limits of {policy}{why}."
    elif judged.state == "undecided":
        are = "is" if len(why) == 1 else "are"
        template = f"meets {{kept}} of {{n}} limits of {{policy}}; {{k}} {are} open{{why}}."
    if not judged.criteria:
        template = "was not held against {policy}."
    numbered = bool(why) and (most is None or len(why) <= most)
    shown = why[:MOST_REASONS] if left > 1 else why
    clauses = [_beside_its_limit(each) for each in shown]
    clauses += [Sentence("and {left} more", left=left)] if left > 1 else []
    return Sentence(
        template,
        kept=len(kept),
        n=len(judged.criteria),
        k=len(why),
        policy=verdict.policy,
        mean=_on_the_mean(kept),
        why=Sentence(": {clauses}", clauses=joined(clauses, "; ")) if numbered else "",
    )


def _deciding(judged: Judgement) -> tuple[str, ...]:
    """The states of limits that a verdict turns on, in the order of their weight."""
    named = {"not met": ("not met",), "undecided": ("undecided", "not computable")}
    return named.get(judged.state, ("met",))


def _turned_on(judged: Judgement) -> list[Criterion]:
    """The limits that a verdict turns on."""
    states = _deciding(judged)
    return [each for state in states for each in judged.criteria if each.state == state]


def _met(judged: Judgement) -> str:
    """That all limits are met, or all that could be tested."""
    limits = "the limit" if len(judged.criteria) == 1 else "all {n} limits"
    if judged.missing:
        return f"meets {limits.replace('all', 'the')} of {{policy}} that could be tested{{mean}}."
    return f"meets {limits} of {{policy}}{{mean}}."


def _beside_its_limit(criterion: Criterion) -> Sentence:
    """The number that a limit turns on, and what the limit asks."""
    if math.isnan(criterion.value):
        return Sentence("{title} (not known)", title=titled(criterion))
    number = Estimate(
        key=Key(criterion.statistic),
        value=criterion.value,
        low=criterion.low,
        high=criterion.high,
        n=criterion.n,
    )
    return Sentence(
        "{title} {number}, limit {demand}",
        title=titled(criterion),
        number=Beside(number, ends_of(criterion)),
        demand=short_demand(criterion),
    )


def _on_the_mean(deciding: Sequence[Criterion]) -> Words:
    """Over what the numbers behind the verdict are means; nothing where none is."""
    means = {(each.mean_over, each.mean_of) for each in deciding if each.mean_over}
    if len(means) != 1:
        return ""
    ((column, number),) = means
    return Sentence(f" on the mean of {{number}} {column}s", number=number)


def reasons(judged: Judgement) -> Sentence:
    """Which criteria are in which state, where the answer does not say it."""
    if not judged.criteria:
        return Sentence("No limit has any evidence.")
    clauses: list[Sentence] = []
    for state in ("not met", "undecided", "not computable", "met"):
        titles = [each.title for each in judged.criteria if each.state == state]
        word = state if clauses else state.capitalize()
        if titles and not _in_answer(judged, state):
            clauses.append(Sentence(f"{word}: {{titles}}", titles=listed(titles)))
    states = [Sentence("{all}.", all=joined(clauses, "; "))] if clauses else []
    return joined([*states, *_untested(judged), *_alone(judged)])


def _in_answer(judged: Judgement, state: str) -> bool:
    """Whether the answer names all limits in this state."""
    every = judged.state == "met" or len(_turned_on(judged)) <= MOST_REASONS + 1
    return every and state in _deciding(judged)


def _untested(judged: Judgement) -> list[Sentence]:
    """Limits that the policy does without, because the data hold no evidence."""
    titles = [each.title for each in judged.missing if each.optional]
    return [Sentence("Not tested: {titles}.", titles=listed(titles))] if titles else []


def _alone(judged: Judgement) -> list[Sentence]:
    """Prompts and traits that break, by themselves, a limit that is held against their mean."""
    said = []
    for each in judged.criteria:
        broken = [part for part in each.parts if part.state == "not met"]
        if each.where == OVERALL and broken:
            names = [part_called(part.column, part.name) for part in broken]
            ends = "s" if len(broken) == 1 else ""
            template = f"Alone, {{names:and}} break{ends} the limit on {{title}}."
            said.append(Sentence(template, title=each.title, names=names))
    return said
