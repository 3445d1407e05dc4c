"""Length: how closely scores follow it, and what it does to scores at the same true score."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.accuracy.length import (
    explained,
    length_correlation,
    length_partial,
    length_share,
    length_slope,
)
from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.results import LENGTH, Estimate, system_called
from tallymark.sources.roles import LENGTH as COLUMN
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, summed
from tallymark.tally import LengthSums

Floats = NDArray[np.float64]
ONCE = "ratings are taken for true scores: no response was rated twice"


def by_length(
    system: str, parts: Sequence[Part], settings: Settings, *, error: float | None = None
) -> Iterator[SubsetResults]:
    """Yield what a system makes of length, of all responses and of each part that is not one of many.

    Then the means over prompts or traits; nothing where lengths are not given. ``error`` is the
    variance of a rater's error, where it is known.
    """
    every: dict[Part, tuple[PartFormulas, int]] = {}
    for part in parts:
        rows = _rows(system, part)
        if rows is None:
            continue
        every[part] = (_formulas(error), _units(rows)), int(rows.counts.sum())
        if not part.many:
            estimates = _estimates(*every[part][0], settings, part, error)
            subset = subset_of(part, system_called(system), n=every[part][1], against=LENGTH)
            yield SubsetResults(subset, estimates, [])
    for key, over in faceted([*every]):
        known = [every[part] for part in over]
        assumed = any(_assumed(units, error) for (_, units), _ in known)
        estimates = [
            _noted(e, assumed=assumed) for e in means([k for k, _ in known], key, settings)
        ]
        subset = average_subset(system_called(system), LENGTH, key, [n for _, n in known])
        yield SubsetResults(subset, estimates, [])


def _estimates(
    formulas: Sequence[Formula],
    units: Units[LengthSums],
    settings: Settings,
    part: Part,
    error: float | None,
) -> list[Estimate]:
    estimates = estimate_all(formulas, units, settings, key=stream_of(part.label))
    assumed = _assumed(units, error)
    return [_noted(estimate, assumed=assumed) for estimate in estimates]


def _assumed(units: Units[LengthSums], error: float | None) -> bool:
    """Whether ratings must be taken for true scores."""
    return error is None and not float(np.asarray(units.tally.sums[..., 13])) > 0


def _noted(estimate: Estimate, *, assumed: bool) -> Estimate:
    """Mark a number that takes ratings for true scores."""
    marked = assumed and estimate.name == "length_partial" and not np.isnan(estimate.value)
    return replace(estimate, score="trimmed", why=ONCE if marked else estimate.why)


def _rows(system: str, part: Part) -> Rows | None:
    """Ratings, then gold, system and length, where system, gold and length are given."""
    scores, scales = part.scores, part.scales
    if scales is None or COLUMN not in scores.patterns.scores:
        return None
    people = [f"human:{name}" for name in scores.humans] or ["gold"]
    rows = part.columns([*people, "gold", f"system:{system}", COLUMN], scales[1])
    given = ~np.isnan(rows.scores)
    rows = rows.where(np.asarray(given[:, :-3].any(axis=1) & given[:, -3:].all(axis=1)))
    return rows if rows.counts.size else None


def _units(rows: Rows) -> Units[LengthSums]:
    """Units of the sums; each score about its mean, and lengths in standard deviations."""
    kept = rows.distinct()
    ratings, (gold, system, length) = kept.scores[:, :-3], kept.scores[:, -3:].T
    apart = length - length.mean()
    values = LengthSums.rows(
        ratings - np.nanmean(ratings),
        system - system.mean(),
        system - gold,
        apart / (apart.std() or 1.0),
    )
    return summed(kept, values, LengthSums)


def _formulas(error: float | None) -> list[Formula]:
    each: tuple[tuple[str, Callable[[LengthSums], Floats], dict[str, str]], ...] = (
        ("length_correlation", length_correlation, {"of": "system"}),
        ("length_correlation", partial(length_correlation, of="human"), {"of": "human"}),
        ("length_partial", partial(length_partial, error=error), {}),
        ("length_share", length_share, {}),
        ("length_slope", length_slope, {}),
    )
    return [
        Formula(
            name=name,
            value=value,
            params=params,
            undefined=BY_NAME[name].undefined,
            range=BY_NAME[name].range,
            divisor=explained if name == "length_share" else None,
        )
        for name, value, params in each
    ]
