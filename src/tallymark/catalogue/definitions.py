"""Definitions: what the results say about every number they hold."""

from collections.abc import Iterable, Mapping
from typing import Any

from tallymark.catalogue.every import BY_NAME
from tallymark.results import Definition, Estimate, split_key


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


def better_of(name: str, params: Mapping[str, Any]) -> str:
    """Which way is better; for a contrast in an error rate that is lower."""
    better = BY_NAME[name].better
    of = BY_NAME.get(split_key(str(params.get("of", "")))[0])
    return "lower" if better == "higher" and of is not None and of.better == "lower" else better
