"""Functions of arrays, built from the catalogue: a row's formula, name, words and parameters."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from textwrap import fill
from typing import Any

import numpy as np

from tallymark.agreement.weights import distance
from tallymark.arrays import Floats
from tallymark.catalogue import Row
from tallymark.metrics.arrays import no_points, score_columns, takes_panels, takes_two
from tallymark.scale import Scale
from tallymark.tally import PairPatterns
from tallymark.tally.arrays import declared, present, seen_scale
from tallymark.tally.matrices import (
    complete_of,
    every_two_of,
    gaps_of,
    moments_of,
    panel_of,
    raters_of,
    sums_of,
)

WIDTH = 92
"""Of the text of a docstring."""


def metric_of(row: Row) -> Callable[..., float]:
    """Build a function of two arrays, or of responses x raters, that gives one number."""
    signature = signature_of(row)

    def metric(*args: Any, **kwargs: Any) -> float:
        given = signature.bind(*args, **kwargs).arguments
        first, second = given.pop("y_true", given.pop("ratings", None)), given.pop("y_pred", None)
        scale, missing = declared(given.pop("scale", None)), given.pop("missing", "raise")
        params = row.check(given)
        scores = score_columns(row, params, first, second, scale=scale, missing=missing)
        tally = _tally(row, params, scores, scale, panel=second is None)
        return float(row.value(tally, **params)) if row.value else float("nan")

    metric.__name__ = metric.__qualname__ = row.name
    metric.__module__ = "tallymark.metrics"
    metric.__doc__ = _words(row)
    metric.__signature__ = signature  # type: ignore[attr-defined]
    return metric


def signature_of(row: Row) -> Signature:
    """What the function takes: the scores, the row's parameters and, where it needs one, a scale."""
    scores: dict[str, Any] = {"ratings": Parameter.empty}
    if takes_two(row):
        scores = {
            "y_true": Parameter.empty,
            "y_pred": None if takes_panels(row) else Parameter.empty,
        }
    keywords = {**row.params, "scale": None, "missing": "raise"}
    return Signature(
        [
            *(Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, default=d) for n, d in scores.items()),
            *(Parameter(n, Parameter.KEYWORD_ONLY, default=d) for n, d in keywords.items()),
        ],
        return_annotation=float,
    )


def _tally(
    row: Row,
    params: Mapping[str, Any],
    raters: tuple[Floats, ...] | Floats,
    scale: Scale | None,
    *,
    panel: bool,
) -> Any:
    """The tally that the statistic takes of two scores a response, or of a panel."""
    gaps = panel and takes_panels(row) and np.isnan(raters).any()
    if takes_two(row) and len(raters) == 2 and not gaps:
        tally = _of_two(row, raters[0], raters[1], scale)
        if tally is not None:
            return tally
    return _of_panel(row, params, np.asarray(raters).T, scale)


def _of_two(row: Row, first: Floats, second: Floats, scale: Scale | None) -> Any:
    """The tally of two scores; None where only a panel's takes scores without points."""
    kind = row.tallies[0]
    first, second = present(first, second)
    if kind == "moments":
        return moments_of(first, second)
    pairs = PairPatterns.of(first, second)
    if kind in ("ranks", "errors"):
        return pairs if kind == "ranks" else pairs.errors()
    scale = scale or seen_scale(pairs.first, pairs.second)
    if not scale.continuous:
        return pairs.table(np.asarray(scale.points))
    if "gaps" in row.tallies:
        return gaps_of(first, second, scale)
    if takes_panels(row):
        return None
    raise no_points(row)


def _of_panel(row: Row, params: Mapping[str, Any], ratings: Floats, scale: Scale | None) -> Any:
    kind = row.tallies[-1]
    if kind == "complete":
        one_way = str(params.get("type")).startswith("1")
        return sums_of(ratings) if one_way else complete_of(ratings)
    interval = kind == "pairable" and params.get("metric") == "interval"
    if interval and scale is None:
        return sums_of(ratings, twice=True)  # needs no points
    scale = scale or seen_scale(*ratings.T)
    if scale.continuous:
        raise no_points(row)
    if kind == "raters":
        return raters_of(ratings, scale, lambda points: distance(points, params["weights"]))
    if kind == "pairwise":
        return every_two_of(ratings, scale)
    counts = panel_of(ratings, scale)
    return counts.coincidences if kind == "pairable" else counts


def _words(row: Row) -> str:
    """The docstring: what it is, how to read it, what it takes, where it comes from, an example."""
    takes = [f"``{name}``: {', '.join(map(repr, a))}." for name, a in row.choices.items()]
    paragraphs = [
        fill(f"{row.title}. {row.reading}", WIDTH), f"    {row.formula}",
        fill(" ".join(takes), WIDTH),
        fill(f"{row.misreading} NaN when {row.undefined}.", WIDTH), row.reference,
    ]  # fmt: skip
    call, value = row.example
    digits = len(value.partition(".")[2])
    shown = f'>>> f"{{{row.name}({call}):.{digits}f}}"\n{value!r}\n'
    return "\n\n".join([*filter(None, paragraphs), shown])
