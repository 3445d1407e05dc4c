"""Rows as a data frame of pandas or polars, whichever is installed."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from tallymark.errors import OptionError

if TYPE_CHECKING:
    from tallymark.results.estimates import Estimate
    from tallymark.results.subsets import Subset

Library = Literal["pandas", "polars"]
_PART = ("prompt", "trait", "group_column", "group", "fold", "average", "fisher_z")
_NUMBER = ("value", "low", "high", "n", "why", "se", "level", "method", "score", "se_analytic")
RECORD = (
    *("system", "prompt", "trait", "group_column", "group", "against", "against_name"),
    *("statistic", "value", "low", "high", "n", "why", "se", "level", "method", "score"),
    *("subject", "fold", "average", "fisher_z", "se_analytic"),
)
"""The columns of a frame of estimates: whose, of which part, what, how much."""
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")


def frame_of(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], library: Library | None
) -> Any:
    """Return rows as a frame of a library, by default the first that is installed."""
    if library not in (None, *LIBRARIES):
        raise OptionError(f"library must be {' or '.join(map(repr, LIBRARIES))}, got {library!r}")
    asked = LIBRARIES if library is None else (library,)
    chosen = next((name for name in asked if find_spec(name) is not None), None)
    if chosen is None:
        raise OptionError(
            f"to_frame needs {' or '.join(asked)}, which {'are' if library is None else 'is'} not "
            f"installed: pip install {asked[0]}. records() gives the same rows without it."
        )
    frames = import_module(chosen)
    if chosen == "pandas":
        return frames.DataFrame.from_records(rows, columns=list(columns))
    names = list(columns)
    return frames.DataFrame(
        [[row[name] for name in names] for row in rows],
        schema=names,
        orient="row",
        infer_schema_length=None,
        strict=False,
    )


def record_of(subset: "Subset", estimate: "Estimate") -> dict[str, Any]:
    """Return an estimate as one flat row, its subset spelled out."""
    known = {
        "system": subset.system,
        "subject": str(subset.subject.kind),
        "against": str(subset.against.kind),
        "against_name": subset.against.name,
        "statistic": estimate.text,
    }
    known |= {name: getattr(subset, name) for name in _PART}
    known |= {name: getattr(estimate, name) for name in _NUMBER}
    return {name: known[name] for name in RECORD}
