"""A statistic of every system in every prompt or trait, beside people and ceilings."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, called, texts
from tallymark.questions.verdict.sides import demand, ends_of
from tallymark.render.leading import leading
from tallymark.render.literal import SEPARATORS, common_start, shortened
from tallymark.render.model import Column, Held, Rank, Table, Value
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import (
    against_gold,
    headline_subsets,
    place,
    systems_in_rank,
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
    Key,
    Scorer,
    Subset,
    gold_in_use,
    split_key,
    system_called,
)
from tallymark.verdict.policy import OVERALL
from tallymark.verdict.statistics import CEILED, KAPPA

FEW_SYSTEMS, MOST_ACROSS = 3, 8
"""So few systems stand beside each other, so many prompts; what are more stand below each other."""
MOST_MATRICES = 3
MOST_PARTS, WORST = 20, 10
"""Of more parts than the one, so many stand on the first screen, the worst first."""
TWO_PEOPLE, TOP = "human-human", "ceiling"
"""What people reach, below systems or beside them."""


def parts_in(evaluation: Evaluation, column: str) -> list[str]:
    """The prompts, or the traits, in their order."""
    subsets = [s for s in against_gold(evaluation) if column and [*place(s)] == [column]]
    return list(dict.fromkeys(getattr(s, column) for s in subsets))


class ByPart(Struct, frozen=True):
    """One statistic of every system in every prompt or trait, and their mean."""

    evaluation: Evaluation
    column: str
    statistic: str

    def tables(self) -> list[Table]:
        """The matrix; of many prompts from above to below the worst, and the others folded."""
        whole, parts = self._table(), parts_in(self.evaluation, self.column)
        rows, below = whole.rows[: -whole.below], whole.rows[-whole.below :]
        if len(rows) <= MOST_PARTS or whole.columns[0].title != self.column:
            return [whole]
        worst = sorted(rows, key=self._worst_first)
        first = Sentence("{caption}: the {worst} worst", caption=self._caption(parts), worst=WORST)
        rest = Sentence(f"The other {{n}} {self.column}s, the worst first", n=len(rows) - WORST)
        return [
            replace(whole, caption=first, rows=(*worst[:WORST], *below)),
            replace(
                whole, id=f"{whole.id} others", caption=rest, rows=tuple(worst[WORST:]), below=0,
                folded=True, rank=Rank.PAGE,
            ),
        ]  # fmt: skip

    def _worst_first(self, row: tuple[Value, ...]) -> tuple[bool, float]:
        """By the worst of the systems in a part; what is undefined comes last."""
        systems = len(systems_of(self.evaluation))
        held = [cell for cell in row[1 : systems + 1] if isinstance(cell, Held)]
        values = [cell.number.value for cell in held if not math.isnan(cell.number.value)]
        better = BY_NAME[split_key(self.statistic)[0]].better
        merit = {"lower": -max(values, default=0.0), "higher": min(values, default=0.0)}
        return not values, merit.get(better, -max(map(abs, values), default=0.0))

    def _table(self) -> Table:
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
            for system in systems_in_rank(evaluation)
        }
        pairs = _with_mean([two_people(evaluation, column, part, text) for part in places])
        tops = _with_mean([ceiling(evaluation, column, part, text) for part in places])
        several = len(places) > 1  # of many parts, only the mean may be known
        rows |= {TWO_PEOPLE: pairs} if any(pairs[several:]) else {}
        return rows | ({TOP: tops} if any(tops[several:]) else {})

    def _of_system(self, system: str, part: str) -> Value:
        """The number of a system in a part, and what that says of the limit on this statistic."""
        criteria = self._criteria(system)
        state, row = _state(criteria, self.column, part)
        numbers = numbers_of(self.evaluation, system_called(system), GOLD, self.column, part)
        number = numbers.get(self.statistic)
        if number is None and row is not None:
            number = self.evaluation.estimates[row]
        return held(number, state, tuple(ends_of(criteria[0])) if criteria else ())

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


def _with_mean(numbers: Sequence[Estimate | None]) -> list[Value]:
    """Cells of the mean, which stands first, and of the parts; without a mean of what is not alike.

    Where the parts have golds of their own, the mean is of another gold than theirs.
    """
    alike = len({number.key for number in numbers if number is not None}) == 1
    return [held(number if alike or i else None) for i, number in enumerate(numbers)]


def _state(criteria: Sequence[Criterion], column: str, part: str) -> tuple[str, int | None]:
    """What a part says of a limit, or without one all responses, and the row it is read off."""
    for criterion in criteria:
        if not part and criterion.where == OVERALL:
            return criterion.state, criterion.decided_by
        for each in criterion.parts:
            if (each.column, each.name) == (column, part):
                return each.state, each.row
    return "", None


def statistics_of_parts(evaluation: Evaluation) -> list[str]:
    """The statistics to show of every part: the preferred, and those with a limit on every part."""
    column, _ = headline_subsets(evaluation)
    verdict = evaluation.verdict
    criteria = [c for j in (verdict.systems if verdict else ()) for c in j.criteria if c.parts]
    each = [c.statistic for c in criteria if c.where == f"every {column}"]
    limited = [c.statistic for c in criteria if c.where == OVERALL]
    shown = [statistic.key for statistic in leading(evaluation)]
    preferred = [text for text in texts("preferred", evaluation.data.view) if text in shown]
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


def two_people(evaluation: Evaluation, column: str, part: str, statistic: str) -> Estimate | None:
    """How two people agree."""
    key = Key("human_human", of=statistic)
    places = [(PEOPLE, CEILING)]
    places += [(system_called(name), AMONG_PEOPLE) for name in systems_of(evaluation)]
    for subject, against in places:
        numbers = numbers_of(evaluation, subject, against, column, part)
        if key in numbers:
            return numbers[key]
    return None


def ceiling(evaluation: Evaluation, column: str, part: str, statistic: str) -> Estimate | None:
    """What a scorer who knew every true score would reach."""
    numbers = numbers_of(evaluation, PEOPLE, CEILING, column, part)
    ceiled = CEILED | {KAPPA} if evaluation.data.view == "binary" else CEILED
    if statistic not in ceiled or not numbers:
        return None
    people = evaluation.subsets[next(iter(numbers.values())).subset]
    return numbers.get(Key("ceiling_theoretical", gold=gold_in_use(evaluation, people)))


def held(number: Estimate | None, state: str = "", ends: tuple[float, ...] = ()) -> Held | None:
    """The cell of a number, with what it says of a limit."""
    return None if number is None else Held(number, state, ends)
