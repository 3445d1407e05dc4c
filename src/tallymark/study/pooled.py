"""Pooled: whether a part of the data mixes prompts or traits, whose differences look reliable."""

from collections.abc import Sequence

import numpy as np

from tallymark.results import Estimate
from tallymark.sources import Scores
from tallymark.study.parts import Part

FACETS = ("trait", "prompt")


def pooled(scores: Scores, part: Part) -> bool:
    """Whether the responses of a part answer several prompts or are scores of several traits."""
    keys = scores.patterns.keys
    return any(np.unique(keys[key][part.rows]).size > 1 for key in FACETS if key in keys)


def without_needs(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Leave out how many raters are needed: prompts that differ make two look enough."""
    return [estimate for estimate in estimates if estimate.name != "raters_needed"]
