"""Decisions of a system at the user's cuts: against the gold, and against true scores."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue.reasons import ONE_RATER
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
from tallymark.questions.cuts.marks import Cuts, beside, cuts_on, marks_of
from tallymark.questions.cuts.say import misfit
from tallymark.results import CUT_SCORES, Estimate, Key, ResultTable, system_called
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.sources.resolution import MEANS
from tallymark.study.asked import Asked
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, cell_units, summed

Floats = NDArray[np.float64]
GRADES = "grades"
MISFIT = 0.03
"""The model is doubted from this difference to what was counted on, if the data settle it."""
WHO: tuple[Who, ...] = ("system", "rater")
NO_MODEL = "known only for a gold that is one rating, a sum or a mean of ratings, and this one is "
OTHER_RANGE = "the gold lies on another scale than the ratings, so true scores have no cut on it"
TWO_POINTS = "two score points do not show how far raters err: at least three are needed"
STILL = "true scores do not vary, or the system's scores do not"


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
        given = cuts_on(scales[1], asked.cuts)
        rows = part.columns(["gold", f"system:{system}"], scales[1]).complete()
        if given.values and rows.counts.size:
            observed = _observed(rows, given, settings, part.label)
            units, why = _cut_units(scores, system, part, scales, given, asked)
            modelled = _modelled(units, why, given, settings, part.label)
            subset = subset_of(
                part, system_called(system), n=int(rows.counts.sum()), against=CUT_SCORES
            )
            estimates = [*_cautioned(modelled), *observed]
            yield SubsetResults(subset, estimates, [], tables=(_table(given.values, estimates),))


class Decided(NamedTuple):
    """Pass and fail at each cut, and how often both scores lie between the same cuts."""

    passes: Passes
    same: Any

    @property
    def n(self) -> Floats:
        """Responses."""
        return np.asarray(self.passes.pairs.n[..., 0])


def _decided(sums: Any) -> Decided:
    return Decided(Passes(sums[..., :-1]), sums[..., -1])


def _observed(rows: Rows, cuts: Cuts, settings: Settings, label: str) -> list[Estimate]:
    """How often system and gold decide alike, and which way they differ."""
    first, second = (np.searchsorted(cuts.marks, rows.scores[:, i], side="right") for i in (0, 1))
    size = len(cuts.values) + 1
    cells, unit = np.unique(first * size + second, return_inverse=True)
    gold, given = np.divmod(cells, size)
    same = (gold == given)[:, None]
    added = np.concatenate([pass_cells(gold, given, size - 1), same], axis=1)
    units = cell_units(rows, unit, added, _decided)
    formulas = []
    for i, cut in enumerate(cuts.values):
        formulas.append(_share("decision_agreement", {"cut": cut}, partial(_cell, cut=i)))
        for name, place in (("false_pass", (0, 1)), ("false_fail", (1, 0))):
            value = partial(_cell, cut=i, place=place)
            formulas.append(_share(name, {"against": "gold", "cut": cut}, value))
    if len(cuts.values) > 1:
        formulas.append(_share("decision_agreement", {"cuts": GRADES}, _same))
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="rounded") for e in estimates]


def _share(name: str, params: dict[str, Any], value: Any) -> Formula:
    return Formula(name=name, params=params, value=value, interval="wilson")


def _cell(decided: Decided, *, cut: int, place: tuple[int, int] | None = None) -> Floats:
    if place is None:
        return np.asarray(decided.passes.agreement[..., cut])
    return np.asarray(decided.passes.pairs.proportions[..., cut, place[0], place[1]])


def _same(decided: Decided) -> Floats:
    with np.errstate(invalid="ignore"):  # no response is left
        return np.asarray(decided.same / decided.passes.pairs.n[..., 0])


def _modelled(
    units: Units[CutSums] | None, why: str, cuts: Cuts, settings: Settings, label: str
) -> list[Estimate]:
    """Decisions against true scores and against another rating; undefined with the reason."""
    formulas = list(_formulas(cuts))
    if units is None:
        none = partial(Estimate, value=math.nan, n=0, why=why, level=settings.level)
        return [none(key=f.key) for f in formulas]
    estimates = estimate_all(formulas, units, settings, key=stream_of(label))
    return [replace(e, score="trimmed") for e in estimates]


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
    people = ~np.isnan(rows.scores[:, :-1])
    rows = rows.where(np.asarray(people.any(axis=1) & ~np.isnan(rows.scores[:, -1]))).distinct()
    if error is None and not (people.sum(axis=1) > 1).any():
        return None, ONE_RATER
    center = (rater.low + rater.high) / 2
    near = beside(rows.scores[:, -1], gold, cuts)
    times = (rater.high - rater.low) / (gold.high - gold.low)
    given = rater.low + (rows.scores[:, -1] - gold.low) * times - center
    marks = marks_of(rater, gold, cuts, rows.scores[:, -1], center)
    values = CutSums.rows(rows.scores[:, :-1] - center, given, marks, near)
    return summed(
        rows, values, partial(CutSums, marks=marks, error=error, kind=asked.cut_model or "normal")
    ), ""


def _formulas(cuts: Cuts) -> Iterator[Formula]:
    """Everything the model tells: at each cut, then of all grades."""
    places = [({"cut": cut}, slice(i, i + 1)) for i, cut in enumerate(cuts.values)]
    every: list[tuple[dict[str, Any], slice]] = [*places]
    if len(places) > 1:
        every.append(({"cuts": GRADES}, slice(None)))
    for name, value in (
        ("decision_accuracy", decision_accuracy),
        ("decision_consistency", decision_consistency),
    ):
        for who in WHO:
            for params, here in every:
                made = _bound(name, {"of": who, **params}, partial(value, who=who, cuts=here))
                seen = (name, who) == ("decision_consistency", "system") and "cut" in params
                yield replace(made, parts=partial(_counted, cut=here.start)) if seen else made
    for i, cut in enumerate(cuts.values):
        for name, passed in (("false_pass", True), ("false_fail", False)):
            params = {"against": "true score", "cut": cut}
            yield _bound(name, params, partial(wrong_side, passed=passed, cut=i))
        for of in WHO:
            yield _bound(
                "error_at_cut", {"of": of, "cut": cut}, partial(error_at_cut, who=of, cut=i)
            )


def _counted(sums: CutSums, *, cut: int) -> dict[str, float]:
    return {"counted": float(counted_alike(sums, cut=cut))}


def _bound(name: str, params: dict[str, Any], value: Any) -> Formula:
    undefined = STILL
    if name == "error_at_cut":
        undefined = "beside the cut nothing was rated twice, or rater error explains all of it"
    return Formula(name=name, params=params, value=value, analytic=None, undefined=undefined)


def _cautioned(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Warn at cuts where the model expects another agreement with ratings than was counted."""
    why: dict[object, str] = {}
    for said in (e for e in estimates if "counted" in e.parts and not math.isnan(e.value)):
        seen = said.parts["counted"]
        ends = wilson(seen, said.n, said.level)
        if abs(said.value - seen) > MISFIT and not ends.low <= said.value <= ends.high:
            cut = said.params["cut"]
            why[cut] = str(misfit(cut, said.value, seen))
    whole = next(iter(why.values()), "")  # grades hang on every cut
    return [
        e
        if e.name == "error_at_cut" or math.isnan(e.value)
        else replace(
            e, why=why.get(e.params["cut"], e.why) if "cut" in e.params else whole or e.why
        )
        for e in estimates
    ]


def _table(cuts: Sequence[float], estimates: Sequence[Estimate]) -> ResultTable:
    """One row a cut, and one for the grades between them: how often decisions are the same."""
    values = {estimate.key: estimate.value for estimate in estimates}
    columns = {
        "as the gold": Key("decision_agreement"),
        "as true scores": Key("decision_accuracy", of="system"),
        "a rating as true scores": Key("decision_accuracy", of="rater"),
        "as another rating": Key("decision_consistency", of="system"),
        "two ratings": Key("decision_consistency", of="rater"),
        "passed wrongly": Key("false_pass", against="true score"),
        "failed wrongly": Key("false_fail", against="true score"),
        "rating's error": Key("error_at_cut", of="rater"),
        "system's error": Key("error_at_cut", of="system"),
    }
    at: list[tuple[str, dict[str, Any]]] = [(f"{cut:g}", {"cut": cut}) for cut in cuts]
    at += [(GRADES, {"cuts": GRADES})] if len(cuts) > 1 else []
    return ResultTable(
        name="cut_scores",
        title="Decisions of the system at each cut",
        columns=("cut", *columns),
        rows=tuple(
            (name, *(_number(values.get(key.having(**place))) for key in columns.values()))
            for name, place in at
        ),
        note="Shares of responses; errors in score points, beside the cut. Wrongly: against true "
        "scores, which need responses rated twice.",
    )


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
