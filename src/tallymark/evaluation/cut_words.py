"""Words for what is told on other scales, at pass marks and after recalibration, by name."""

from tallymark.evaluation.scale_words import SCALE_WORDS
from tallymark.evaluation.sweep import SWEEP_WORDS
from tallymark.results import Definition

DIAGNOSED: dict[str, Definition] = {**SCALE_WORDS, **SWEEP_WORDS}
"""Definitions of statistics of the diagnosis, by name."""
