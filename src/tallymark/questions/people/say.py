"""Sentences on people: with each other, and with systems."""

import math
from collections.abc import Mapping, Sequence

from tallymark.catalogue import PeopleContrast, members, preferred_contrast
from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers, joined
from tallymark.results import Estimate, Evaluation, Finding, without_rater


def _adjudicator(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        Sentence(
            "{rater} rated only responses on which the other raters differ, as an adjudicator "
            "does: left out where a system is compared with people; agreement of all raters "
            "together is lowered by it.",
            **finding.texts,
        )
    )


def _yardstick_turns(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """One rater decides whether a system agrees more or less than people do."""
    rater = finding.texts["rater"]
    rest = evaluation.beside(finding.subset, without_rater(rater))
    contrasts = [
        preferred_contrast(numbers) for numbers in (evaluation.numbers[finding.subset], rest)
    ]
    (statistic, everyone), (_, without) = (pair for pair in contrasts if pair is not None)
    return FindingWords(
        Sentence(
            "{name} of {system} and a person less that of two people: {with_all} with {rater}, "
            "{with_rest} without. Two people reach {people:value} with {rater} and {people_rest:value} "
            "without.{correlates}{several}",
            rater=rater,
            system=finding.system,
            name=statistic.heading,
            with_all=everyone.difference,
            with_rest=without.difference,
            people=everyone.people,
            people_rest=without.people,
            correlates=_correlates(finding),
            several=_without_others(finding),
        ),
        title="One rater sets the yardstick",
        advice=Sentence(
            "Look at the ratings of {rater} first. Report the difference with and without.",
            rater=rater,
        ),
    )


def _without_others(finding: Finding) -> Sentence:
    """Say on how many other raters it turns as well."""
    n = int(finding.numbers["others"])
    templates = ("", " It also turns without one other rater.")
    several = " It also turns without any one of {n} other raters."
    return Sentence(templates[n] if n < len(templates) else several, n=n)


def _correlates(finding: Finding) -> Sentence:
    """Say how the rater follows the others, where that is known."""
    r = finding.numbers["r"]
    template = " {rater} correlates {r:goal} with the mean of the other raters."
    return Sentence("" if math.isnan(r) else template, rater=finding.texts["rater"], r=r)


def _panel_turns(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """People agree better without one rater."""
    rater, (alpha,) = finding.texts["rater"], members("panel_brief")[:1]
    return FindingWords(
        Sentence(
            "{name} of the raters is {all} with {rater}, {rest} without.{correlates} Look at the ratings "
            "of {rater} first.",
            rater=rater,
            correlates=_correlates(finding),
            name=alpha.heading,
            all=evaluation.numbers[finding.subset][alpha.text],
            rest=evaluation.beside(finding.subset, without_rater(rater))[alpha.text],
        )
    )


def _verdict_turns(finding: Finding, _: Evaluation) -> FindingWords:
    """The verdict is another without one rater."""
    return FindingWords(
        Sentence(
            "The verdict on {system} is {state} with {rater}, {without} without: {limit}.{several}",
            system=finding.system,
            several=_without_others(finding),
            **finding.texts,
        ),
        title="The verdict turns on one rater",
        advice=Sentence(
            "Look at the ratings of {rater} before you act on the verdict.",
            rater=finding.texts["rater"],
        ),
    )


FINDINGS: Tellers = {
    "adjudicator": _adjudicator,
    "panel_turns": _panel_turns,
    "verdict_turns": _verdict_turns,
    "yardstick_turns": _yardstick_turns,
}
CAUTION = "An interval that holds 0 leaves both open: it does not prove that they are equal."
NOBODY_TWICE = "Agreement of people is undefined, because no response was rated twice."
OWN_SCALES = "Prompts differ in their scales: there is no panel of all."


def beside_people(
    system: str, name: str, contrast: PeopleContrast, n: int, data: Sentence | None
) -> Sentence:
    """Say whether a system agrees with a person as two people agree with each other."""
    words: dict[str, Said] = {
        "system": system,
        "name": name,
        "with_person": contrast.system,
        "people": contrast.people,
        "difference": contrast.difference,
        "n": n,
        "of": "" if data is None else Sentence(", {of}", of=data),
    }
    if contrast.more_or_less:
        return Sentence(
            f"{{system}} agrees with a person ({{name}} {{with_person:value}}) {contrast.more_or_less} "
            "than two people agree with each other ({people:value}): difference {difference} on "
            "{n:responses} rated twice or more{of}.",
            **words,
        )
    why = contrast.difference.why
    if math.isnan(contrast.difference.value):
        return Sentence(
            "{system} and people cannot be compared by {name} on {n:responses} rated twice or more"
            "{of}{because}.",
            because=Sentence(": {why}", why=why) if why else "",
            **words,
        )
    return Sentence(
        "{system} agrees with a person at {name} {with_person:value}, two people with each other "
        "at {people:value}. These data do not show a difference: {difference} on {n:responses} "
        "rated twice or more{of}{because}.",
        because=Sentence(", because {why}", why=why) if why else "",
        **words,
    )


def other_differences(system: str, differences: Mapping[str, Estimate]) -> Sentence:
    """Say how far a system is from people in other statistics."""
    clauses = [
        Sentence("{name} {estimate}", name=name, estimate=estimate)
        for name, estimate in differences.items()
    ]
    return Sentence("{system}, other differences from people: {each}.", system=system, each=clauses)


def turned(evaluation: Evaluation, system: str) -> Sentence:
    """Say what becomes of a system's difference from people without the rater on whom it turns."""
    for finding in evaluation.findings:
        if finding.name == "yardstick_turns" and finding.system == system:
            rater = finding.texts["rater"]
            rest = preferred_contrast(evaluation.beside(finding.subset, without_rater(rater)))
            if rest is not None:
                template = " Without {rater} the difference is {rest}."
                return Sentence(template, rater=rater, rest=rest[1].difference)
    return Sentence("")


def left_out_in_turn(name: str, systems: Sequence[tuple[str, PeopleContrast]]) -> Sentence:
    """Say how each system and a left-out rater agree with the mean of the other raters."""
    clauses = [
        Sentence(
            "{system} {with_mean:value} and a rater {rater:value} (difference {difference})",
            system=system,
            with_mean=contrast.system,
            rater=contrast.people,
            difference=contrast.difference,
        )
        for system, contrast in systems
    ]
    return Sentence(
        "With the mean of the other raters, each left out in turn ({name}): {each}.",
        name=name,
        each=joined(clauses, "; "),
    )


def among_people(estimates: Mapping[str, Estimate], n: int, data: Sentence | None) -> Sentence:
    """Say how people agree with each other, and of which data that is."""
    clauses = [
        Sentence("{name} {estimate}", name=name, estimate=estimate)
        for name, estimate in estimates.items()
    ]
    return Sentence(
        "People with each other{of}: {each}; {n:responses} rated twice or more.",
        of="" if data is None else Sentence(", {of}", of=data),
        each=clauses,
        n=n,
    )


def panel(raters: int, n: int, level: float) -> Sentence:
    """Say who the panel is."""
    raters_words = Sentence("{raters} raters", raters=raters) if raters else Sentence("Raters")
    return Sentence(
        "{whose} as a panel, {level:level} intervals: {n:responses} rated twice or more",
        whose=raters_words,
        n=n,
        level=level,
    )


def pooled(column: str) -> str:
    """Say what all responses together hold beside agreement."""
    return f"All responses together also reflect differences between {column}s."


def met_in_one(pairs: int, column: str) -> Sentence:
    """Say that some raters share responses in one prompt or trait alone."""
    template = (
        f"{{pairs}} of these pairs share responses in one {column} alone: theirs is its number."
    )
    if pairs == 1:
        template = (
            f"One of these pairs shares responses in one {column} alone, whose number it has."
        )
    return Sentence(template, pairs=pairs)


def many_raters(limit: int) -> Sentence:
    """Say why there is no table of pairs."""
    return Sentence(
        "Pairs are not shown one by one: there are more than {most} raters.", most=limit
    )
