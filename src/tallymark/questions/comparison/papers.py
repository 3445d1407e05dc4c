"""The table of systems by statistics, on every screen and for a paper: bold only where settled."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, texts
from tallymark.questions.comparison.pairs import heading, pairs_of, ranked_by, records
from tallymark.render.grids import reasons
from tallymark.render.leading import leading
from tallymark.render.model import Column, Measure, Rank, Responses, Settled, Table, Value, table_by
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence, Words, written
from tallymark.render.subsets import headline_subsets, place, whole
from tallymark.results import Evaluation, Kind, Subset, split_key

FILES = {"evaluate": "systems", "compare": "comparison"}
"""The file of the table, by the kind of the analysis."""
LEFT_OUT = ("adjacent_agreement", "bias")
"""What a paper has no room for."""


def paper_table(evaluation: Evaluation) -> Table | None:
    """The systems with a caption that needs no other text; none without systems."""
    if evaluation.kind not in FILES or not headline_subsets(evaluation)[1]:
        return None
    table = systems_table(evaluation)
    caption = ". ".join(map(written, _caption(evaluation)))
    return replace(table, id=FILES[evaluation.kind], caption=caption, note="")


def systems_table(evaluation: Evaluation) -> Table:
    """The leading statistics of every system, from best to worst, then of the baselines."""
    column, systems = headline_subsets(evaluation)
    ranked = [str(record["system"]) for record in records(evaluation, "ranking")]
    if ranked:
        systems = sorted(systems, key=lambda subset: ranked.index(subset.system))
    # the baselines on the responses, or averaged, as the systems are
    baselines = [s for s in evaluation.subsets if s.subject.kind is Kind.BASELINE]
    baselines = [s for s in baselines if s.average == (column or None) and (column or whole(s))]
    subsets = [*systems, *baselines]
    columns: list[tuple[Column, Callable[[Subset], Value]]] = [
        (Column("system"), lambda s: s.system if s in systems else f"({s.system})")
    ]
    sized = len({subset.n for subset in subsets}) > 1
    if sized:
        columns.append((Column("n", numeric=True), lambda s: Responses(s.n)))
    for measure in _measures(evaluation):
        rank, key = _rank(evaluation, measure), measure.key
        columns.append(
            (
                Column(heading(key), key=key, numeric=True, rank=rank),
                partial(_number, measure, evaluation, _winner(evaluation, measure)),
            )
        )
    return table_by(
        "systems",
        _against_gold(evaluation, None if sized else systems[0].n, column),
        subsets,
        *columns,
        below=len(baselines),
        note=why_missing(evaluation, first=True),
        rank=Rank.FIRST,
    )


def why_missing(evaluation: Evaluation, *, first: bool) -> str:
    """Why numbers are missing: of the statistics on every screen, or of the others."""
    _, systems = headline_subsets(evaluation)
    measures = [m for m in _measures(evaluation) if (_rank(evaluation, m) is Rank.FIRST) is first]
    numbers = [[m.of(evaluation.of(subset)) for m in measures] for subset in systems]
    return " ".join(reasons(measures, numbers))


def _against_gold(evaluation: Evaluation, n: int | None, column: str) -> Sentence:
    return Sentence(
        "Against the gold{n}{over}, {intervals}{base}",
        n="" if n is None else Sentence(": {n:responses}", n=n),
        over=Sentence(", mean over {column}s", column=column) if column else "",
        intervals=intervals(evaluation),
        base="; baselines in brackets" if evaluation.options.get("baselines") else "",
    )


def _number(measure: Measure, evaluation: Evaluation, winner: str, subset: Subset) -> Value:
    estimate = measure.of(evaluation.of(subset))
    if estimate is None or math.isnan(estimate.value):
        return None
    return Settled(estimate) if winner == subset.system else estimate


def _measures(evaluation: Evaluation) -> list[Measure]:
    """What is shown of each system: what some has, no number about the comparison itself."""
    by_system = [evaluation.of(subset) for subset in headline_subsets(evaluation)[1]]
    return [
        measure
        for measure in leading(evaluation)
        if BY_NAME[split_key(measure.key)[0]].by != "comparison"
        and any(measure.of(numbers) is not None for numbers in by_system)
    ]


def _rank(evaluation: Evaluation, statistic: Measure) -> Rank:
    """A few statistics stand on every screen, with that of the ranking; or those asked for."""
    few = (*texts("comparison", evaluation.data.view), evaluation.options.get("by"))
    if evaluation.options.get("statistics") or statistic.key in few:
        return Rank.FIRST
    return Rank.PAGE if statistic.key in LEFT_OUT else Rank.FULL


def _winner(evaluation: Evaluation, measure: Measure) -> str:
    """The system that was told apart from every other one in a statistic, and leads."""
    wins = Counter(
        pair.better for pair in pairs_of(evaluation) if pair.better and _is(measure, pair.statistic)
    )
    opponents = len(evaluation.options["systems"]) - 1
    return next((system for system, number in wins.items() if number == opponents > 0), "")


def _is(measure: Measure, statistic: str) -> bool:
    return measure.key in (statistic, split_key(statistic)[0])


def _caption(evaluation: Evaluation) -> Iterator[Words]:
    """What was measured, on what, and how."""
    column, systems = headline_subsets(evaluation)
    parts = {place(s).get(column) for s in evaluation.subsets if set(place(s)) == {column}}
    yield Sentence(
        "Agreement with the gold ({gold}) on {n:responses}{over}",
        gold=evaluation.data.gold,
        n=systems[0].n,
        over=Sentence(", mean over {parts} {column}s", parts=len(parts), column=column)
        if column
        else "",
    )
    by = str(evaluation.options.get("by", "cohen_kappa[quadratic]"))
    methods = [numbers[by].method for numbers in map(evaluation.of, systems) if by in numbers]
    method = next(filter(None, methods), "")
    brackets = "{intervals} in brackets; of {by}: {method}"
    if not method:
        brackets = "{intervals} in brackets"
    yield Sentence(brackets, intervals=intervals(evaluation), by=heading(by), method=method)
    yield from _tests(evaluation)
    if evaluation.options.get("baselines"):
        yield "Below the line, in brackets: baselines"


def _tests(evaluation: Evaluation) -> Iterator[Sentence]:
    """What bold type says, and where there is none because nothing was tested."""
    pairs = pairs_of(evaluation)
    if not pairs:
        return
    test = next(pair.test for pair in pairs if pair.statistic == ranked_by(evaluation))
    yield Sentence(
        "Bold: better than every other system ({test}, Holm-adjusted p at most {limit:g})",
        test=test,
        limit=1 - float(evaluation.options["level"]),
    )
    tested = {pair.statistic for pair in pairs}
    untested = [
        measure.title
        for measure in _measures(evaluation)
        if _rank(evaluation, measure) <= Rank.FULL
        and not any(_is(measure, text) for text in tested)
    ]
    if untested:
        yield Sentence("Not tested: {names}", names=untested)
