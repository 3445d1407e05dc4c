"""Beside people: does a system agree with people as people agree with each other?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tallymark.catalogue import texts
from tallymark.inference import Formula, Settings
from tallymark.inference.formula import Joint
from tallymark.questions.people.contrasts import Paired, contrasted, estimated
from tallymark.questions.people.joined import Joined, joined, prolific
from tallymark.results import (
    AMONG_PEOPLE,
    OTHERS,
    Comparison,
    Estimate,
    Subset,
    system_called,
    without_rater,
)
from tallymark.study.average import averaged, joint
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, home, subset_id, subset_of
from tallymark.study.parts import Part


def compared_with_people(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Does the system agree with people as people agree with each other, on the same responses?

    First against single raters: of every two raters who share responses, their agreement with
    each other and the system's with each of them, on just these responses. Then, with three raters
    or more, left out in turn: system and rater each against the mean of the other raters.
    """
    both = joined(system, part)
    if both is None:
        return
    formulas = formulas_of(both, part)
    subset = subset_of(part, system_called(system), n=responses_of(both), against=AMONG_PEOPLE)
    estimates = contrasted(
        formulas, both.rows, both.single, settings, part.label, disattenuated=True
    )
    yield SubsetResults(subset, estimates, [])
    wide = both.beside_others()
    if not wide.counts.size:
        return
    moments = [f for f in formulas if home(f) == "moments"]
    subset = subset_of(part, system_called(system), n=int(wide.counts.sum()), against=OTHERS)
    estimates = contrasted(moments, wide, both.left_out, settings, part.label)
    yield SubsetResults(subset, estimates, [])


def averaged_beside_people(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """The mean over prompts of the same, where prompts are on scales of their own.

    All responses together have no one scale then; every prompt must have responses rated twice.
    Then the same without each rater in turn.
    """
    over = [part for part in parts if set(part.where) == {"prompt"}]
    if parts[0].scales is not None or any(part.many for part in over):
        return
    everyone = [part.people for part in over if part.people is not None]
    if len(everyone) < len(over):
        return
    yield from _averaged(system, over, settings, AMONG_PEOPLE)
    for name in dict.fromkeys(n for people in everyone for n in prolific(people)):
        yield from _averaged(system, over, settings, without_rater(name))


def _averaged(
    system: str, over: Sequence[Part], settings: Settings, against: Comparison
) -> Iterator[SubsetResults]:
    """The mean over prompts of each contrast; nothing where a prompt has none."""
    without = None if against == AMONG_PEOPLE else against.name
    prompts = [both for part in over if (both := joined(system, part, without)) is not None]
    if len(prompts) < 2 or len(prompts) < len(over):
        return
    scale = next((prompt.scale for prompt in prompts if prompt.scale.continuous), prompts[0].scale)
    alike = len({part.lambda_ for part in over}) == 1
    names = [name for name in texts("compared") if alike or name != "csrate"]
    estimates: list[Estimate] = []
    for formula in formulas_for(scale, names, lambda_=over[0].lambda_):
        kind = home(formula)
        if kind in ("table", "moments"):
            paired = [Paired.of(kind, both.rows, both.single, [formula]) for both in prompts]
            each = zip(*(prompt.formulas() for prompt in paired), strict=True)
            units = joint([prompt.units for prompt in paired])
            here = [_mean(of_prompts) for of_prompts in each]
            estimates += estimated(here, units, settings, "average:prompt")
    subject, label = system_called(system), "average:prompt"
    identity = subset_id(subject, against, label)
    n = sum(map(responses_of, prompts))
    subset = Subset(id=identity, subject=subject, against=against, average="prompt", n=n)
    yield SubsetResults(subset, estimates, [])


def formulas_of(both: Joined, part: Part) -> list[Formula]:
    """The statistics in which a system is held beside people."""
    formulas = formulas_for(both.scale, texts("compared"), lambda_=part.lambda_)
    return [f for f in formulas if home(f) in ("table", "moments")]


def responses_of(both: Joined) -> int:
    """How many responses two people and the system scored."""
    return int(both.rows.counts.sum())


def _mean(of_prompts: Sequence[Formula]) -> Formula:
    """The mean of one formula a prompt; the number of raters may differ between prompts."""
    joint = Joint(of_prompts, lambda values: values.mean(axis=-1))
    return replace(averaged(of_prompts[0], over="prompt"), value=joint.value, joint=joint)
