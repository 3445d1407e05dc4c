"""What is measured of a system on each part of the data, and its means over prompts or traits."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Settings, Units, estimate_all
from tallymark.results import Comparison, Estimate, system_called
from tallymark.scale import Scale
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, units_of


class OnPart(NamedTuple):
    """What is asked of a system on one part: of how many responses, and on which scale."""

    scale: Scale
    n: int
    measured: list[PartFormulas]


def on_parts(
    system: str,
    against: Comparison,
    parts: Sequence[Part],
    measure: Callable[[Part], OnPart | None],
    settings: Settings,
    *,
    noted: Callable[[Estimate, Sequence[OnPart]], Estimate],
    in_points: Callable[[Estimate], bool] = lambda _: False,
) -> Iterator[SubsetResults]:
    """Yield the numbers of each part that is not one of many, then the means over parts.

    ``measure`` gives what is asked of a part, None where there is nothing. ``noted`` adds to a
    number what is known of its part, or of the parts behind a mean. What is ``in_points`` has no
    mean over scales that differ, and parts of which different things are asked have none at all.
    """
    subject = system_called(system)
    measures = {part: found for part in parts if (found := measure(part)) is not None}
    for part, on_part in measures.items():
        if not part.many:
            estimates = [
                noted(estimate, [on_part])
                for formulas, units in on_part.measured
                for estimate in estimate_all(formulas, units, settings, key=stream_of(part.label))
            ]
            subset = subset_of(part, subject, n=on_part.n, against=against)
            yield SubsetResults(subset, estimates, [])
    for key, averaged in faceted([*measures]):
        of_parts = [measures[part] for part in averaged]
        if len({len(on_part.measured) for on_part in of_parts}) > 1:
            continue
        one_scale = len({on_part.scale.points for on_part in of_parts}) == 1
        estimates = [
            noted(estimate, of_parts)
            for alike in zip(*(on_part.measured for on_part in of_parts), strict=True)
            for estimate in means(alike, key, settings)
            if one_scale or not in_points(estimate)
        ]
        subset = average_subset(subject, against, key, [on_part.n for on_part in of_parts])
        yield SubsetResults(subset, estimates, [])


def mean_units(each: NDArray[np.float64], rows: Rows) -> Units[Any]:
    """Units whose bias is the mean over responses of one number of each."""
    return units_of("moments", replace(rows, scores=np.stack([np.zeros(each.size), each], axis=1)))
