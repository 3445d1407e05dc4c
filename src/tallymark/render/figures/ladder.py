"""The ceilings as rungs, and where each system stands among them."""

from collections.abc import Sequence
from dataclasses import replace

from tallymark.render.figures import panels
from tallymark.render.figures.intervals import entry, told
from tallymark.render.figures.panels import Panel
from tallymark.render.figures.records import WIDE, Figure, Frame, Mark, Row
from tallymark.render.figures.scales import drawable
from tallymark.render.subsets import systems_of, whole, whole_subsets
from tallymark.results import CEILING, PEOPLE, Estimate, Evaluation, Key, Kind, Subset, gold_in_use

_ATTAINABLE, _REACHED = "attainable", "reached"


def ladder(
    rungs: Sequence[Row],
    systems: Sequence[Row],
    *,
    statistic: str = "QWK",
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Figure:
    """Draw ceilings from the top down and below them the systems, on one axis."""
    both = [replace(row, section=_ATTAINABLE, series=0) for row in rungs]
    both += [replace(row, section=_REACHED) for row in systems]
    marks = [Mark(row.value, "", "ceiling") for row in rungs if drawable(row.value)]
    title = title or f"{statistic} that is attainable, and {statistic} reached"
    panel = Panel(title=statistic, marks=marks, coefficient=all(row.coefficient for row in both))
    return panels.draw(
        [entry(row) for row in both], [panel], Frame(title, prefix, width, told(both))
    )


def ladder_of(evaluation: Evaluation, *, title: str = "", width: int = WIDE, prefix: str) -> Figure:
    """Draw the ladder of all responses of an evaluation."""
    every = [s for s in evaluation.subsets if (s.subject, s.against) == (PEOPLE, CEILING)]
    own = [s for s in every if whole(s)]
    if not own:
        own_scales = "prompts are on scales of their own"
        return Figure("", own_scales if every else "no response was rated twice", title)
    numbers = evaluation.of(own[0])
    kappa = "lin_ccc" if "human_human[lin_ccc]" in numbers else "cohen_kappa[quadratic]"
    rungs = [Row.of(found, label) for label, found in _rungs(evaluation, own[0], kappa)]
    systems = [
        Row.of(found, name, series=1 + i % 6)
        for i, (name, found) in enumerate(_reached(evaluation, kappa))
    ]
    statistic = "CCC" if kappa == "lin_ccc" else "QWK"
    return ladder(rungs, systems, statistic=statistic, title=title, width=width, prefix=prefix)


def _rungs(evaluation: Evaluation, people: Subset, kappa: str) -> list[tuple[str, Estimate]]:
    """The ceilings against the gold that is used, those that are known."""
    numbers, gold = evaluation.of(people), gold_in_use(evaluation, people)
    points = gold if Key("ceiling_quantised", gold=gold) in numbers else "mean_up"
    named = {
        "theoretical": Key("ceiling_theoretical", gold=gold),
        "quantised": Key("ceiling_quantised", gold=points),
        "human-like": Key("ceiling_human_like", gold=gold),
        "human-human": Key("human_human", of=kappa),
    }
    return [(label, numbers[text]) for label, text in named.items() if text in numbers]


def _reached(evaluation: Evaluation, kappa: str) -> list[tuple[str, Estimate]]:
    """The statistic of each system, or published numbers where there is no system."""
    found = [(s.system, evaluation.of(s)) for s in whole_subsets(evaluation)]
    if not systems_of(evaluation):
        found = [
            (s.system, evaluation.of(s))
            for s in evaluation.subsets
            if s.subject.kind is Kind.PUBLISHED and s.against == CEILING and whole(s)
        ]
        kappa = "reference"
    return [(name, numbers[kappa]) for name, numbers in found if kappa in numbers]
