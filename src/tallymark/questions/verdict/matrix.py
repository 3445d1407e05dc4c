"""The matrix: systems by criteria, and by prompts or traits, beside people and ceilings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tallymark.catalogue import called, texts
from tallymark.questions.verdict.settling import held_against
from tallymark.questions.verdict.sides import demand, ends_of, short_demand
from tallymark.render.facts import intervals
from tallymark.render.leading import brief, leading
from tallymark.render.model import Block, Cell, Column, Held, Rank, Section, Table, Value
from tallymark.render.names import SEPARATORS, common_start, shortened
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import (
    FEWEST,
    against_gold,
    at_a_glance,
    headline_subsets,
    place,
    systems_of,
)
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    GOLD,
    PEOPLE,
    Comparison,
    Criterion,
    Estimate,
    Evaluation,
    Judgement,
    Key,
    Scorer,
    Subset,
    gold_in_use,
    system_called,
)
from tallymark.verdict.policy import OVERALL
from tallymark.verdict.statistics import CEILED

FEW_SYSTEMS, MOST_ACROSS = 3, 8
"""So few systems stand beside each other, so many prompts; what are more stand below each other."""
MOST_MATRICES = 3
TWO_PEOPLE, TOP = "human-human", "ceiling"
"""What people reach, below systems or beside them."""


def section(evaluation: Evaluation) -> Section:
    """Show every system at a glance; nothing where there are few systems and few prompts."""
    shown = at_a_glance(evaluation)
    return Section(
        id="matrix",
        title="At a glance",
        question="Which system is good enough, and where?",
        blocks=tuple(_blocks(evaluation)) if shown else (),
        titled=False,
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    column, subsets = headline_subsets(evaluation)
    verdict = evaluation.verdict
    if verdict is not None and len(verdict.systems) >= FEWEST:
        yield _by_criterion(evaluation, verdict.systems)
    if not subsets:
        return
    if len(parts_in(evaluation, column)) > 1:
        yield from (_ByPart(evaluation, column, text).table() for text in _of_parts(evaluation))
    elif verdict is None and evaluation.kind != "compare":
        yield _by_statistic(evaluation, subsets)


def parts_in(evaluation: Evaluation, column: str) -> list[str]:
    """The prompts, or the traits, in their order."""
    subsets = [s for s in against_gold(evaluation) if column and [*place(s)] == [column]]
    return list(dict.fromkeys(getattr(s, column) for s in subsets))


def _by_criterion(evaluation: Evaluation, judgements: Sequence[Judgement]) -> Table:
    """Each system by the limits of the policy, its own verdict first."""
    criteria = {(c.title, c.where, c.statistic): c for j in judgements for c in j.criteria}
    rows: list[tuple[Value, ...]] = []
    for judgement in judgements:
        known = {(c.title, c.where, c.statistic): c for c in judgement.criteria}
        cells = (held_against(evaluation, known.get(key)) for key in criteria)
        rows.append((judgement.system, Cell(judgement.state, state=judgement.state), *cells))
    limits = [short_demand(criterion) for criterion in criteria.values()]
    statistics = [criterion.statistic for criterion in criteria.values()]
    people, ceilings = _yardsticks(evaluation, statistics)
    below: list[tuple[Value, ...]] = [("limit", Cell(""), *limits)]
    below += [(name, Cell(""), *row) for name, row in (*people, *ceilings)]
    return Table(
        id="matrix",
        caption=Sentence("Systems by criterion, {intervals}", intervals=intervals(evaluation)),
        columns=(
            Column("system"),
            Column("verdict"),
            *(Column(c.title, key=c.statistic, numeric=True) for c in criteria.values()),
        ),
        rows=(*rows, *below),
        below=len(below),
        rank=Rank.FIRST,
    )


def _by_statistic(evaluation: Evaluation, subsets: Sequence[Subset]) -> Table:
    """Each system by a few statistics, where no policy was named; elsewhere agreement shows more."""
    shown = brief(evaluation)
    rows: list[tuple[Value, ...]] = [
        (s.system, *(_held(statistic.of(evaluation.of(s))) for statistic in shown)) for s in subsets
    ]
    people, ceilings = _yardsticks(evaluation, [statistic.key for statistic in shown])
    below = [(name, *row) for name, row in (*people, *ceilings)]
    return Table(
        id="matrix",
        caption=Sentence("Systems and people, {intervals}", intervals=intervals(evaluation)),
        columns=(
            Column("system"),
            *(Column(each.title, each.words, each.key, numeric=True) for each in shown),
        ),
        rows=(*rows, *below),
        below=len(below),
        rank=Rank.PAGE,
    )


Named = list[tuple[str, list[Value]]]


def _yardsticks(evaluation: Evaluation, statistics: Sequence[str]) -> tuple[Named, Named]:
    """How two people agree in each statistic, and the ceiling of it, where either is known."""
    column, _ = headline_subsets(evaluation)
    people: list[Value] = [_held(_people(evaluation, column, "", text)) for text in statistics]
    tops: list[Value] = [_held(_ceiling(evaluation, column, "", text)) for text in statistics]
    return (
        [(TWO_PEOPLE, people)] if any(people) else [],
        [(TOP, tops)] if any(tops) else [],
    )


@dataclass(frozen=True, slots=True)
class _ByPart:
    """One statistic of every system in every prompt or trait, and their mean."""

    evaluation: Evaluation
    column: str
    statistic: str

    def table(self) -> Table:
        """Systems from above to below, or prompts where those are many or systems few."""
        parts = parts_in(self.evaluation, self.column)
        places = ["", *parts]
        titles = ["mean", *shortened(parts)]
        rows = self._rows(places)
        names, below = [*rows], sum(name in (TWO_PEOPLE, TOP) for name in rows)
        systems = len(names) - below
        across = len(parts) < systems or (systems > FEW_SYSTEMS and len(parts) <= MOST_ACROSS)
        cells: list[tuple[Value, ...]] = [(name, *row) for name, row in rows.items()]
        headings = ["", *titles]
        if not across:
            turned = zip(*rows.values(), strict=True)
            named = zip([*titles], turned, strict=True)
            cells = [(title, *row) for title, row in named]
            cells, headings, below = [*cells[1:], cells[0]], [self.column, *names], 1
        return Table(
            id=f"matrix {self.column}",
            caption=self._caption(parts),
            columns=tuple(
                Column(title, key="" if i == 0 else self.statistic, numeric=i > 0)
                for i, title in enumerate(headings)
            ),
            rows=tuple(cells),
            below=below,
            rank=Rank.FIRST,
        )

    def _rows(self, places: Sequence[str]) -> dict[str, list[Value]]:
        """The numbers of each system, of people, and of the ceiling, each of the mean first."""
        evaluation, column, text = self.evaluation, self.column, self.statistic
        rows = {
            system: [self._of_system(system, part) for part in places]
            for system in systems_of(evaluation)
        }
        people: list[Value] = [_held(_people(evaluation, column, part, text)) for part in places]
        tops: list[Value] = [_held(_ceiling(evaluation, column, part, text)) for part in places]
        rows |= {TWO_PEOPLE: people} if any(people) else {}
        return rows | ({TOP: tops} if any(tops) else {})

    def _of_system(self, system: str, part: str) -> Value:
        """The number of a system in a part, and what that says of the limit on this statistic."""
        criteria = self._criteria(system)
        state, row = _state(criteria, self.column, part)
        numbers = numbers_of(self.evaluation, system_called(system), GOLD, self.column, part)
        number = numbers.get(self.statistic)
        if number is None and row is not None:
            number = self.evaluation.estimates[row]
        return _held(number, state, tuple(ends_of(criteria[0])) if criteria else ())

    def _criteria(self, system: str) -> list[Criterion]:
        """The limits on this statistic, of all responses or of every part of this kind."""
        verdict = self.evaluation.verdict
        return [
            criterion
            for judgement in (verdict.systems if verdict else ())
            for criterion in judgement.criteria
            if judgement.system == system
            and criterion.statistic == self.statistic
            and criterion.where in (OVERALL, f"every {self.column}")
            and criterion.decided_by is not None
        ]

    def _caption(self, parts: Sequence[str]) -> Words:
        """Which statistic, of which parts, and its limit."""
        limits = [
            Sentence("; limit: {demand}", demand=demand(criterion))
            for system in systems_of(self.evaluation)
            for criterion in self._criteria(system)
        ]
        start = common_start(parts)
        named = start and start.strip(SEPARATORS).casefold() != self.column
        return Sentence(
            f"{{statistic}} in each of {{parts}} {self.column}s{{named}}, {{intervals}}{{limit}}",
            statistic=called(self.statistic),
            parts=len(parts),
            named=Sentence(" (names without {start})", start=start) if named else "",
            intervals=intervals(self.evaluation),
            limit=limits[0] if limits else "",
        )


def _state(criteria: Sequence[Criterion], column: str, part: str) -> tuple[str, int | None]:
    """What a part says of a limit, or without one all responses, and the row it is read off."""
    for criterion in criteria:
        if not part and criterion.where == OVERALL:
            return criterion.state, criterion.decided_by
        for each in criterion.parts:
            if (each.column, each.name) == (column, part):
                return each.state, each.row
    return "", None


def _of_parts(evaluation: Evaluation) -> list[str]:
    """The statistics to show of every part: the preferred, and those with a limit on every part."""
    column, _ = headline_subsets(evaluation)
    verdict = evaluation.verdict
    criteria = [c for j in (verdict.systems if verdict else ()) for c in j.criteria if c.parts]
    each = [c.statistic for c in criteria if c.where == f"every {column}"]
    limited = [c.statistic for c in criteria if c.where == OVERALL]
    shown = [statistic.key for statistic in leading(evaluation)]
    preferred = [text for text in texts("preferred") if text in shown]
    first = [text for text in preferred if text in (*each, *limited)]
    leads = [*first, *each, *limited, *preferred, *shown][:1]
    return list(dict.fromkeys([*leads, *each]))[:MOST_MATRICES]


def numbers_of(
    evaluation: Evaluation, subject: Scorer, against: Comparison, column: str, part: str
) -> Mapping[str, Estimate]:
    """The numbers of a part; of the mean over all of them, or of all responses, without one."""
    where: dict[str, Any] = {column: part} if part else {"average": column} if column else {}
    asked = Subset(id="", subject=subject, against=against, n=0, **where)
    at = evaluation.by_where.get(asked.where)
    return {} if at is None else evaluation.numbers[at]


def _people(evaluation: Evaluation, column: str, part: str, statistic: str) -> Estimate | None:
    """How two people agree."""
    key = Key("human_human", of=statistic)
    places = [(PEOPLE, CEILING)]
    places += [(system_called(name), AMONG_PEOPLE) for name in systems_of(evaluation)]
    for subject, against in places:
        numbers = numbers_of(evaluation, subject, against, column, part)
        if key in numbers:
            return numbers[key]
    return None


def _ceiling(evaluation: Evaluation, column: str, part: str, statistic: str) -> Estimate | None:
    """What a scorer who knew every true score would reach."""
    numbers = numbers_of(evaluation, PEOPLE, CEILING, column, part)
    if statistic not in CEILED or not numbers:
        return None
    people = evaluation.subsets[next(iter(numbers.values())).subset]
    return numbers.get(Key("ceiling_theoretical", gold=gold_in_use(evaluation, people)))


def _held(number: Estimate | None, state: str = "", ends: tuple[float, ...] = ()) -> Held | None:
    return None if number is None else Held(number, state, ends)
