"""Every two raters: a table of those who agree least first, and a figure of all."""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from tallymark.catalogue import members, texts
from tallymark.defaults import MANY_RATERS
from tallymark.questions.people.say import many_raters, met_in_one
from tallymark.render.leading import grid, unglossed
from tallymark.render.model import Block, Drawing, Measure, Rank, Text
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import FACETS, rater_pairs, single_raters, whole
from tallymark.results import Estimate, Evaluation, Numbers, Subset


def pairs_table(evaluation: Evaluation, rank: Rank) -> Iterator[Block]:
    """Every two raters, those who agree least first."""
    pairs, title = _shown(evaluation)
    wanted = [
        statistic
        for statistic in members("rater_pairs", evaluation.data.view)
        if any(statistic.text in numbers for _, numbers in pairs)
    ]
    if not wanted:
        if len(single_raters(evaluation)) > MANY_RATERS:
            yield Text(many_raters(MANY_RATERS), "lesser", rank=rank)
        return
    pairs.sort(key=lambda pair: _undefined_last(pair[1].get(wanted[0].text)))
    table = grid(
        "pairs",
        title,
        ("rater", "and"),
        [((str(subset.against), subset.system), subset.n, numbers) for subset, numbers in pairs],
        unglossed(map(Measure.headed, wanted)),
        rank=rank,
    )
    points = texts("preferred", evaluation.data.view)[0] in {statistic.text for statistic in wanted}
    first = ("cohen_kappa", "percent_agreement") if points else ("lin_ccc", "pearson")
    measures = tuple(
        replace(measure, rank=Rank.FIRST if statistic.row.name in first else Rank.PAGE)
        for statistic, measure in zip(wanted, table.measures, strict=True)
    )
    yield replace(table, measures=measures)
    alone = [subset for subset, _ in pairs if subset.column is not None]
    if alone:
        yield Text(met_in_one(len(alone), str(alone[0].column)), "lesser", rank=rank)


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """How every two raters agree, as a figure."""
    pairs, _ = _shown(evaluation)
    shown = [
        m
        for m in members("rater_pairs", evaluation.data.view)
        if any(m.text in n for _, n in pairs)
    ]
    for statistic in shown[:1]:
        values = {
            (str(subset.against), subset.system): numbers[statistic.text].value
            for subset, numbers in pairs
            if statistic.text in numbers
        }
        names = [subset.system for subset in single_raters(evaluation)]
        caption = Sentence("{name} of every two raters", name=statistic.heading)
        options = {"statistic": statistic.heading}
        yield Drawing("heatmap", (names, values), caption, options=options)


def _shown(evaluation: Evaluation) -> tuple[list[tuple[Subset, Numbers]], str]:
    """Every two raters within prompts or traits, or on all responses where there are none.

    Two raters who meet in one prompt alone have the number of that prompt.
    """
    order, every = "those who agree least first", rater_pairs(evaluation)
    for column in FACETS:
        means = [s for s in every if s.average == column]
        if means:
            known = {(s.subject, s.against) for s in means}
            alone = [s for s in every if s.column == column and (s.subject, s.against) not in known]
            title = f"Every two raters, mean over {column}s, {order}"
            return [(s, evaluation.of(s)) for s in (*means, *alone)], title
    whole_of = [(s, evaluation.of(s)) for s in every if whole(s)]
    return whole_of, f"Every two raters, {order}"


def _undefined_last(estimate: Estimate | None) -> tuple[bool, float]:
    undefined = estimate is None or math.isnan(estimate.value)
    return undefined, 0.0 if estimate is None or undefined else estimate.value
