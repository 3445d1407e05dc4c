"""Which statistics a policy may hold against a limit, and between which values they lie."""

import math
from typing import NamedTuple

from tallymark.errors import OptionError, did_you_mean
from tallymark.evaluation.beside_people import COMPARED
from tallymark.evaluation.catalogue import BY_NAME
from tallymark.evaluation.names import ALIASES, find
from tallymark.results import Key, split_key

Range = tuple[float, float]
CONTRASTS = ("degradation", "human_system", "human_human")
"""Statistics of a statistic, between system and people."""
DERIVED: dict[str, Range] = {
    "prmse": (-math.inf, 1.0),
    "mse_true": (-math.inf, math.inf),
    "disattenuated_r": (-math.inf, math.inf),
    "self_consistency[exact]": (0.0, 1.0),
    "self_consistency[changed]": (0.0, 1.0),
    "self_consistency[icc]": (-1.0, 1.0),
    "self_consistency[sd]": (0.0, math.inf),
}
"""Of a system as a whole, beyond the catalogue, with the values between which they lie."""
OF_GROUPS: dict[str, Range] = dict.fromkeys(
    ("dsm", "osa_effect", "osd_effect", "csd_effect", "true_effect"), (-math.inf, math.inf)
)
"""Of a group only."""
PAIRED = {"table", "moments", "ranks", "errors", "gaps"}
"""Tallies of two scores: statistics of none of them are of people alone."""
TITLES = {
    "cohen_kappa[quadratic]": "QWK",
    "cohen_kappa[linear]": "LWK",
    "cohen_kappa[identity]": "Kappa",
    "gwet_ac[quadratic]": "AC2",
    "gwet_ac[identity]": "AC1",
    "lin_ccc": "CCC",
    "pearson": "r",
    "percent_agreement": "Exact agreement",
    "smd[unpooled]": "SMD",
    "dsm": "DSM",
    "prmse": "PRMSE",
}
"""What a statistic is called in a sentence, unless the policy names it."""


class Held(NamedTuple):
    """A statistic that is held against a limit, as results name it."""

    text: str
    title: str
    range: Range
    groups_only: bool = False


def held(given: str, where: str) -> Held:
    """Look a statistic up by name, ``name[parameter]`` or alias.

    >>> held("degradation[qwk]", "here").text
    'degradation[cohen_kappa[quadratic]]'
    """
    name, inside = split_key(given)
    if name in CONTRASTS and given.endswith("]"):
        return _contrast(name, inside, where)
    if given in DERIVED:
        return Held(given, TITLES.get(given, given), DERIVED[given])
    if given in OF_GROUPS:
        return Held(given, TITLES.get(given, given), OF_GROUPS[given], groups_only=True)
    if (ALIASES[name.lower()][0] if name.lower() in ALIASES else name) not in BY_NAME:
        raise _unknown(given, where)
    return _of_catalogue(given, where)


def known() -> list[str]:
    """The names a policy may use."""
    rows = [row.name for row in BY_NAME.values() if PAIRED & set(row.tallies)]
    return [*rows, *(f"{name}[...]" for name in CONTRASTS), *DERIVED, *OF_GROUPS]


def _of_catalogue(given: str, where: str) -> Held:
    try:
        formula = find(given)
    except OptionError as problem:
        raise OptionError(f"{where}: {problem}") from None
    row = BY_NAME[formula.name]
    if not PAIRED & set(row.tallies):
        raise _unknown(given, where)
    # where the number in the brackets is left open, the one that was computed counts
    left_open = "[" not in given and row.params and not row.choices
    text = row.name if left_open else formula.key
    return Held(text, TITLES.get(text, row.title if left_open else text), row.range)


def _contrast(name: str, inner: str, where: str) -> Held:
    """A statistic between system and people, or of the difference."""
    of = held(inner, where)
    base = split_key(of.text)[0]
    compared = {split_key(text)[0] for text in COMPARED}
    exact = {f.key for f in map(find, COMPARED)}
    if base not in compared or (base not in ("csrate", *exact) and of.text not in exact):
        raise OptionError(
            f"{where}: {name} is computed of {', '.join(sorted(exact))}, not of {of.text}"
        )
    low, high = of.range
    span = (low - high, high - low) if name == "degradation" else of.range
    return Held(Key(name, of=of.text), f"{_WORDS[name]} {of.title}", span)


_WORDS = {
    "degradation": "Degradation of",
    "human_system": "System and person:",
    "human_human": "Person and person:",
}


def _unknown(given: str, where: str) -> OptionError:
    names = known()
    return OptionError(
        f"{where}: unknown statistic {given!r}.{did_you_mean(given, [*names, *ALIASES])} "
        f"Known: {', '.join(names)}"
    )
