"""Functions of arrays, built from the catalogue: a row's formula, name, words and parameters."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from textwrap import fill
from typing import Any

from tallymark.agreement.weights import distance
from tallymark.catalogue import Row
from tallymark.tally.matrices import complete_of, every_two_of, panel_of, raters_of, sums_of
from tallymark.tally.sequences import ScaleLike, moments_of, pairs_of, table_of

TWO = ("table", "cells", "moments", "ranks", "errors")
"""Kinds of tally of two scores."""
ANYWHERE = ("moments", "ranks", "errors", "complete")
"""Kinds of tally whose scores need not lie on a scale."""

WIDTH = 92
"""Of the text of a docstring."""


def metric_of(row: Row) -> Callable[..., float]:
    """Build a function of two arrays, or of responses x raters, that gives one number."""
    signature = signature_of(row)
    two = "y_pred" in signature.parameters

    def metric(*args: Any, **kwargs: Any) -> float:
        given = signature.bind(*args, **kwargs).arguments
        first, second = given.pop("y_true", given.pop("ratings", None)), given.pop("y_pred", None)
        scale = given.pop("scale", None)
        params = row.check(given)
        if two and not (second is None and _is_panel(row)):
            tally = _of_two(row.tallies[0], first, second, scale)
        else:
            tally = _of_panel(row.tallies[-1], first, scale, params)
        return float(row.value(tally, **params)) if row.value else float("nan")

    metric.__name__ = metric.__qualname__ = row.name
    metric.__module__ = "tallymark.metrics"
    metric.__doc__ = _words(row)
    metric.__signature__ = signature  # type: ignore[attr-defined]
    return metric


def signature_of(row: Row) -> Signature:
    """What the function takes: the scores, the row's parameters and, where it needs one, a scale."""
    scores: dict[str, Any] = {"ratings": Parameter.empty}
    if row.tallies[0] in TWO:
        scores = {"y_true": Parameter.empty, "y_pred": None if _is_panel(row) else Parameter.empty}
    keywords = {**row.params, **({} if row.tallies[0] in ANYWHERE else {"scale": None})}
    return Signature(
        [
            *(Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, default=d) for n, d in scores.items()),
            *(Parameter(n, Parameter.KEYWORD_ONLY, default=d) for n, d in keywords.items()),
        ],
        return_annotation=float,
    )


def _is_panel(row: Row) -> bool:
    """Whether it is also of any number of raters."""
    return row.tallies[-1] not in (*TWO, "gaps")


def _of_two(kind: str, first: Any, second: Any, scale: ScaleLike | None) -> Any:
    if kind == "moments":
        return moments_of(first, second)
    if kind == "ranks":
        return pairs_of(first, second)
    if kind == "errors":
        return pairs_of(first, second).errors()
    return table_of(first, second, scale)


def _of_panel(kind: str, ratings: Any, scale: ScaleLike | None, params: Mapping[str, Any]) -> Any:
    if kind == "complete":
        one_way = str(params.get("type")).startswith("1")
        return sums_of(ratings) if one_way else complete_of(ratings)
    if kind == "raters":
        return raters_of(ratings, scale, lambda points: distance(points, params["weights"]))
    if kind == "pairwise":
        return every_two_of(ratings, scale)
    if kind == "pairable" and scale is None and params.get("metric") == "interval":
        return sums_of(ratings, twice=True)  # needs no points
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
