"""Raters: how each uses the scale, scores beside the others, and changes from batch to batch."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import find, texts
from tallymark.defaults import LEVEL
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability.connected import components
from tallymark.reliability.rater_effects import beside_others, rater_effects
from tallymark.render.grids import cautions, reasons
from tallymark.render.leading import grid
from tallymark.render.model import Bare, Block, Column, Measure, Responses, Section, Value, table_by
from tallymark.render.numbers import MOST_ROWS
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.render.subsets import rater_numbers, single_raters
from tallymark.results import (
    OTHERS,
    Estimate,
    Evaluation,
    Finding,
    Matrix,
    Numbers,
    Subset,
    rater_called,
)
from tallymark.sources import Scores
from tallymark.study.average import averages, faceted
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.panel import panel_of
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairCounts, PairMoments, nearest

NOT_RATED = "the rater gave no rating"
MORE_RATERS_THAN_RESPONSES = 10
"""From this many raters on, more raters than responses look like a table on its side."""
MANY_DIFFERENT = 20
"""So many ratings that are whole numbers and all differ look like an id."""


def each_rater(
    people: People, part: Part, settings: Settings, extra_estimates: Mapping[str, list[Estimate]]
) -> Iterator[SubsetResults]:
    """Yield each rater's use of the scale, and how the rater scores beside the others."""
    rated = ~np.isnan(people.rows.scores)
    key = stream_of(part.label)
    for rater, measured in _against_others(part, people):
        scored = people.rows.where(np.asarray(rated[:, rater]))
        estimates = _use_of_scale(scored, rater, settings, key, continuous=people.scale.continuous)
        estimates += estimate_by_tally(measured.formulas, measured.units, settings, part.label)
        name = people.names[rater]
        subset = subset_of(part, rater_called(name), n=int(scored.counts.sum()), against=OTHERS)
        matrices = [] if people.scale.continuous else [_distribution(scored, rater, people)]
        own_estimates = [replace(e, score="human") for e in estimates]
        yield SubsetResults(subset, [*own_estimates, *extra_estimates[name]], matrices)


def rater_averages(
    parts: Sequence[Part], settings: Settings, extra_estimates: Mapping[str, list[Estimate]]
) -> Iterator[SubsetResults]:
    """Yield means over prompts or traits of how each rater scores beside the others in each.

    ``extra_estimates`` are known of a rater as a mean over the first of them.
    """
    first = next((key for key, _ in faceted(parts)), "")
    for key, over in faceted(parts):
        raters: dict[str, list[Measured]] = {}
        for part in over:
            if part.people is not None:
                for rater, measured in _against_others(part, part.people):
                    if measured.n:
                        raters.setdefault(part.people.names[rater], []).append(measured)
        for name, measured_parts in raters.items():
            if len(measured_parts) > 1:
                means = averages(
                    measured_parts,
                    key,
                    rater_called(name),
                    settings,
                    against=OTHERS,
                    scales=(False,),
                )
                extra = extra_estimates.get(name, []) if key == first else []
                yield from (
                    mean._replace(
                        estimates=[*(replace(e, score="human") for e in mean.estimates), *extra]
                    )
                    for mean in means
                )


def _against_others(part: Part, people: People) -> Iterator[tuple[int, Measured]]:
    """Each rater who gave a rating, by place, beside the mean of the others on shared responses."""
    ratings = people.rows.scores
    rated = ~np.isnan(ratings)
    total, number = np.where(rated, ratings, 0).sum(axis=1), rated.sum(axis=1)
    formulas = [find(statistic) for statistic in texts("beside_others")]
    for rater in np.flatnonzero(rated.any(axis=0)).tolist():
        mean_of_others = np.full(len(ratings), np.nan)
        shared = rated[:, rater] & (number > 1)
        mean_of_others[shared] = (total[shared] - ratings[shared, rater]) / (number[shared] - 1)
        pair = replace(
            people.rows, scores=np.stack([mean_of_others, ratings[:, rater]], axis=1)
        ).complete()
        yield rater, Measured(part, people.scale, pair, formulas, units_by_tally(formulas, pair))


def _use_of_scale(
    scored: Rows, rater: int, settings: Settings, key: int, *, continuous: bool
) -> list[Estimate]:
    twice = replace(scored, scores=scored.scores[:, [rater, rater]])
    moments = [
        Formula(name="rater_mean", value=_mean, undefined=NOT_RATED, ddof=1),
        Formula(name="rater_sd", value=_sd, undefined="one rating has no spread"),
    ]
    estimates = estimate_all(moments, units_of("moments", twice), settings, key=key)
    if continuous:
        return estimates
    modal = Formula(name="modal_share", value=_modal_share, analytic=None, undefined=NOT_RATED)
    return [
        *estimates,
        *estimate_all([modal], units_of("table", twice, [modal]), settings, key=key),
    ]


def _mean(moments: PairMoments) -> Floats:
    return moments.means[0]


def _sd(moments: PairMoments) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # one rating has no spread
        return np.asarray(np.sqrt(moments.variances[0] * moments.n / (moments.n - 1)))


def _modal_share(pairs: PairCounts) -> Floats:
    return np.asarray(pairs.margins[0].max(axis=-1))


def _distribution(scored: Rows, rater: int, people: People) -> Matrix:
    """How often a rater gave each point."""
    index = nearest(scored.scores[:, rater], scored.points)
    counts = np.bincount(index, weights=scored.counts, minlength=scored.points.size)
    points = people.scale.labels or tuple(f"{point:g}" for point in people.scale.points)
    return Matrix(
        name="distribution",
        subset=-1,
        row_title="score",
        rows=points,
        column_title="given by",
        columns=(people.names[rater],),
        values=tuple((int(count),) for count in counts),
    )


def about_raters(people: People) -> list[Finding]:
    """What a reader should know before the numbers."""
    findings = [] if people.rows.twice.any() else [_note("not_rated_twice")]
    groups = components(people.rows.scores)
    if len(groups) > 1 and not findings:
        names_of_groups = "; ".join(
            ", ".join(people.names[rater] for rater in group) for group in groups
        )
        findings.append(_note("raters_apart", raters=names_of_groups, groups=len(groups)))
    silent = [people.names[i] for i in np.flatnonzero(np.isnan(people.rows.scores).all(axis=0))]
    if silent:
        findings.append(_note("raters_without_rating", raters=", ".join(silent)))
    findings += [
        _note("rater_like_an_id", column=name)
        for rater, name in enumerate(people.names)
        if _like_an_id(people.rows, rater)
    ]
    responses, raters = int(people.rows.counts.sum()), len(people.names)
    if raters >= MORE_RATERS_THAN_RESPONSES and raters > responses:
        findings.append(_note("raters_in_rows", raters=raters, responses=responses))
    return findings


def about_prompts(parts: Sequence[Part]) -> list[Finding]:
    """Prompts on scales of their own can be examined only one at a time."""
    people_of_prompts = [part.people for part in parts if set(part.where) == {"prompt"}]
    twice = any(people is not None and people.rows.twice.any() for people in people_of_prompts)
    return [_note("prompts_on_own_scales" if twice else "not_rated_twice")]


def _note(name: str, **values: str | float) -> Finding:
    return Finding(
        name=name,
        numbers={key: value for key, value in values.items() if not isinstance(value, str)},
        texts={key: value for key, value in values.items() if isinstance(value, str)},
        weight="note",
    )


def _like_an_id(rows: Rows, rater: int) -> bool:
    """Whether a rater never gave the same score twice, and whole numbers only."""
    ratings = rows.scores[:, rater]
    scores = ratings[~np.isnan(ratings)]
    count = int(rows.counts[~np.isnan(ratings)].sum())
    integers = bool((scores == np.floor(scores)).all())
    return count >= MANY_DIFFERENT and integers and np.unique(scores).size == count


MANY_BATCHES = 12
"""More batches than this (points in time, say) are joined, in their order, ..."""
JOINED = 8
"""... into this many of about the same size."""
EXACT = 12
"""Decimals of a difference from the others; beyond them lies what solvers differ in, which would
put rows of equal ratings into another order, and so change what a seed draws."""


class Batches(NamedTuple):
    """The batch of each row of the data (-1: none), and their names in order."""

    codes: Whole
    labels: tuple[str, ...]
    column: str


class Drift(NamedTuple):
    """Agreement and raters by batch, and each rater's change from first to last."""

    results: list[SubsetResults]
    by_rater: dict[str, list[Estimate]]


def drift(scores: Scores, people: People, settings: Settings) -> Drift:
    """Estimate agreement and severity by batch; nothing where no batches were named."""
    batches = batches_of(scores)
    if batches is None or len(batches.labels) < 2:
        return Drift([], {})
    parts = [
        Part(scores, batches.codes == i, {f"group:{batches.column}": label})
        for i, label in enumerate(batches.labels)
    ]
    rated = [(part, part.people.distinct()) for part in parts if part.people is not None]
    results = panel_of(rated, settings)
    differences = beside_others(
        people.rows.scores, rater_effects(people.rows.scores, people.rows.counts)
    )
    differences = differences.round(EXACT)
    changes: dict[str, list[Estimate]] = {}
    for rater, name in enumerate(people.names):
        results.extend(_by_batch(people, differences[:, rater], name, parts, settings))
        changes[name] = _change(people, differences[:, rater], batches, settings)
    return Drift(results, changes)


def batches_of(scores: Scores) -> Batches | None:
    """Put batches in order, as numbers where they are numbers; many of them are joined."""
    patterns = scores.patterns
    if "batch" not in patterns.keys or scores.roles.batch is None:
        return None
    codes, labels = patterns.keys["batch"], patterns.labels["batch"]
    order = _in_order(labels)
    rank = np.empty(len(labels) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(labels)), -1
    ranked, ordered = rank[codes], [labels[code] for code in order]
    if len(ordered) <= MANY_BATCHES:
        return Batches(ranked, tuple(ordered), scores.roles.batch)
    size = np.bincount(ranked[ranked >= 0], weights=patterns.counts[ranked >= 0])
    middle = (np.cumsum(size) - size / 2) / size.sum()
    merged = np.append(np.minimum((middle * JOINED).astype(np.int64), JOINED - 1), -1)
    runs = [np.flatnonzero(merged[:-1] == run) for run in range(JOINED)]
    runs = [run for run in runs if run.size]
    place = np.append(np.searchsorted([merged[run[0]] for run in runs], merged[:-1]), -1)
    names = tuple(f"{ordered[run[0]]} to {ordered[run[-1]]}" for run in runs)
    return Batches(place[ranked], names, scores.roles.batch)


def _in_order(labels: Sequence[str]) -> list[int]:
    """Positions of the labels by number where all are numbers, else by their text."""
    try:
        return sorted(range(len(labels)), key=lambda code: float(labels[code]))
    except ValueError:
        return sorted(range(len(labels)), key=lambda code: labels[code])


def _by_batch(
    people: People, differences: Floats, name: str, parts: list[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the rater's mean difference from the others in each batch."""
    for part in parts:
        rows = _rows(people, np.zeros_like(differences), differences).where(
            part.rows & ~np.isnan(differences)
        )
        if not rows.counts.size:
            continue
        formula = Formula(
            name="rater_difference", value=_second_mean, analytic="t", interval="analytic", ddof=1,
            undefined="the rater shares no response with another",
        )  # fmt: skip
        units = units_of("moments", rows)
        (estimate,) = estimate_all([formula], units, settings, key=stream_of(part.label))
        subset = subset_of(part, rater_called(name), n=int(rows.counts.sum()), against=OTHERS)
        yield SubsetResults(subset, [replace(estimate, score="human")], [])


def _change(
    people: People, differences: Floats, batches: Batches, settings: Settings
) -> list[Estimate]:
    """The change from the first batch to the last, along a straight line."""
    used = ~np.isnan(differences) & (batches.codes >= 0)
    time = batches.codes / (len(batches.labels) - 1)
    rows = _rows(people, time, differences).where(used)
    formula = Formula(
        name="drift", value=_slope, undefined="the rater shares responses in one batch only"
    )
    estimates = estimate_all([formula], units_of("moments", rows), settings, key=stream_of("drift"))
    return [replace(estimate, score="human") for estimate in estimates]


def _rows(people: People, first: Floats, second: Floats) -> Rows:
    return replace(people.rows, scores=np.stack([first, second], axis=1), points=np.zeros(2))


def _second_mean(moments: PairMoments) -> Floats:
    return moments.means[1]


def _slope(moments: PairMoments) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        time = moments.variances[0]
        flat = np.real(time) <= 1e-12
        return np.asarray(np.where(flat, np.nan, moments.covariance / np.where(flat, 1, time)))


CHANGE = (
    "Score points above the other raters of the same responses, their own severity taken out; "
    "change: first to last along a straight line. It is relative: one rater's change moves the "
    "others a little the other way, and a change of all together cannot be seen."
)
_TEMPLATES = {
    "not_rated_twice": "no response was rated twice.",
    "prompts_on_own_scales": "prompts have scales of their own: there is no panel of all responses, only of each prompt.",
    "raters_apart": "the raters fall into {groups} groups that share no response ({raters}): "
    "raters of different groups cannot be compared.",
    "raters_without_rating": "raters without any rating: {raters}.",
    "rater_like_an_id": "column {column} holds another whole number in every row: it looks like "
    "an id, not a score.",
    "raters_in_rows": "{raters} raters of {responses:responses}: are the raters in the rows? Each "
    "row must be a response.",
}


def within(column: str | None) -> str:
    """Say over what the comparison with the others is averaged."""
    return f"; r and difference: mean over {column}s" if column else ""


def in_order(*, many: bool) -> str:
    """Say in which order raters come."""
    return "those furthest from the others first" if many else "the most severe first"


def leaning(difference: Estimate) -> str:
    """Severe or lenient, where the interval of the difference from the others excludes 0."""
    if difference.why:  # an interval without width excludes nothing
        return ""
    if difference.low > 0:
        return "lenient"
    return "severe" if difference.high < 0 else ""


def turning(change: Estimate) -> str:
    """Where a rater is going, if the interval of the change excludes 0."""
    if change.low > 0:
        return "to lenient"
    return "to severe" if change.high < 0 else ""


def _words(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(Sentence(_TEMPLATES[finding.name], **finding.numbers, **finding.texts))


FINDINGS: Tellers = dict.fromkeys(_TEMPLATES, _words)


DIFFERENCE = "bias"
MOST_DRIFTING = 10
"""Raters over time on a terminal: those who change most."""
_RATER = (
    Measure("mean", "mean score of the rater", "rater_mean"),
    Measure("SD", "spread of the rater's scores", "rater_sd"),
    Measure("most used", "share of the rater's most used score", "modal_share"),
    Measure("r", "correlation with the mean of the other raters", "pearson"),
    Measure("difference", "rater less that mean, on the same responses", DIFFERENCE),
)


def section(evaluation: Evaluation) -> Section:
    """Show each rater beside the others; nothing where raters were not looked at one by one."""
    return Section(
        id="raters",
        title="Each rater",
        question="Who scores otherwise than the others, and who changes?",
        blocks=(*_raters_table(evaluation), *_drift(evaluation)),
        takes="raters who share responses: a second --human column.",
        titled=False,
    )


def rater_statistics(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the statistics to show of each rater."""
    return tuple(statistic for statistic in _RATER if statistic.key in evaluation.definitions)


def ordered(evaluation: Evaluation) -> list[tuple[Subset, Numbers]]:
    """Return the raters, the most severe first; of many, those furthest from the others first."""
    raters = [(s, rater_numbers(evaluation, s)[1]) for s in single_raters(evaluation)]
    many = len(raters) > MOST_ROWS
    return sorted(raters, key=lambda rater: _place(rater[1][DIFFERENCE], by_size=many))


def _place(difference: Estimate, *, by_size: bool) -> tuple[bool, float]:
    """The undefined come last."""
    if math.isnan(difference.value):
        return True, 0.0
    return False, -abs(difference.value) if by_size else difference.value


def _raters_table(evaluation: Evaluation) -> Iterator[Block]:
    raters, measures = ordered(evaluation), rater_statistics(evaluation)
    if not raters:
        return
    numbers = grid(
        "raters",
        "",
        ("rater",),
        [((s.system,), s.n, numbers_of) for s, numbers_of in raters],
        measures,
    )
    why = reasons(numbers.measures, [entry.numbers for entry in numbers.entries])
    caption = Sentence(
        f"Raters, {in_order(many=len(raters) > MOST_ROWS)}, {{level:level}} intervals"
        f"{within(rater_numbers(evaluation, raters[0][0])[0])}",
        level=float(evaluation.options.get("level", LEVEL)),
    )
    yield table_by(
        "raters", caption, raters,
        (Column("rater"), lambda rater: rater[0].system),
        (Column("n", numeric=True), lambda rater: Responses(rater[0].n)),
        *map(_column, numbers.measures),
        (Column(""), lambda rater: leaning(rater[1][DIFFERENCE])),
        note=" ".join([*why, *map(str, cautions(numbers))]),
    )  # fmt: skip


def _column(measure: Measure) -> tuple[Column, Callable[[tuple[Subset, Numbers]], Value]]:
    """Only the difference has room for its interval on a terminal."""
    column = Column(measure.title, measure.words, measure.key, numeric=True)
    if measure.key == DIFFERENCE:
        return column, lambda rater: rater[1][DIFFERENCE]
    return column, lambda rater: Bare(rater[1][measure.key])


def _drift(evaluation: Evaluation) -> Iterator[Block]:
    """Each rater's difference from the others in every batch, and the change."""
    parts = [
        s
        for s in evaluation.subsets
        if s.against == OTHERS and not s.subject.is_system and s.group is not None
    ]
    if not parts:
        return
    batches = list(dict.fromkeys(str(subset.group) for subset in parts))
    by_batch = {(s.subject, s.group): evaluation.of(s)["rater_difference"] for s in parts}
    changes = [(s, evaluation.of(s).get("drift")) for s in single_raters(evaluation)]
    drifting = [(s, e) for s, e in changes if e is not None and not math.isnan(e.value)]
    drifting.sort(key=lambda rater: -abs(rater[1].value))

    def in_batch(batch: str) -> tuple[Column, Callable[[tuple[Subset, Estimate]], Value]]:
        def cell(rater: tuple[Subset, Estimate]) -> Value:
            difference = by_batch.get((rater[0].subject, batch))
            return None if difference is None else Bare(difference)

        return Column(batch, key="rater_difference", numeric=True), cell

    column = str(parts[0].group_column)
    yield table_by(
        "drift", Sentence("Raters over {column}, those who change most first", column=column),
        drifting,
        (Column("rater"), lambda rater: rater[0].system),
        (Column("change", key="drift", numeric=True), lambda rater: rater[1]),
        (Column(""), lambda rater: turning(rater[1])),
        *map(in_batch, batches),
        most=MOST_DRIFTING, note=CHANGE,
    )  # fmt: skip
