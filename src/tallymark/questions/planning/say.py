"""Sentences of a plan: the answer, and what it assumes."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate

if TYPE_CHECKING:
    from tallymark.questions.planning.compute import Labels
    from tallymark.questions.planning.pilots import Pilot


def basis(pilot: "Pilot") -> Sentence:
    """Say what is known of a statistic: a pilot, or what was assumed."""
    if pilot.n:
        whose = " and ".join(["{}"] * len(pilot.systems))
        named = {f"system{i}": name for i, name in enumerate(pilot.systems)}
        template = whose.format(*(f"{{{name}}}" for name in named))
        return Sentence(f"{{n:responses}} scored by {template}", n=pilot.n, **named)
    if pilot.shares:
        return Sentence(
            "scores of both are cuts of jointly normal ones, shares of the points {shares}",
            shares=[Sentence("{share}", share=share) for share in pilot.shares],
        )
    how = "as given" if pilot.given else "so that their errors are independent"
    return Sentence(
        "scores are normal with equal means and spreads; the systems correlate at {correlation}, "
        "{how}. Score points make intervals somewhat wider: prefer a pilot",
        correlation=pilot.correlation,
        how=how,
    )


def width(needed: int | None, name: str, value: float, half_width: float, level: float) -> Sentence:
    """Say how many responses give an interval of a given width."""
    return Sentence(
        "{n} responses give {name} = {value} a {level:g} % interval of -/+ {half:g}",
        n=needed or 0, name=name, value=value, level=100 * level, half=half_width,
    )  # fmt: skip


def continuous(normal: int, fisher: int) -> Sentence:
    """Say how many responses continuous scores would need."""
    return Sentence(
        "continuous normal scores would need {normal} (on Fisher's scale {fisher})",
        normal=normal,
        fisher=fisher,
    )


def settled(
    needed: int | None, name: str, value: float, low: float, high: float, power: float
) -> Sentence:
    """Say how many responses settle on which side of its limits a statistic lies."""
    if needed is None:
        return Sentence(
            "{name} = {value} stands on its limit: no number of responses settles it",
            name=name,
            value=value,
        )
    between = "at least {low:g}" if math.isinf(high) else "{low:g} to {high:g}"
    limits = Sentence("at most {high:g}" if math.isinf(low) else between, low=low, high=high)
    return Sentence(
        "{n} responses settle that {name} {verb} {limits}, with probability {power:g} if {value} "
        "is the true value",
        n=needed, name=name, verb="meets" if low <= value <= high else "misses", limits=limits,
        power=power, value=value,
    )  # fmt: skip


def told_apart(needed: int | None, name: str, value: float, power: float) -> Sentence:
    """Say how many responses tell two systems apart."""
    if needed is None:
        return Sentence("the two systems are equal: no number of responses tells them apart")
    return Sentence(
        "{n} responses tell the two systems apart with probability {power:g} if {name} differs by "
        "{apart}",
        n=needed, power=power, name=name, apart=abs(value),
    )  # fmt: skip


def rated_twice(needed: int | None, responses: int, half_width: float, level: float) -> Sentence:
    """Say how many responses must be rated twice."""
    if needed is None:
        return Sentence(
            "no number of double scores among {responses} responses gives PRMSE an interval of "
            "-/+ {half:g}: more responses are needed",
            responses=responses,
            half=half_width,
        )
    return Sentence(
        "{n} of {responses} responses rated twice give PRMSE a {level:g} % interval of -/+ "
        "{half:g}; they must be drawn at random",
        n=needed, responses=responses, level=100 * level, half=half_width,
    )  # fmt: skip


def variances(model: Mapping[str, float], n: int) -> Sentence:
    """Say what a plan of double scores assumes; ``n`` responses of a pilot, or none."""
    whence = Sentence("from {n} responses of the pilot" if n else "as assumed", n=n)
    return Sentence(
        "PRMSE {value}, variance of true scores {true_variance}, of rater errors {error_variance}, "
        "{whence}; scores normal, the system calibrated",
        whence=whence,
        **model,
    )


def raters(
    needed: int | None,
    reached: float,
    reliability: float,
    single: float,
    ends: Sequence[int | None],
) -> Sentence:
    """Say how many raters give a reliability; ``ends``: with the ends of one rater's interval."""
    if needed is None:
        return Sentence("raters do not tell responses apart: no number of them is reliable")
    people = "1 rater a response gives" if needed == 1 else "{n} raters a response give"
    most, fewest = ends or (needed, needed)
    between = Sentence("")
    if most != fewest:
        between = Sentence(
            "; with the ends of its interval {fewest} to "
            + ("no number of" if most is None else "{most}"),
            fewest=fewest or 0,
            most=most or 0,
        )
    return Sentence(
        people + " reliability {reliability:g} ({reached}) when one has {single}{between}",
        n=needed, reliability=reliability, reached=reached, single=single, between=between,
    )  # fmt: skip


def one_rater(found: Estimate | None) -> Sentence:
    """Say where the reliability of one rater comes from."""
    if found is None:
        return Sentence("reliability of one rater as assumed")
    return Sentence("reliability of one rater {found}, from {n:responses}", found=found, n=found.n)


def certified(asked: "Labels") -> Sentence:
    """Say how many labels certify."""
    found = asked.plan()
    if math.isnan(found.labels):
        return Sentence("no number of labels certifies this: {why}", why=found.why)
    each = Sentence("")
    if asked.prompts > 1:
        each = Sentence(
            " for each of {prompts} prompts, {all} in all",
            prompts=asked.prompts,
            all=found.labels_in_all,
        )
    return Sentence(
        "{labels} labelled responses{each} certify a rate of at most {alpha:g} critical errors "
        "among accepted responses (confidence {sure:g}) with probability {power:g}, if {rate:g} is "
        "the true rate, {coverage:g} % of the responses are accepted, and the threshold was fixed "
        "beforehand",
        labels=found.labels, each=each, alpha=asked.alpha, sure=1 - asked.delta, power=asked.power,
        rate=asked.rate, coverage=100 * asked.coverage,
    )  # fmt: skip


def about_labels(asked: "Labels") -> Iterator[Sentence]:
    """Say what the search costs, and the least that can certify."""
    found = asked.plan()
    if not math.isnan(found.labels):
        yield _searched(asked, found.labels)
    yield Sentence(
        "the least that can certify is {none} accepted labels without a critical error, {one} with "
        "one, {two} with two",
        none=found.least[0], one=found.least[1], two=found.least[2],
    )  # fmt: skip
    yield Sentence(
        "to show that none of the next 100 accepted is a critical error takes {clean} clean labels",
        clean=found.zero_100,
    )


def _searched(asked: "Labels", labels: float) -> Sentence:
    """Say what the same labels do where the threshold must be found with them."""
    found, enough = asked.searched(labels), asked.enough()
    if math.isnan(enough):
        more = Sentence(
            "more than {most} labels make it {power:g}; a lower rate or a higher alpha takes fewer",
            most=round(max(labels, asked.most)),
            power=asked.power,
        )
    else:
        more = Sentence(
            "about {enough} labels"
            + " of each prompt" * (asked.prompts > 1)
            + " make it {power:g}",
            enough=round(enough),
            power=asked.power,
        )
    return Sentence(
        "`tallymark route certify` looks for the threshold with the same labels: it then accepts so "
        "many with probability {whole}, any with {some}, if the rate is the same at every "
        "confidence; {more}",
        whole=found.whole, some=found.some, more=more,
    )  # fmt: skip


def beyond(most: float) -> Sentence:
    """Say that more are needed than were looked at."""
    return Sentence("over {most}", most=round(most))
