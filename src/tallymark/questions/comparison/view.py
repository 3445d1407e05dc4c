"""Systems beside each other, as a section: the ranking, the pairs, and each part of the data."""

import math
from collections.abc import Callable, Iterator, Sequence

from tallymark.catalogue import BY_NAME
from tallymark.questions.comparison.experiments import section as experiments
from tallymark.questions.comparison.pairs import (
    BETWEEN,
    DIFFERENCE,
    FEW_PAIRS,
    NEW_PROMPT,
    PAIRED,
    Record,
    SubsetDifference,
    SystemPair,
    differences_of,
    heading,
    pairs_of,
    ranked_by,
    records,
    whole_or_mean,
)
from tallymark.questions.comparison.papers import systems_table, why_missing
from tallymark.render.literal import common_start
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Number,
    Rank,
    Responses,
    Section,
    Table,
    Text,
    Value,
    table_by,
)
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import headline_subsets
from tallymark.results import Estimate, Evaluation, Key, split_key

MOST_LETTERS = 3
MOST_SYSTEMS = 60
"""The p-values of the pairs of more systems than this are in the files only."""


def section(evaluation: Evaluation) -> Section:
    """Show the ranking, every pair, and what differs from part to part."""
    if evaluation.kind in ("rsmcompare", "rsmsummarize"):
        return experiments(evaluation)
    several = len(evaluation.options.get("systems", ())) > 1
    return Section(
        id="comparison",
        title="Comparison",
        question="Which system is better, and is that settled?",
        blocks=tuple(_blocks(evaluation)) if evaluation.kind == "compare" else (),
        needs="a paired test of the systems, by tallymark compare with the same options."
        if several
        else "a second system, and tallymark compare.",
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    ranked = records(evaluation, "ranking")
    pairs = pairs_of(evaluation, ranked_by(evaluation)) if _has_ranks(ranked) else []
    if _has_ranks(ranked):
        yield _ranking(evaluation, ranked, pairs)
    if pairs:
        yield Text(PAIRED, rank=Rank.PAGE)
        yield _pairs(pairs, len(evaluation.options["systems"]))
    yield from _all_p_values(evaluation, [str(record["system"]) for record in ranked], len(pairs))
    if headline_subsets(evaluation)[1]:
        yield systems_table(evaluation)
        if further := why_missing(evaluation, first=False):
            yield Text(further, "lesser")
    yield from _differences(evaluation, pairs)
    yield from _new_prompts(evaluation, ranked)
    yield from _confidences(records(evaluation, "confidences"))


def _has_ranks(ranked: Sequence[Record]) -> bool:
    """Whether any system has a rank."""
    return any(record["rank"] is not None for record in ranked)


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """The ranking as a figure, which leads the page."""
    ranked = records(evaluation, "ranking")
    if not _has_ranks(ranked):
        return
    title = str(Sentence("Systems by {by}", by=heading(ranked_by(evaluation))))
    start = common_start([str(record["system"]) for record in ranked])
    without = "; names without {start}" if start else ""
    caption = Sentence(f"Systems from the best to the worst{without}", start=start)
    for table in evaluation.tables:
        if table.name == "ranking":
            yield Drawing("ranking", (table,), caption, options={"x_title": title}, full=True)


def _ranking(
    evaluation: Evaluation, ranked: Sequence[Record], pairs: Sequence[SystemPair]
) -> Table:
    by = ranked_by(evaluation)
    estimates = {s.system: evaluation.of(s).get(by) for s in headline_subsets(evaluation)[1]}

    def if_ranked(cell: Callable[[Record], Value]) -> Callable[[Record], Value]:
        return lambda record: "" if record["rank"] is None else cell(record)

    test = pairs[0].test if pairs else ""
    null = "null hypothesis: the two scores of a response are exchangeable; "
    return table_by(
        "ranking",
        Sentence("Ranking by {by}, {intervals}", by=heading(by), intervals=intervals(evaluation)),
        ranked,
        (Column("system"), lambda record: str(record["system"])),
        (Column("rank", numeric=True), lambda record: record["rank"]),
        (
            Column(heading(by), key=by, numeric=True),
            lambda record: estimates.get(str(record["system"])),
        ),
        (Column("may be"), if_ranked(_possible_ranks)),
        (Column("first in", numeric=True), _share_first),
        (Column("group"), if_ranked(_group_letters)),
        (
            Column("apart from the best", rank=Rank.PAGE),
            if_ranked(lambda record: str(record["apart_from_best"])),
        ),
        note=Sentence(
            "may be: ranks that all tests together leave open; first in: share of draws; systems "
            "that share a group letter do not differ clearly. Test: {test}; {null}adjusted over "
            "all pairs by Holm.",
            test=test,
            null=null if test.startswith("studentised") else "",
        ),
        rank=Rank.FIRST,
    )


def _possible_ranks(record: Record) -> str:
    low, high = record["rank_low"], record["rank_high"]
    return str(Sentence("{low}" if low == high else "{low} to {high}", low=low, high=high))


def _share_first(record: Record) -> Number | None:
    share = record["share_first"]
    return None if share is None or record["rank"] is None else Number(share, "percent")


def _group_letters(record: Record) -> str:
    letters = str(record["groups"]).split()
    if len(letters) > MOST_LETTERS:  # groups follow on each other
        letters = [letters[0], "to", letters[-1]]
    return " ".join(letters)


def _pairs(pairs: Sequence[SystemPair], systems: int) -> Table:
    """The pairs in the statistic of the ranking; a terminal has sentences for a few."""
    total = systems * (systems - 1) // 2
    template = "Pairs by {by}, first less second"
    if len(pairs) < total:
        template += ": {listed} of {total}, with the best and of neighbours"
    needed = "would settle a true difference of this size 4 times of 5"
    columns: list[tuple[Column, Callable[[SystemPair], Value]]] = [
        (Column("first"), lambda pair: pair.first),
        (Column("second"), lambda pair: pair.second),
        (
            Column("difference", key=pairs[0].difference.text, numeric=True),
            lambda pair: pair.difference,
        ),
        (Column("adj. p"), lambda pair: Number(pair.p_adjusted, "p")),
        (
            Column("better", "the one that the adjusted test tells apart", rank=Rank.PAGE),
            lambda pair: pair.better,
        ),
        (Column("n", numeric=True, rank=Rank.PAGE), lambda pair: Responses(pair.difference.n)),
        (
            Column("responses needed", needed, rank=Rank.PAGE),
            lambda pair: None if pair.needed is None else Number(pair.needed, "roughly"),
        ),
    ]
    if any(pair.on_new for pair in pairs):
        columns += [
            (
                Column("on new prompts", "taking these as a sample", rank=Rank.PAGE),
                lambda pair: pair.on_new,
            ),
            (Column("p there", rank=Rank.PAGE), lambda pair: Number(pair.p_on_new, "p")),
        ]
    return table_by(
        "pairs",
        Sentence(template, by=heading(pairs[0].statistic), listed=len(pairs), total=total),
        pairs,
        *columns,
        names=2,
        rank=Rank.FIRST if len(pairs) > FEW_PAIRS else Rank.PAGE,
    )


def _all_p_values(evaluation: Evaluation, ranked: Sequence[str], listed: int) -> Iterator[Table]:
    """Adjusted p of each pair, where not all are listed: a row for each system, in order of rank."""
    by = ranked_by(evaluation)
    p_values = {
        frozenset((str(row["system"]), str(row["against"]))): row["p_holm"]
        for row in records(evaluation, "pairs")
        if row["statistic"] == by
    }
    if len(p_values) <= listed or len(ranked) > MOST_SYSTEMS:
        return

    def against_lower(system: str) -> str:
        clauses = []
        for lower in ranked[ranked.index(system) + 1 :]:
            p = p_values[frozenset((system, lower))]
            clauses.append(Sentence("{name} {p:p}", name=lower, p=math.nan if p is None else p))
        return str(Sentence("{clauses}", clauses=clauses))

    yield table_by(
        "p",
        Sentence("Adjusted p of all {pairs} pairs by {by}", pairs=len(p_values), by=heading(by)),
        ranked[:-1],
        (Column("system"), lambda system: system),
        (Column("adjusted p against each that ranks below it"), against_lower),
        folded=True,
        rank=Rank.PAGE,
    )


def _differences(evaluation: Evaluation, pairs: Sequence[SystemPair]) -> Iterator[Table]:
    """Differences in every other statistic, and that of the ranking in each part of the data."""
    listed = {id(pair.difference) for pair in pairs}
    rows = [
        row
        for row in differences_of(evaluation)
        if row.difference.name == DIFFERENCE and id(row.difference) not in listed
    ]
    if parts := [row for row in rows if row.part]:
        caption = Sentence(
            "{by} on each part of the data (no tests: these intervals are not adjusted)",
            by=heading(ranked_by(evaluation)),
        )
        few = len(evaluation.options["systems"]) <= FEW_PAIRS
        yield _difference_table("parts", caption, parts, Rank.FIRST if few else Rank.PAGE)
    if statistics := [row for row in rows if whole_or_mean(evaluation, row.subset)]:
        caption = Sentence("The first system less the second, on the same responses")
        yield _difference_table("others", caption, statistics, Rank.PAGE)


def _difference_table(
    name: str, caption: Words, rows: Sequence[SubsetDifference], rank: Rank
) -> Table:
    """The first system less the second: in some parts, or in some statistics."""
    tested = any(_adjusted_p(row) is not None for row in rows)
    return table_by(
        name,
        caption,
        rows,
        (
            Column("part" if name == "parts" else "statistic"),
            lambda row: row.part or heading(str(row.difference.params["of"])),
        ),
        (Column("first"), lambda row: row.first),
        (Column("second"), lambda row: row.second),
        (Column("n", numeric=True), lambda row: Responses(row.difference.n)),
        (
            Column("difference", key=rows[0].difference.text, numeric=True),
            lambda row: row.difference,
        ),
        *([(Column("adj. p"), _adjusted_p)] if tested else []),
        names=3,
        folded=rank is Rank.PAGE,
        rank=rank,
    )


def _adjusted_p(row: SubsetDifference) -> Number | None:
    p = row.difference.parts.get("p_holm")
    return None if p is None else Number(p, "p")


def _new_prompts(evaluation: Evaluation, ranked: Sequence[Record]) -> Iterator[Table]:
    """What a new prompt may bring, the best system first."""
    by = ranked_by(evaluation)
    predicted, between = Key(NEW_PROMPT, of=by), Key(BETWEEN, of=by)
    numbers = {
        entry.subset.system: entry.numbers
        for entry in evaluation.where(average="prompt", fisher_z=False)
        if between in entry.numbers
        and predicted in entry.numbers
        and not math.isnan(entry.numbers[predicted].value)
    }
    systems = [str(record["system"]) for record in ranked if record["system"] in numbers]
    if numbers:
        yield table_by(
            "new-prompts",
            Sentence(
                "{by} to expect on a new prompt, {intervals}",
                by=heading(by),
                intervals=intervals(evaluation),
            ),
            systems,
            (Column("system"), lambda system: system),
            (
                Column(heading(by), key=by, numeric=True),
                lambda system: numbers[system][predicted],
            ),
            (
                Column("SD between prompts", numeric=True),
                lambda system: numbers[system][between],
            ),
            rank=Rank.FIRST,
        )


def _confidences(rows: Sequence[Record]) -> Iterator[Table]:
    """Which system's confidence spots its critical errors better."""
    if rows:
        yield table_by(
            "confidences",
            "Confidences: area under risk and coverage (AURC, lower is better), share accepted "
            "at a rate of critical errors (higher)",
            rows,
            (Column("system"), lambda row: str(row["system"])),
            (Column("against"), lambda row: str(row["against"])),
            (Column("statistic"), _area_or_share),
            (Column("first", numeric=True), lambda row: Number(row["value"], "share")),
            (Column("second", numeric=True), lambda row: Number(row["value_against"], "share")),
            (Column("difference", numeric=True), _difference_of_confidences),
            (Column("p"), lambda row: None if row["p"] is None else Number(row["p"], "p")),
            names=3,
            rank=Rank.FIRST,
        )


def _area_or_share(row: Record) -> str:
    """The area, or the share accepted at a rate of critical errors."""
    name, rate = split_key(str(row["statistic"]))
    if not rate:
        return BY_NAME[name].short or name
    return str(Sentence("share at {rate:percent}", rate=float(rate)))


def _difference_of_confidences(row: Record) -> Estimate:
    low, high = (math.nan if row[end] is None else row[end] for end in ("low", "high"))
    key = Key(DIFFERENCE, of=str(row["statistic"]))
    return Estimate(key=key, value=row["difference"], low=low, high=high, n=row["responses"])
