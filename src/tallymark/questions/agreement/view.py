"""Agreement with the gold, as sections: the headline, how far off systems are, and each part."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, members, texts
from tallymark.defaults import LEVEL
from tallymark.questions.agreement.labels import confused, each_label
from tallymark.questions.agreement.say import (
    NOBODY,
    bands,
    headline,
    left_to_tables,
    order_and_agreement,
    pooled,
)
from tallymark.render.drawing import FEW_FIGURES, MOST_FIGURES
from tallymark.render.grids import SIDE_BY_SIDE, cautions
from tallymark.render.leading import brief, grid, leading, of_systems, shown_of, unglossed
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Heading,
    Measure,
    Rank,
    Says,
    Section,
    Table,
    Text,
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import (
    against_gold,
    at_a_glance,
    by_kind_of_part,
    headline_subsets,
    place,
    scope,
    series_of,
    systems_of,
    whole,
    whole_subsets,
)
from tallymark.results import Evaluation, Key, Matrix, Subset

MOST_COLUMNS = 6
"""Every statistic of this many systems fits beside each other."""
NEEDS = "a system's scores beside those of people: --system."


def section(evaluation: Evaluation) -> Section:
    """Show how well systems agree with the gold: the mean over traits or prompts, else all."""
    return Section(
        id="agreement",
        title="Agreement",
        question="How well do systems agree with the gold?",
        blocks=tuple(_blocks(evaluation)),
        needs=NEEDS,
        titled=False,
    )


def errors(evaluation: Evaluation) -> Section:
    """Show how far off systems are."""
    _, subsets = headline_subsets(evaluation)
    numbers = [evaluation.of(subset) for subset in subsets]
    above = {measure.key for measure in leading(evaluation)}  # these stand under agreement
    shown = [
        statistic
        for statistic in shown_of("errors", evaluation.data.view)
        if any(statistic.key in of_system for of_system in numbers) and statistic.key not in above
    ]
    caption = "Errors of systems"
    table = grid(
        "errors", caption, ("system",), of_systems(evaluation, subsets), shown, rank=Rank.PAGE
    )
    return Section(
        id="accuracy",
        title="Accuracy",
        question="How far off are the scores?",
        blocks=(table,) if shown else (),
        needs="" if above else NEEDS,
    )


def parts(evaluation: Evaluation) -> Section:
    """Show the few leading numbers of each prompt, trait, fold and group."""
    return Section(
        id="parts",
        title="Each part of the data",
        question="Does agreement hold in each prompt, trait, fold and group?",
        blocks=tuple(_parts(evaluation)),
        titled=False,
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    column, subsets = headline_subsets(evaluation)
    if not subsets:
        if systems_of(evaluation):
            yield Text(NOBODY, rank=Rank.FIRST)
        return
    named = of_systems(evaluation, subsets)
    systems = [subset.system for subset in subsets]
    of = scope(evaluation, max(subsets, key=lambda s: s.parts or 0)) if column else None
    caption = headline(systems, of, float(evaluation.options.get("level", LEVEL)))
    if len(named) == 1:  # the caption has the name
        named = [((), n, numbers) for _, n, numbers in named]
    held = evaluation.verdict is not None and at_a_glance(evaluation)
    rank = Rank.FULL if held else Rank.FIRST  # a verdict and a matrix say enough
    table = grid("systems", caption, ("system",), named, _ranked(evaluation, len(named)), rank=rank)
    yield from () if evaluation.kind == "compare" else (table,)  # there with baselines, above
    yield Says(tuple(cautions(table)), rank=rank)
    kappa = members("preferred", evaluation.data.view)[0]
    if len(subsets) <= SIDE_BY_SIDE:
        kappas = [(s.system, evaluation.of(s).get(kappa.text)) for s in subsets]
        ordered = evaluation.data.view == "ordinal"
        yield Says(tuple(bands(kappa.heading, kappas)), rank=rank if ordered else Rank.FULL)
        read = (
            order_and_agreement(name, evaluation.of(s).get("spearman"), kappa.heading, number)
            for s, (name, number) in zip(subsets, kappas, strict=True)
        )
        yield Says(tuple(said for said in read if said is not None and ordered))
    yield from each_label(evaluation, subsets, rank)
    everyone = whole_subsets(evaluation)
    if column and everyone:
        rows = of_systems(evaluation, everyone)
        shown = unglossed(brief(evaluation))
        yield grid("pooled", pooled(column), ("system",), rows, shown)
    yield from _matrices(evaluation)
    yield from _every(evaluation, subsets)


def _ranked(evaluation: Evaluation, systems: int) -> list[Measure]:
    """The leading statistics; of many systems, or below a matrix, a few are on the first screen."""
    shown, few = _first(evaluation), {measure.key for measure in brief(evaluation)}
    if not at_a_glance(evaluation) or evaluation.options.get("statistics"):
        return [*shown]
    if systems <= SIDE_BY_SIDE:
        few |= {*texts("comparison")}
    elif headline_subsets(evaluation)[0]:  # the matrix has the mean of it over prompts
        few -= {*texts("preferred", evaluation.data.view)}
    return [each if each.key in few else replace(each, rank=Rank.FULL) for each in shown]


def _first(evaluation: Evaluation) -> Sequence[Measure]:
    """The leading statistics; below a verdict, a first screen has the few that it does not hold."""
    judged = evaluation.verdict.systems if evaluation.verdict is not None else ()
    shown = leading(evaluation)
    if len(judged) != 1 or evaluation.options.get("statistics"):
        short = evaluation.data.view == "binary" and at_a_glance(evaluation)
        later = {Key("mcc"), Key("balanced_accuracy")} if short else set[Key]()
        return [replace(m, rank=Rank.FULL if m.key in later else m.rank) for m in shown]
    held = {criterion.statistic for criterion in judged[0].criteria}
    few = {text for text in texts("comparison", evaluation.data.view) if text not in held}
    return [replace(each, rank=Rank.FIRST if each.key in few else Rank.FULL) for each in shown]


def _matrices(evaluation: Evaluation) -> Iterator[Block]:
    """The confusion matrix of each system, and what it gives at each gold score."""
    matrices = [
        (matrix, evaluation.subsets[matrix.subset].system)
        for matrix in evaluation.matrices
        if matrix.name == "confusion" and whole(evaluation.subsets[matrix.subset])
    ]
    if matrices:
        folded = len(matrices) > FEW_FIGURES
        yield Heading("Which scores are confused", rank=Rank.PAGE, folded=folded)
    labelled = evaluation.data.view != "ordinal"
    yield from (confused(*each) for each in matrices[: MOST_FIGURES * labelled])
    for matrix, system in matrices[:MOST_FIGURES]:
        yield from _drawn(matrix, system, series_of(evaluation, system), labelled=labelled)
    if len(matrices) > MOST_FIGURES:
        left = left_to_tables(len(matrices) - MOST_FIGURES, "tables/confusion_*.csv")
        yield Text(left, "lesser", rank=Rank.PAGE)


def _drawn(matrix: Matrix, system: str, series: int, *, labelled: bool) -> Iterator[Drawing]:
    caption = Sentence("Responses by gold (rows) and {system} (columns)", system=system)
    yield Drawing("confusion", (matrix,), caption, small=True)
    if labelled:
        return
    caption = Sentence("What {system} gives, on average, at each gold score", system=system)
    yield Drawing("calibration", (matrix,), caption, True, {"series": series})


def _every(evaluation: Evaluation, subsets: Sequence[Subset]) -> Iterator[Block]:
    """Every coefficient of every system, folded."""
    known = evaluation.definitions
    numbers = [evaluation.of(subset) for subset in subsets]
    texts = [
        text
        for text in dict.fromkeys(text for of_system in numbers for text in of_system)
        if text in known and BY_NAME[known[text].name].value is not None
    ]
    if len(subsets) > MOST_COLUMNS:
        words = Sentence(
            "All {n} statistics of every system are in tables/estimates.csv.", n=len(texts)
        )
        yield Text(words, "lesser", rank=Rank.PAGE)
        return
    yield Table(
        id="every",
        caption="Every statistic of agreement and accuracy",
        columns=(
            Column("statistic"),
            Column("name"),
            *(Column(subset.system, numeric=True) for subset in subsets),
        ),
        rows=tuple(
            (known[text].title, text, *(of_system.get(text) for of_system in numbers))
            for text in texts
        ),
        folded=True,
        rank=Rank.PAGE,
    )


def _parts(evaluation: Evaluation) -> Iterator[Block]:
    for title, subsets in by_kind_of_part(against_gold(evaluation)):
        yield Heading(title, rank=Rank.PAGE, folded=True)
        several = len({subset.system for subset in subsets}) > 1
        rows = [
            (
                (", ".join(place(subset).values()), *([subset.system] if several else [])),
                subset.n,
                evaluation.of(subset),
            )
            for subset in subsets
        ]
        names = ("part", "system") if several else ("part",)
        yield grid("parts", title, names, rows, brief(evaluation))
