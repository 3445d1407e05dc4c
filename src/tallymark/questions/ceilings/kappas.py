"""Kappas: the agreement that ceilings are of."""

from collections.abc import Collection

from tallymark.results import Key
from tallymark.scale import Scale

KAPPAS = ("lin_ccc", "cohen_kappa[identity]", "cohen_kappa[quadratic]")
"""Agreement of continuous scores, on two points, and on more of them."""


def kappa_on(scale: Scale) -> str:
    """The agreement that ceilings are of: QWK, kappa on two points, concordance without points."""
    if scale.continuous:
        return KAPPAS[0]
    return KAPPAS[1] if scale.view == "binary" else KAPPAS[2]


def kappa_in(numbers: Collection[str], **key: str) -> str:
    """The agreement that some ceilings are of, or people beside them."""
    names = {"name": "human_human", **key}
    name = names.pop("name")
    return next((of for of in KAPPAS[:2] if Key(name, of=of, **names) in numbers), KAPPAS[2])
