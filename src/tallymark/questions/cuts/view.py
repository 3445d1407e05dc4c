"""Decisions at cuts, as a section: against the gold, against true scores, and of which kind."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.questions.cuts.say import GOLD, RATING, SYSTEM, Decision, cautions, sentence
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.model import Block, Entry, Grid, Measure, Rank, Says, Section, Text
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import place, system_against
from tallymark.results import CUT_SCORES, Evaluation, Key, Subset

_MEASURES = {
    GOLD: Measure("as the gold", "share with the same decision"),
    Key("false_pass", against="gold"): Measure(
        "passes, gold fails", "share of all responses", rank=Rank.FULL
    ),
    Key("false_fail", against="gold"): Measure(
        "fails, gold passes", "share of all responses", rank=Rank.FULL
    ),
    SYSTEM: Measure("as true scores", "decides as many ratings would"),
    RATING: Measure("rating as true scores", "so does one rating"),
    Key("false_pass", against="true score"): Measure(
        "passes wrongly", "share of all, against true scores"
    ),
    Key("false_fail", against="true score"): Measure(
        "fails wrongly", "share of all, against true scores"
    ),
    Key("decision_consistency", of="system"): Measure(
        "as another rating", "share of responses", rank=Rank.PAGE
    ),
    Key("decision_consistency", of="rater"): Measure(
        "two ratings", "decide alike, share of responses", rank=Rank.PAGE
    ),
    Key("error_at_cut", of="system"): Measure(
        "error beside the cut", "in points, from true scores"
    ),
    Key("error_at_cut", of="rater"): Measure(
        "error of a rating", "the same, of one rating", rank=Rank.PAGE
    ),
}
_LINKED = tuple(replace(measure, key=key.name) for key, measure in _MEASURES.items())


def section(evaluation: Evaluation) -> Section:
    """Show how systems decide at each cut; nothing where no cut was given."""
    return Section(
        id="cuts",
        title="Pass marks",
        question="Would the same responses pass?",
        blocks=tuple(_blocks(_decisions(evaluation))),
        takes="pass marks: --cut.",
    )


def _blocks(decisions: Sequence[Decision]) -> Iterator[Block]:
    if not decisions:
        return
    if len(decisions) <= SIDE_BY_SIDE:
        yield Says(tuple(map(sentence, decisions)), rank=Rank.FIRST)
    yield from _grids(decisions)
    for caution in cautions(decisions):
        yield Text(caution, rank=Rank.FIRST)


def _grids(decisions: Sequence[Decision]) -> Iterator[Grid]:
    """One grid a system, its cuts beside each other; many systems, or one cut, in one grid."""
    systems = list(dict.fromkeys(decision.system for decision in decisions))
    if len(systems) > SIDE_BY_SIDE or len(decisions) == len(systems) > 1:
        entries = [_entry(decision, decision.system, decision.place) for decision in decisions]
        yield _grid("Decisions of systems", ("system", "decision"), entries)
        return
    for system in systems:
        entries = [
            _entry(decision, decision.place) for decision in decisions if decision.system == system
        ]
        yield _grid(Sentence("Decisions of {system}", system=system), ("decision",), entries)


def _entry(decision: Decision, *names: Words) -> Entry:
    return Entry(names, tuple(map(decision.numbers.get, _MEASURES)), decision.n)


def _grid(caption: Words, names: tuple[str, ...], entries: Sequence[Entry]) -> Grid:
    return Grid(
        id="cuts",
        caption=caption,
        names=names,
        measures=_LINKED,
        entries=tuple(entries),
        note="A score that reaches the cut passes.",
        rank=Rank.FIRST,
    )


def _decisions(evaluation: Evaluation) -> list[Decision]:
    """Every system at every cut, and last all grades: of all responses, else of each prompt."""
    subsets = system_against(evaluation, CUT_SCORES) or _of_prompts(evaluation)
    return [decision for subset in subsets for decision in _of_subset(evaluation, subset)]


def _of_prompts(evaluation: Evaluation) -> list[Subset]:
    """Where prompts are on scales of their own, no cut is one of all responses together."""
    of_prompts = [s for s in evaluation.subsets if s.against == CUT_SCORES and s.prompt is not None]
    return [s for s in of_prompts if len(place(s)) == 1]


def _of_subset(evaluation: Evaluation, subset: Subset) -> Iterator[Decision]:
    estimates = evaluation.of(subset)
    part = ", ".join(place(subset).values())
    for agreed in (e for e in estimates.values() if e.name == GOLD.name):
        at = agreed.params
        numbers = {
            key: estimates[key.having(**at)] for key in _MEASURES if key.having(**at) in estimates
        }
        yield Decision(subset.system, part, at.get("cut"), subset.n, numbers)
