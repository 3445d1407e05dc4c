"""Diagnosis: what the coefficients of a system hide, on all responses and on each prompt."""

from collections.abc import Iterator, Mapping, Sequence

from tallymark.inference import Settings
from tallymark.questions.diagnosis.influence import (
    influence_table,
    influential,
    largest_disagreements,
)
from tallymark.questions.diagnosis.metrics import metric_to_trust, metrics_here
from tallymark.questions.diagnosis.paradoxes import paradoxes
from tallymark.questions.diagnosis.part import Here, Where, by_subset, here_of
from tallymark.questions.diagnosis.position import by_point, margins, position_effect, positions
from tallymark.results import DIAGNOSIS, Estimate, Finding, ResultTable, system_called
from tallymark.scale import MOST_POINTS
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part, within


def diagnosed(
    parts: Sequence[Part], results: Sequence[SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the diagnosis of every system; ``results`` are those known already.

    Of all responses, or of each trait or prompt where there are several. All responses together
    have tables then, and no findings: how prompts differ raises their coefficients.
    """
    known, looked_at = by_subset(results), within(parts)
    for system in parts[0].scores.roles.systems:
        for part in dict.fromkeys((parts[0], *looked_at)):
            for diagnosis in _of_part(system, part, known, settings):
                yield diagnosis if part in looked_at else diagnosis._replace(findings=())


def _of_part(
    system: str, part: Part, known: Mapping[Where, SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    here, scores = here_of(system, part, known), part.scores
    whole = not part.where
    listed = largest_disagreements(scores.worst.get(system, ())) if whole else None
    tables = [] if listed is None else [listed]
    if here is None:  # prompts have scales of their own
        if tables:
            subset = subset_of(part, system_called(system), n=scores.facts.used, against=DIAGNOSIS)
            yield SubsetResults(subset, [], [], tables=tuple(tables))
        return
    estimates: list[Estimate] = []
    diagnoses = [*paradoxes(here, settings.level), *influential(here)]
    if whole:
        moved = influence_table(here)
        tables += [] if moved is None else [moved]
    if here.table is not None:
        more = _on_points(here, settings, whole=whole)
        estimates, tables, diagnoses = more[0], [*more[1], *tables], [*diagnoses, *more[2]]
    subset = subset_of(part, system_called(system), n=here.n, against=DIAGNOSIS)
    yield SubsetResults(subset, estimates, [], tables=tuple(tables), findings=tuple(diagnoses))


def _on_points(
    here: Here, settings: Settings, *, whole: bool
) -> tuple[list[Estimate], list[ResultTable], list[Finding]]:
    """What needs a table of score points."""
    table = here.table
    if table is None or not 2 <= table.points.size <= MOST_POINTS:
        return [], [], []
    made, placed = positions(here, table, settings)
    diagnoses = [*position_effect(here, table, made[0], placed)]
    tables = [by_point(here, table)]
    metrics = metrics_here(here, table, placed)
    tables += [metrics] if whole else []
    diagnoses += metric_to_trust(here, table, metrics)
    return [*margins(here, table), *made], tables, diagnoses
