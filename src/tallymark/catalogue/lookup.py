"""Lookup: a number by its name, ``name[parameter]``, title or another program's word for it."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from tallymark.catalogue.every import BY_NAME, CATALOGUE, FORMULAS
from tallymark.catalogue.row import POSITIVE, Range, Row
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula
from tallymark.results import Definition, Estimate, Key, split_key

Stems = TypeVar("Stems", bound=Collection[str])
GREEK = {
    "\u03b1": " alpha ", "\u03ba": " kappa ", "\u03c1": " rho ", "\u03c4": " tau ",
    "\u03c0": " pi ", "\u03c6": " phi ", "\u03d5": " phi ", "\u03bb": " lambda ",
}  # fmt: skip
SYNONYMS = {"percentage": "percent"}
FILLERS = frozenset(
    [
        "",
        "a",
        "and",
        "between",
        "coefficient",
        "in",
        "measure",
        "of",
        "s",
        "statistic",
        "the",
        "value",
    ]
)
"""Words that say nothing about which number is meant."""
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
        return _of_another(word) if not inside else None
    if inside and "of" in row.choices:
        of, comma, more = inside.rpartition(",")
        alone = not comma or more.strip() not in (c for all_ in row.choices.values() for c in all_)
        of, more = (inside, "") if alone else (of, f",{more.strip()}")
        inside = f"{canonical(of) or of}{more}"
    inside = inside or preset
    return f"{row.name}[{inside}]" if inside else row.name


def _of_another(text: str) -> str | None:
    """Read a heading: "degradation of QWK", "human-human QWK", "SMD of each group", "QWK at .70"."""
    for ending in (" of each ", ", ", " at "):
        word, found, _ = text.partition(ending)
        if found:
            return canonical(word)
    words = text.replace(" of ", " ").split(" ")
    for i in range(len(words) - 1, 0, -1):
        row, _ = _row_and_inside(" ".join(words[:i]))
        whose = _row_and_inside(" ".join(words[i:]))
        if row is not None and whose[0] is not None and "of" in row.choices:
            return f"{row.name}[{whose[0].name}{f'[{whose[1]}]' if whose[1] else ''}]"
    return None


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
    stems = stems_of(word)
    text = (
        _words().get(plain(word))
        or _by_stems().get(stems)
        or _in_any_order().get(frozenset(stems), "")
    )
    name, inside = split(text)
    return BY_NAME.get(name), inside


@cache
def _words() -> dict[str, str]:
    """Every name, alias, title and heading, plainly written, with the text that it stands for."""
    words: dict[str, str] = {}
    for row in reversed(CATALOGUE):
        for variant in reversed(row.variants):
            text = f"{row.name}[{variant.inside}]"
            words |= {plain(word): text for word in (variant.short, variant.called) if word}
    for row in reversed(CATALOGUE):
        words |= {plain(word): row.name for word in (row.short, row.called) if word}
    words |= {plain(row.title): row.name for row in reversed(CATALOGUE)}
    for row in reversed(CATALOGUE):
        words |= {plain(word): text for word, text in aliases_of(row).items()}
    return words | {plain(name): name for name in BY_NAME}


@cache
def _by_stems() -> dict[tuple[str, ...], str]:
    """The same by stems, where these mean one number alone."""
    return _unambiguous((stems_of(word), text) for word, text in _words().items())


@cache
def _in_any_order() -> dict[frozenset[str], str]:
    """And by stems in any order."""
    return _unambiguous((frozenset(stems), text) for stems, text in _by_stems().items())


def _unambiguous(pairs: Iterable[tuple[Stems, str]]) -> dict[Stems, str]:
    texts: dict[Stems, set[str]] = {}
    for stems, text in pairs:
        texts.setdefault(stems, set()).add(text)
    return {stems: min(of) for stems, of in texts.items() if stems and len(of) == 1}


def stems_of(word: str) -> tuple[str, ...]:
    """The words of a name without fillers, possessives, plurals and British spelling.

    >>> stems_of("Differences of Standardised Means"), stems_of("Kendall's tau")
    (('difference', 'standardized', 'mean'), ('kendall', 'tau'))
    """
    words = plain(re.sub(r"['\u2019]s\b", "", word)).split("_")
    spelt = [re.sub(r"is(?=ed$|ing$|e$|ation$|ability$)", "iz", each) for each in words]
    stems = [re.sub(r"(?<=[^su\W]{3})s$", "", each) for each in spelt]
    return tuple(SYNONYMS.get(stem, stem) for stem in stems if stem not in FILLERS)


def plain(word: str) -> str:
    """Write a name so that case, hyphens, punctuation and Greek letters do not matter.

    >>> plain("Kendall\u2019s \u03c4-b") == plain("kendall's tau_b")
    True
    """
    text = unicodedata.normalize("NFKD", word.strip().casefold())
    text = "".join(
        GREEK.get(letter, letter) for letter in text if not unicodedata.combining(letter)
    )
    return re.sub(r"[\W_]+", "_", text).strip("_")


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
