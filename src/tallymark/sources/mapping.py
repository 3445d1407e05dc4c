"""Mapping: scores of systems onto the gold's scale, trimmed to it, and what is said about it."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.scale import TRIM_TOLERANCE, Scale
from tallymark.sources.advising import ends, on_raters_scale
from tallymark.sources.roles import SCORED
from tallymark.sources.scoring import SettingPart, check_range, map_system, trim_system


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


def place_systems(
    scores: dict[str, Floats], parts: Sequence[SettingPart], counts: Whole, gold: Scale
) -> list[str]:
    """Map and trim the systems and their repeats; return what should be said about it.

    ``counts`` are those of the used responses, ``gold`` is the scale of most of them.
    """
    notes = _mapped_words(parts)
    for name in [name for name in scores if name.startswith(SCORED)]:
        raw = scores[name]
        kind, _, system = name.partition(":")
        if kind == "system":
            notes += on_raters_scale(system, raw, scores["gold"], counts, parts)
        for part in parts:
            if part.setting.system_scale is not None:
                raw[part.rows] = map_system(raw[part.rows], part.setting.system_scale, part.gold)
        if kind == "system":
            notes += _between_words(system, raw, parts, counts)
        trimmed, inside = trim_system(raw, parts), within_scale(raw, parts)
        beyond = (raw != inside) & ~np.isnan(raw) & (counts > 0)
        if not beyond.any():
            continue
        check_range(system, raw, inside, counts, gold)
        scores[name] = trimmed
        if kind == "system":
            if ((raw != trimmed) & ~np.isnan(raw)).any():
                scores[f"raw:{system}"] = raw
            where = [part for part in parts if (beyond & part.rows).any()]
            notes.append(trimmed_words(system, int(counts[beyond].sum()), where))
    return notes


def _between_words(
    system: str, raw: Floats, parts: Sequence[SettingPart], counts: Whole
) -> list[str]:
    """Say which label scores between two labels count as."""
    gold = parts[0].gold
    unlike = any(part.gold != gold for part in parts) or gold.view != "binary"
    if unlike or (gold.inferred and gold.ends != (0.0, 1.0)):
        return []
    low, high = gold.names
    middle = (gold.low + gold.high) / 2
    between = int(counts[(raw > gold.low) & (raw < gold.high)].sum())
    if not between:
        return []
    scores = "1 score" if between == 1 else f"{between:,} scores"
    count = "it counts" if between == 1 else "they count"
    which = f"up to {middle:g}" if gold.turned else f"from {middle:g} on"
    return [f"{system}: {scores} between {low} and {high}; {which} {count} as {high}"]


def _mapped_words(parts: Sequence[SettingPart]) -> list[str]:
    """Say from which scales onto which the systems were mapped."""
    mapped = {
        part.prompt: f"from {ends(part.setting.system_scale)} onto {ends(part.gold)}"
        for part in parts
        if part.setting.system_scale is not None
    }
    if not mapped:
        return []
    if len(set(mapped.values())) == 1 and len(mapped) == len(parts):
        return [f"system scores were mapped linearly {next(iter(mapped.values()))}"]
    each = [text if p is None else f"prompt {p} {text}" for p, text in mapped.items()]
    return [f"system scores were mapped linearly: {'; '.join(each)}"]
