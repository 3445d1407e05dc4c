"""Contenders: the statistics of the catalogue and any function of two arrays, on many tables."""

import math
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME, called, canonical, find
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula
from tallymark.results import split_key
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairCounts

Function = Callable[[Floats, Floats], Any]
MOST_CELLS = 4096
"""A larger table than this would be counted in shards."""


class Contender(Struct, frozen=True):
    """A statistic: its name, what it is called, and its value on ``counts[..., i, j]``."""

    name: str
    label: str
    value: Callable[[PairCounts], Floats]
    function: Function | None = None


def contender(statistic: str | Function) -> Contender:
    """Return a statistic by name, ``module:function``, or the function itself.

    >>> tables = PairCounts(np.array([[[40, 10], [10, 40]]]), np.arange(2.0))
    >>> contender("kappa").value(tables).round(3).tolist()
    [0.6]
    >>> def same(gold, system): return (gold == system).mean()
    >>> contender(same).value(tables).tolist()
    [0.8]
    """
    if callable(statistic):
        called_by = getattr(statistic, "__qualname__", None) or type(statistic).__name__
        home = getattr(statistic, "__module__", None) or type(statistic).__module__
        return _of_function(f"{home}:{called_by}", statistic)
    if ":" in statistic:
        return _of_function(statistic, _imported(statistic))
    formula = find(statistic)
    text = canonical(statistic) or statistic
    inside = split_key(text)[1] or next(map(str, formula.params.values()), "")
    row = BY_NAME[formula.name]
    spelt = f"{row.name}[{inside}]" if inside and row.choices else row.name
    return Contender(spelt, called(spelt), lambda tables: _of_tables(formula, tables))


def _of_tables(formula: Formula, tables: PairCounts) -> Floats:
    """Compute a formula on all tables at once: each cell is a unit, as responses are."""
    points, k = tables.points, tables.points.size
    if k * k > MOST_CELLS:
        raise OptionError(f"the lab takes scales of up to 64 points, got {k}")
    pairs = np.stack([np.repeat(points, k), np.tile(points, k)], axis=1)
    cells = Rows(pairs, np.ones(k * k, np.int64), points, clusters=np.arange(k * k))
    kind = "cells" if formula.tally == "ordinal" else BY_NAME[formula.name].tallies[0]
    units = units_of(kind, cells, [formula])
    counts = tables.counts.reshape(-1, k * k).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):  # an empty table has no value
        values = np.asarray(formula.value(units.build(units.sums(counts))), dtype=np.float64)
    return np.where(counts.sum(axis=1) > 0, values, np.nan).reshape(tables.counts.shape[:-2])


def _of_function(name: str, function: Function) -> Contender:
    """Call a function of two arrays on the responses of each table, one after the other."""

    def value(tables: PairCounts) -> Floats:
        points, k = tables.points, tables.points.size
        gold, system = np.repeat(points, k), np.tile(points, k)
        flat = np.asarray(tables.counts).reshape(-1, k * k).astype(np.int64)
        values = [
            number_of(name, function, np.repeat(gold, counts), np.repeat(system, counts))
            if counts.any()
            else math.nan
            for counts in flat
        ]
        return np.array(values).reshape(tables.counts.shape[:-2])

    return Contender(name, name.rpartition(":")[2].rpartition(".")[2], value, function)


def number_of(name: str, function: Function, gold: Floats, system: Floats) -> float:
    """Call a user's function; what it raises, or returns instead of a number, is the user's to mend."""
    try:
        value = function(gold, system)
    except Exception as problem:
        raise OptionError(
            f"{name} failed on {gold.size} responses: {type(problem).__name__}: {problem}. It is "
            "called with two arrays of numbers, gold and system"
        ) from problem
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise OptionError(
            f"{name} must return one number, got {type(value).__name__} {str(value)[:60]!r}"
        ) from None
    return number if math.isfinite(number) else math.nan  # infinite is undefined too


def _imported(text: str) -> Function:
    """Import ``module:function``, also from the folder one stands in."""
    module, _, path = text.partition(":")
    if not module or not path:
        raise OptionError(f"cannot read {text!r}: write module:function, as in mypackage:metric")
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        target: Any = import_module(module)
    except Exception as problem:
        raise OptionError(
            f"cannot import {module!r} for {text!r}: {type(problem).__name__}: {problem}. Modules are "
            "looked for where Python finds them, and in the folder you are in"
        ) from problem
    finally:
        sys.path.remove(folder)
    for part in path.split("."):
        if not hasattr(target, part):
            public = [name for name in dir(target) if not name.startswith("_")]
            hint = did_you_mean(part, public)
            raise OptionError(f"{module!r} has no {path!r}.{hint}")
        target = getattr(target, part)
    if not callable(target):
        raise OptionError(f"{text!r} is no function but {type(target).__name__}")
    function: Function = target
    return function
