"""The catalogue: one row for every number that Tallymark can report."""

from tallymark.catalogue.contrasts import PeopleContrast, contrast, contrasts, preferred_contrast
from tallymark.catalogue.every import BY_NAME, CATALOGUE, FAMILIES, FORMULAS
from tallymark.catalogue.explanation import Explanation, explain
from tallymark.catalogue.lookup import (
    aliases_of,
    canonical,
    definition_of,
    definitions_of,
    find,
    near,
    range_of,
)
from tallymark.catalogue.reasons import ONE_POINT
from tallymark.catalogue.row import Row, Variant
from tallymark.catalogue.sets import (
    Member,
    called,
    is_signed,
    level_of,
    member,
    members,
    style_of,
    texts,
    without_order,
)

__all__ = [
    "BY_NAME",
    "CATALOGUE",
    "FAMILIES",
    "FORMULAS",
    "ONE_POINT",
    "Explanation",
    "Member",
    "PeopleContrast",
    "Row",
    "Variant",
    "aliases_of",
    "called",
    "canonical",
    "contrast",
    "contrasts",
    "definition_of",
    "definitions_of",
    "explain",
    "find",
    "is_signed",
    "level_of",
    "member",
    "members",
    "near",
    "preferred_contrast",
    "range_of",
    "style_of",
    "texts",
    "without_order",
]
