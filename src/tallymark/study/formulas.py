"""The plan: which statistics are computed, on which parts of the data."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, called, find, level_of, texts, without_order
from tallymark.defaults import LAMBDA
from tallymark.errors import OptionError
from tallymark.inference import Formula
from tallymark.results import split_key
from tallymark.scale import Scale

Progress = Callable[[int, int], None]
"""Takes how many steps are done, and of how many."""
ON_POINTS = ("table", "cells", "ordinal", "errors")
"""Kinds of tally that a continuous scale has not."""


def unwatched(_: int, __: int) -> None:
    """The progress that nobody follows."""


def formulas_for(
    scale: Scale,
    asked: Sequence[str] = (),
    *,
    leading: bool = False,
    lambda_: float = LAMBDA,
    critical: float | None = None,
) -> list[Formula]:
    """Bind the statistics for a scale; those of score points are left out on a continuous one.

    So are those that have one value only on this scale, unless they are asked for by name.

    ``lambda_`` is the share of the range from which an error is critical, ``critical`` the points
    by which it is called where these were asked for.
    """
    names: Iterable[str] = asked or (of_set("by_part", scale) if leading else usual(scale))
    return [*_bound(scale, tuple(names), lambda_, critical, asked=bool(asked))]


def usual(scale: Scale) -> tuple[str, ...]:
    """The statistics that are computed of scores on a scale, unless others are asked for."""
    if scale.view == "nominal":
        return (*texts("default", "nominal"), *texts("categories"))
    return (*texts("default"), *(texts("two_points") if scale.view == "binary" else ()))


def of_set(name: str, scale: Scale) -> tuple[str, ...]:
    """Those of a set that are computed of scores on a scale; on two points with what they repeat."""
    here = texts(name, scale.view)
    return here if scale.view == "nominal" else (*dict.fromkeys((*texts(name), *here)),)


@lru_cache(maxsize=64)
def _bound(
    scale: Scale, names: tuple[str, ...], lambda_: float, critical: float | None, *, asked: bool
) -> tuple[Formula, ...]:
    """The statistics of a scale, which parts of the data on it share."""
    formulas = []
    for name in names:
        if scale.nominal or is_of_label(name):
            formulas += _of_labels(name, scale)
            continue
        given: dict[str, Any] = {}
        if name in ("adjacent_agreement", "adjacent"):
            given = {"tolerance": max(1.0, scale.step)}
        elif name == "csrate":
            given = {"lambda_": lambda_}
        formula = find(name, given)
        if name == "csrate" and critical is not None:
            formula = replace(formula, params={"points": critical})
        tallies = BY_NAME[formula.name].tallies
        if scale.continuous and "gaps" in tallies:
            formula = replace(formula, tally="gaps")
        if scale.continuous and (formula.tally or tallies[0]) in ON_POINTS:
            continue
        row = BY_NAME[formula.name]
        if row.settled_on(np.asarray(scale.points), formula.params):
            if not asked:
                continue
            formula = replace(formula, value=_nothing, undefined=row.settled_why, parts=None)
        formulas.append(formula)
    return tuple(formulas)


def is_of_label(name: str) -> bool:
    """Whether a statistic is one of a label, which its brackets name."""
    row = BY_NAME.get(split_key(name)[0])
    return row is not None and "label" in row.params


def _of_labels(name: str, scale: Scale) -> list[Formula]:
    """A statistic of labels without an order; one for each label where it is of one of them."""
    word, inside = split_key(name)
    row = BY_NAME[word] if word in BY_NAME else BY_NAME[find(name).name]
    if "label" not in row.params:
        formula = find(name)
        if level_of(formula.key) != "nominal":
            plain = without_order(formula.key)
            if plain and not inside and formula.params.items() <= row.params.items():
                return [find(plain)]
            raise OptionError(
                f"{called(formula.key)} needs scores in an order, and the labels {scale} have none; "
                f"take {called(plain) if plain else 'kappa, AC1 or macro_f1'}"
            )
        return [formula]
    if inside and inside not in scale.names:
        raise OptionError(f"{name}: no such label; choose {', '.join(scale.names)}")
    bound = [(find(word, {"label": i}), label) for i, label in enumerate(scale.names)]
    kept = [(f, label) for f, label in bound if inside in ("", label)]
    return [replace(formula, params={"label": label}) for formula, label in kept]


def _nothing(tally: Any) -> NDArray[np.float64]:
    """No value: there is only one, whatever the scores."""
    return np.full(np.shape(tally.n), np.nan)
