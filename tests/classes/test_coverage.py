"""Intervals of labels hold the truth about as often as they say (docs/pass-fail.md)."""

import math

import numpy as np
import pytest

from tallymark.catalogue import find
from tallymark.inference import Settings, estimate_all
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairCounts

POINTS = np.arange(2.0)
SAMPLES = 400
NAMES = {
    "table": ["sensitivity", "specificity", "precision", "f1", "mcc", "positive_rate[system]"],
    "cells": ["balanced_accuracy"],
}


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 500])
@pytest.mark.parametrize("positives", [0.05, 0.3, 0.7])
@pytest.mark.parametrize("judge", [(0.9, 0.95), (0.75, 0.75)])
def test_intervals_of_two_labels(judge, positives, n):
    found, spared = judge
    shares = np.array(
        [
            [(1 - positives) * spared, (1 - positives) * (1 - spared)],
            [positives * (1 - found), positives * found],
        ]
    )
    truth = PairCounts(shares * 1e6, POINTS)
    held: dict[str, list[bool]] = {name: [] for names in NAMES.values() for name in names}
    rng = np.random.default_rng(11)
    for _ in range(SAMPLES):
        counts = rng.multinomial(n, shares.ravel())
        scores = np.argwhere(np.ones((2, 2)))[counts > 0].astype(float)
        rows = Rows(scores, counts[counts > 0].astype(np.int64), POINTS)
        for kind, names in NAMES.items():
            formulas = [find(name) for name in names]
            units = units_of(kind, rows, formulas)
            for name, formula, made in zip(
                names, formulas, estimate_all(formulas, units, Settings()), strict=True
            ):
                if not math.isnan(made.low):
                    held[name].append(made.low <= float(formula.value(truth)) <= made.high)
    # 4 standard errors of 400 samples below .94
    assert {name: np.mean(hits) for name, hits in held.items() if np.mean(hits) < 0.895} == {}
