"""True and error variance of single ratings, as variance components or the Rasch model have them.

Both answer in the same words, so that a ceiling can be worked out from either: rating
:math:`X_j = c_j + b_j T + e_j`, with ``true`` = Var T, ``slope[j]`` = b_j, ``error[j]`` = Var e_j.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.generalizability import Components
from tallymark.reliability.rasch import probabilities
from tallymark.reliability.rasch_marginal import nodes_of
from tallymark.reliability.severity import Severities

Floats = NDArray[np.float64]


class TrueAndError(NamedTuple):
    """Variance of true scores, and of each rater's ratings: slope on the true score, and error."""

    true: Floats
    slope: Floats
    error: Floats


def of_components(parts: Components, *, absolute: bool = True) -> TrueAndError:
    r"""True and error variance of one rating from variance components, in squared score points.

    Every rater has slope 1 and the same error: :math:`\sigma_r^2 + \sigma_{pr}^2` if ``absolute``
    (severity is error, for ratings by whoever came), else :math:`\sigma_{pr}^2` alone (these very
    raters: severity moves all responses alike). A component below 0 counts as 0; where raters are
    nested, severity is in the residual already. NaN where a component is unknown.

    >>> parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    >>> [float(part) for part in of_components(parts)]
    [2.0, 1.0, 1.5]
    """
    severity = np.where(np.isnan(parts.rater), 0.0, np.maximum(parts.rater, 0)) * absolute
    error = np.asarray(np.maximum(parts.residual, 0) + severity)
    return TrueAndError(np.asarray(np.maximum(parts.response, 0)), np.ones_like(error), error)


def of_severities(fitted: Severities) -> TrueAndError:
    r"""True and error variance of one rating by each rater as the Rasch model implies them.

    The true score of a response of quality :math:`\theta` is the mean of what its raters are
    expected to give, :math:`T = \frac{1}{R} \sum_j E_j(\theta)`; ``slope[j]`` is
    Cov(E_j, T) / Var T, and ``error[j]`` what is left of Var X_j, which floor and ceiling of the
    scale make smaller for responses at its ends. Raters are in the order of ``fitted.raters``.

    >>> from tallymark.reliability.severity import severities
    >>> rows = [[0, 1], [1, 2], [1, 1], [2, 2], [0, 2], [1, 0], [0, 0], [2, 1], [1, 2], [1, 1]]
    >>> fitted = severities(np.array(rows * 3, dtype=float), np.arange(3.0), names=["a", "b"])
    >>> model = of_severities(fitted)
    >>> f"{model.true:.2f}", [f"{error:.2f}" for error in model.error]
    ('0.12', ['0.41', '0.40'])
    """
    fit = fitted.fit
    z, log_weight = nodes_of(fit.nodes.size)
    weight = np.exp(log_weight)
    away = (fit.mean + fit.sd * z)[None, :] - fit.severity[:, None]
    chance = probabilities(away, fit.thresholds)
    expected = chance @ fitted.points
    apart = expected - (expected @ weight)[:, None]
    truth = apart.mean(axis=0)
    true = truth**2 @ weight
    with np.errstate(invalid="ignore"):  # responses do not differ
        slope = (apart * truth) @ weight / true
    total = (chance @ fitted.points**2 - expected**2) @ weight + apart**2 @ weight
    return TrueAndError(np.asarray(true), np.asarray(slope), np.asarray(total - slope**2 * true))


class GoldWeights(NamedTuple):
    """The weights with which a gold adds up ratings: their means by rater, and mean products."""

    mean: Floats
    crossed: Floats


def ceiling_of_components(parts: Components, gold: GoldWeights) -> Floats:
    r"""Highest correlation with a gold :math:`\sum_j w_j X_j` if raters err alike.

    .. math:: \sqrt{\frac{\sigma_p^2}{\sigma_p^2 + \sigma_{pr}^2 \sum_j E(w_j^2) / (\sum_j \bar w_j)^2
        + \sigma_r^2 \sum_j Var(w_j) / (\sum_j \bar w_j)^2}}

    Severity is error only so far as raters vary from response to response. ``crossed`` holds
    E(w_j^2) alone, summed over raters. NaN where responses do not differ.

    >>> parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    >>> same = GoldWeights(np.array([0.5, 0.5]), np.array(0.5))
    >>> f"{ceiling_of_components(parts, same):.3f}"
    '0.894'
    """
    model = of_components(parts, absolute=False)
    severity = of_components(parts).error - model.error
    varying = gold.crossed - (gold.mean**2).sum(axis=-1)
    noise = model.error * gold.crossed + severity * varying
    return _root_share(gold.mean.sum(axis=-1) ** 2 * parts.response, noise)


def ceiling_of_raters(model: TrueAndError, severity: Floats, gold: GoldWeights) -> Floats:
    """Highest correlation with a gold if each rater has a slope, an error and a severity.

    Severity is in score points. Slopes and severities add noise where raters vary.
    """
    varying = gold.crossed - np.outer(gold.mean, gold.mean)
    apart = model.true * model.slope @ varying @ model.slope + severity @ varying @ severity
    noise = np.diagonal(gold.crossed) @ model.error + apart
    return _root_share((gold.mean @ model.slope) ** 2 * model.true, np.asarray(noise))


def one_more_rater(model: TrueAndError, ratings: Floats | None = None) -> Floats:
    """Correlation of one more rater with the true score: the mean of theirs, by their ratings."""
    indices = _root_share(np.asarray(model.slope**2 * model.true), model.error)
    return indices if ratings is None else np.asarray(indices @ ratings / ratings.sum())


def _root_share(true: Floats, noise: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        share = true / (true + noise)
        return np.asarray(np.sqrt(np.where(np.real(true) > 0, share, np.nan)))
