"""Shares of labels: what each is a proportion of, and the means that F1 and macro averages are."""

from collections.abc import Callable
from functools import partial

import numpy as np

from tallymark.accuracy import classes
from tallymark.agreement.chance import PairRatings
from tallymark.arrays import Floats
from tallymark.inference import Formula, MeanOf
from tallymark.tally import PairCounts

NONE = 1e-12
"""A label whose share is below this is used by nobody."""


def by_gold(pairs: PairRatings) -> Floats:
    """Share of the responses that the gold calls positive."""
    return classes.positive_rate(pairs, of="gold")


def by_system(pairs: PairRatings) -> Floats:
    """Share of the responses that the system calls positive."""
    return classes.positive_rate(pairs, of="system")


def label_by_gold(pairs: PairCounts, label: float) -> Floats:
    """Share of the responses to which the gold gives the label."""
    return np.asarray(pairs.proportions[..., int(label), :].sum(axis=-1))


def label_by_system(pairs: PairCounts, label: float) -> Floats:
    """Share of the responses to which the system gives the label."""
    return np.asarray(pairs.proportions[..., :, int(label)].sum(axis=-1))


def of_positives(_: PairRatings) -> MeanOf:
    """F1 is the harmonic mean of sensitivity and precision."""
    sensitivity = _share("sensitivity", classes.sensitivity, by_gold)
    return MeanOf((sensitivity, _share("precision", classes.precision, by_system)), harmonic=True)


def of_label(_: PairCounts, label: float) -> MeanOf:
    """F1 of a label is the harmonic mean of its recall and precision."""
    return MeanOf((_recall(label), _precision(label)), harmonic=True)


def recalls(pairs: PairCounts) -> MeanOf:
    """Recall of each label that the gold gives."""
    places = range(pairs.points.size)
    return MeanOf([_recall(place) for place in places if label_by_gold(pairs, place) > NONE])


def precisions(pairs: PairCounts) -> MeanOf:
    """Precision of each label that the system gives."""
    places = range(pairs.points.size)
    return MeanOf([_precision(place) for place in places if label_by_system(pairs, place) > NONE])


def _recall(label: float) -> Formula:
    return _share("class_recall", classes.recall_of, label_by_gold, label=label)


def _precision(label: float) -> Formula:
    return _share("class_precision", classes.precision_of, label_by_system, label=label)


def _share(
    name: str, value: Callable[..., Floats], base: Callable[..., Floats], **label: float
) -> Formula:
    return Formula(
        name=name, params=label, value=partial(value, **label), base=partial(base, **label)
    )
