"""Grouped labels: what is said of each group where scores are labels without an order."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tallymark.questions.fairness.grouped import Grouped, GroupMeasure, differences, of_margins
from tallymark.study.formulas import formulas_for
from tallymark.tally import PairCounts, nearest


def label_measures(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Yield agreement, and the share of each label that is found, less that of the other groups."""
    yield from of_margins(grouped)
    points = grouped.rows.points
    first, second = (nearest(scores, points) for scores in grouped.rows.scores[grouped.used].T)
    rows = np.zeros((first.size, points.size**2))
    rows[np.arange(first.size), first * points.size + second] = 1.0

    def build(sums: Any) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], points.size, points.size), points)

    formulas = formulas_for(grouped.scale, ["class_recall"])
    cells = grouped.cells(rows, grouped.used)
    yield from differences(grouped, "cells", cells, build, formulas)
