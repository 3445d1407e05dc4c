"""How well labels are found: of two labels, of each of several, and on average.

On two points the higher one is the positive label. Rows are the gold, columns the system.
"""

from typing import Any, NamedTuple

import numpy as np

from tallymark.agreement.chance import PairRatings
from tallymark.agreement.weights import distance
from tallymark.arrays import Floats
from tallymark.inference.interval import Interval, wilson
from tallymark.tally import PairCounts


class _Shares(NamedTuple):
    """Shares of all responses: negative and positive by both, and the rates of gold and system."""

    neither: Any
    both: Any
    gold: Any
    system: Any


def _shares(pairs: PairRatings) -> _Shares:
    """The four cells of a table with two points, from its margins; NaN of another scale."""
    if pairs.points.size != 2:
        none = np.full(np.shape(pairs.n), np.nan)
        return _Shares(none, none, none, none)
    first, second = pairs.margins
    disagreements = pairs.disagreement(distance(pairs.points, "identity"))
    gold, system = first[..., 1], second[..., 1]
    both = (gold + system - disagreements) / 2
    return _Shares(1 - gold - system + both, both, gold, system)


def _ratio(part: Any, total: Any) -> Floats:
    """A share of a share; NaN where the whole is nothing, but for rounding."""
    none = np.real(total) <= 1e-12
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(none, np.nan, part / np.where(none, 1, total)))


def sensitivity(pairs: PairRatings) -> Floats:
    r"""Share of the positives that the system finds, :math:`TP / (TP + FN)`.

    1 is every positive found. NaN without positives in the gold, or unless the scale has two points.

    References
    ----------
    Yerushalmy (1947), doi:10.2307/4586294.

    Examples
    --------
    >>> table = PairCounts(np.array([[90, 10], [5, 45]]), np.arange(2.0))
    >>> f"{sensitivity(table):.2f} {specificity(table):.2f}"
    '0.90 0.90'
    """
    shares = _shares(pairs)
    return _ratio(shares.both, shares.gold)


def specificity(pairs: PairRatings) -> Floats:
    r"""Share of the negatives that the system calls negative, :math:`TN / (TN + FP)`.

    NaN without negatives in the gold, or unless the scale has two points.

    References
    ----------
    Yerushalmy (1947), doi:10.2307/4586294.
    """
    shares = _shares(pairs)
    return _ratio(shares.neither, 1 - shares.gold)


def precision(pairs: PairRatings) -> Floats:
    r"""Share of what the system calls positive that is, :math:`TP / (TP + FP)`.

    NaN where the system calls nothing positive, or unless the scale has two points.

    Examples
    --------
    >>> f"{precision(PairCounts(np.array([[90, 10], [5, 45]]), np.arange(2.0))):.3f}"
    '0.818'
    """
    shares = _shares(pairs)
    return _ratio(shares.both, shares.system)


def negative_predictive_value(pairs: PairRatings) -> Floats:
    r"""Share of what the system calls negative that is, :math:`TN / (TN + FN)`.

    NaN where the system calls nothing negative, or unless the scale has two points.
    """
    shares = _shares(pairs)
    return _ratio(shares.neither, 1 - shares.system)


def f1(pairs: PairRatings) -> Floats:
    r"""Harmonic mean of precision and sensitivity, :math:`2 TP / (2 TP + FP + FN)`.

    NaN where neither gold nor system has a positive, or unless the scale has two points.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., chapter 7.

    Examples
    --------
    >>> f"{f1(PairCounts(np.array([[90, 10], [5, 45]]), np.arange(2.0))):.3f}"
    '0.857'
    """
    shares = _shares(pairs)
    return _ratio(2 * shares.both, shares.gold + shares.system)


def positive_rate(pairs: PairRatings, *, of: str) -> Floats:
    """Share of the responses that are positive, of the gold or of the system.

    NaN unless the scale has two points.
    """
    shares = _shares(pairs)
    return np.asarray(shares.gold if of == "gold" else shares.system)


def mcc(pairs: PairRatings) -> Floats:
    r"""Matthews correlation coefficient: the correlation of labels, whatever their order.

    .. math:: \frac{p_o - \sum_k p_{k.} p_{.k}}
        {\sqrt{(1 - \sum_k p_{k.}^2)(1 - \sum_k p_{.k}^2)}}

    1 is perfect, 0 is as good as chance; on two points it is Pearson's r. NaN where the gold or the
    system has one label throughout.

    References
    ----------
    Matthews (1975), doi:10.1016/0005-2795(75)90109-9; of several labels Gorodkin (2004),
    doi:10.1016/j.compbiolchem.2004.09.006.

    Examples
    --------
    >>> f"{mcc(PairCounts(np.array([[90, 10], [5, 45]]), np.arange(2.0))):.3f}"
    '0.783'
    """
    first, second = pairs.margins
    disagreements = pairs.disagreement(distance(pairs.points, "identity"))
    spread = (1 - (first**2).sum(axis=-1)) * (1 - (second**2).sum(axis=-1))
    none = np.real(spread) <= 1e-12
    above = 1 - disagreements - (first * second).sum(axis=-1)
    return np.asarray(np.where(none, np.nan, above / np.sqrt(np.where(none, 1, spread))))


def recall_of(pairs: PairCounts, *, label: float) -> Floats:
    """Share of the responses with this gold to which the system gives it too.

    NaN where no gold has the label.

    Examples
    --------
    >>> f"{recall_of(PairCounts(np.array([[6, 2], [1, 1]]), np.arange(2.0)), label=0):.2f}"
    '0.75'
    """
    hits, gold, _ = _of_label(pairs, label)
    return _ratio(hits, gold)


def precision_of(pairs: PairCounts, *, label: float) -> Floats:
    """Share of the responses given this label by the system whose gold it is.

    NaN where the system never gives the label.
    """
    hits, _, system = _of_label(pairs, label)
    return _ratio(hits, system)


def f1_of(pairs: PairCounts, *, label: float) -> Floats:
    """Harmonic mean of precision and recall of a label.

    NaN where neither gold nor system has the label.
    """
    hits, gold, system = _of_label(pairs, label)
    return _ratio(2 * hits, gold + system)


def _of_label(pairs: PairCounts, label: float) -> tuple[Any, Any, Any]:
    shares, place = pairs.proportions, int(label)
    if not 0 <= place < pairs.points.size:
        none = np.full(np.shape(pairs.n), np.nan)
        return none, none, none
    gold, system = shares[..., place, :].sum(axis=-1), shares[..., :, place].sum(axis=-1)
    return shares[..., place, place], gold, system


def balanced_accuracy(pairs: PairCounts) -> Floats:
    r"""Mean over the labels of the gold of the share that the system finds (macro recall).

    On two points the mean of sensitivity and specificity, and NaN where the gold has one of them
    only; of more labels those that no gold has are left out.

    References
    ----------
    Brodersen, Ong, Stephan & Buhmann (2010), doi:10.1109/ICPR.2010.764.

    Examples
    --------
    >>> f"{balanced_accuracy(PairCounts(np.array([[90, 10], [10, 40]]), np.arange(2.0))):.2f}"
    '0.85'
    """
    hits, gold, _ = _by_label(pairs)
    return _mean(hits, gold, least=2)


def macro_precision(pairs: PairCounts) -> Floats:
    """Mean over the labels that the system gives of the share that are right.

    NaN without responses.
    """
    hits, _, system = _by_label(pairs)
    return _mean(hits, system)


def macro_f1(pairs: PairCounts) -> Floats:
    """Mean over the labels that gold or system give of their F1.

    NaN without responses.

    Examples
    --------
    >>> f"{macro_f1(PairCounts(np.array([[6, 2], [1, 1]]), np.arange(2.0))):.3f}"
    '0.600'
    """
    hits, gold, system = _by_label(pairs)
    return _mean(2 * hits, gold + system)


def _by_label(pairs: PairCounts) -> tuple[Any, Any, Any]:
    shares = pairs.proportions
    hits = np.diagonal(shares, axis1=-2, axis2=-1)
    return hits, shares.sum(axis=-1), shares.sum(axis=-2)


def _mean(part: Any, total: Any, *, least: int = 1) -> Floats:
    """The mean of part over whole where there is a whole; NaN with fewer than ``least`` of them."""
    used = np.real(total) > 1e-12
    ratios = np.where(used, part / np.where(used, total, 1), 0)
    number = used.sum(axis=-1)
    few = number < least
    return np.asarray(np.where(few, np.nan, ratios.sum(axis=-1) / np.where(few, 1, number)))


def f1_ends(pairs: PairRatings, n: float, level: float) -> Interval:
    """Ends of F1: it rises with TP / (TP + FP + FN), which is a proportion of what is positive.

    Hand, Christen & Kirielle (2021), doi:10.1007/s10994-021-05964-1, call that proportion F*.
    """
    shares = _shares(pairs)
    return _f1_ends(float(shares.both), float(shares.gold + shares.system), n, level)


def f1_ends_of(pairs: PairCounts, n: float, level: float, *, label: float) -> Interval:
    """The same for F1 of a label."""
    hits, gold, system = _of_label(pairs, label)
    return _f1_ends(float(hits), float(gold + system), n, level)


def _f1_ends(hits: float, predicted: float, n: float, level: float) -> Interval:
    positive = predicted - hits
    low, high = wilson(hits / positive, n * positive, level)
    return Interval(2 * low / (1 + low), 2 * high / (1 + high))
