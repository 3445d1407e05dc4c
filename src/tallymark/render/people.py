"""People beside systems: does a system agree with people as they agree with each other?"""

from collections.abc import Sequence
from typing import NamedTuple

from tallymark.render.facts import intervals, responses
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import CONTINUOUS, LEADING, Shown, panel_brief
from tallymark.render.literal import literal
from tallymark.render.numbers import count, value_text, with_interval
from tallymark.render.rows import MOST_ROWS, more
from tallymark.render.subsets import (
    beside_people,
    panels,
    system_against,
    whole,
)
from tallymark.results import OTHERS, Estimate, Evaluation, Key, Numbers, Subset

MOST_SENTENCES = 3
"""More systems than this are told in a table."""
_PREFERRED = ("cohen_kappa[quadratic]", "lin_ccc")
_FURTHER = ("percent_agreement", "gwet_ac[quadratic]", "pearson")
_HEADINGS = {one.text: one for one in (*LEADING, CONTINUOUS)}
_CAUTION = "An interval that holds 0 leaves both open: it does not prove that they are equal."


class Contrast(NamedTuple):
    """A statistic between system and person, between two people, and the difference."""

    system: Estimate
    people: Estimate
    difference: Estimate

    @property
    def more_or_less(self) -> str:
        """What the interval of the difference says; nothing when it holds 0 or is undefined."""
        if self.difference.low > 0:
            return "more"
        return "less" if self.difference.high < 0 else ""


def people_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Compare systems with people on the responses that people scored twice."""
    compared = beside_people(evaluation)
    among = among_people(evaluation)
    if not compared and not among:
        return []
    mean = any(subset.average is not None for subset in compared)
    over = "mean over prompts" if mean else "all responses together"
    title = f"People and systems: {over}, {intervals(evaluation)}"
    lines = [*paragraph(title, width, weight="heading")]
    if len(compared) > MOST_SENTENCES:
        lines += _table_of_systems(evaluation, compared, width)
    else:
        for sentence in people_sentences(evaluation):
            lines += paragraph(sentence, width, indent="  ")
        lines += _further(evaluation, compared, width)
    if any(_undecided(evaluation, subset) for subset in compared):
        lines += paragraph(_CAUTION, width, weight="lesser")
    for sentence in [*left_out_sentences(evaluation), *among]:
        lines += paragraph(sentence, width, indent="  ")
    return [*lines, Line("")]


def people_sentences(evaluation: Evaluation) -> list[str]:
    """Say of each system whether it agrees with a person as two people agree."""
    sentences = []
    for subset in beside_people(evaluation):
        one, found = leading_contrast(evaluation, subset)
        if found is None:
            continue
        name, difference = literal(subset.system), with_interval(found.difference)
        system, people = value_text(found.system), value_text(found.people)
        on = f"on {responses(subset.n)} rated twice or more"
        if found.more_or_less:
            sentences.append(
                f"{name} agrees with a person ({one.heading} {system}) {found.more_or_less} than "
                f"two people agree with each other ({people}): difference {difference} {on}."
            )
            continue
        verdict = "These data do not show a difference"
        why = f", because {literal(found.difference.why)}" if found.difference.why else ""
        sentences.append(
            f"{name} agrees with a person at {one.heading} {system}, two people with each other at "
            f"{people}. {verdict}: {difference} {on}{why}."
        )
    return sentences


def left_out_sentences(evaluation: Evaluation) -> list[str]:
    """Say how each system and a left-out rater agree with the mean of the other raters."""
    told = []
    for subset in system_against(evaluation, OTHERS):
        found = contrast(evaluation.of(subset), CONTINUOUS.text)
        if found is not None:
            told.append(
                f"{literal(subset.system)} {value_text(found.system)}, a rater "
                f"{value_text(found.people)}, difference {with_interval(found.difference)}"
            )
    if not told:
        return []
    left = f"; and {count(len(told) - MOST_ROWS)} more" if len(told) > MOST_ROWS else ""
    how = f"With the mean of the other raters, each left out in turn ({CONTINUOUS.heading})"
    return [f"{how}: {'; '.join(told[:MOST_ROWS])}{left}."]


def among_people(evaluation: Evaluation) -> list[str]:
    """Say how people agree with each other, in one sentence."""
    everyone = [subset for subset in panels(evaluation) if whole(subset)]
    if not everyone:
        return []
    numbers = evaluation.of(everyone[0])
    if not _rated_twice(numbers):
        return []
    shown = panel_brief(evaluation)
    told = [f"{one.heading} {with_interval(numbers[one.text])}" for one in shown]
    on = f"{responses(_rated_twice(numbers))} rated twice or more"
    return [f"People with each other: {', '.join(told)}; {on}."]


def contrast(numbers: Numbers, text: str) -> Contrast | None:
    """Return the contrast in one statistic, if it was computed."""
    names = [Key(name, of=text) for name in ("human_system", "human_human", "degradation")]
    found = [numbers[name] for name in names if name in numbers]
    return Contrast(*found) if len(found) == len(names) else None


def _rated_twice(numbers: Numbers) -> int:
    return max((e.n for e in numbers.values() if e.name == "krippendorff_alpha"), default=0)


def leading_contrast(evaluation: Evaluation, subset: Subset) -> tuple[Shown, Contrast | None]:
    """The contrast in quadratic weighted kappa, or in concordance where scores are continuous."""
    numbers = evaluation.of(subset)
    for text in _PREFERRED:
        found = contrast(numbers, text)
        if found is not None:
            return _HEADINGS[text], found
    return CONTINUOUS, None


def _undecided(evaluation: Evaluation, subset: Subset) -> bool:
    found = leading_contrast(evaluation, subset)[1]
    return found is not None and not found.more_or_less


def _further(evaluation: Evaluation, compared: Sequence[Subset], width: int) -> list[Line]:
    """The differences in other statistics, one row per system."""
    numbers = [evaluation.of(subset) for subset in compared]
    said = {leading_contrast(evaluation, subset)[0].text for subset in compared}
    texts = [
        text for text in _FURTHER if text not in said and any(contrast(n, text) for n in numbers)
    ]
    if not texts:
        return []
    cells = [[literal(s.system)] for s in compared]
    for row, own in zip(cells, numbers, strict=True):
        found = [contrast(own, text) for text in texts]
        row += ["-" if one is None else with_interval(one.difference) for one in found]
    return table(["difference in", *(_HEADINGS[text].heading for text in texts)], cells, width)


def _table_of_systems(evaluation: Evaluation, compared: Sequence[Subset], width: int) -> list[Line]:
    """One row per system: with a person, between people, the difference, and what it says."""
    cells, heading = [], ""
    for subset in compared[:MOST_ROWS]:
        one, found = leading_contrast(evaluation, subset)
        if found is None:
            continue
        heading = one.heading
        numbers = [value_text(found.system), value_text(found.people)]
        difference = with_interval(found.difference)
        name = literal(subset.system)
        cells.append([name, count(subset.n), *numbers, difference, found.more_or_less])
    headings = [heading, "n", "with a person", "two people", "difference", ""]
    return [*table(headings, cells, width), *more(len(compared) - MOST_ROWS)]
