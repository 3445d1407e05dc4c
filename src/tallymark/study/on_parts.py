"""What is measured of a system on each part of the data, and its means over prompts or traits."""

from collections.abc import Callable, Iterator, Mapping
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
    every: Mapping[Part, OnPart],
    settings: Settings,
    scored: Callable[[Estimate, Scale], Estimate],
    in_points: Callable[[Estimate], bool],
) -> Iterator[SubsetResults]:
    """Yield the numbers of each part that is not one of many, then the means over parts.

    ``scored`` notes which scores a number sees; what is ``in_points`` has no mean over scales that
    differ, and parts of which different things are asked have none at all.
    """
    subject = system_called(system)
    for part, here in every.items():
        if not part.many:
            estimates = [
                scored(estimate, here.scale)
                for formulas, units in here.measured
                for estimate in estimate_all(formulas, units, settings, key=stream_of(part.label))
            ]
            subset = subset_of(part, subject, n=here.n, against=against)
            yield SubsetResults(subset, estimates, [])
    for key, over in faceted([*every]):
        known = [every[part] for part in over]
        if len({len(here.measured) for here in known}) > 1:
            continue
        one_scale = len({here.scale.points for here in known}) == 1
        estimates = [
            scored(estimate, known[0].scale)
            for each in zip(*(here.measured for here in known), strict=True)
            for estimate in means(each, key, settings)
            if one_scale or not in_points(estimate)
        ]
        subset = average_subset(subject, against, key, [here.n for here in known])
        yield SubsetResults(subset, estimates, [])


def mean_units(each: NDArray[np.float64], rows: Rows) -> Units[Any]:
    """Units whose bias is the mean over responses of one number of each."""
    return units_of("moments", replace(rows, scores=np.stack([np.zeros(each.size), each], axis=1)))
