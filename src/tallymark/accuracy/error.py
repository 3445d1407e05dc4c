"""Errors of the system, second minus first score, in score points."""

import numpy as np

from tallymark.arrays import Floats
from tallymark.tally import PairMoments, PointErrors


def bias(moments: PairMoments) -> Floats:
    r"""Mean error, system minus gold, :math:`\bar b - \bar a`.

    0 is fair on average; negative is a severe system. NaN without responses.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> bias(PairPatterns.of([1, 2, 3], [1, 3, 4]).moments()).round(3).item()
    0.667
    """
    return moments.mean_difference


def mae(moments: PairMoments) -> Floats:
    r"""Mean absolute error, :math:`\frac1n \sum |b - a|`.

    0 is perfect. NaN without responses.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> mae(PairPatterns.of([1, 2, 3], [1, 3, 1]).moments()).item()
    1.0
    """
    return moments.mean_absolute_difference


def rmse(moments: PairMoments) -> Floats:
    r"""Root mean squared error, :math:`\sqrt{\frac1n \sum (b - a)^2}`.

    0 is perfect; large errors weigh more than in the mean absolute error. NaN without responses.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> rmse(PairPatterns.of([1, 2, 3, 4], [1, 4, 3, 4]).moments()).item()
    1.0
    """
    return np.sqrt(moments.mean_squared_difference)


def mse(moments: PairMoments) -> Floats:
    r"""Mean squared error, :math:`\frac1n \sum (b - a)^2`.

    0 is perfect; in squared score points. NaN without responses.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> mse(PairPatterns.of([1, 2, 3, 4], [1, 4, 3, 4]).moments()).item()
    1.0
    """
    return moments.mean_squared_difference


def r2(moments: PairMoments) -> Floats:
    r"""Share of the gold's variance that the system explains as it stands, without refitting.

    .. math:: 1 - \frac{\sum (b - a)^2}{\sum (a - \bar a)^2}

    1 is perfect, 0 is as good as the mean of the gold, negative is worse. A severe or compressed
    system loses here what the squared correlation forgives. NaN when the gold does not vary.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> r2(PairPatterns.of([1, 2, 3, 4], [1, 2, 3, 3]).moments()).round(3).item()
    0.8
    """
    variance = moments.variances[0]
    none = variance == 0
    return np.asarray(
        np.where(none, np.nan, 1 - moments.mean_squared_difference / (variance + none))
    )


def macro_mae(errors: PointErrors) -> Floats:
    r"""Mean absolute error at each gold score, averaged over the gold scores that occur.

    .. math:: \frac1C \sum_c \frac{1}{n_c} \sum_{a = c} |b - a|

    0 is perfect; rare scores count as much as common ones. NaN without responses.

    References
    ----------
    Baccianella, Esuli & Sebastiani (2009), doi:10.1109/ISDA.2009.230.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> macro_mae(PairPatterns.of([1, 1, 1, 2], [1, 1, 1, 4]).errors()).item()
    1.0
    """
    return _mean_over_points(errors, _means(errors)[..., 1])


def macro_rmse(errors: PointErrors) -> Floats:
    r"""Root mean squared error at each gold score, averaged over the gold scores that occur.

    .. math:: \frac1C \sum_c \sqrt{\frac{1}{n_c} \sum_{a = c} (b - a)^2}

    0 is perfect; rare scores count as much as common ones. NaN without responses.

    References
    ----------
    Baccianella, Esuli & Sebastiani (2009), doi:10.1109/ISDA.2009.230.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> macro_rmse(PairPatterns.of([1, 1, 2], [1, 1, 4]).errors()).item()
    1.0
    """
    return _mean_over_points(errors, np.sqrt(_means(errors)[..., 2]))


def thin(errors: PointErrors, *, least: int) -> str:
    """Why an error averaged over gold scores has no interval: some score has too few responses.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> thin(PairPatterns.of([1, 1, 2], [1, 1, 4]).errors(), least=2)
    'score 2 has 1 response: the interval needs 2 at every gold score'
    """
    counts = np.where(errors.sums[:, 0] > 0, errors.sums[:, 0], np.inf)
    few = int(counts.argmin()) if counts.size else 0
    if not counts.size or counts[few] >= least:
        return ""
    number = f"{counts[few]:.3g} response{'' if counts[few] == 1 else 's'}"
    return (
        f"score {errors.points[few]:g} has {number}: the interval needs {least} at every gold score"
    )


def _means(errors: PointErrors) -> Floats:
    n = errors.sums[..., :1]
    return errors.sums / np.where(n == 0, 1, n)


def _mean_over_points(errors: PointErrors, by_point: Floats) -> Floats:
    used = errors.sums[..., 0] != 0
    with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no points
        return np.asarray(by_point.sum(axis=-1) / used.sum(axis=-1))
