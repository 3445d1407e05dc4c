"""Sentences of a plan: the answer, and what it assumes."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding

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


def continuous(normal: int, fisher: int) -> Sentence:
    """Say how many responses continuous scores would need."""
    return Sentence(
        "continuous normal scores would need {normal} (on Fisher's scale {fisher})",
        normal=normal,
        fisher=fisher,
    )


def variances(model: Mapping[str, float], n: int) -> Sentence:
    """Say what a plan of double scores assumes; ``n`` responses of a pilot, or none."""
    whence = Sentence("from {n} responses of the pilot" if n else "as assumed", n=n)
    return Sentence(
        "PRMSE {value}, variance of true scores {true_variance}, of rater errors {error_variance}, "
        "{whence}; scores normal, the system calibrated",
        whence=whence,
        **model,
    )


def one_rater(reliability: Estimate | None) -> Sentence:
    """Say where the reliability of one rater comes from."""
    if reliability is None:
        return Sentence("reliability of one rater as assumed")
    return Sentence(
        "reliability of one rater {found}, from {n:responses}", found=reliability, n=reliability.n
    )


def about_labels(asked: "Labels") -> Iterator[Sentence]:
    """Say what the search costs, and the least that can certify."""
    plan = asked.plan()
    if not math.isnan(plan.labels):
        yield _searched(asked, plan.labels)
    yield Sentence(
        "the least that can certify is {none} accepted labels without a critical error, {one} with "
        "one, {two} with two",
        none=plan.least[0], one=plan.least[1], two=plan.least[2],
    )  # fmt: skip
    yield Sentence(
        "to show that none of the next 100 accepted is a critical error takes {clean} clean labels",
        clean=plan.zero_100,
    )


def _searched(asked: "Labels", labels: float) -> Sentence:
    """Say what the same labels do where the threshold must be found with them."""
    searched, enough = asked.searched(labels), asked.enough()
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
        whole=searched.whole, some=searched.some, more=more,
    )  # fmt: skip


def beyond(most: float) -> Sentence:
    """Say that more are needed than were looked at."""
    return Sentence("over {most}", most=round(most))


_ANSWERS = {
    "plan_width": "{needed} responses give {statistic} = {value} a {level:level} interval of -/+ "
    "{half_width:g}.",
    "plan_settle": "{needed} responses settle that {statistic} {verb} {limits}, with probability "
    "{power:g} if {value} is the true value.",
    "plan_difference": "{needed} responses tell the two systems apart with probability {power:g} if "
    "{statistic} differs by {value}.",
    "plan_double-scores": "{needed} of {responses} responses rated twice give PRMSE a {level:level} "
    "interval of -/+ {half_width:g}; they must be drawn at random.",
    "plan_raters": "{needed} {raters} a response {give} reliability {reliability:g} ({reached}) when "
    "one has {single}{between}.",
    "plan_certify": "{needed} labelled responses{each} certify a rate of at most {alpha:g} critical "
    "errors among accepted responses (confidence {sure:g}) with probability {power:g}, if {rate:g} "
    "is the true rate, {coverage:level} of the responses are accepted, and the threshold was fixed "
    "beforehand.",
}
_NO_NUMBER = {
    "plan_settle": "{statistic} = {value} stands on its limit: no number of responses settles it.",
    "plan_difference": "the two systems are equal: no number of responses tells them apart.",
    "plan_double-scores": "no number of double scores among {responses} responses gives PRMSE an "
    "interval of -/+ {half_width:g}: more responses are needed.",
    "plan_raters": "raters do not tell responses apart: no number of them is reliable.",
    "plan_certify": "no number of labels certifies this: {why}.",
}


def _answer(finding: Finding, _: Evaluation) -> FindingWords:
    """Say how many are needed, or that no number is enough."""
    numbers = finding.numbers
    clauses: dict[str, Said] = {
        "limits": _limits(numbers.get("at_least"), numbers.get("at_most")),
        "raters": "rater" if numbers.get("needed") == 1 else "raters",
        "give": "gives" if numbers.get("needed") == 1 else "give",
        "between": _between(numbers.get("fewest"), numbers.get("most")),
        "each": Sentence(
            " for each of {prompts} prompts, {all} in all" if numbers.get("prompts", 1) > 1 else "",
            prompts=numbers.get("prompts", 1),
            all=numbers.get("in_all", 0),
        ),
    }
    template = (_ANSWERS if "needed" in numbers else _NO_NUMBER)[finding.name]
    return FindingWords(Sentence(template, **clauses, **numbers, **finding.texts))


def _limits(low: float | None, high: float | None) -> Sentence:
    if low is None or high is None:
        template = "at most {limit:g}" if low is None else "at least {limit:g}"
        return Sentence(template, limit=high or low or 0.0)
    return Sentence("{low:g} to {high:g}", low=low, high=high)


def _between(fewest: float | None, most: float | None) -> Sentence:
    """With the ends of the interval of one rater's reliability."""
    if fewest is None or fewest == most:
        return Sentence("")
    last = "no number of" if most is None else "{most}"
    return Sentence(
        "; with the ends of its interval {fewest} to " + last, fewest=fewest, most=most or 0
    )


FINDINGS: Tellers = dict.fromkeys(_ANSWERS, _answer)
