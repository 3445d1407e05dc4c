"""Macro-averages: a statistic per prompt, trait or fold, averaged, with one joint resampling."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import BY_NAME
from tallymark.defaults import MANY
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.formula import Joint
from tallymark.inference.interval import OtherRaters
from tallymark.inference.units import Blocks, shards_of_clusters
from tallymark.results import GOLD, Comparison, Estimate, Scorer, Subset
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    home,
    stream_of,
    subset_id,
)
from tallymark.study.parts import FACETS, Part

SHARDED = "shards of clusters"
IN_POINTS = ("points", "squared")
DENSE = 5_000_000
"""Larger block matrices are kept sparse."""


PartFormulas = tuple[Sequence[Formula], Units[Any]]
"""The statistics of one part of the data, and the units they are computed from."""


def faceted(parts: Sequence[Part]) -> Iterator[tuple[str, list[Part]]]:
    """Yield the traits, then the prompts, where there are several; also where they are many.

    Of many, questions give the mean alone.
    """
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        if len(over) > 1:
            yield key, over


def means(each: Sequence[PartFormulas], over: str, settings: Settings) -> list[Estimate]:
    """Estimate the means over parts of all statistics that every part has.

    Over many parts nothing is resampled, and ratios whose divisor may be 0 have a normal interval.
    """
    by_key = [{formula.key: formula for formula in formulas} for formulas, _ in each]
    shared = [key for key in by_key[0] if all(key in formulas for formulas in by_key)]
    formulas = [mean_of([formulas[key] for formulas in by_key], over) for key in shared]
    if len(each) > MANY:
        formulas = [_without_draws(formula) for formula in formulas]
    units = joint([units for _, units in each])
    return estimate_all(formulas, units, settings, key=stream_of(f"average:{over}"))


def _without_draws(formula: Formula) -> Formula:
    normal = formula.analytic and (formula.divisor or formula.interval == "bca")
    return replace(formula, interval="analytic") if normal else formula


def mean_of(of_parts: Sequence[Formula], over: str) -> Formula:
    """The mean of one statistic a part; each may be bound to what its own part is like."""
    return averaged(of_parts[0], over=over, each=of_parts)


def average_subset(subject: Scorer, against: Comparison, over: str, sizes: Sequence[int]) -> Subset:
    """Name the mean over parts of one comparison; ``sizes`` are their numbers of responses."""
    return Subset(
        id=subset_id(subject, against, f"average:{over}"),
        subject=subject,
        against=against,
        average=over,
        parts=len(sizes),
        n=sum(sizes),
    )


def averages(
    over: Sequence[Measured],
    key: str,
    subject: Scorer,
    settings: Settings,
    *,
    against: Comparison = GOLD,
    scales: Sequence[bool] = (False, True),
) -> Iterator[SubsetResults]:
    """The plain mean over prompts, traits or folds, and the mean on Fisher's z scale (True).

    Score points of different scales have no mean.
    """
    apart = len({m.scale.ends for m in over}) > 1
    known = [{(f.key, home(f)): f for f in m.formulas} for m in over]
    shared = [  # the tally is another where some parts are continuous and others are not
        [of_part[named] for of_part in known]
        for named in known[0]
        if all(named in of_part for of_part in known)
        and not (apart and BY_NAME[named[0].name].style in IN_POINTS)
    ]
    for fisher_z in scales:
        wanted = [f for f in shared if not fisher_z or BY_NAME[f[0].name].range == (-1.0, 1.0)]
        formulas = [averaged(f[0], over=key, fisher_z=fisher_z, each=f) for f in wanted]
        units = {
            kind: joint([m.units[kind] for m in over])
            for kind in dict.fromkeys(map(home, formulas))
        }
        label = f"average:{key}"
        subset = Subset(
            id=subset_id(subject, against, f"{label}{'|fisher_z' if fisher_z else ''}"),
            subject=subject,
            against=against,
            average=key,
            parts=len(over),
            fisher_z=fisher_z,
            n=sum(m.n for m in over),
        )
        yield SubsetResults(subset, estimate_by_tally(formulas, units, settings, label), [])


def averaged(
    formula: Formula,
    *,
    over: str,
    fisher_z: bool = False,
    each: Sequence[Formula] = (),
    mean: Callable[[Any], Any] | None = None,
) -> Formula:
    """Return the average of a statistic over the tallies of several parts.

    On Fisher's z scale the average is tanh(mean(atanh(value))). ``each`` is the statistic as it is
    bound to each part, where that may differ; ``mean`` another mean of the values.
    """
    joint = Joint(
        each or (formula,), mean or (_mean_on_z if fisher_z else _mean), "" if fisher_z else over
    )
    reason = formula.undefined
    if fisher_z:
        reason = f"undefined, or 1 or -1, in at least one {over}: no mean on Fisher's z scale"
    return replace(
        formula,
        value=joint.value,
        joint=joint,
        interval="abc" if formula.interval == "wilson" else formula.interval,
        analytic="normal" if formula.analytic else None,
        linear=None,
        influence=_influence(formula, fisher_z=fisher_z) if formula.influence else None,
        ddof=0,
        parts=None,
        undefined=reason,
        lacks=None,
        closed_form=None,
        raters=partial(_raters, joint) if formula.raters else None,
        thin=_thin(formula),
    )


def _raters(joint: Joint, parts: Sequence[Any], level: float) -> OtherRaters:
    """How far a sample of raters moves an average: all parts alike, for they share the raters."""
    formulas = [joint.formula(i) for i in range(len(parts))]
    each = [f.raters(part, level) for f, part in zip(formulas, parts, strict=True) if f.raters]
    low, high = (
        float(joint.of(np.array(ends))) for ends in zip(*(e[:2] for e in each), strict=True)
    )
    return OtherRaters(low, high, min(e.df for e in each), each[0].complete)


def _thin(formula: Formula) -> Callable[[Sequence[Any]], str] | None:
    """Why some part allows no interval."""
    of_part = formula.thin
    return None if of_part is None else lambda parts: next(filter(None, map(of_part, parts)), "")


def _mean(values: Any) -> Any:
    return values.mean(axis=-1)


def _mean_on_z(values: Any) -> Any:
    inside = np.abs(values) < 1
    z = np.arctanh(np.where(inside, values, np.nan))
    return np.tanh(z.mean(axis=-1))


def _influence(formula: Formula, *, fisher_z: bool) -> Callable[[Sequence[Any]], Floats]:
    """Influence on an average, of a statistic whose own influence is known."""
    of_part = formula.influence or formula.value

    def influence(parts: Sequence[Any]) -> Floats:
        n = sum(float(part.n) for part in parts)
        share = np.array([n / float(part.n) / len(parts) for part in parts])
        if fisher_z:
            values = np.array([float(formula.value(part)) for part in parts])
            slope = 1 - values**2
            share *= (1 - np.tanh(np.arctanh(values).mean()) ** 2) / slope
        return np.concatenate(
            [of_part(part) * factor for part, factor in zip(parts, share, strict=True)]
        )

    return influence


def joint(parts: Sequence[Units[Any]]) -> Units[list[Any]]:
    """Put the units of several parts of the data together; their tallies stay apart.

    Clusters that occur in several parts become one unit, so that they are drawn together.
    """
    widths = [part.width for part in parts]
    edges = np.cumsum([0, *widths])

    def build(sums: NDArray[Any]) -> list[Any]:
        return [
            part.build(sums[..., start:stop])
            for part, start, stop in zip(parts, edges[:-1], edges[1:], strict=True)
        ]

    n, kind = sum(part.n for part in parts), _kind(parts)
    worth = _worth(parts)
    if all(part.ids is not None for part in parts):
        ids, places = _places(parts)
        rows, times = _aligned(parts, edges, ids, places), np.ones(ids.size, np.int64)
        sizes = _sizes(parts, ids, places) if kind == "clusters" else None
        return Units(
            times, build, n, rows=rows, kind=kind, sizes=sizes, worth=worth, parts=parts,
            places=places,
        )  # fmt: skip
    times = np.concatenate([part.times for part in parts])
    rows = None if all(part.rows is None for part in parts) else Blocks(parts)
    ends = np.cumsum([0, *(part.times.size for part in parts)])
    places = [np.arange(start, stop) for start, stop in pairwise(ends)]
    return Units(times, build, n, rows=rows, kind=kind, worth=worth, parts=parts, places=places)


def _worth(parts: Sequence[Units[Any]]) -> float | None:
    """How many responses of equal weight those of all parts are worth."""
    worths = [part.worth for part in parts if part.worth is not None]
    return sum(worths) if worths else None


def _kind(parts: Sequence[Units[Any]]) -> str:
    kinds = {part.kind for part in parts}
    if kinds == {"clusters", SHARDED}:
        return SHARDED
    return kinds.pop() if len(kinds) == 1 else "responses and shards"


def _places(parts: Sequence[Units[Any]]) -> tuple[Whole, list[Whole]]:
    """The clusters of all parts, and where among them those of each part are."""
    of_parts = [np.asarray(part.ids) for part in parts]
    if _kind(parts) == SHARDED:  # also where some parts have few clusters: one unit everywhere
        of_parts = [
            codes if part.kind == SHARDED else shards_of_clusters(codes)
            for codes, part in zip(of_parts, parts, strict=True)
        ]
    ids = np.unique(np.concatenate(of_parts))
    return ids, [np.searchsorted(ids, codes) for codes in of_parts]


def _sizes(parts: Sequence[Units[Any]], ids: Whole, places: Sequence[Whole]) -> Floats:
    """Responses of each cluster in each part."""
    sizes = np.zeros((ids.size, len(parts)))
    for i, (part, place) in enumerate(zip(parts, places, strict=True)):
        sizes[place, i] = part.sizes_by_part.sum(axis=1)
    return sizes


def _aligned(
    parts: Sequence[Units[Any]],
    edges: Whole,
    ids: Whole,
    places: Sequence[Whole],
) -> Any:
    """One row per cluster, with what it adds to each part."""
    if ids.size * int(edges[-1]) <= DENSE:
        rows = np.zeros((ids.size, int(edges[-1])))
        for part, place, start, stop in zip(parts, places, edges[:-1], edges[1:], strict=True):
            dense = part.rows if isinstance(part.rows, np.ndarray) else part.rows.toarray()
            np.add.at(rows[:, start:stop], place, dense)
        return rows
    from scipy.sparse import csr_array, hstack

    columns = []
    for part, place in zip(parts, places, strict=True):
        here = csr_array(part.rows).tocoo()
        shape = (ids.size, here.shape[1])
        columns.append(csr_array((here.data, (place[here.row], here.col)), shape=shape))
    return csr_array(hstack(columns))
