"""Probes: what does a system give texts that should not fool it?"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter

from msgspec.structs import replace

from tallymark.accuracy.error import bias
from tallymark.catalogue import BY_NAME
from tallymark.defaults import FEW_SYSTEMS
from tallymark.inference import Formula, Settings
from tallymark.render.leading import by_part, grid, shown_of
from tallymark.render.model import Block, Rank, Says, Section, Text
from tallymark.render.sentences import Sentence, joined
from tallymark.render.subsets import scope, standing_for_all
from tallymark.results import Comparison, Estimate, Evaluation, Kind, Numbers, Subset
from tallymark.sources import Scores
from tallymark.sources.probes import probe_of
from tallymark.study.average import PartFormulas
from tallymark.study.measured import SubsetResults
from tallymark.study.on_parts import OnPart, mean_units, on_parts
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import units_of
from tallymark.tally import nearest

RISES = "probe_rises"
NAMES = {"system": attrgetter("system"), "probe": attrgetter("against.name")}
MEANING = (
    "A probe is a text that takes the place of a response. No one scored it: what it should get is a "
    "judgement. A system that reads should give a text twice no more than the text once, an empty text "
    "the lowest score, and a response to another prompt less."
)
TEXTS = {
    "repeated": "a text repeated twice",
    "shuffled": "a text with its sentences shuffled",
    "off-topic": "a response to another prompt",
    "empty": "an empty text",
}
"""What a sentence calls the probes that we make; others have the user's names."""


def by_probe(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield what a system gives each probe: in all, by prompt and trait where few, and their means."""
    columns = scores.roles.probed.get(system, ())
    names = scores.roles.scores_of("--probe-scores", system)
    ungrouped = [part for part in parts if set(part.where) <= {*FACETS}]

    def noted(estimate: Estimate, on_parts: Sequence[OnPart]) -> Estimate:
        rounded = estimate.name == RISES and not on_parts[0].scale.continuous
        return replace(estimate, score="rounded" if rounded else "trimmed")

    for column, name in zip(columns, names, strict=True):
        against = Comparison(Kind.PROBE, probe_of(system, column))
        yield from on_parts(
            system,
            against,
            ungrouped,
            partial(_measured, system, name),
            settings,
            noted=noted,
            in_points=lambda estimate: estimate.name != RISES,
        )


def _measured(system: str, name: str, part: Part) -> OnPart | None:
    """The scores of responses and of probes in their place, on one part; None without any."""
    if part.scales is None:
        return None
    scale = part.scales[1]
    rows = part.unlabelled([f"system:{system}", name], scale).complete()
    if not rows.counts.size:
        return None
    before, after = rows.scores.T
    risen = after > before
    if not scale.continuous:
        risen = nearest(after, rows.points) > nearest(before, rows.points)
    measured: list[PartFormulas] = [
        ([_formula("probe_score")], mean_units(after, rows)),
        ([_formula("probe_change")], units_of("moments", rows)),
        ([_formula(RISES)], mean_units(risen * 1.0, rows)),
    ]
    return OnPart(scale, int(rows.counts.sum()), measured)


def _formula(name: str) -> Formula:
    row = BY_NAME[name]
    return Formula(
        name=name,
        value=bias,
        params={},
        interval="wilson" if name == RISES else "abc",
        range=row.range,
        undefined=row.undefined,
    )


def section(evaluation: Evaluation) -> Section:
    """Show what each system gives probes; nothing where none were scored."""
    subsets = [s for s in evaluation.subsets if s.against.kind is Kind.PROBE]
    return Section(
        id="probes",
        title="Probes",
        question="What do texts get that should not fool a system?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        takes="scores of probes, which tallymark baseline can write; --probe-scores FILE "
        "reads what your system gave them.",
    )


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    leading = [
        subset
        for probe in dict.fromkeys(s.against for s in subsets)
        for subset in standing_for_all(evaluation, [s for s in subsets if s.against == probe])
    ]
    systems = [*dict.fromkeys(s.system for s in subsets)]
    leading.sort(key=lambda s: systems.index(s.system))
    few = len({s.system for s in leading}) <= FEW_SYSTEMS
    if few:
        sentences = (
            _change(s.system, s.against.name, evaluation.of(s), scope(evaluation, s))
            for s in leading
        )
        yield Says(tuple(filter(None, sentences)), rank=Rank.FIRST)
    measures, rank = shown_of("probes"), Rank.FULL if few else Rank.FIRST
    rows = [((s.system, s.against.name), s.n, evaluation.of(s)) for s in leading]
    yield grid("probes", "Systems and probes", tuple(NAMES), rows, measures, rank=rank)
    yield from by_part(evaluation, subsets, "Probes", measures, NAMES)


def _change(system: str, probe: str, numbers: Numbers, data: Sentence | None) -> Sentence | None:
    """Say what a probe gains or loses, how many scores rise, and on which data."""
    defined = {key: number for key, number in numbers.items() if not math.isnan(number.value)}
    clauses = []
    if change := defined.get("probe_change"):
        clauses.append(_gain(change))
    if rises := defined.get(RISES):
        template = "the score rises in {rises:percent} of responses"
        clauses.append(Sentence(template if rises.value else "no score rises", rises=rises))
    if not clauses:
        return None
    return Sentence(
        "{system}, {what}: {clauses}{where}.",
        system=system,
        what=TEXTS.get(probe) or Sentence("the probe {probe}", probe=probe),
        clauses=joined(clauses, "; "),
        where="" if data is None else Sentence(" ({of})", of=data),
    )


def _gain(change: Estimate) -> Sentence:
    if change.value == 0 and not (change.low < 0 < change.high):
        return Sentence("scores as the response does on average")
    if change.low > 0:
        return Sentence("scores higher, {change} points", change=change)
    if change.high < 0:
        return Sentence("scores lower, {change} points", change=change)
    return Sentence("does not clearly score higher or lower, {change} points", change=change)
