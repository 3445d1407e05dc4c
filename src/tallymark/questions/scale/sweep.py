"""Sweep: pass or fail at every cut, what each coefficient says of it, and of no skill at all."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import ONE_POINT, member
from tallymark.diagnosis.sweep import CORRECTED, Passes, always_majority, prevalence, similarity
from tallymark.inference import Formula
from tallymark.results import PASS_MARKS, Curve, Estimate, Key, ResultTable, system_called
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part

Floats = NDArray[np.float64]
AGREEMENT = "percent_agreement"
TITLES = {AGREEMENT: "same decision"} | {
    name: member(Key(name, weights="identity")).heading for name in CORRECTED
}


def sweep_formulas(cuts: int) -> list[Formula]:
    """Every coefficient at every cut, then the distance of each from percent agreement."""
    if not cuts:
        return []
    formulas = [
        Formula(
            name="pass_fail",
            params={"of": name, "place": i},
            value=partial(_at, name=name, cut=i),
            undefined=ONE_POINT,
        )
        for name in TITLES
        for i in range(cuts)
    ]
    return formulas + [
        Formula(
            name="distance_to_agreement",
            params={"of": name},
            value=partial(_distance, name=name),
            undefined=ONE_POINT,
        )
        for name in CORRECTED
    ]


def _at(tally: Any, *, name: str, cut: int) -> Floats:
    passes: Passes = tally.passes
    values = passes.agreement if name == AGREEMENT else passes.corrected[name]
    return np.asarray(values[..., cut])


def _distance(tally: Any, *, name: str) -> Floats:
    passes: Passes = tally.passes
    return passes.distance(name)


def sweep_results(
    part: Part, system: str, cuts: Floats, passes: Passes, estimates: Sequence[Estimate]
) -> SubsetResults:
    """The curves along the cuts, the distances, and what no skill at all would get."""
    swept = [e for e in estimates if e.name == "pass_fail"]
    apart = [e for e in estimates if e.name == "distance_to_agreement"]
    n = swept[0].n
    return SubsetResults(
        subset_of(part, system_called(system), n=n, against=PASS_MARKS),
        apart,
        [],
        curves=(*_curves(cuts, swept), *_axes(cuts, passes), *_majority(cuts, passes)),
        tables=(_table(cuts, passes, apart),),
    )


def _curves(cuts: Floats, swept: Sequence[Estimate]) -> Iterator[Curve]:
    for name, title in TITLES.items():
        along_cuts = [e for e in swept if e.params["of"] == name]
        yield Curve(
            name=Key("pass_fail", of=name).text,
            subset=-1,
            x_title="cut: a score that reaches it passes",
            y_title=title,
            x=tuple(cuts.tolist()),
            y=tuple(e.value for e in along_cuts),
            low=tuple(e.low for e in along_cuts),
            high=tuple(e.high for e in along_cuts),
        )


def _axes(cuts: Floats, passes: Passes) -> Iterator[Curve]:
    """The axes of the published figures: how many pass, and how alike the two shares are."""
    for name, title, values in (
        ("prevalence", "share passing, mean of gold and system", prevalence(passes.pairs)),
        ("sim_pass", "1 - difference of the shares passing", similarity(passes.pairs)),
    ):
        yield _plain(Key("pass_fail", of=name).text, title, cuts, values)


def _majority(cuts: Floats, passes: Passes) -> Iterator[Curve]:
    """The coefficients of a system that decides each cut as most of the gold does."""
    pairs = always_majority(passes.pairs)
    yield _plain(
        Key("pass_fail_majority", of=AGREEMENT).text,
        TITLES[AGREEMENT],
        cuts,
        np.asarray((pairs.counts[..., 0, 0] + pairs.counts[..., 1, 1]) / pairs.n),
    )
    for name, value in CORRECTED.items():
        yield _plain(
            Key("pass_fail_majority", of=name).text, TITLES[name], cuts, np.asarray(value(pairs))
        )


def _plain(name: str, title: str, cuts: Floats, values: Floats) -> Curve:
    return Curve(
        name=name,
        subset=-1,
        x_title="cut: a score that reaches it passes",
        y_title=title,
        x=tuple(cuts.tolist()),
        y=tuple(values.tolist()),
    )


def _table(cuts: Floats, passes: Passes, apart: Sequence[Estimate]) -> ResultTable:
    """One row a coefficient: how far below agreement, and whether it separates skill from none."""
    pairs = always_majority(passes.pairs)
    gaps = passes.agreement - np.stack([passes.corrected[name] for name in CORRECTED])
    none = np.stack([value(pairs) for value in CORRECTED.values()])
    rows = tuple(
        (TITLES[str(e.params["of"])], _number(e.value), _number(e.low), _number(e.high),
         _most(gap), _where(cuts, gap), _most(flat))
        for e, gap, flat in zip(apart, gaps, none, strict=True)
    )  # fmt: skip
    return ResultTable(
        name="pass_fail",
        title="Pass or fail at every cut: how far coefficients lie below percent agreement",
        columns=(
            "coefficient", "mean distance", "low", "high", "largest distance", "at cut",
            "most that no skill gets",
        ),
        rows=rows,
        note="No skill: every response gets the decision that most of the gold gets at that cut.",
    )  # fmt: skip


def _most(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else None


def _where(cuts: Floats, values: Floats) -> float | None:
    known = ~np.isnan(values)
    return float(cuts[known][values[known].argmax()]) if known.any() else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
