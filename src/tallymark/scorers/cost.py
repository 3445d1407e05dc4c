"""Cost: how many fits a run takes and about how long, said before it begins."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tallymark.scorers.fitting import ENOUGH, random_models
from tallymark.scorers.folds import FOLDS
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import FEWEST, Sample

MOST_WORKERS = 4
"""More at a time would need more memory than they save time."""
WORTH = 20.0
"""Seconds from which on several processes are worth starting."""
_START, _ENCODE = 0.02, 1.6e-3
"""Seconds to read a part's responses: per fold, and per response."""


@dataclass(frozen=True, slots=True)
class FitsToCome:
    """Models to fit, candidates counted, and the seconds that takes on one core, roughly."""

    fits: int
    parts: int
    seconds: float

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
        for part in {*sample.parts}:
            here = sample.parts == part
            units = int(np.unique(sample.units[here]).size)
            if units < FEWEST:
                continue
            parts += 1
            n = int(here.sum()) * (FOLDS - 1) / FOLDS
            for run in range(seeds):
                chosen = models if run == 0 else random_models(models)
                passes = 1 if n < ENOUGH else 2
                seconds += FOLDS * passes * (_START + _ENCODE * n) if chosen else 0
                for name in chosen:
                    model = MODELS[name]
                    times = 1 if n < ENOUGH else 1 + len(model.candidates)
                    fits += FOLDS * times
                    seconds += FOLDS * times * (model.seconds[0] + model.seconds[1] * n)
    return FitsToCome(fits, parts, seconds)
