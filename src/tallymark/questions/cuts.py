"""Pass marks: how systems decide at the user's cuts, against the gold and against true scores."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.catalogue.reasons import ONE_RATER
from tallymark.diagnosis.cut_models import Marks
from tallymark.diagnosis.cut_scores import (
    CutSums,
    Who,
    counted_alike,
    decision_accuracy,
    decision_consistency,
    error_at_cut,
    wrong_side,
)
from tallymark.diagnosis.sweep import Passes, pass_cells
from tallymark.errors import OptionError
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import wilson
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.model import Block, Entry, Grid, Measure, Rank, Says, Section, Text
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import place, system_against
from tallymark.results import CUT_SCORES, Estimate, Evaluation, Key, ResultTable, system_called
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.sources.resolution import MEANS
from tallymark.study.asked import Asked
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, cell_units, summed
from tallymark.tally import nearest

GUARD = 1e-9
ROUNDED = 1e-6
"""In steps: a system whose scores lie this near to the points gives the points."""
GRADES = "grades"
MISFIT = 0.03
"""The model is doubted from this difference to what was counted on, if the data settle it."""
WHO: tuple[Who, ...] = ("system", "rater")
NO_MODEL = "known only for a gold that is one rating, a sum or a mean of ratings, and this one is "
OTHER_RANGE = "the gold lies on another scale than the ratings, so true scores have no cut on it"
TWO_POINTS = "two score points do not show how far raters err: at least three are needed"
STILL = "true scores do not vary, or the system's scores do not"
UNRATED = "beside the cut nothing was rated twice, or rater error explains all of it"
GOLD = Key("decision_agreement")
SYSTEM = Key("decision_accuracy", of="system")
RATING = Key("decision_accuracy", of="rater")
PASSES_WRONGLY = Key("false_pass", against="true score")
FAILS_WRONGLY = Key("false_fail", against="true score")
AS_RATING = Key("decision_consistency", of="system")
TWO_RATINGS = Key("decision_consistency", of="rater")
SYSTEM_ERROR = Key("error_at_cut", of="system")
RATING_ERROR = Key("error_at_cut", of="rater")
SHARE_OF_ALL = "share of all responses"
MEASURES = {
    GOLD: Measure("as the gold", "share with the same decision"),
    Key("false_pass", against="gold"): Measure("passes, gold fails", SHARE_OF_ALL, rank=Rank.FULL),
    Key("false_fail", against="gold"): Measure("fails, gold passes", SHARE_OF_ALL, rank=Rank.FULL),
    SYSTEM: Measure("as true scores", "decides as many ratings would"),
    RATING: Measure("rating as true scores", "so does one rating"),
    PASSES_WRONGLY: Measure("passes wrongly", "share of all, against true scores"),
    FAILS_WRONGLY: Measure("fails wrongly", "share of all, against true scores"),
    AS_RATING: Measure("as another rating", "share of responses", rank=Rank.PAGE),
    TWO_RATINGS: Measure("two ratings", "decide alike, share of responses", rank=Rank.PAGE),
    SYSTEM_ERROR: Measure("error beside the cut", "in points, from true scores"),
    RATING_ERROR: Measure("error of a rating", "the same, of one rating", rank=Rank.PAGE),
}


class Cuts(NamedTuple):
    """The cuts on one scale, ascending, and the score from which each is passed."""

    values: tuple[float, ...]
    marks: Floats


class Decided(NamedTuple):
    """Pass and fail at each cut, and how often both scores lie between the same cuts."""

    passes: Passes
    same: Any

    @property
    def n(self) -> Floats:
        """Responses."""
        return np.asarray(self.passes.pairs.n[..., 0])


class Decision(NamedTuple):
    """What is known of a system at one cut, or of all grades where there is none.

    ``numbers`` are by their keys without the cut.
    """

    system: str
    part: str
    cut: float | None
    n: int
    numbers: Mapping[Key, Estimate]


def check_cuts(scores: Scores, cuts: Sequence[float]) -> None:
    """Refuse cuts that lie on no scale: everybody or nobody would pass them."""
    scales = [pair[1] for pair in scores.scales.values()] or [scores.gold_scale]
    for cut in cuts:
        if not any(scale.low < cut <= scale.high for scale in scales):
            listed = " or ".join(dict.fromkeys(str(scale) for scale in scales))
            raise OptionError(
                f"a cut must lie above the lowest point of the gold's scale {listed} and at most "
                f"at its highest, got {cut:g}: a score that reaches the cut passes"
            )


def at_cuts(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, asked: Asked
) -> Iterator[SubsetResults]:
    """Yield decisions at the cuts, of all responses and of each prompt, where there are cuts."""
    for part in parts if asked.cuts else ():
        scales = part.scales
        if scales is None or part.many or not set(part.where) <= {"prompt"}:
            continue
        cuts = cuts_on(scales[1], asked.cuts)
        rows = part.columns(["gold", f"system:{system}"], scales[1]).complete()
        if cuts.values and rows.counts.size:
            observed = _observed(rows, cuts, settings, part.label)
            units, why = _cut_units(scores, system, part, scales, cuts, asked)
            modelled = _modelled(units, why, cuts, settings, part.label)
            responses = int(rows.counts.sum())
            subset = subset_of(part, system_called(system), n=responses, against=CUT_SCORES)
            estimates = [*_cautioned(modelled), *observed]
            yield SubsetResults(subset, estimates, [], tables=(_table(cuts.values, estimates),))


def cuts_on(scale: Scale, cuts: Sequence[float]) -> Cuts:
    """Return the cuts that lie on a scale, each once.

    >>> cuts_on(Scale.parse("1:6"), [5, 3, 3]).marks.round(3).tolist()
    [2.5, 4.5]
    """
    values = tuple(sorted({float(cut) for cut in cuts if scale.low < cut <= scale.high}))
    return Cuts(values, np.array([mark(scale, cut) for cut in values]))


def mark(scale: Scale, cut: float) -> float:
    """The score that rounds to the first point which reaches the cut: half way from the one below.

    On a continuous scale nothing is rounded, and the mark is the cut.
    """
    if scale.continuous:
        return cut
    points = np.asarray(scale.points)
    passing = int(np.searchsorted(points, cut - GUARD * scale.step))
    return float(points[passing - 1] + points[passing]) / 2 - GUARD * scale.step


def _observed(rows: Rows, cuts: Cuts, settings: Settings, label: str) -> list[Estimate]:
    """How often system and gold decide alike, and which way they differ."""
    first, second = (np.searchsorted(cuts.marks, rows.scores[:, i], side="right") for i in (0, 1))
    size = len(cuts.values) + 1
    cells, unit = np.unique(first * size + second, return_inverse=True)
    gold, system = np.divmod(cells, size)
    same = (gold == system)[:, None]
    added = np.concatenate([pass_cells(gold, system, size - 1), same], axis=1)
    units = cell_units(
        rows, unit, added, lambda sums: Decided(Passes(sums[..., :-1]), sums[..., -1])
    )
    share = partial(Formula, interval="wilson")
    formulas = []
    for i, cut in enumerate(cuts.values):
        alike = partial(_agreement, cut=i)
        formulas.append(share(name="decision_agreement", params={"cut": cut}, value=alike))
        for name, cell in (("false_pass", (0, 1)), ("false_fail", (1, 0))):
            proportion = partial(_proportion, cut=i, cell=cell)
            params = {"against": "gold", "cut": cut}
            formulas.append(share(name=name, params=params, value=proportion))
    if len(cuts.values) > 1:
        formulas.append(share(name="decision_agreement", params={"cuts": GRADES}, value=_same))
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="rounded") for e in estimates]


def _agreement(decided: Decided, *, cut: int) -> Floats:
    return np.asarray(decided.passes.agreement[..., cut])


def _proportion(decided: Decided, *, cut: int, cell: tuple[int, int]) -> Floats:
    return np.asarray(decided.passes.pairs.proportions[..., cut, cell[0], cell[1]])


def _same(decided: Decided) -> Floats:
    with np.errstate(invalid="ignore"):  # no response is left
        return np.asarray(decided.same / decided.passes.pairs.n[..., 0])


def _cut_units(
    scores: Scores,
    system: str,
    part: Part,
    scales: tuple[Scale, Scale],
    cuts: Cuts,
    asked: Asked,
) -> tuple[Units[CutSums] | None, str]:
    """The units of the model, or why there is none."""
    (rater, gold), error = scales, asked.error_variance
    if scores.resolve not in ("first", "column", "sum", *MEANS):
        return None, f"{NO_MODEL}{scores.resolve}"
    if scores.resolve != "sum" and (rater.low, rater.high) != (gold.low, gold.high):
        return None, OTHER_RANGE
    if not (rater.continuous or len(rater.points) > 2):
        return None, TWO_POINTS
    if not scores.humans:
        return None, ONE_RATER
    names = [*(f"human:{name}" for name in scores.humans), f"system:{system}"]
    rows = part.columns(names, rater)
    rated = ~np.isnan(rows.scores[:, :-1])
    rows = rows.where(np.asarray(rated.any(axis=1) & ~np.isnan(rows.scores[:, -1]))).distinct()
    if error is None and not (rated.sum(axis=1) > 1).any():
        return None, ONE_RATER
    ratings, of_system = rows.scores[:, :-1], rows.scores[:, -1]
    center = (rater.low + rater.high) / 2
    stretch = (rater.high - rater.low) / (gold.high - gold.low)
    on_rater = rater.low + (of_system - gold.low) * stretch
    marks = _marks(rater, gold, cuts, of_system, center)
    values = CutSums.rows(
        ratings - center, on_rater - center, marks, _next_to_cuts(of_system, gold, cuts)
    )
    model = asked.cut_model or "normal"
    return summed(rows, values, partial(CutSums, marks=marks, error=error, kind=model)), ""


def _next_to_cuts(system: Floats, scale: Scale, cuts: Cuts) -> NDArray[np.bool_]:
    """Which responses the system puts at the point that passes a cut or at the one below it.

    On a continuous scale: within a twentieth of the range.
    """
    if scale.continuous:
        reach = (scale.high - scale.low) / 20
        return np.asarray(np.abs(system[:, None] - cuts.marks) <= reach)
    points = np.asarray(scale.points)
    nearest_point = nearest(system, points)[:, None]
    passing = np.searchsorted(points, cuts.marks)
    return np.asarray((nearest_point == passing) | (nearest_point == passing - 1))


def _marks(rater: Scale, gold: Scale, cuts: Cuts, system: Floats, center: float) -> Marks:
    """Carry the cuts to the raters' scale, about a center, and say what rounding adds."""
    stretch = (rater.high - rater.low) / (gold.high - gold.low)
    on_rater = rater.low + (cuts.marks - gold.low) * stretch
    values = rater.low + (np.asarray(cuts.values) - gold.low) * stretch
    rating = np.array([mark(rater, value) for value in values])
    rounding = _rounding(gold) * stretch**2 if _on_points(system, gold) else 0.0
    if _on_points(rater.low + (system - gold.low) * stretch, rater):  # beside a mean of ratings
        rounding = _rounding(rater)
    half = rater.step / 2
    return Marks(
        on_rater - center,
        rating - center,
        _rounding(rater),
        rounding,
        rater.low - center - half,
        rater.high - center + half,
    )


def _on_points(system: Floats, scale: Scale) -> bool:
    if scale.continuous:
        return False
    points = np.asarray(scale.points)
    distances = np.abs(points[nearest(system, points)] - system)
    return bool((distances <= ROUNDED * scale.step).all())


def _rounding(scale: Scale) -> float:
    """Variance that rounding to the points adds: a twelfth of the squared step (Sheppard)."""
    if scale.continuous or len(scale.points) < 2:
        return 0.0
    return ((scale.high - scale.low) / (len(scale.points) - 1)) ** 2 / 12


def _modelled(
    units: Units[CutSums] | None, why: str, cuts: Cuts, settings: Settings, label: str
) -> list[Estimate]:
    """Decisions against true scores and against another rating; undefined with the reason."""
    formulas = list(_formulas(cuts))
    if units is None:
        undefined = partial(Estimate, value=math.nan, n=0, why=why, level=settings.level)
        return [undefined(key=formula.key) for formula in formulas]
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="trimmed") for e in estimates]


def _formulas(cuts: Cuts) -> Iterator[Formula]:
    """Everything the model tells: at each cut, then of all grades."""
    modelled = partial(Formula, analytic=None, undefined=STILL)
    single = [({"cut": cut}, slice(i, i + 1)) for i, cut in enumerate(cuts.values)]
    places: list[tuple[dict[str, Any], slice]] = [*single]
    if len(single) > 1:
        places.append(({"cuts": GRADES}, slice(None)))
    for name, function in (
        ("decision_accuracy", decision_accuracy),
        ("decision_consistency", decision_consistency),
    ):
        for who in WHO:
            for params, chosen in places:
                value = partial(function, who=who, cuts=chosen)
                formula = modelled(name=name, params={"of": who, **params}, value=value)
                counted = (name, who) == ("decision_consistency", "system") and "cut" in params
                parts = partial(_counted, cut=chosen.start) if counted else formula.parts
                yield replace(formula, parts=parts)
    for i, cut in enumerate(cuts.values):
        for name, passed in (("false_pass", True), ("false_fail", False)):
            params = {"against": "true score", "cut": cut}
            yield modelled(
                name=name, params=params, value=partial(wrong_side, passed=passed, cut=i)
            )
        for who in WHO:
            yield Formula(
                name="error_at_cut",
                params={"of": who, "cut": cut},
                value=partial(error_at_cut, who=who, cut=i),
                analytic=None,
                undefined=UNRATED,
            )


def _counted(sums: CutSums, *, cut: int) -> dict[str, float]:
    return {"counted": float(counted_alike(sums, cut=cut))}


def _cautioned(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Warn at cuts where the model expects another agreement with ratings than was counted."""
    cautions: dict[object, str] = {}
    for estimate in estimates:
        if "counted" not in estimate.parts or math.isnan(estimate.value):
            continue
        counted = estimate.parts["counted"]
        ends = wilson(counted, estimate.n, estimate.level)
        if abs(estimate.value - counted) > MISFIT and not ends.low <= estimate.value <= ends.high:
            cut = estimate.params["cut"]
            cautions[cut] = str(
                Sentence(
                    "at {cut:g} the model expects the same decision as a rating in {expected:percent} of "
                    "responses, and {counted:percent} were counted: scores there are not as the model has "
                    "them, so take decisions against true scores with care",
                    cut=cut,
                    expected=estimate.value,
                    counted=counted,
                )
            )
    if cautions:
        cautions[None] = next(iter(cautions.values()))  # grades hang on every cut
    return [
        e
        if e.name == "error_at_cut" or math.isnan(e.value)
        else replace(e, why=cautions.get(e.params.get("cut"), e.why))
        for e in estimates
    ]


def _table(cuts: Sequence[float], estimates: Sequence[Estimate]) -> ResultTable:
    """One row a cut, and one for the grades between them: how often decisions are the same."""
    values = {e.key: None if math.isnan(e.value) else e.value for e in estimates}
    columns = {
        "as the gold": GOLD,
        "as true scores": SYSTEM,
        "a rating as true scores": RATING,
        "as another rating": AS_RATING,
        "two ratings": TWO_RATINGS,
        "passed wrongly": PASSES_WRONGLY,
        "failed wrongly": FAILS_WRONGLY,
        "rating's error": RATING_ERROR,
        "system's error": SYSTEM_ERROR,
    }
    rows: dict[str, dict[str, Any]] = {f"{cut:g}": {"cut": cut} for cut in cuts}
    if len(cuts) > 1:
        rows[GRADES] = {"cuts": GRADES}
    return ResultTable(
        name="cut_scores",
        title="Decisions of the system at each cut",
        columns=("cut", *columns),
        rows=tuple(
            (name, *(values.get(key.having(**params)) for key in columns.values()))
            for name, params in rows.items()
        ),
        note="Shares of responses; errors in score points, beside the cut. Wrongly: against true "
        "scores, which need responses rated twice.",
    )


def section(evaluation: Evaluation) -> Section:
    """Show how systems decide at each cut; nothing where no cut was given."""
    return Section(
        id="cuts",
        title="Pass marks",
        question="Would the same responses pass?",
        blocks=tuple(_blocks(list(_decisions(evaluation)))),
        takes="pass marks: --cut.",
    )


def _decisions(evaluation: Evaluation) -> Iterator[Decision]:
    """Every system at every cut, and last all grades: of all responses, else of each prompt.

    Where prompts are on scales of their own, no cut is one of all responses together.
    """
    of_prompts = [
        found.subset
        for found in evaluation.where(against=CUT_SCORES)
        if found.subset.prompt is not None and len(place(found.subset)) == 1
    ]
    for subset in system_against(evaluation, CUT_SCORES) or of_prompts:
        estimates = evaluation.of(subset)
        part = ", ".join(place(subset).values())
        for params in (e.params for e in estimates.values() if e.name == GOLD.name):
            keys = {key: key.having(**params) for key in MEASURES}
            numbers = {
                key: estimates[at_cut] for key, at_cut in keys.items() if at_cut in estimates
            }
            yield Decision(subset.system, part, params.get("cut"), subset.n, numbers)


def _blocks(decisions: Sequence[Decision]) -> Iterator[Block]:
    if not decisions:
        return
    if len(decisions) <= SIDE_BY_SIDE:
        yield Says(tuple(map(_sentence, decisions)), rank=Rank.FIRST)
    yield from _grids(decisions)
    estimates = [decision.numbers[SYSTEM] for decision in decisions if SYSTEM in decision.numbers]
    for why in dict.fromkeys(e.why for e in estimates if e.why and not math.isnan(e.low)):
        yield Text(Sentence("Note: {why}.", why=why), rank=Rank.FIRST)


def _sentence(decision: Decision) -> Sentence:
    """Say how often the system decides as true scores would, or else as the gold does."""
    where = Sentence("Over all grades")
    if decision.cut is not None:
        where = Sentence("At cut {cut:g}", cut=decision.cut)
    if decision.part:
        where = Sentence("{cut} of {part}", cut=where, part=decision.part)
    if SYSTEM in decision.numbers and not math.isnan(decision.numbers[SYSTEM].value):
        return Sentence(
            "{where}, {system} decides as true scores would in {same:percent} of responses; a "
            "single rating does in {rating:percent}.",
            where=where,
            system=decision.system,
            same=decision.numbers[SYSTEM],
            rating=decision.numbers[RATING],
        )
    return Sentence(
        "{where}, {system} decides as the gold does in {same:percent} of responses.",
        where=where,
        system=decision.system,
        same=decision.numbers[GOLD],
    )


def _grids(decisions: Sequence[Decision]) -> Iterator[Grid]:
    """One grid a system, its cuts beside each other; many systems, or one cut, in one grid."""
    systems = list(dict.fromkeys(decision.system for decision in decisions))
    if len(systems) > SIDE_BY_SIDE or len(decisions) == len(systems) > 1:
        entries = [_entry(decision, decision.system) for decision in decisions]
        yield _grid("Decisions of systems", ("system", "decision"), entries)
        return
    for system in systems:
        entries = [_entry(decision) for decision in decisions if decision.system == system]
        yield _grid(Sentence("Decisions of {system}", system=system), ("decision",), entries)


def _entry(decision: Decision, *names: Words) -> Entry:
    """The numbers of a decision, headed by its part and cut."""
    heading = Sentence("all grades")
    if decision.cut is not None:
        heading = Sentence("cut {cut:g}", cut=decision.cut)
    if decision.part:
        heading = Sentence("{part}, {cut}", part=decision.part, cut=heading)
    return Entry((*names, heading), tuple(map(decision.numbers.get, MEASURES)), decision.n)


def _grid(caption: Words, names: tuple[str, ...], entries: Sequence[Entry]) -> Grid:
    return Grid(
        id="cuts",
        caption=caption,
        names=names,
        measures=tuple(replace(measure, key=key.name) for key, measure in MEASURES.items()),
        entries=tuple(entries),
        note="A score that reaches the cut passes.",
        rank=Rank.FIRST,
    )
