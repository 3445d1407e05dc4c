"""Names: a statistic looked up by its name, ``name[parameter]`` or an alias."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallymark.errors import OptionError, did_you_mean
from tallymark.evaluation.catalogue import BY_NAME
from tallymark.evaluation.statistic import Statistic
from tallymark.inference import Formula
from tallymark.results import split_key

ALIASES: dict[str, tuple[str, dict[str, Any]]] = {
    "qwk": ("cohen_kappa", {"weights": "quadratic"}),
    "lwk": ("cohen_kappa", {"weights": "linear"}),
    "kappa": ("cohen_kappa", {"weights": "identity"}),
    "quadratic_weighted_kappa": ("cohen_kappa", {"weights": "quadratic"}),
    "ac1": ("gwet_ac", {"weights": "identity"}),
    "ac2": ("gwet_ac", {"weights": "quadratic"}),
    "bp": ("brennan_prediger", {}),
    "alpha": ("krippendorff_alpha", {}),
    "ccc": ("lin_ccc", {}),
    "exact": ("percent_agreement", {}),
    "adjacent": ("adjacent_agreement", {}),
    "r": ("pearson", {}),
    "tau": ("kendall_tau_b", {}),
}
"""Input words only; results always carry the catalogue's names."""


def find(name: str, params: Mapping[str, Any] | None = None) -> Formula:
    """Look a statistic up by name, ``name[parameter]`` or alias, and bind its parameters.

    >>> find("cohen_kappa[quadratic]").params == find("qwk").params
    True
    """
    word, given = _parsed(name)
    alias, preset = ALIASES.get(word.lower(), (word, {}))
    if alias not in BY_NAME:
        known = [*BY_NAME, *ALIASES]
        raise OptionError(
            f"unknown statistic {name!r}.{did_you_mean(word, known)} Known: {', '.join(BY_NAME)}"
        )
    row = BY_NAME[alias]
    return row.bind({**preset, **_by_place(row, given), **(params or {})})


def _parsed(name: str) -> tuple[str, list[str]]:
    word, inside = split_key(name)
    if word == name:
        return word, []
    if not name.endswith("]"):
        raise OptionError(f"cannot read {name!r}: write name[parameter], with a closing bracket")
    return word, [inside]


def _by_place(row: Statistic, given: Sequence[str]) -> dict[str, Any]:
    """Values inside brackets: ``key=value``, or a bare value for the statistic's parameter."""
    found: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            if not row.params:
                raise OptionError(f"{row.name} takes no parameter, got [{text}]")
            takes = [name for name, allowed in row.choices.items() if text in allowed]
            key, value = next(iter([*takes, *row.params])), text
        found[key] = value if key in row.choices else _number(row, key, value)
    return found


def _number(row: Statistic, key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise OptionError(f"{key} of {row.name} must be a number, got {value!r}") from None
