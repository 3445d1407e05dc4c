"""Trimming: what happens to system scores beyond the scale, and the note about it."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tallymark.scale import TRIM_TOLERANCE
from tallymark.sources.scoring import SettingPart, trim_system

Floats = NDArray[np.float64]


def within_scale(scores: Floats, parts: Sequence[SettingPart]) -> Floats:
    """Scores as trimmed, and where nothing is trimmed as half a step would: who is far outside?"""
    limited = [
        replace(part, setting=replace(part.setting, trim=TRIM_TOLERANCE))
        if math.isinf(part.setting.trim)
        else part
        for part in parts
    ]
    return trim_system(scores, limited)


def trimmed_words(system: str, times: int, parts: Sequence[SettingPart]) -> str:
    """Say how many scores lay beyond the scale and what became of them.

    ``parts`` are those with such scores.
    """
    scores = "1 score" if times == 1 else f"{times} scores"
    whole = {(str(part.gold), part.gold.step, part.setting.trim) for part in parts}
    if len(whole) > 1:
        return f"{system}: {scores} beyond the scale trimmed, by the rule of each prompt"
    scale, step, steps = whole.pop()
    if math.isinf(steps):
        return f"{system}: {scores} over half a step beyond the scale ({scale}) left as given"
    if steps * step == 0:
        return f"{system}: {scores} trimmed to the ends of the scale ({scale})"
    if steps == TRIM_TOLERANCE:
        return f"{system}: {scores} trimmed to half a step beyond the ends of the scale ({scale})"
    return f"{system}: {scores} trimmed to {steps:g} steps beyond the ends of the scale ({scale})"
