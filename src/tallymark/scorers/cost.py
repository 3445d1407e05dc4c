"""Cost: how many fits a run takes and about how long, said before it begins."""

import os
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from tallymark.scorers.fitting import ENOUGH, random_models
from tallymark.scorers.folds import FOLDS
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import Sample, parts_of

MOST_WORKERS = 4
"""More at a time would need more memory than they save time."""
WORTH = 20.0
"""Seconds from which on several processes are worth starting."""
_START, _RESPONSE, _SIGN = 0.01, 6e-5, 2.6e-7
"""Seconds to fit what is read of responses: per fold, per response, and per character."""
_COUNT = 7e-7
"""Seconds to count the words of texts, per character, once for all folds."""


class FitsToCome(Struct, frozen=True):
    """Models to fit, candidates counted, and the seconds that takes on one core, roughly.

    ``parts`` are prompts, or traits of them, that are learned from under each of the ``rules``.
    """

    fits: int
    parts: int
    seconds: float
    rules: int = 1

    def workers(self) -> int:
        """How many processes share the work."""
        if self.seconds < WORTH:
            return 1
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return min(cores or 1, MOST_WORKERS)


def work_of(samples: Sequence[Sample], models: Sequence[str], seeds: int) -> FitsToCome:
    """Count the fits of all parts and folds, and estimate their time."""
    fits, parts, seconds = 0, 0, 0.0
    for sample in samples:
        signs = np.array([len(text) for text in sample.texts])
        learned = parts_of(sample).learned
        parts = max(parts, len(learned))
        for rows in learned.values():
            share = (FOLDS - 1) / FOLDS
            n, size = rows.size * share, float(signs[rows].sum()) * share
            seconds += _COUNT * size
            for run in range(seeds):
                chosen = models if run == 0 else random_models(models)
                times, took = _of_fold(chosen, n, size)
                fits += FOLDS * times
                seconds += FOLDS * took
    return FitsToCome(fits, parts, seconds, len(samples))


def _of_fold(models: Sequence[str], n: float, size: float) -> tuple[int, float]:
    """Fits and seconds of one fold that learns from ``n`` responses of ``size`` characters together."""
    inner = n >= ENOUGH
    seconds = (1 + inner) * (_START + _RESPONSE * n + _SIGN * size) if models else 0.0
    fits = 0
    for name in models:
        model = MODELS[name]
        times = 1 + inner * len(model.candidates) * (len(model.candidates) > 1)
        fits += times
        seconds += times * (model.seconds[0] + model.seconds[1] * n)
    return fits, seconds
