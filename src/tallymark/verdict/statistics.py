"""Which statistics a policy may hold against a limit, and between which values they lie."""

from typing import NamedTuple

from tallymark.catalogue import BY_NAME, FORMULAS, Row, called, canonical, find, near, texts
from tallymark.errors import OptionError
from tallymark.results import Key, split_key

Range = tuple[float, float]
QWK, CCC = Key("cohen_kappa", weights="quadratic"), Key("lin_ccc")
KAPPA = Key("cohen_kappa", weights="identity")
"""The same statistic of score points and of continuous scores."""
CEILED = {QWK, CCC, Key("pearson")}
"""Statistics that the ceilings of the gold bound."""
PAIRED = {"table", "cells", "moments", "ranks", "errors", "gaps"}
"""Tallies of two scores: statistics of none of them are of people alone."""


class Limitable(NamedTuple):
    """A statistic that is held against a limit, as results name it."""

    text: str
    title: str
    range: Range
    groups_only: bool = False


def held(given: str, where: str) -> Limitable:
    """Look a statistic up by name, ``name[parameter]`` or alias.

    >>> held("degradation[qwk]", "here").text
    'degradation[cohen_kappa[quadratic]]'
    """
    text = _known_text(given, where)
    name, inside = split_key(text)
    row = BY_NAME[name]
    if row.value is not None:
        return _of_formula(row, text, given, where)
    if name in texts("contrast") and inside:
        return _contrast(row, inside, where)
    if name in texts("standing"):
        return _standing(row, inside, where)
    if text in (*texts("policy"), *texts("policy_group")):
        return Limitable(
            text, called(text), row.bounds(inside), groups_only=text in texts("policy_group")
        )
    raise _unknown(given, where)


def known() -> list[str]:
    """The names a policy may use."""
    rows = [row.name for row in FORMULAS if PAIRED & set(row.tallies)]
    contrasts = {name: f"{name}[...]" for name in texts("contrast")}
    standing = {name: f"{name}[...,{_ceilings(BY_NAME[name])[-1]}]" for name in texts("standing")}
    of_others = {**contrasts, **standing}
    others = [text for text in texts("policy") if text not in of_others]
    return [*rows, *of_others.values(), *others, *texts("policy_group")]


def _ceilings(row: Row) -> tuple[str, ...]:
    return row.choices["ceiling"]


def _known_text(given: str, where: str) -> str:
    try:
        text = canonical(given)
    except OptionError as problem:
        raise OptionError(f"{where}: {problem}") from None
    if text is None:
        raise _unknown(given, where)
    return text


def _of_formula(row: Row, given: str, asked: str, where: str) -> Limitable:
    if not PAIRED & set(row.tallies):
        raise _unknown(asked, where)
    try:
        formula = find(given)
    except OptionError as problem:
        raise OptionError(f"{where}: {problem}") from None
    # where the number in the brackets is left open, the one that was computed counts
    left_open = "[" not in given and row.params and not row.choices
    text = row.name if left_open else formula.key
    return Limitable(text, row.title if left_open else called(text), formula.range)


def _contrast(row: Row, inner: str, where: str) -> Limitable:
    """A statistic between system and people, or of the difference."""
    of = held(inner, where)
    base = split_key(of.text)[0]
    every = (*texts("compared"), *texts("compared", "nominal"))
    compared = {split_key(text)[0] for text in every}
    exact = {f.key for f in map(find, every)}
    if base not in compared or (base not in ("csrate", *exact) and of.text not in exact):
        raise OptionError(
            f"{where}: {row.name} is computed of {', '.join(sorted(exact))}, not of {of.text}"
        )
    low, high = of.range
    span = (low - high, high - low) if row.name == "degradation" else of.range
    return Limitable(Key(row.name, of=of.text), f"{row.called} {of.title}", span)


def _standing(row: Row, inside: str, where: str) -> Limitable:
    """A statistic beside one of the ceilings of the gold."""
    inner, _, ceiling = inside.rpartition(",")
    ceilings, ceiled = _ceilings(row), [str(text) for text in CEILED]
    if ceiling not in ceilings or canonical(inner) not in ceiled:
        raise OptionError(
            f"{where}: {row.name} is of {', '.join(sorted(ceiled))} beside {', '.join(ceilings)}: "
            f"write {row.name}[qwk,{ceilings[-1]}]"
        )
    of = held(inner, where)
    title = f"{row.called} {of.title} ({ceiling.replace('_', '-')})"
    return Limitable(Key(row.name, of=of.text, ceiling=ceiling), title, row.range)


def _unknown(given: str, where: str) -> OptionError:
    names = known()
    hint = "" if canonical(split_key(given)[0]) else near(given)
    return OptionError(f"{where}: unknown statistic {given!r}.{hint} Known: {', '.join(names)}")
