"""Mapping: scores of systems onto the gold's scale, trimmed to it, and what is said about it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.scale import Scale
from tallymark.sources.advising import ends, on_raters_scale
from tallymark.sources.scoring import SettingPart, check_range, map_system, trim_system
from tallymark.sources.trimming import trimmed_words, within_scale

Floats = NDArray[np.float64]


def place_systems(
    scores: dict[str, Floats], parts: Sequence[SettingPart], counts: NDArray[np.int64], gold: Scale
) -> list[str]:
    """Map and trim the systems and their repeats; return what should be said about it.

    ``counts`` are those of the used responses, ``gold`` is the scale of most of them.
    """
    notes = _mapped_words(parts)
    for name in [name for name in scores if name.startswith(("system:", "repeat:"))]:
        raw = scores[name]
        kind, _, system = name.partition(":")
        if kind == "system":
            notes += on_raters_scale(system, raw, scores["gold"], counts, parts)
        for part in parts:
            if part.setting.system_scale is not None:
                raw[part.rows] = map_system(raw[part.rows], part.setting.system_scale, part.gold)
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
