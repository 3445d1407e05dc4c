"""Systems beside each other, as a section: the ranking, the pairs, and each part of the data."""

from collections.abc import Iterator, Sequence

from tallymark.catalogue import BY_NAME
from tallymark.questions.comparison.experiments import section as experiments
from tallymark.questions.comparison.pair_tables import (
    difference_tables,
    every_p_table,
    pairs_table,
)
from tallymark.questions.comparison.pairs import (
    BETWEEN,
    DIFFERENCE,
    NEW_PROMPT,
    Record,
    SystemPair,
    heading,
    pairs_of,
    ranked_by,
    records,
)
from tallymark.questions.comparison.papers import systems_table, why_missing
from tallymark.questions.comparison.say import (
    PAIRED,
    new_prompt,
    ranks_and_test,
)
from tallymark.render.facts import intervals
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Number,
    Rank,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.names import common_start
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import headline_subsets
from tallymark.results import Estimate, Evaluation, Key, split_key

MOST_LETTERS = 3


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
    by = ranked_by(evaluation)
    pairs = pairs_of(evaluation)
    leading = [pair for pair in pairs if pair.statistic == by and _ranks(evaluation)]
    yield from _ranking(evaluation, leading)
    if leading:
        yield Text(PAIRED, rank=Rank.PAGE)
        yield pairs_table(leading, len(evaluation.options["systems"]))
    yield from every_p_table(evaluation, len(leading))
    if headline_subsets(evaluation)[1]:
        yield systems_table(evaluation)
        if further := why_missing(evaluation, first=False):
            yield Text(further, "lesser")
    yield from difference_tables(evaluation, leading)
    yield from _new_prompts(evaluation, by)
    yield from _confidences(evaluation)


def _ranks(evaluation: Evaluation) -> bool:
    """Whether any system has a rank."""
    return any(record["rank"] is not None for record in records(evaluation, "ranking"))


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """The ranking as a figure, which leads the page."""
    if not _ranks(evaluation):
        return
    title = str(Sentence("Systems by {by}", by=heading(ranked_by(evaluation))))
    start = common_start([str(record["system"]) for record in records(evaluation, "ranking")])
    named = Sentence("; names without {start}", start=start) if start else ""
    caption = Sentence("Systems from the best to the worst{named}", named=named)
    for table in evaluation.tables:
        if table.name == "ranking":
            yield Drawing("ranking", (table,), caption, options={"x_title": title}, full=True)


def _ranking(evaluation: Evaluation, pairs: Sequence[SystemPair]) -> Iterator[Block]:
    by = ranked_by(evaluation)
    ranked = records(evaluation, "ranking")
    if not _ranks(evaluation):
        return
    estimates = {s.system: evaluation.of(s).get(by) for s in headline_subsets(evaluation)[1]}
    yield Table(
        id="ranking",
        caption=Sentence(
            "Ranking by {by}, {intervals}", by=heading(by), intervals=intervals(evaluation)
        ),
        columns=(
            Column("system"),
            Column("rank", numeric=True),
            Column(heading(by), key=by, numeric=True),
            Column("may be"),
            Column("first in", numeric=True),
            Column("group"),
            Column("apart from the best", rank=Rank.PAGE),
        ),
        rows=tuple(_ranked(row, estimates.get(str(row["system"]))) for row in ranked),
        note=ranks_and_test(pairs),
        rank=Rank.FIRST,
    )


def _ranked(row: Record, estimate: Estimate | None) -> tuple[Value, ...]:
    low, high, share = row["rank_low"], row["rank_high"], row["share_first"]
    places = Sentence("{low}" if low == high else "{low} to {high}", low=low, high=high)
    if row["rank"] is None:
        return (str(row["system"]), None, estimate, "", None, "", "")
    letters = str(row["groups"]).split()
    if len(letters) > MOST_LETTERS:  # groups follow on each other
        letters = [letters[0], "to", letters[-1]]
    return (
        str(row["system"]),
        row["rank"],
        estimate,
        str(places),
        None if share is None else Number(share, "percent"),
        " ".join(letters),
        str(row["apart_from_best"]),
    )


def _new_prompts(evaluation: Evaluation, by: str) -> Iterator[Table]:
    """What a new prompt may bring, the best system first."""
    rows: dict[str, tuple[Value, ...]] = {}
    for subset in evaluation.subsets:
        if subset.average == "prompt" and not subset.fisher_z:
            numbers = evaluation.of(subset)
            value, spread = numbers.get(Key(NEW_PROMPT, of=by)), numbers.get(Key(BETWEEN, of=by))
            if value is not None and spread is not None and value.value == value.value:
                rows[subset.system] = (subset.system, value, spread)
    if rows:
        ranked = [str(record["system"]) for record in records(evaluation, "ranking")]
        yield Table(
            id="new-prompts",
            caption=new_prompt(by, intervals(evaluation)),
            columns=(
                Column("system"),
                Column(heading(by), key=by, numeric=True),
                Column("SD between prompts", numeric=True),
            ),
            rows=tuple(rows[name] for name in ranked if name in rows),
            rank=Rank.FIRST,
        )


def _confidences(evaluation: Evaluation) -> Iterator[Table]:
    """Which system's confidence spots its critical errors better."""
    rows: list[tuple[Value, ...]] = [
        (
            str(record["system"]),
            str(record["against"]),
            _statistic(str(record["statistic"])),
            Number(record["value"], "share"),
            Number(record["value_against"], "share"),
            _apart(record),
            None if record["p"] is None else Number(record["p"], "p"),
        )
        for record in records(evaluation, "confidences")
    ]
    if rows:
        yield Table(
            id="confidences",
            caption="Confidences: area under risk and coverage (AURC, lower is better), share accepted "
            "at a rate of critical errors (higher)",
            columns=(
                Column("system"),
                Column("against"),
                Column("statistic"),
                *(Column(title, numeric=True) for title in ("first", "second", "difference")),
                Column("p"),
            ),
            rows=tuple(rows),
            names=3,
            rank=Rank.FIRST,
        )


def _statistic(text: str) -> str:
    """The area, or the share accepted at a rate of critical errors."""
    name, rate = split_key(text)
    if not rate:
        return BY_NAME[name].short or name
    return str(Sentence("share at {rate:percent}", rate=float(rate)))


def _apart(record: Record) -> Estimate:
    """The difference in a table of confidences, as an estimate."""
    low, high = (float("nan") if record[end] is None else record[end] for end in ("low", "high"))
    key = Key(DIFFERENCE, of=str(record["statistic"]))
    return Estimate(key=key, value=record["difference"], low=low, high=high, n=record["responses"])
