"""Systems beside each other, as a section: the ranking, the pairs, and each part of the data."""

from collections.abc import Iterator, Sequence

from tallymark.catalogue import BY_NAME
from tallymark.questions.comparison.experiments import section as experiments
from tallymark.questions.comparison.pairs import (
    BETWEEN,
    DIFFERENCE,
    FEW_PAIRS,
    NEW_PROMPT,
    Record,
    SystemPair,
    between_systems,
    heading,
    pairs_of,
    ranked_by,
    records,
    whole_or_mean,
)
from tallymark.questions.comparison.papers import systems_table
from tallymark.questions.comparison.say import (
    PAIRED,
    against_each,
    every_p,
    new_prompt,
    pairs_caption,
    ranks_and_test,
)
from tallymark.render.facts import intervals
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Heading,
    Number,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import headline_subsets, place
from tallymark.results import Estimate, Evaluation, Key, Subset, split_key

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
    by = ranked_by(evaluation)
    pairs = pairs_of(evaluation)
    leading = [pair for pair in pairs if pair.statistic == by]
    yield from _ranking(evaluation, leading)
    if leading:
        yield Text(PAIRED, rank=Rank.PAGE)
        yield _pairs(leading, len(evaluation.options["systems"]))
    yield from _every_p(evaluation, len(leading))
    if headline_subsets(evaluation)[1]:
        yield systems_table(evaluation)
    yield from _differences(evaluation, leading)
    yield from _new_prompts(evaluation, by)
    yield from _confidences(evaluation)


def _ranking(evaluation: Evaluation, pairs: Sequence[SystemPair]) -> Iterator[Block]:
    by = ranked_by(evaluation)
    for table in evaluation.tables:
        if table.name == "ranking":
            caption = "Systems from the best to the worst, with their intervals"
            title = str(Sentence("Systems by {by}", by=heading(by)))
            yield Drawing("ranking", (table,), caption, options={"x_title": title})
    ranked = records(evaluation, "ranking")
    if not ranked:
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


def _pairs(pairs: Sequence[SystemPair], systems: int) -> Table:
    """The pairs in the statistic of the ranking; few of them are told in words on a terminal."""
    on_new = any(pair.on_new for pair in pairs)
    new = [Column("on new prompts", "taking these as a sample", rank=Rank.PAGE)]
    new += [Column("p there", rank=Rank.PAGE)]
    rows: list[tuple[Value, ...]] = [
        (
            pair.first,
            pair.second,
            pair.difference,
            Number(pair.p_adjusted, "p"),
            pair.better,
            Responses(pair.difference.n),
            None if pair.needed is None else Number(pair.needed, "roughly"),
            *((pair.on_new, Number(pair.p_on_new, "p")) if on_new else ()),
        )
        for pair in pairs
    ]
    return Table(
        id="pairs",
        caption=pairs_caption(pairs, systems),
        columns=(
            Column("first"),
            Column("second"),
            Column("difference", key=pairs[0].difference.text, numeric=True),
            Column("adj. p"),
            Column("better", "the one that the adjusted test tells apart"),
            Column("n", numeric=True, rank=Rank.PAGE),
            Column(
                "responses needed",
                "would settle a true difference of this size 4 times of 5",
                rank=Rank.PAGE,
            ),
            *(new if on_new else ()),
        ),
        rows=tuple(rows),
        names=2,
        rank=Rank.FIRST if len(pairs) > FEW_PAIRS else Rank.PAGE,
    )


def _every_p(evaluation: Evaluation, listed: int) -> Iterator[Table]:
    """Adjusted p of each pair, where not all are listed: a row for each system, in order of rank."""
    by, order = ranked_by(evaluation), [str(r["system"]) for r in records(evaluation, "ranking")]
    p_of = {
        frozenset((str(row["system"]), str(row["against"]))): row["p_holm"]
        for row in records(evaluation, "pairs")
        if row["statistic"] == by
    }
    if len(p_of) <= listed or len(order) > MOST_SYSTEMS:
        return
    yield Table(
        id="p",
        caption=every_p(by, len(p_of)),
        columns=(Column("system"), Column("adjusted p against each that ranks below it")),
        rows=tuple(
            (system, str(against_each([(o, p_of[frozenset((system, o))]) for o in order[i + 1 :]])))
            for i, system in enumerate(order[:-1])
        ),
        folded=True,
        rank=Rank.PAGE,
    )


def _differences(evaluation: Evaluation, leading: Sequence[SystemPair]) -> Iterator[Table]:
    """Differences in every other statistic, and that of the ranking in each part of the data."""
    shown = {id(pair.difference) for pair in leading}
    differences = [
        (subset, difference)
        for subset in between_systems(evaluation)
        for difference in evaluation.of(subset).values()
        if difference.name == DIFFERENCE and id(difference) not in shown
    ]
    others = [
        (subset, difference)
        for subset, difference in differences
        if whole_or_mean(evaluation, subset)
    ]
    parts = [(subset, difference) for subset, difference in differences if place(subset)]
    if parts:
        caption: Words = Sentence(
            "{by} on each part of the data (no tests: these intervals are not adjusted)",
            by=heading(ranked_by(evaluation)),
        )
        few = len(evaluation.options["systems"]) <= FEW_PAIRS
        yield _difference_table("parts", caption, parts, Rank.FIRST if few else Rank.PAGE)
    if others:
        caption = "The first system less the second, on the same responses"
        yield _difference_table("others", caption, others, Rank.PAGE)


def _difference_table(
    name: str, caption: Words, differences: Sequence[tuple[Subset, Estimate]], rank: Rank
) -> Table:
    """The first system less the second: in some parts, or in some statistics."""
    tested = any("p_holm" in difference.parts for _, difference in differences)
    rows: list[tuple[Value, ...]] = [
        (
            ", ".join(place(subset).values()) or heading(str(difference.params["of"])),
            subset.system,
            str(subset.against),
            Responses(difference.n),
            difference,
            *([_p(difference)] if tested else []),
        )
        for subset, difference in differences
    ]
    return Table(
        id=name,
        caption=caption,
        columns=(
            Column("part" if name == "parts" else "statistic"),
            Column("first"),
            Column("second"),
            Column("n", numeric=True),
            Column("difference", key=differences[0][1].text, numeric=True),
            *([Column("adj. p")] if tested else []),
        ),
        rows=tuple(rows),
        names=3,
        folded=rank is Rank.PAGE,
        rank=rank,
    )


def _p(difference: Estimate) -> Number | None:
    return Number(difference.parts["p_holm"], "p") if "p_holm" in difference.parts else None


def _new_prompts(evaluation: Evaluation, by: str) -> Iterator[Block]:
    """What a new prompt may bring."""
    sentences = []
    for subset in evaluation.subsets:
        if subset.average == "prompt" and not subset.fisher_z:
            numbers = evaluation.of(subset)
            value, spread = numbers.get(Key(NEW_PROMPT, of=by)), numbers.get(Key(BETWEEN, of=by))
            if value is not None and spread is not None and value.value == value.value:
                sentences.append(new_prompt(subset.system, by, value, spread))
    if sentences:
        yield Heading("On a new prompt", rank=Rank.FIRST)
        yield Says(tuple(sentences), rank=Rank.FIRST)


def _confidences(evaluation: Evaluation) -> Iterator[Table]:
    """Whose confidence knows its critical errors better."""
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
