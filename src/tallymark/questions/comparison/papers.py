"""The table of systems by statistics, on every screen and for a paper: bold only where settled."""

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, texts
from tallymark.questions.comparison.pairs import heading, pairs_of, ranked_by, records
from tallymark.render.facts import intervals
from tallymark.render.grids import reasons
from tallymark.render.leading import leading
from tallymark.render.model import Column, Measure, Rank, Responses, Settled, Table, Value
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
    baselines = _baselines(evaluation, column)
    shown = _shown(evaluation)
    settled = {entry.key: _settled(evaluation, entry) for entry in shown}
    sized = len({subset.n for subset in (*systems, *baselines)}) > 1

    named = [(subset.system, subset) for subset in systems]
    named += [(f"({subset.system})", subset) for subset in baselines]
    rows = [
        (
            name,
            *([Responses(subset.n)] if sized else []),
            *(_number(entry, evaluation, subset, settled[entry.key]) for entry in shown),
        )
        for name, subset in named
    ]
    return Table(
        id="systems",
        caption=_against_gold(evaluation, None if sized else systems[0].n, column),
        columns=(
            Column("system"),
            *([Column("n", numeric=True)] if sized else []),
            *(
                Column(
                    heading(entry.key), key=entry.key, numeric=True, rank=_rank(evaluation, entry)
                )
                for entry in shown
            ),
        ),
        rows=tuple(rows),
        below=len(baselines),
        note=why_missing(evaluation, first=True),
        rank=Rank.FIRST,
    )


def why_missing(evaluation: Evaluation, *, first: bool) -> str:
    """Why numbers are missing: of the statistics on every screen, or of the others."""
    _, systems = headline_subsets(evaluation)
    shown = [e for e in _shown(evaluation) if (_rank(evaluation, e) is Rank.FIRST) is first]
    numbers = [[entry.of(evaluation.of(subset)) for entry in shown] for subset in systems]
    return " ".join(reasons(shown, numbers))


def _against_gold(evaluation: Evaluation, n: int | None, column: str) -> Sentence:
    return Sentence(
        "Against the gold{n}{over}, {intervals}{base}",
        n="" if n is None else Sentence(": {n:responses}", n=n),
        over=Sentence(", mean over {column}s", column=column) if column else "",
        intervals=intervals(evaluation),
        base="; baselines in brackets" if evaluation.options.get("baselines") else "",
    )


def _number(statistic: Measure, evaluation: Evaluation, subset: Subset, best: str) -> Value:
    estimate = statistic.of(evaluation.of(subset))
    if estimate is None or math.isnan(estimate.value):
        return None
    return Settled(estimate) if best == subset.system else estimate


def _shown(evaluation: Evaluation) -> list[Measure]:
    """What is shown of each system: what some has, no number about the comparison itself."""
    numbers = [evaluation.of(subset) for subset in headline_subsets(evaluation)[1]]
    return [
        statistic
        for statistic in leading(evaluation)
        if BY_NAME[split_key(statistic.key)[0]].by != "comparison"
        and any(statistic.of(known) is not None for known in numbers)
    ]


def _rank(evaluation: Evaluation, statistic: Measure) -> Rank:
    """A few statistics stand on every screen, with that of the ranking; or those asked for."""
    few = (*texts("comparison", evaluation.data.view), evaluation.options.get("by"))
    if evaluation.options.get("statistics") or statistic.key in few:
        return Rank.FIRST
    return Rank.PAGE if statistic.key in LEFT_OUT else Rank.FULL


def _baselines(evaluation: Evaluation, column: str) -> list[Subset]:
    """The baselines on the responses, or averaged, as the systems are."""
    baselines = [s for s in evaluation.subsets if s.subject.kind is Kind.BASELINE]
    return [s for s in baselines if s.average == (column or None) and (column or whole(s))]


def _settled(evaluation: Evaluation, shown: Measure) -> str:
    """The system that was told apart from every other one in a statistic, and leads."""
    others = len(evaluation.options["systems"]) - 1
    ahead: dict[str, int] = {}
    for pair in pairs_of(evaluation):
        if pair.better and _is(shown, pair.statistic):
            ahead[pair.better] = ahead.get(pair.better, 0) + 1
    return next((system for system, number in ahead.items() if number == others > 0), "")


def _is(shown: Measure, statistic: str) -> bool:
    return shown.key in (statistic, split_key(statistic)[0])


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
    brackets = "{intervals} in brackets; of {by}: {method}"
    if not any(methods):
        brackets = "{intervals} in brackets"
    method = next(filter(None, methods), "")
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
    tested: Sequence[str] = list(dict.fromkeys(pair.statistic for pair in pairs))
    shown = [
        statistic for statistic in _shown(evaluation) if _rank(evaluation, statistic) <= Rank.FULL
    ]
    others = [
        statistic.title for statistic in shown if not any(_is(statistic, text) for text in tested)
    ]
    if others:
        yield Sentence("Not tested: {others}", others=others)
