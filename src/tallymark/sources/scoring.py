"""Scoring: human scores onto their scale, the gold resolved, system scores mapped and trimmed."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import ScaleError
from tallymark.scale import MOST_POINTS, Scale
from tallymark.sources.resolution import ROUNDED_MEAN, gold_scale, resolve, scale_of_resolved
from tallymark.sources.settings import ReadingSettings, Setting
from tallymark.tally import nearest, trim

CUSTOMARY = ((0.0, 1.0), (0.0, 10.0), (0.0, 100.0))
"""Ends of scales on which systems often score."""
_ELSEWHERE = 0.9
"""From this share of scores outside the gold's range on, the system is on another scale."""


class SettingPart(Struct, frozen=True):
    """The patterns that share a setting, and their scales; ``prompt`` is None for the usual one."""

    prompt: str | None
    setting: Setting
    rows: NDArray[np.bool_]
    rater: Scale
    gold: Scale


def split(
    settings: ReadingSettings, prompts: Whole | None, labels: Sequence[str], size: int
) -> list[tuple[str | None, Setting, NDArray[np.bool_]]]:
    """Divide the patterns by the setting that holds for their prompt; empty parts are left out."""
    rest = np.ones(size, dtype=bool)
    parts: list[tuple[str | None, Setting, NDArray[np.bool_]]] = []
    for prompt, setting in settings.prompts.items():
        here = np.zeros(size, dtype=bool) if prompts is None else prompts == labels.index(prompt)
        rest &= ~here
        parts.append((prompt, setting, here))
    return [part for part in [(None, settings.usual, rest), *parts] if part[2].any()]


def together(scales: Sequence[Scale]) -> Scale:
    """Return the one scale of all, or the range of all their points."""
    if len(set(scales)) == 1:
        return scales[0]
    points = sorted({point for scale in scales for point in scale.points})
    inferred = all(scale.inferred for scale in scales)
    if any(scale.continuous for scale in scales) and len(points) > 1:
        return Scale((points[0], points[-1]), continuous=True, inferred=inferred)
    return Scale(tuple(points), inferred=inferred)


def infer_scale(columns: Sequence[Floats]) -> Scale:
    """Read a scale off the human scores, without listing the points of a continuous one."""
    seen = np.unique(np.concatenate([column[~np.isnan(column)] for column in columns]))
    if seen.size > MOST_POINTS:
        return Scale((float(seen[0]), float(seen[-1])), continuous=True, inferred=True)
    return Scale.infer(seen.tolist())


def on_points(scores: Floats, scale: Scale) -> Floats:
    """Undo the last binary digits of human scores: the scale's own points instead."""
    if scale.continuous:
        return scores
    points = np.asarray(scale.points)
    index = nearest(scores, points)
    return np.where(index < 0, np.nan, points[index])


def resolved(
    panel: Floats,
    rater: Scale,
    setting: Setting,
    *,
    adjudication: str,
    adjacency: float,
) -> tuple[Floats, Scale]:
    """Return the gold and its scale, which depends on how many ratings the responses have."""
    rule, needed = setting.resolve, setting.needed or None
    gold = resolve(panel, rule, adjudication=adjudication, adjacency=adjacency, needed=needed)
    if rule == ROUNDED_MEAN:
        if rater.continuous:
            raise ScaleError(
                f"the rule {ROUNDED_MEAN!r} rounds to score points, and the scale {rater} has none; "
                "declare them with --scale, or take --resolve mean"
            )
        gold = on_points(gold, rater)
    numbers = np.unique((~np.isnan(panel)).sum(axis=0)[~np.isnan(gold)])
    return gold, scale_of_resolved(rater, rule, numbers.tolist())


def scale_of_gold_column(gold: Floats, rater: Scale, raters: int) -> Scale:
    """Find the scale of a given gold: that of the raters, of their mean or sum, or its own."""
    seen = gold[~np.isnan(gold)]
    rules = ["first", *(["mean", "sum"] if raters > 1 else [])]
    for rule in rules:
        scale = gold_scale(rater, rule, raters)
        if _all_on(seen, scale):
            return scale
    return infer_scale([seen])


def _all_on(scores: Floats, scale: Scale) -> bool:
    if scale.continuous:
        return bool(((scores >= scale.low) & (scores <= scale.high)).all())
    gap = np.abs(on_points(scores, scale) - scores)
    return bool((gap <= 1e-6 * (scale.step or 1.0)).all())


def map_system(scores: Floats, system: Scale, gold: Scale) -> Floats:
    """Map scores linearly from the ends of the system's scale onto those of the gold's."""
    slope = (gold.high - gold.low) / (system.high - system.low)
    return gold.low + (scores - system.low) * slope


def trim_system(scores: Floats, parts: Sequence[SettingPart]) -> Floats:
    """Trim each score to the range of its gold scale, less or more the tolerance."""
    trimmed = scores.copy()
    for part in parts:
        if part.gold.inferred and len(part.gold.points) == 1:
            continue  # a single observed point says nothing about the range
        trimmed[part.rows] = trim(
            scores[part.rows],
            part.gold.low,
            part.gold.high,
            step=part.gold.step,
            tolerance=part.setting.trim,
        )
    return trimmed


def check_range(name: str, raw: Floats, trimmed: Floats, counts: Whole, gold: Scale) -> None:
    """Refuse a system that is evidently on another scale than the gold."""
    given = ~np.isnan(raw)
    outside = int(counts[given & (raw != trimmed)].sum())
    if given.any() and outside >= _ELSEWHERE * counts[given].sum():
        low, high = raw[given].min(), raw[given].max()
        raise ScaleError(
            f"system {name!r} scores from {low:g} to {high:g}, but the gold lies on {gold}. Declare "
            f"the ends of the system's own scale, such as --system-scale {likely_ends(low, high)}, or, "
            "if the raters' scale is wider than their scores, declare it with --scale."
        )


def likely_ends(low: float, high: float) -> str:
    """The ends of a scale that scores from low to high may be on.

    >>> likely_ends(0.02, 0.97), likely_ends(12, 58), likely_ends(-3.2, 7)
    ('0:1', '0:100', '-4:7')
    """
    for least, most in CUSTOMARY:
        if least <= low and high <= most:
            return f"{least:g}:{most:g}"
    return f"{math.floor(low)}:{math.ceil(high)}" if high > low else "LOW:HIGH"
