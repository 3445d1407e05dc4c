"""Keywords of ``labels draw``: which responses people are to label, and what they see of them."""

from collections.abc import Sequence
from typing import Annotated, Any

from tallymark.defaults import SEED
from tallymark.study.fields import COLUMNS, NATURAL, TEXT, TEXTS, WHOLE, Field, FieldKind
from tallymark.study.places import SheetKeyword
from tallymark.study.shared import Id

SHEET = "Sheet"
ALLOCATIONS = ("equal", "proportional", "root")
_N = "How many responses to draw; `tallymark plan` says how many a question takes."
_BY = "Draw by this column, such as the judge's score; repeat it for each. At random if left out."
_SHOW = "A column that annotators see, such as the answer; repeat it for each."
_RATERS = "Annotators who each label every response, in a column of their own."
_ALLOCATE = "From each stratum as many as from others (equal), in proportion to it, or to its root."
_STRATA = "Cut a --by of more than 10 numbers into so many strata, at its quantiles."


def drawing(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare how a sheet is drawn."""
    return Field(kind, flag, metavar, text, SHEET, web="form", **more)


class DrawKeywords(Id, SheetKeyword, total=False):
    """Keywords of ``labels draw``."""

    n: Annotated[int, drawing(WHOLE, "--number", "N", _N, required=True, also="-n")]
    by: Annotated[Sequence[str], Field(TEXTS, "--by", "COL", _BY, COLUMNS, web="form")]
    show: Annotated[Sequence[str], Field(TEXTS, "--show", "COL", _SHOW, COLUMNS, web="form")]
    raters: Annotated[int, drawing(WHOLE, "--raters", "N", _RATERS, default=1)]
    allocate: Annotated[
        str,
        drawing(TEXT, "--allocate", "RULE", _ALLOCATE, default="equal", choices=ALLOCATIONS),
    ]
    strata: Annotated[int, drawing(WHOLE, "--strata", "N", _STRATA, default=5)]
    seed: Annotated[
        int, drawing(NATURAL, "--seed", None, "Same seed, same responses.", default=SEED)
    ]
