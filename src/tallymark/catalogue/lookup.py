"""Lookup: a number by its name, ``name[parameter]``, title or another program's word for it."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from tallymark.catalogue.every import BY_NAME, CATALOGUE, FORMULAS
from tallymark.catalogue.row import POSITIVE, Range, Row
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula
from tallymark.results import Definition, Estimate, Key, split_key

DIFFERENCE: Range = (-2.0, 2.0)
"""Of two coefficients."""


def find(name: str, params: Mapping[str, Any] | None = None) -> Formula:
    """Look a statistic up by name, ``name[parameter]`` or alias, and bind its parameters.

    >>> find("cohen_kappa[quadratic]").params == find("QWK").params
    True
    """
    word, inside = split(name)
    row, preset = _row_and_inside(word)
    if row is None:
        names = [row.name for row in FORMULAS]
        hint = near(word)
        raise OptionError(f"unknown statistic {name!r}.{hint} Known: {', '.join(names)}")
    if row.value is None:
        raise OptionError(
            f"{row.name} is a number of its own, not a statistic that can be asked for by name. "
            f"`tallymark explain {row.name}` says where it appears"
        )
    given = {**_by_place(row, preset), **_by_place(row, inside), **(params or {})}
    return row.bind(given)


def canonical(text: str) -> str | None:
    """Return the catalogue's text for a name, title or alias; None where nobody knows it.

    >>> canonical("wtkappa"), canonical("degradation[QWK]"), canonical("nonsense")
    ('cohen_kappa[quadratic]', 'degradation[cohen_kappa[quadratic]]', None)
    """
    word, inside = split(text)
    row, preset = _row_and_inside(word)
    if row is None:
        return None
    if inside and "of" in row.choices:
        of, comma, more = inside.rpartition(",")
        alone = not comma or more.strip() not in (c for all_ in row.choices.values() for c in all_)
        of, more = (inside, "") if alone else (of, f",{more.strip()}")
        inside = f"{canonical(of) or of}{more}"
    inside = inside or preset
    return f"{row.name}[{inside}]" if inside else row.name


def near(word: str) -> str:
    """Return a hint at the closest name or alias of all numbers, or nothing."""
    return did_you_mean(word, [*(w for row in CATALOGUE for w in aliases_of(row)), *BY_NAME])


def split(text: str) -> tuple[str, str]:
    """Split a text into the name and what its brackets hold."""
    word, inside = split_key(text)
    if word != text and not text.endswith("]"):
        raise OptionError(f"cannot read {text!r}: write name[parameter], with a closing bracket")
    return word.strip(), inside


def aliases_of(row: Row) -> dict[str, str]:
    """Other words for a number, each with the text that it stands for."""
    of_row = dict.fromkeys(row.aliases, row.name)
    return of_row | {
        word: f"{row.name}[{variant.inside}]"
        for variant in row.variants
        for word in variant.aliases
    }


def _row_and_inside(word: str) -> tuple[Row | None, str]:
    name, inside = split(_words().get(plain(word), ""))
    return BY_NAME.get(name), inside


@cache
def _words() -> dict[str, str]:
    """Every name, alias and title, plainly written, with the text that it stands for."""
    words = {plain(row.title): row.name for row in reversed(CATALOGUE)}
    for row in reversed(CATALOGUE):
        words |= {plain(word): text for word, text in aliases_of(row).items()}
    return words | {plain(name): name for name in BY_NAME}


def plain(word: str) -> str:
    """Write a word so that case, spaces, hyphens and underscores do not matter."""
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


def _by_place(row: Row, text: str) -> dict[str, Any]:
    """The value inside brackets: ``key=value``, or bare for the statistic's parameter."""
    if not text:
        return {}
    key, equals, value = text.partition("=")
    if not equals:
        if not row.params:
            raise OptionError(f"{row.name} takes no parameter, got [{text}]")
        takes = [name for name, allowed in row.choices.items() if text in allowed]
        key, value = next(iter([*takes, *row.params])), text
    return {key: value if key in row.choices else _number(row, key, value)}


def _number(row: Row, key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise OptionError(f"{key} of {row.name} must be a number, got {value!r}") from None


def definitions_of(estimates: Iterable[Estimate]) -> dict[str, Definition]:
    """Define every number among the estimates; one without a row cannot be reported."""
    definitions: dict[str, Definition] = {}
    for estimate in estimates:
        if estimate.text not in definitions:
            definitions[estimate.text] = definition_of(estimate.name, estimate.params)
    return definitions


def definition_of(name: str, params: Mapping[str, Any]) -> Definition:
    """Define a number with its parameters."""
    if name not in BY_NAME:
        raise LookupError(f"{name} has no row in the catalogue, so it cannot be reported")
    row = BY_NAME[name]
    return Definition(
        name=name,
        params=params,
        title=row.title,
        reading=row.reading,
        formula=row.formula,
        reference=row.reference,
        better=better_of(name, params),
    )


def range_of(key: Key) -> Range:
    """Between which values a number lies; what is of another statistic goes by that one's.

    >>> range_of(Key("degradation", of="percent_agreement"))
    (-1.0, 1.0)
    """
    row = BY_NAME[key.name]
    name, params = split_key(str(key.params.get("of", "")))
    of = BY_NAME.get(name)
    if row.style != "of" or of is None or row.range == POSITIVE:
        return row.bounds(split_key(str(key))[1])
    low, high = of.bounds(params)
    return (low - high, high - low) if row.signed or row.range == DIFFERENCE else (low, high)


def better_of(name: str, params: Mapping[str, Any]) -> str:
    """Which way is better; for a contrast in an error rate that is lower."""
    better = BY_NAME[name].better
    of = BY_NAME.get(split_key(str(params.get("of", "")))[0])
    return "lower" if better == "higher" and of is not None and of.better == "lower" else better
