"""Labels: which have no order, and which of two is to be found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from tallymark.study.fields import SCALE, SCORES, TEXT, Field

if TYPE_CHECKING:
    from tallymark.scale import Scale

_CATEGORIES = "Labels without an order, such as refuse,comply,partial; in place of --scale."
_POSITIVE = "Which of two labels sensitivity and precision are about; the higher if left out."


class CategoriesKeyword(TypedDict, total=False):
    """Labels without an order."""

    categories: Annotated[
        "Scale | str | Sequence[object] | None",
        Field(SCALE, "--categories", "LABELS", _CATEGORIES, SCORES, web="form"),
    ]


class PositiveKeyword(TypedDict, total=False):
    """Which of two labels is to be found."""

    positive: Annotated[
        str | None, Field(TEXT, "--positive", "LABEL", _POSITIVE, SCORES, web="form")
    ]
