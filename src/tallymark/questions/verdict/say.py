"""Sentences of a verdict: what a manager can read and a statistician can defend."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tallymark.defaults import LEVEL, MANY
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import part_called
from tallymark.results import Criterion, Evaluation, Judgement, Lack, Verdict

AGREEMENT_ONLY = (
    "This is agreement evidence only: whether the scores are valid, can be gamed, or fail on "
    "off-topic responses was not tested. How hard a limit on agreement is to meet depends on "
    "how reliable the human scores are."
)
NOT_TESTED = "Agreement evidence only: not tested are validity, gaming, off-topic responses."
ADJUSTED = (
    "Intervals are {level:level} each and not adjusted for their number. Only the tests that find "
    "a part of the data, such as a group, outside a limit are adjusted (Holm)."
)
MOST_NAMES = 8
LACKS: Mapping[Lack, str] = {
    Lack.NOT_SCORED: "the system scored none of the responses that were used",
    Lack.OTHERS_ASKED: "it was not computed, because other statistics were asked for alone",
    Lack.NO_PARTS: "name the column with --{what}",
    Lack.ONE_PART: "the column of {what}s holds one {what} only",
    Lack.ONE_RATER: "no response was rated by two people; name the second rater with --human "
    "COLUMN",
    Lack.OTHER_SCALE: "the gold, or one prompt, is on another scale than the people's ratings",
    Lack.NOT_OF_PEOPLE: "it was not computed between people on these data",
    Lack.MANY_PARTS: "it is not computed for more than {many} parts of the data",
    Lack.ONE_RUN: "no repeated runs of the system were named; name them with --repeat "
    "SYSTEM=COLUMN,COLUMN",
    Lack.NO_RATINGS: "the ratings behind the gold are not known, or are on another scale",
    Lack.NOT_ROUTED: "it is known of tallymark route certify only",
    Lack.NOT_OF_ROUTES: "it is known of tallymark evaluate only",
    Lack.NO_MEAN: "it is in score points, which have no mean over scales that differ; where = "
    '"every prompt" holds it in each',
    Lack.NOT_COMPUTED: "it was not computed on these data",
}


def states(verdict: Verdict) -> Sentence:
    """The state of the system, or how many of the systems are in which state."""
    if len(verdict.systems) == 1:
        part = ", as far as tested" if verdict.state == "met" and verdict.systems[0].missing else ""
        return Sentence(f"Verdict: {verdict.state}{part}")
    return Sentence(
        "Verdict on {n} systems: {every}", n=len(verdict.systems), every=_by_state(verdict)
    )


def counted(verdict: Verdict) -> Sentence:
    """Which of many systems meet a policy."""
    met = [judged.system for judged in verdict.systems if judged.state == "met"]
    n, start = len(verdict.systems), "{met} of {n} systems meet {policy}: {names}."
    if len(met) in (0, n):
        start = "All {n} systems meet {policy}." if met else "None of {n} systems meets {policy}."
    return Sentence(start, met=len(met), n=n, policy=verdict.policy, names=listed(met))


def the_rest(verdict: Verdict) -> Sentence:
    """Which of many systems do not meet it, and which are open."""
    clauses: list[Sentence] = []
    for state in ("undecided", "not met"):
        names = [judged.system for judged in verdict.systems if judged.state == state]
        word = state if clauses else state.capitalize()
        if 0 < len(names) < len(verdict.systems):
            clauses.append(Sentence(f"{word}: {{names}}", names=listed(names)))
    return Sentence("{all}.", all=joined(clauses, "; ")) if clauses else Sentence("")


def policy(verdict: Verdict) -> Sentence:
    """The policy and its version."""
    named = Sentence(
        "Policy {name}, version {version}", name=verdict.policy, version=verdict.version
    )
    if verdict.title == verdict.policy:
        return named
    return Sentence("{named}: {title}", named=named, title=verdict.title)


def mean_of_all(judged: Judgement) -> Sentence | None:
    """Over what the numbers of all criteria are means; None where one is of other data."""
    means = {(each.mean_over, each.mean_of) for each in judged.criteria if each.group is None}
    if len(means) != 1:
        return None
    ((column, number),) = means
    return Sentence(f"mean of {{number}} {column}s", number=number) if column else None


def titled(criterion: Criterion) -> Words:
    """The title of a limit, and what its number is of: a mean over parts, or one of them."""
    title: Words = criterion.title
    if criterion.precondition:
        title = Sentence("precondition {title}", title=title)
    if criterion.group is not None:
        column, name = criterion.group_column or "", criterion.group
        return Sentence("{title} ({part})", title=title, part=part_called(column, name))
    if not criterion.mean_over:
        return title
    mean = f"{{title}} (mean of {{parts}} {criterion.mean_over}s)"
    return Sentence(mean, title=title, parts=criterion.mean_of)


def titled_shortly(criterion: Criterion, mean: Sentence | None) -> Words:
    """The title of a limit in a narrow table, which says elsewhere over what numbers are means."""
    if criterion.group is not None:
        return Sentence("{title}: {group}", title=criterion.title, group=criterion.group)
    title = titled(replace(criterion, mean_over=""))
    some = mean is None and criterion.mean_over
    return Sentence("{title} (mean)", title=title) if some else title


def means_among(judged: Judgement) -> Sentence | str:
    """Over what the numbers of some criteria are means, where those of others are not."""
    of = [limit for limit in judged.criteria if limit.mean_over and limit.group is None]
    counts = sorted({limit.mean_of for limit in of})
    if mean_of_all(judged) is not None or not of:
        return ""
    some = Sentence("{low} to {high}" if counts[1:] else "{low}", low=counts[0], high=counts[-1])
    return Sentence(f"(mean): over {{some}} {of[0].mean_over}s.", some=some)


def missing(judged: Judgement) -> list[Sentence]:
    """Evidence the data do not hold; limits that lack it for one reason together."""
    titles_of: dict[tuple[Lack, str, bool], list[Words]] = {}
    for each in judged.missing:
        titles_of.setdefault((each.lack, each.where, each.optional), []).append(each.title)
    return [
        Sentence(
            "{titles}: {why} (optional)" if optional else "{titles}: {why}",
            titles=titles,
            why=why_missing(lack, where),
        )
        for (lack, where, optional), titles in titles_of.items()
    ]


def cautions(evaluation: Evaluation, verdict: Verdict) -> list[Words]:
    """How the numbers of a verdict are to be read, also where some limit is open."""
    level = float(evaluation.options.get("level", LEVEL))
    return [
        AGREEMENT_ONLY,
        *verdict.cautions,
        *_sources(verdict),
        Sentence(ADJUSTED, level=level),
    ]


def _sources(verdict: Verdict) -> list[Sentence]:
    """Where each limit is quoted from; limits of one source together."""
    titles_of: dict[str, dict[str, None]] = {}
    for judged in verdict.systems:
        for each in judged.criteria:
            titles_of.setdefault(each.source, {})[each.title] = None
    clauses = [
        Sentence("{titles}: {source}", titles=[*titles], source=source)
        for source, titles in titles_of.items()
        if source
    ]
    return [Sentence("Sources: {clauses}.", clauses=joined(clauses, "; "))] if clauses else []


def _by_state(verdict: Verdict) -> list[Words]:
    states = Counter(judged.state for judged in verdict.systems)
    return [Sentence(f"{{n}} {state}", n=n) for state, n in states.most_common()]


def why_missing(lack: Lack, where: str) -> Sentence:
    """Why the data hold no evidence."""
    return Sentence(LACKS[lack], many=MANY, what=where.removeprefix("every "))


def listed(names: Sequence[Words]) -> list[Words]:
    """The first names, and how many more there are."""
    left = len(names) - MOST_NAMES if len(names) > MOST_NAMES + 1 else 0
    return [
        *names[: len(names) - left],
        *([Sentence("and {left} more", left=left)] if left > 0 else []),
    ]


def joined(sentences: Sequence[Sentence], by: str = " ") -> Sentence:
    """Put sentences, or clauses, one behind the other."""
    named = {f"s{i}": sentence for i, sentence in enumerate(sentences)}
    return Sentence(by.join(f"{{{name}}}" for name in named), **named)
