"""Contrasts: a statistic between system and person, beside the same between two people."""

from typing import NamedTuple

from tallymark.catalogue.sets import Member, members, texts
from tallymark.results import Estimate, Key, Numbers


class PeopleContrast(NamedTuple):
    """A statistic between system and person, between two people, and the difference."""

    system: Estimate
    people: Estimate
    difference: Estimate

    @property
    def more_or_less(self) -> str:
        """What the interval of the difference says; nothing where it holds 0 or is undefined."""
        if self.difference.low > 0:
            return "more"
        return "less" if self.difference.high < 0 else ""


def contrast(numbers: Numbers, text: str) -> PeopleContrast | None:
    """Return the contrast in one statistic, if it was computed."""
    keys = [Key(name, of=text) for name in texts("contrast")]
    found = [numbers[key] for key in keys if key in numbers]
    return PeopleContrast(*found) if len(found) == len(keys) else None


def contrasts(numbers: Numbers) -> dict[str, PeopleContrast]:
    """Return every contrast by the text of its statistic."""
    compared = dict.fromkeys(
        str(found.params["of"]) for found in numbers.values() if _is_one(found)
    )
    found = {text: contrast(numbers, text) for text in compared}
    return {text: own for text, own in found.items() if own is not None}


def preferred_contrast(numbers: Numbers) -> tuple[Member, PeopleContrast] | None:
    """Return the contrast that is told first, with its statistic."""
    for member in members("preferred"):
        found = contrast(numbers, member.text)
        if found is not None:
            return member, found
    return None


def _is_one(found: Estimate) -> bool:
    return found.name in texts("contrast")
