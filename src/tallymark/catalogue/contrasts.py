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
    estimates = [numbers[key] for key in keys if key in numbers]
    return PeopleContrast(*estimates) if len(estimates) == len(keys) else None


def contrasts(numbers: Numbers) -> dict[str, PeopleContrast]:
    """Return every contrast by the text of its statistic."""
    compared = dict.fromkeys(
        str(estimate.params["of"]) for estimate in numbers.values() if _is_contrast(estimate)
    )
    by_text = {text: contrast(numbers, text) for text in compared}
    return {text: pair for text, pair in by_text.items() if pair is not None}


def preferred_contrast(numbers: Numbers) -> tuple[Member, PeopleContrast] | None:
    """Return the contrast that stands first, with its statistic.

    Kappa without weights is compared on two points and of labels alone, where it comes first.
    """
    for member in (*members("preferred", "nominal"), *members("preferred")):
        preferred = contrast(numbers, member.text)
        if preferred is not None:
            return member, preferred
    return None


def _is_contrast(estimate: Estimate) -> bool:
    return estimate.name in texts("contrast")
