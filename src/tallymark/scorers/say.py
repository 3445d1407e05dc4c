"""Sentences on reference scorers: what they are, and what beats them."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from tallymark.catalogue import texts
from tallymark.questions.comparison.pairs import SystemPair, heading, pairs_of, ranked_by
from tallymark.render.sentences import Sentence, Words, joined
from tallymark.render.subsets import headline_subsets
from tallymark.results import Estimate, Evaluation
from tallymark.scorers.cost import FitsToCome
from tallymark.scorers.models import MODELS

PURPOSE = (
    "These are reference scorers, trained on the responses at hand to show what a simple model "
    "reaches. They are not a scoring engine: do not score candidates with them."
)
FOR_PAGE = (
    "{names}: reference scorers, trained on these responses to show what a simple model reaches; they are not "
    "a scoring engine"
)
ONE_PROMPT = "No off-topic probes: they are responses to another prompt; name the column of prompts with --prompt."
_SHORT, _MINUTE, _LONG = 10, 60, 90


def announced(work: FitsToCome, models: int, seeds: int) -> Sentence:
    """Say how much there is to do, before it begins."""
    seconds = work.seconds / work.workers()
    time: Words = "some seconds"
    if seconds >= _LONG:
        time = Sentence("about {n:about} minutes", n=seconds / _MINUTE)
    elif seconds >= _SHORT:
        time = Sentence("about {n:about} seconds", n=seconds)
    return Sentence(
        "{fits} to come, {time}: {models}, {parts}, 5 folds{rules}{seeds}.",
        fits=_number(work.fits, "fit"),
        time=time,
        models=_number(models, "reference scorer"),
        parts=_number(work.parts, "prompt"),
        rules="" if work.rules == 1 else Sentence(", {n} rules", n=work.rules),
        seeds="" if seeds == 1 else Sentence(", {n} seeds", n=seeds),
    )


def blank(number: int) -> Sentence:
    """Say that some responses have no text."""
    template = "{n:responses} without text: scored as empty."
    return Sentence(template, n=number)


def copied(number: int) -> Sentence:
    """Say that some responses have a text that the models had seen."""
    template = (
        "{n:responses} have the same text as another candidate's in another fold: models had seen it. If they "
        "were copied, a --cluster column that names copies alike keeps them together."
    )
    return Sentence(template, n=number)


def by_chance(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say which reference scorers have an interval that leaves 0 out and yet prove nothing."""
    by = str(evaluation.options.get("by") or texts("preferred")[0])
    near = [
        Sentence("{name} {apart}", name=subset.system, apart=estimate)
        for subset in headline_subsets(evaluation)[1]
        if subset.system in MODELS and (estimate := evaluation.of(subset).get(by)) is not None
        if _close(estimate)
    ]
    if near:
        yield Sentence(
            "{by}: {near}: no proof that texts tell the score. Responses of different folds teach each other, so "
            "that up to one 95 % interval in six leaves 0 out where there is nothing to learn.",
            by=heading(by),
            near=near,
        )


def _close(estimate: Estimate) -> bool:
    """Whether an interval leaves 0 out, but would not if the variance were twice as large."""
    if not (estimate.low > 0 or estimate.high < 0):
        return False
    return estimate.value < 0 or estimate.value < sqrt(2) * (estimate.value - estimate.low)


def too_small(parts: Mapping[str, int], fewest: int) -> Sentence:
    """Say which parts are too small to learn from."""
    return Sentence(
        "Not scored: {responses:responses} of {n} with fewer than {fewest} candidates each ({names}{more}).",
        responses=sum(parts.values()),
        n=_number(len(parts), "prompt"),
        fewest=fewest,
        names=[*parts][:5],
        more="" if len(parts) <= 5 else " ...",
    )


def flat(parts: Mapping[str, int]) -> Sentence:
    """Say where all responses have the same gold."""
    return Sentence(
        "Not scored: {responses:responses} of {n} in which all have the same gold ({names}{more}); there is "
        "nothing to learn.",
        responses=sum(parts.values()),
        n=_number(len(parts), "prompt"),
        names=[*parts][:5],
        more="" if len(parts) <= 5 else " ...",
    )


def unclassified(points: int) -> Sentence:
    """Say that classifiers are left out."""
    return Sentence(
        "No classifiers where the gold is continuous or has more than {points} points.",
        points=points,
    )


def _number(number: int, of: str) -> Words:
    return f"1 {of}" if number == 1 else Sentence(f"{{n}} {of}s", n=number)


def beaten(evaluation: Evaluation, systems: Sequence[str]) -> Iterator[Sentence]:
    """Say of each of the user's systems which reference scorers it beats, and by how much."""
    by = ranked_by(evaluation)
    pairs = pairs_of(evaluation, by)
    for system in systems:
        ordered = [
            p if p.first == system else p.turned for p in pairs if system in (p.first, p.second)
        ]
        against = [p for p in ordered if p.second in MODELS]
        if against:
            yield _of_system(system, heading(by), against)


def _of_system(system: str, by: str, pairs: Sequence[SystemPair]) -> Sentence:
    """What is settled first: beaten, then behind; by how much, the closest last."""
    beats = [p for p in pairs if p.better == system]
    loses = [p.turned for p in pairs if p.better == p.second]
    unsettled = [p for p in pairs if not p.better]
    every = ""
    if len(pairs) > 1 and len(pairs) in (len(beats), len(loses)):
        every = "both: " if len(pairs) == 2 else "all {n}: "
    clauses: list[Words] = []
    if beats:
        clauses.append(Sentence(f"beats {every}{{each}}", n=len(beats), each=_each(beats)))
    if loses:
        clauses.append(Sentence(f"is behind {every}{{each}}", n=len(loses), each=_each(loses)))
    if unsettled:
        clauses.append(
            Sentence("not settled: {each}", each=_each(unsettled, "against {name} {apart}"))
        )
    return Sentence(
        "{by}: {system} {clauses}.", by=by, system=system, clauses=joined(clauses, "; ")
    )


def _each(pairs: Sequence[SystemPair], template: str = "{name} by {apart}") -> list[Words]:
    return [
        Sentence(template, name=MODELS[_scorer(p)].title, apart=p.difference)
        for p in sorted(pairs, key=lambda p: -abs(p.difference.value))
    ]


def _scorer(pair: SystemPair) -> str:
    """The reference scorer of a pair, which stands second unless it is turned."""
    return pair.second if pair.second in MODELS else pair.first


def under(rule: str) -> Sentence:
    """The heading of a rule of resolution."""
    return Sentence("Gold by the rule {rule}", rule=rule)
