"""Agreement: how well systems agree with the gold, how far off they are, and whether it holds in each part."""

import math
from collections.abc import Iterator, Sequence
from itertools import chain, product

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, member, members, texts
from tallymark.defaults import FEW_SYSTEMS, LEVEL, MOST_SYSTEMS
from tallymark.inference import Formula, Settings
from tallymark.render.grids import SIDE_BY_SIDE, cautions
from tallymark.render.leading import brief, grid, leading, of_systems, shown_of, unglossed
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence, joined
from tallymark.render.subsets import against_gold as subsets_against_gold
from tallymark.render.subsets import (
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
from tallymark.results import (
    Estimate,
    Evaluation,
    Key,
    Matrix,
    Numbers,
    Subset,
    system_called,
)
from tallymark.scale import SAME, Scale
from tallymark.study.average import averaged, averages, joint
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    estimates_of,
    home,
    matrices_of,
    measure,
    subset_of,
)
from tallymark.study.parts import AVERAGED, Part

BANDS: tuple[tuple[float, str], ...] = (
    (0.20, "slight"),
    (0.40, "fair"),
    (0.60, "moderate"),
    (0.80, "substantial"),
    (1.00, "almost perfect"),
)
"""Each up to and with its number; below 0 is poor."""
KAPPA = Key("cohen_kappa", weights="identity")
HIGH = 0.7
"""From here on a correlation of ranks, or an agreement, is called high: a convention, as .70 is."""
READINGS: dict[tuple[bool | None, bool | None], str] = {
    (True, True): "it orders responses much as the gold does, and its scores are close",
    (
        True,
        False,
    ): "it orders responses much as the gold does, but gives them other scores: look at its "
    "severity and spread, which recalibration may mend",
    (False, True): "its scores are close to the gold and their order is not: a few points, or one "
    "that dominates, hide it",
    (False, False): "neither its order nor its scores are close to the gold's",
}
"""What rank correlation and agreement say together (Yannakoudakis & Cummins 2015)."""
MOST_COLUMNS = 6
"""Every statistic of this many systems fits beside each other."""
NEEDS = "a system's scores beside those of people: --system."
OF_LABEL = texts("each_label")


def against_gold(
    systems: Sequence[str],
    parts: Sequence[Part],
    settings: Settings,
    statistics: Sequence[str],
) -> dict[str, list[SubsetResults]]:
    """The statistics of each system on every part of the data, then the macro-averages."""
    measured = [
        (system, on_part)
        for system, part in product(systems, parts)
        if (on_part := measure(system, part, statistics)) is not None
    ]
    results: dict[str, list[SubsetResults]] = {system: [] for system in systems}
    for (system, _), of_part in zip(measured, estimates_of(measured, settings), strict=True):
        results[system].append(of_part)
    for system, key in product(systems, AVERAGED):
        of_parts = [m for name, m in measured if name == system and set(m.part.where) == {key}]
        if len(of_parts) > 1:
            results[system] += averages(of_parts, key, system_called(system), settings)
    return results


def against_gold_by_run(
    system: str, runs: Sequence[Sequence[Part]], settings: Settings, statistics: Sequence[str]
) -> list[SubsetResults]:
    """The mean over runs of each statistic, on every part of the data, and the means over parts.

    ``runs`` are the parts of the scores by response, with one run after the other as the system. A
    response moves all runs at once, so that it is one unit of the interval.
    """
    subject, results = system_called(system), []
    by_part: list[list[Measured]] = []
    for parts in zip(*runs, strict=True):
        measured = [measure(system, part, statistics) for part in parts]
        scored = [run for run in measured if run is not None]
        by_part += [_of_responses(scored)] if scored else []
    for of_runs in by_part:
        formulas = [
            averaged(formulas[0], over="run", each=formulas) for formulas in _shared(of_runs)
        ]
        units = {
            kind: joint([run.units[kind] for run in of_runs])
            for kind in dict.fromkeys(map(home, formulas))
        }
        part, n = of_runs[0].part, _scored_by_some(system, of_runs)
        estimates = estimate_by_tally(formulas, units, settings, part.label)
        subset = subset_of(part, subject, n=n)
        matrices = matrices_of(of_runs[0], system)
        results.append(SubsetResults(subset, _of(estimates, n), matrices))
    for key in AVERAGED:
        of_parts = [runs for runs in by_part if set(runs[0].part.where) == {key}]
        if len(of_parts) > 1:
            n = sum(_scored_by_some(system, runs) for runs in of_parts)
            for mean in averages([*chain(*of_parts)], key, subject, settings):
                subset = replace(mean.subset, n=n, parts=len(of_parts))
                results.append(SubsetResults(subset, _of(mean.estimates, n), []))
    return results


def _of(estimates: Sequence[Estimate], n: int) -> list[Estimate]:
    """The estimates of so many responses, each of which has several scores."""
    return [replace(estimate, n=n) for estimate in estimates]


def _of_responses(runs: Sequence[Measured]) -> list[Measured]:
    """The runs with units that are called responses where they are no clusters of them."""
    units = [units for run in runs for units in run.units.values()]
    clustered = "cluster" in runs[0].part.scores.roles.keys
    if clustered or any(of_run.kind != "clusters" for of_run in units):
        return [*runs]
    return [
        run._replace(
            units={
                kind: replace(units, kind="responses", sizes=None)
                for kind, units in run.units.items()
            }
        )
        for run in runs
    ]


def _shared(runs: Sequence[Measured]) -> list[list[Formula]]:
    """The statistics that every run has, as they are bound to each."""
    by_key = [{(f.key, home(f)): f for f in run.formulas} for run in runs]
    shared = [key for key in by_key[0] if all(key in formulas for formulas in by_key)]
    return [[formulas[key] for formulas in by_key] for key in shared]


def _scored_by_some(system: str, runs: Sequence[Measured]) -> int:
    """The responses that have a gold and a score of some run."""
    part = runs[0].part
    scored = [~np.isnan(run.part.scores.patterns.scores[f"system:{system}"]) for run in runs]
    return int((np.any(scored, axis=0) & part.scores.used & part.rows).sum())


def shares_found(evaluation: Evaluation, numbers: Numbers) -> Sentence | None:
    """Say how much of each label a system finds, with kappa; None of scores in an order."""
    shares, kappa = share_found(evaluation, numbers), numbers.get(KAPPA)
    if shares is None:
        return None
    beyond = "" if kappa is None or math.isnan(kappa.value) else Sentence("; kappa {k}", k=kappa)
    return Sentence("{shares}{beyond}.{least}", shares=shares, beyond=beyond, least=_least(numbers))


def share_found(evaluation: Evaluation, numbers: Numbers) -> Sentence | None:
    """The words for how much of each of two labels is found, or how many labels are those of people."""
    if evaluation.data.view == "nominal":
        exact = numbers.get(Key("percent_agreement"))
        if exact is None or math.isnan(exact.value):
            return None
        template = "gives {exact:percent} of responses the label that people give"
        return Sentence(template, exact=exact)
    high, low = (numbers.get(Key(name)) for name in ("sensitivity", "specificity"))
    if evaluation.data.view != "binary" or high is None or low is None:
        return None
    negative, positive = Scale.categories(evaluation.data.gold_scale or evaluation.data.scale).names
    shares = ((high, positive), (low, negative))
    defined = [(share, label) for share, label in shares if not math.isnan(share.value)]
    words = [
        Sentence(
            f"{{share:percent}} of what {'people' if i == 0 else 'they'} label {{label}}",
            share=share,
            label=label.partition(SAME)[0],
        )
        for i, (share, label) in enumerate(defined)
    ]
    return Sentence("finds {shares}", shares=joined(words, " and ")) if words else None


def _least(numbers: Numbers) -> Sentence | str:
    """Of which of several labels least are found."""
    recalls = [e for e in numbers.values() if e.name == "class_recall" and not math.isnan(e.value)]
    if not recalls:
        return ""
    least = min(recalls, key=lambda recall: recall.value)
    label = str(least.params["label"])
    return Sentence(" It finds least of {label}: {least:percent}.", label=label, least=least)


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
    measures = [
        statistic
        for statistic in shown_of("errors", evaluation.data.view)
        if any(statistic.key in of_system for of_system in numbers) and statistic.key not in above
    ]
    rows = of_systems(evaluation, subsets)
    table = grid("errors", "Errors of systems", ("system",), rows, measures, rank=Rank.PAGE)
    return Section(
        id="accuracy",
        title="Accuracy",
        question="How far off are the scores?",
        blocks=(table,) if measures else (),
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
            words = "No system could be evaluated on all responses together."
            yield Text(words, rank=Rank.FIRST)
        return
    rows = of_systems(evaluation, subsets)
    if len(rows) == 1:  # the caption has the name
        rows = [((), n, numbers) for _, n, numbers in rows]
    judged = evaluation.verdict is not None and at_a_glance(evaluation)
    rank = Rank.FULL if judged else Rank.FIRST  # a verdict and a matrix say enough
    caption, measures = _headline(evaluation, column, subsets), _ranked(evaluation, len(rows))
    table = grid("systems", caption, ("system",), rows, measures, rank=rank)
    yield from () if evaluation.kind == "compare" else (table,)  # there with baselines, above
    yield Says(tuple(cautions(table)), rank=rank)
    kappa = members("preferred", evaluation.data.view)[0]
    if len(subsets) <= SIDE_BY_SIDE:
        kappas = [(s.system, evaluation.of(s).get(kappa.text)) for s in subsets]
        ordered = evaluation.data.view == "ordinal"
        yield Says(tuple(_bands(kappa.heading, kappas)), rank=rank if ordered else Rank.FULL)
        readings = (
            order_and_agreement(name, evaluation.of(s).get("spearman"), kappa.heading, number)
            for s, (name, number) in zip(subsets, kappas, strict=True)
        )
        yield Says(tuple(words for words in readings if words is not None and ordered))
    yield from _each_label(evaluation, subsets, rank)
    everyone = whole_subsets(evaluation)
    if column and everyone:
        pooled = f"Pooled over {column}s, so that differences between {column}s count too"
        rows, measures = of_systems(evaluation, everyone), unglossed(brief(evaluation))
        yield grid("pooled", pooled, ("system",), rows, measures)
    yield from _matrices(evaluation)
    yield from _every(evaluation, subsets)


def _headline(evaluation: Evaluation, column: str | None, subsets: Sequence[Subset]) -> Sentence:
    """Say which systems are held against the gold, and of what their numbers are means."""
    systems = Sentence("{number} systems", number=len(subsets))
    if len(subsets) == 1:
        systems = Sentence("{system}", system=subsets[0].system)
    parts = scope(evaluation, max(subsets, key=lambda s: s.parts or 0)) if column else None
    return Sentence(
        "{systems} against the gold{mean}, {level:level} intervals",
        systems=systems,
        mean="" if parts is None else Sentence(", {parts}", parts=parts),
        level=float(evaluation.options.get("level", LEVEL)),
    )


def _ranked(evaluation: Evaluation, systems: int) -> list[Measure]:
    """The leading statistics; of many systems, or below a matrix, a few are on the first screen."""
    measures, few = _first(evaluation), {measure.key for measure in brief(evaluation)}
    if not at_a_glance(evaluation) or evaluation.options.get("statistics"):
        return measures
    if systems <= SIDE_BY_SIDE:
        few |= {*texts("comparison")}
    elif headline_subsets(evaluation)[0]:  # the matrix has the mean of it over prompts
        few -= {*texts("preferred", evaluation.data.view)}
    return [m if m.key in few else replace(m, rank=Rank.FULL) for m in measures]


def _first(evaluation: Evaluation) -> list[Measure]:
    """The leading statistics; below a verdict, a first screen has the few that it does not hold."""
    judged = evaluation.verdict.systems if evaluation.verdict is not None else ()
    measures = leading(evaluation)
    if len(judged) != 1 or evaluation.options.get("statistics"):
        short = evaluation.data.view == "binary" and at_a_glance(evaluation)
        later = {Key("mcc"), Key("balanced_accuracy")} if short else set[Key]()
        return [replace(m, rank=Rank.FULL if m.key in later else m.rank) for m in measures]
    few = {*texts("comparison", evaluation.data.view)}
    few -= {criterion.statistic for criterion in judged[0].criteria}
    return [replace(m, rank=Rank.FIRST if m.key in few else Rank.FULL) for m in measures]


def _bands(name: str, kappas: Sequence[tuple[str, Estimate | None]]) -> Iterator[Sentence]:
    """Say what Landis and Koch would call a kappa, over its whole interval; alike systems once."""
    systems_by_band: dict[str, list[str]] = {}
    for system, kappa in kappas:
        ends = () if kappa is None else (kappa.low, kappa.high)
        words = " to ".join(dict.fromkeys(word for end in ends if (word := band(end))))
        if words:
            systems_by_band.setdefault(words, []).append(system)
    for words, systems in systems_by_band.items():
        yield Sentence(
            "{systems}: {name} is {words} (Landis & Koch; arbitrary bands).",
            systems=systems,
            name=name,
            words=words,
        )


def order_and_agreement(
    system: str, ranks: Estimate | None, name: str, kappa: Estimate | None
) -> Sentence | None:
    """Say what rank correlation and agreement say together: each is high, low or not settled."""
    if ranks is None or kappa is None or math.isnan(ranks.value) or math.isnan(kappa.value):
        return None
    high = _high(ranks), _high(kappa)
    words = [{True: "high", False: "low", None: "low or high"}[level] for level in high]
    return Sentence(
        f"{{system}}: rank correlation {words[0]} (Spearman {{ranks}}), agreement {words[1]} "
        f"({{name}} {{kappa}}; high from {{limit:goal}} on): "
        f"{READINGS.get(high, 'these data do not settle which')}.",
        system=system,
        ranks=ranks,
        name=name,
        kappa=kappa,
        limit=HIGH,
    )


def _high(estimate: Estimate) -> bool | None:
    """Whether it is high; None where its interval holds the limit."""
    ends = [estimate.value if math.isnan(end) else end for end in (estimate.low, estimate.high)]
    sides = {end >= HIGH for end in ends}
    return sides.pop() if len(sides) == 1 else None


def band(kappa: float) -> str:
    """Name the band of a kappa: a habit of speech, not a test of what is good enough.

    Landis & Koch (1977), doi:10.2307/2529310, give the bands in steps of .01; here each begins
    where the one below ends. NaN has none.

    >>> band(0.79), band(0.8001)
    ('substantial', 'almost perfect')
    """
    if math.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    return next((name for top, name in BANDS if kappa <= top), "almost perfect")


def _each_label(evaluation: Evaluation, subsets: Sequence[Subset], rank: Rank) -> Iterator[Block]:
    """Recall, precision and F1 of every label, with how many responses people gave it."""
    several, rows = len(subsets) > 1, list[tuple[Value, ...]]()
    for subset in subsets if evaluation.data.view == "nominal" else ():
        numbers = evaluation.of(subset)
        recalls = [e for e in numbers.values() if e.name == OF_LABEL[0]]
        for recall in recalls:
            label = str(recall.params["label"])
            names = (label, subset.system) if several else (label,)
            shares = (numbers.get(Key(name, label=label)) for name in OF_LABEL)
            rows.append((*names, _support(evaluation, subset, label), *shares))
    if rows:
        yield Table(
            id="labels",
            caption="Each label",
            columns=(
                Column("label"),
                *([Column("system")] if several else []),
                Column("n", "responses with this label by people", numeric=True),
                *(Column(member(name).heading, key=name, numeric=True) for name in OF_LABEL),
            ),
            rows=tuple(rows),
            names=2 if several else 1,
            note="Each response has one label, so that micro precision, recall and F1 all equal exact agreement.",
            rank=rank,
        )


def _support(evaluation: Evaluation, subset: Subset, label: str) -> Value:
    """How many golds have the label, over all responses."""
    for matrix in evaluation.matrices:
        compared = evaluation.subsets[matrix.subset]
        if matrix.name == "confusion" and compared.whole and compared.system == subset.system:
            return Responses(sum(matrix.values[matrix.rows.index(label)]))
    return None


def _confused(matrix: Matrix, system: str) -> Table:
    """How often the system gives each label at each label by people."""
    return Table(
        id="confusion",
        caption=Sentence("Responses by gold (rows) and {system} (columns)", system=system),
        columns=(Column("gold"), *(Column(name, numeric=True) for name in matrix.columns)),
        rows=tuple(
            (name, *counts) for name, counts in zip(matrix.rows, matrix.values, strict=True)
        ),
        rank=Rank.FULL,
    )


def _matrices(evaluation: Evaluation) -> Iterator[Block]:
    """The confusion matrix of each system, and what it gives at each gold score."""
    matrices = [
        (matrix, evaluation.subsets[matrix.subset].system)
        for matrix in evaluation.matrices
        if matrix.name == "confusion" and whole(evaluation.subsets[matrix.subset])
    ]
    if matrices:
        folded = len(matrices) > FEW_SYSTEMS
        yield Heading("Which scores are confused", rank=Rank.PAGE, folded=folded)
    labelled = evaluation.data.view != "ordinal"
    for matrix, system in matrices[: MOST_SYSTEMS * labelled]:
        yield _confused(matrix, system)
    for matrix, system in matrices[:MOST_SYSTEMS]:
        yield from _drawn(matrix, system, series_of(evaluation, system), labelled=labelled)
    if len(matrices) > MOST_SYSTEMS:
        left = Sentence("{n} more in tables/confusion_*.csv.", n=len(matrices) - MOST_SYSTEMS)
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
    definitions = evaluation.definitions
    numbers = [evaluation.of(subset) for subset in subsets]
    names = [
        text
        for text in dict.fromkeys(text for of_system in numbers for text in of_system)
        if text in definitions and BY_NAME[definitions[text].name].value is not None
    ]
    if len(subsets) > MOST_COLUMNS:
        words = Sentence(
            "All {n} statistics of every system are in tables/estimates.csv.", n=len(names)
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
            (definitions[text].title, text, *(of_system.get(text) for of_system in numbers))
            for text in names
        ),
        folded=True,
        rank=Rank.PAGE,
    )


def _parts(evaluation: Evaluation) -> Iterator[Block]:
    for title, subsets in by_kind_of_part(subsets_against_gold(evaluation)):
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
