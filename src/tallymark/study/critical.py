"""Critical errors in points: the share of the range they are on each scale."""

from msgspec.structs import replace

from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.request import Request


def check_critical(request: Request) -> None:
    """Refuse points that no error can have."""
    points = request.some(["critical"]).get("critical")
    if points is not None and not points > 0:
        raise OptionError(f"critical must be above 0, got {points:g}")


def in_points(scores: Scores, points: float | None) -> Scores:
    """The scores with the points from which an error is critical, on every scale."""
    if points is None:
        return scores
    for scale in (scores.gold_scale, *(gold for _, gold in scores.scales.values())):
        share_of_range(points, scale)
    return replace(scores, options={**scores.options, "critical": points})


def share_of_range(points: float, scale: Scale) -> float:
    """The share of the range that some points are.

    >>> share_of_range(2, Scale.of("0:5"))
    0.4
    """
    width = scale.high - scale.low
    if points > width:
        raise OptionError(
            f"--critical {points:g} is more than the range of the scale {scale}: no error would count"
        )
    return points / width
