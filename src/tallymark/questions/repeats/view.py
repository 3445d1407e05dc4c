"""Repeated runs, as a section: a sentence on each system, and on the page a grid of its numbers."""

from tallymark.questions.repeats.say import steadiness
from tallymark.render.model import Entry, Grid, Measure, Rank, Says, Section
from tallymark.render.scope import scope
from tallymark.render.subsets import systems_leading
from tallymark.results import ITSELF, Evaluation

_KEY = "self_consistency"
_MEASURES = {
    "exact": Measure("same score", "share of pairs of runs", _KEY),
    "changed": Measure("changed", "share of responses whose score changes", _KEY),
    "sd": Measure("SD", "of a response's runs, in score points", _KEY),
    "icc": Measure("ICC", "reliability of one run", _KEY),
}


def section(evaluation: Evaluation) -> Section:
    """Show how steady each system is; nothing where none ran several times."""
    runs = [
        (subset, {str(e.params["kind"]): e for e in evaluation.of(subset).values()})
        for subset in systems_leading(evaluation, ITSELF)
    ]
    grid = Grid(
        id="repeats",
        caption="Runs of the same system",
        names=("system",),
        measures=tuple(_MEASURES.values()),
        entries=tuple(
            Entry((subset.system,), tuple(map(numbers.get, _MEASURES)), subset.n)
            for subset, numbers in runs
        ),
        rank=Rank.PAGE,
    )
    said = tuple(
        steadiness(subset.system, subset.n, numbers, scope(evaluation, subset))
        for subset, numbers in runs
    )
    return Section(
        id="repeats",
        title="Repeated runs",
        question="Does a system give the same score again?",
        blocks=(Says(said, rank=Rank.FIRST), grid) if runs else (),
        takes="repeated runs of a system: --repeat NAME=COL,COL.",
    )
