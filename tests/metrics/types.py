"""The types of ``tm.metrics``, whose functions are built when it is imported: ``__init__.pyi``."""

from inspect import Parameter
from pathlib import Path

import tallymark
from tallymark.catalogue import FORMULAS, Row
from tallymark.metrics import __all__ as names
from tallymark.metrics import rsmtool
from tallymark.metrics.built import signature_of

STUB = Path(tallymark.__file__).parent / "metrics" / "__init__.pyi"
TYPES = {
    "ratings": "RatingsLike", "y_true": "ArrayLike", "y_pred": "ArrayLike",
    "scale": "ScaleLike", "weights": "Weights", "missing": "Missing",
}  # fmt: skip
HEAD = '''"""The types of tallymark.metrics, written by `make fix` from the rows of the catalogue."""

from typing import Literal

from numpy.typing import ArrayLike

from tallymark.agreement.weights import Weights
from tallymark.metrics.rsmtool import (
{imported}
)
from tallymark.tally.arrays import Missing, RatingsLike, ScaleLike

__all__ = [
{public}
]
'''


def stub() -> str:
    """Every public function with the types of what it takes."""
    head = HEAD.format(
        imported="\n".join(f"    {name}," for name in rsmtool.__all__),
        public="\n".join(f'    "{name}",' for name in names),
    )
    rows = sorted(FORMULAS, key=lambda row: row.name)
    return head + "".join(_function(row) for row in rows if row.name not in rsmtool.__all__)


def _function(row: Row) -> str:
    taken = signature_of(row).parameters
    words = {name: _taken(row, parameter) for name, parameter in taken.items()}
    if words.get("y_pred", "").endswith("None"):
        words["y_true"] = "y_true: RatingsLike"
    keyword = [name for name in words if taken[name].kind is Parameter.KEYWORD_ONLY]
    every = [words[name] for name in words if name not in keyword]
    every += ["*", *(words[name] for name in keyword)] if keyword else []
    return f'\ndef {row.name}({", ".join(every)}) -> float:\n    """{row.title}. {row.reading}"""\n'


def _taken(row: Row, parameter: Parameter) -> str:
    name, default = parameter.name, parameter.default
    chosen = ", ".join(f'"{value}"' for value in row.choices.get(name, ()))
    word = TYPES.get(name) or (f"Literal[{chosen}]" if chosen else "float")
    if default is Parameter.empty:
        return f"{name}: {word}"
    return f"{name}: {word} | None = None" if default is None else f"{name}: {word} = {default!r}"
