"""Influence of one response on the areas under risk and coverage; standard errors come from it."""

import numpy as np
from numpy.typing import NDArray

from tallymark.selective import curve as curves
from tallymark.selective.curve import RiskCoverage

Floats = NDArray[np.float64]


class _Levels:
    """Per distinct confidence, strictest first: its responses and errors, and those above it."""

    def __init__(self, curve: RiskCoverage) -> None:
        n, k = np.asarray(curve.n, np.float64), np.asarray(curve.k, np.float64)
        self.total, self.errors = float(n[-1]), float(k[-1])
        self.above, self.wrong_above = (np.concatenate([[0.0], end[:-1]]) for end in (n, k))
        self.upto = n
        self.size, self.wrong = n - self.above, k - self.wrong_above


def _carried(by_size: Floats, by_wrong: Floats, by_above: Floats, by_wrong_above: Floats) -> Floats:
    """Slopes by one more response, right or wrong, at each level: those above count it too."""

    def looser(slopes: Floats) -> Floats:
        return np.append(np.cumsum(slopes[::-1])[::-1][1:], 0.0)

    right = by_size + looser(by_above)
    wrong = by_wrong + looser(by_wrong_above)
    return np.stack([right, right + wrong], axis=-1).ravel()


def augrc_influence(curve: RiskCoverage) -> Floats:
    """Derivative of the AUGRC by one response of each kind, times n."""
    at = _Levels(curve)
    slopes = _carried(
        at.wrong_above + at.wrong / 2, (at.size + 1) / 2, np.zeros_like(at.size), at.size
    )
    return slopes / at.total - 2 * float(curves.augrc(curve))


def auroc_influence(curve: RiskCoverage) -> Floats:
    """DeLong's components: the share of the other kind that a response stands above, or below."""
    at, value = _Levels(curve), float(curves.auroc(curve))
    right, n_right = at.size - at.wrong, at.total - at.errors
    if not (at.errors and n_right):
        return np.full(2 * at.size.size, np.nan)
    above = np.cumsum(right) - right / 2
    below = at.errors - (np.cumsum(at.wrong) - at.wrong / 2)
    components = [
        (below / at.errors - value) * at.total / n_right,
        (above / n_right - value) * at.total / at.errors,
    ]
    return np.stack(components, axis=-1).ravel()


def aurc_influence(curve: RiskCoverage) -> Floats:
    """Derivative of the AURC by one response of each kind, times n."""
    from scipy.special import digamma, polygamma

    at, value = _Levels(curve), float(curves.aurc(curve))
    size = np.where(at.size == 0, 1.0, at.size)
    logs = digamma(at.upto + 1) - digamma(at.above + 1)
    low, high = polygamma(1, at.above + 1), polygamma(1, at.upto + 1)
    rest = at.wrong_above - at.wrong * at.above / size
    slopes = _carried(
        at.wrong * at.above / size**2 * logs + rest * high,
        1 - at.above / size * logs,
        -at.wrong / size * logs + rest * (high - low),
        logs,
    )
    return np.asarray(slopes - value)


def e_aurc_influence(curve: RiskCoverage) -> Floats:
    """That of the AURC less that of a perfect order, which depends on the error rate alone."""
    from scipy.special import digamma, polygamma

    at, oracle = _Levels(curve), float(curves.aurc_oracle(curve))
    n_right = at.total - at.errors
    logs = digamma(at.total + 1) - digamma(n_right + 1)
    end, start = polygamma(1, at.total + 1), polygamma(1, n_right + 1)
    right, wrong = -logs - n_right * (end - start) - oracle, 1 - n_right * end - oracle
    both = np.tile([float(right), float(wrong)], at.size.size)
    return np.asarray(aurc_influence(curve) - both)
