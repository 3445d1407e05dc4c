"""Where a limit holds: for all responses together, or for every part of one kind."""

from collections.abc import Callable, Mapping

from tallymark.results import Subset

OVERALL = "overall"


def _group(subset: Subset) -> str | None:
    return subset.group if subset.prompt is None and subset.trait is None else None


def _prompt(subset: Subset) -> str | None:
    return subset.prompt if subset.group is None and subset.trait is None else None


PARTS: Mapping[str, Callable[[Subset], str | None]] = {
    "every group": _group,
    "every prompt": _prompt,
}
"""The name of a part of each kind; None where a subset is no such part."""
WHERE = (OVERALL, *PARTS)


def part_of(subset: Subset, where: str) -> tuple[str, str] | None:
    """Return the column and the name of a part, such as a group; None where it is no such part."""
    name = PARTS[where](subset) if subset.average is None else None
    return None if name is None or subset.column is None else (subset.column, name)
