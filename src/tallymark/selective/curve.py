"""Risk and coverage: what share of the accepted responses are critical errors, at each threshold.

A critical error is a machine score that is off by a declared share of the score range or more.

Everything depends on the order of the confidences only. Counts may carry leading axes (resamples),
and every formula broadcasts over them.
"""

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError

TOLERANCE = 1e-9
"""0.07 * 100 is 7.000000000000001 in doubles; a gap of 7 is critical all the same."""


def critical_errors(
    human: ArrayLike, machine: ArrayLike, lam: ArrayLike, score_range: ArrayLike
) -> NDArray[np.bool_]:
    r"""Say of each response whether the machine score is a critical error.

    .. math:: |s - m| \ge \lambda N

    with N the score range, highest minus lowest score. ``lam`` and ``score_range`` may differ by
    response (prompts with other scales).

    References
    ----------
    Funayama et al. (2020), https://aclanthology.org/2020.acl-srw.32.

    Examples
    --------
    >>> critical_errors([4, 10, 16], [4, 13, 12], 0.2, 16).tolist()
    [False, False, True]
    """
    gap = np.abs(_complete(human, "human") - _complete(machine, "machine"))
    return np.asarray(gap >= margin(lam, score_range))


def margin(lam: ArrayLike, score_range: ArrayLike) -> Floats:
    """The smallest gap that is critical, less a tolerance for rounding in doubles."""
    share, width = np.asarray(lam, np.float64), np.asarray(score_range, np.float64)
    if not (np.all(share > 0) and np.all(width > 0) and np.all(np.isfinite(share * width))):
        raise OptionError(
            f"lambda and the score range must be positive numbers, got lambda {lam!r} and range "
            f"{score_range!r}; a critical error is a gap of lambda times the range or more"
        )
    return np.asarray(share * width - TOLERANCE)


def _complete(scores: ArrayLike, name: str) -> Floats:
    numbers = np.asarray(scores, np.float64)
    if np.isnan(numbers).any():
        raise DataError(
            f"{name} scores: {int(np.isnan(numbers).sum())} of {numbers.size} are missing; leave out "
            "responses without both scores"
        )
    return numbers


class RiskCoverage(Struct, frozen=True):
    """Accepted responses and the critical errors among them, strictest threshold first.

    At ``threshold[j]`` the responses with that confidence or more are accepted: ``n[..., j]`` of
    them, of which ``k[..., j]`` are critical errors. Equal confidences enter together.
    """

    threshold: Floats
    n: NDArray[Any]
    k: NDArray[Any]

    @property
    def total(self) -> NDArray[Any]:
        """All responses."""
        return np.asarray(self.n[..., -1])

    @property
    def errors(self) -> NDArray[Any]:
        """All critical errors."""
        return np.asarray(self.k[..., -1])

    @property
    def coverage(self) -> Floats:
        """Share of the responses that is accepted."""
        return _ratio(self.n, self.n[..., -1:])

    @property
    def rate(self) -> Floats:
        """Critical errors among the accepted (CSRate); NaN where none is accepted."""
        return _ratio(self.k, self.n)


def risk_coverage(
    confidence: ArrayLike, errors: ArrayLike, counts: ArrayLike | None = None
) -> RiskCoverage:
    """Count accepted responses and critical errors at each distinct confidence.

    ``counts`` says how often each (confidence, error) occurs where equal responses stand once.

    Examples
    --------
    >>> curve = risk_coverage([0.9, 0.5, 0.9, 0.7], [0, 1, 0, 1])
    >>> curve.threshold.tolist(), curve.n.tolist(), curve.k.tolist()
    ([0.9, 0.7, 0.5], [2, 3, 4], [0, 1, 2])
    """
    confidences, critical, times = checked(confidence, errors, counts)
    order = np.argsort(-confidences, kind="stable")
    ranked = confidences[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    n = np.cumsum(times[order])[last]
    k = np.cumsum((times * critical)[order])[last]
    return RiskCoverage(ranked[last], n, k)


def checked(
    confidence: ArrayLike, errors: ArrayLike, counts: ArrayLike | None = None
) -> tuple[Floats, Whole, Whole]:
    """Confidences, errors as 0 and 1, and counts, or an error that says what is wrong."""
    confidences = np.asarray(confidence, np.float64)
    critical = np.asarray(errors)
    times = np.ones(confidences.shape, np.int64) if counts is None else np.asarray(counts)
    if confidences.ndim != 1 or not confidences.shape == critical.shape == times.shape:
        raise DataError(
            f"confidences, errors and counts must be lists of one length, got the shapes "
            f"{confidences.shape}, {critical.shape} and {times.shape}"
        )
    if confidences.size == 0 or times.sum() == 0:
        raise DataError("there are no responses; at least one with a confidence is needed")
    if not np.isfinite(confidences).all():
        raise DataError(
            f"{int((~np.isfinite(confidences)).sum())} of {confidences.size} confidences are missing "
            "(NaN) or infinite; decide what they mean: give them a confidence, or leave them to people"
        )
    if not np.isin(critical, (0, 1)).all():
        raise DataError("errors must be 0 or 1 (or False, True) for each response")
    if not np.array_equal(times, np.asarray(times, np.int64)) or (times < 0).any():
        raise DataError("counts must be whole numbers, 0 or more")
    return confidences, critical.astype(np.int64), times.astype(np.int64)


def aurc(curve: RiskCoverage) -> Floats:
    r"""Area under the risk-coverage curve: the mean CSRate over all numbers of accepted responses.

    .. math:: \frac1n \sum_{r=1}^n \frac{E[K_r]}{r}

    K_r are the critical errors among the r most confident responses, averaged over the orders of
    equal confidences, so that the order of the rows does not matter. 0 is best. Other programs
    integrate the curve by trapezoids and get other values.

    References
    ----------
    Geifman, Uziel & El-Yaniv (2019), https://openreview.net/forum?id=SJfb5jCqKm.

    Examples
    --------
    >>> f"{aurc(risk_coverage([0.9, 0.8, 0.7], [0, 1, 0])):.4f}"
    '0.2778'
    """
    n, k, before, k_before = _steps(curve)
    slope = _ratio(k - k_before, n - before, empty=0)
    inner = slope * (n - before) + (k_before - slope * before) * _harmonic(before, n)
    return _ratio(inner.sum(axis=-1), curve.total)


def aurc_oracle(curve: RiskCoverage) -> Floats:
    """The AURC of a confidence that puts every critical error last."""
    noncritical = curve.total - curve.errors
    return _ratio(curve.errors - noncritical * _harmonic(noncritical, curve.total), curve.total)


def e_aurc(curve: RiskCoverage) -> Floats:
    """Excess AURC: how far the AURC is from that of a perfect order. 0 is best."""
    return np.asarray(aurc(curve) - aurc_oracle(curve))


def augrc(curve: RiskCoverage) -> Floats:
    r"""Area under the generalized risk-coverage curve: critical errors that pass, per submitted.

    .. math:: \frac1n \sum_{r=1}^n \frac{E[K_r]}{n}

    Unlike AURC it is not dominated by the few most confident responses. 0 is best.

    References
    ----------
    Traub et al. (2024), https://arxiv.org/abs/2407.01032.

    Examples
    --------
    >>> f"{augrc(risk_coverage([0.9, 0.8, 0.7], [0, 1, 0])):.4f}"
    '0.2222'
    """
    n, k, before, k_before = _steps(curve)
    size = n - before
    inner = k_before * size + (k - k_before) * (size + 1) / 2
    return _ratio(inner.sum(axis=-1), curve.total**2)


def auroc(curve: RiskCoverage) -> Floats:
    """How often a correct score has more confidence than a critical error; ties count half.

    0.5 is a confidence that says nothing, 1 one that tells all errors apart. NaN without critical
    errors or without correct scores.

    >>> auroc(risk_coverage([0.9, 0.8, 0.7, 0.7], [0, 1, 0, 1])).item()
    0.625
    """
    n, k, before, k_before = _steps(curve)
    noncritical, noncritical_before = n - k, before - k_before
    above = ((k - k_before) * (noncritical + noncritical_before) / 2).sum(axis=-1)
    return _ratio(above, curve.errors * (curve.total - curve.errors))


class Reached(NamedTuple):
    """Coverage and threshold at which a CSRate is kept; coverage 0 and NaN where none is.

    ``max``: the loosest threshold that keeps it. ``prefix``: the loosest one such that every
    stricter one keeps it too. Both are chosen on the data at hand and so are optimistic.
    """

    max_coverage: Floats
    max_tau: Floats
    prefix_coverage: Floats
    prefix_tau: Floats


def coverage_at(curve: RiskCoverage, rate: float) -> Reached:
    """The largest share of responses that can be accepted at this CSRate or less.

    >>> curve = risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 1, 0, 0])
    >>> reached = coverage_at(curve, 0.25)
    >>> reached.max_coverage.item(), reached.prefix_coverage.item()
    (1.0, 0.25)
    """
    reached = curve.k <= rate * curve.n + TOLERANCE
    ends = []
    for loosest in (reached, np.logical_and.accumulate(reached, axis=-1)):
        last = loosest.shape[-1] - 1 - np.argmax(loosest[..., ::-1], axis=-1)
        coverage = np.take_along_axis(curve.coverage, last[..., None], axis=-1)[..., 0]
        ends += [
            np.where(loosest.any(axis=-1), coverage, 0.0),
            np.where(loosest.any(axis=-1), curve.threshold[last], np.nan),
        ]
    return Reached(*ends)


class MostConfident(NamedTuple):
    """The threshold of a share of the most confident responses, who is in it, and its real size."""

    threshold: float
    chosen: NDArray[np.bool_]
    n: int
    coverage: float


def most_confident(
    confidence: ArrayLike, share: float, counts: ArrayLike | None = None
) -> MostConfident:
    """The most confident share of the responses, with all ties at its end.

    >>> most_confident([0.9, 0.8, 0.8, 0.1], 0.5).chosen.tolist()
    [True, True, True, False]
    """
    confidences, _, times = checked(confidence, np.zeros(np.shape(confidence)), counts)
    wanted = max(1, int(np.ceil(share * times.sum() - TOLERANCE)))
    order = np.argsort(-confidences, kind="stable")
    place = np.searchsorted(np.cumsum(times[order]), wanted)
    threshold = float(confidences[order][min(int(place), confidences.size - 1)])
    chosen = confidences >= threshold
    n = int(times[chosen].sum())
    return MostConfident(threshold, chosen, n, n / int(times.sum()))


def augrc_influence(curve: RiskCoverage) -> Floats:
    """Derivative of the AUGRC by one response of each kind, times n."""
    n, k, above, critical_above = _steps(curve)
    size, critical = n - above, k - critical_above
    slopes = _carried(critical_above + critical / 2, (size + 1) / 2, np.zeros(size.size), size)
    return np.asarray(slopes / curve.total - 2 * float(augrc(curve)))


def auroc_influence(curve: RiskCoverage) -> Floats:
    """DeLong's components: the share of the other kind that a response stands above, or below."""
    n, k, above, critical_above = _steps(curve)
    critical = k - critical_above
    noncritical = n - above - critical
    errors, others = float(curve.errors), float(curve.total - curve.errors)
    if not (errors and others):
        return np.full(2 * n.size, np.nan)
    value = float(auroc(curve))
    passed = (np.cumsum(noncritical) - noncritical / 2) / others
    caught = (errors - (np.cumsum(critical) - critical / 2)) / errors
    components = [
        (caught - value) * float(curve.total) / others,
        (passed - value) * float(curve.total) / errors,
    ]
    return np.stack(components, axis=-1).ravel()


def aurc_influence(curve: RiskCoverage) -> Floats:
    """Derivative of the AURC by one response of each kind, times n."""
    from scipy.special import digamma, polygamma

    n, k, above, critical_above = (np.asarray(counts, np.float64) for counts in _steps(curve))
    critical = k - critical_above
    size = np.where(n == above, 1.0, n - above)
    logs = digamma(n + 1) - digamma(above + 1)
    low, high = polygamma(1, above + 1), polygamma(1, n + 1)
    rest = critical_above - critical * above / size
    slopes = _carried(
        critical * above / size**2 * logs + rest * high,
        1 - above / size * logs,
        -critical / size * logs + rest * (high - low),
        logs,
    )
    return np.asarray(slopes - float(aurc(curve)))


def e_aurc_influence(curve: RiskCoverage) -> Floats:
    """That of the AURC less that of a perfect order, which depends on the error rate alone."""
    from scipy.special import digamma, polygamma

    total, oracle = float(curve.total), float(aurc_oracle(curve))
    noncritical = total - float(curve.errors)
    logs = digamma(total + 1) - digamma(noncritical + 1)
    end, start = polygamma(1, total + 1), polygamma(1, noncritical + 1)
    by_noncritical = -logs - noncritical * (end - start) - oracle
    by_critical = 1 - noncritical * end - oracle
    of_oracle = np.tile([float(by_noncritical), float(by_critical)], curve.threshold.size)
    return np.asarray(aurc_influence(curve) - of_oracle)


def _carried(
    by_size: Floats, by_critical: Floats, by_above: Floats, by_critical_above: Floats
) -> Floats:
    """Slopes by one more response at each level, critical error or not; looser levels count it too."""

    def looser(slopes: Floats) -> Floats:
        return np.append(np.cumsum(slopes[::-1])[::-1][1:], 0.0)

    noncritical = by_size + looser(by_above)
    critical = by_critical + looser(by_critical_above)
    return np.stack([noncritical, noncritical + critical], axis=-1).ravel()


def _steps(curve: RiskCoverage) -> tuple[NDArray[Any], ...]:
    """Counts at each threshold and at the one before it."""
    before = np.concatenate([np.zeros_like(curve.n[..., :1]), curve.n[..., :-1]], axis=-1)
    k_before = np.concatenate([np.zeros_like(curve.k[..., :1]), curve.k[..., :-1]], axis=-1)
    return curve.n, curve.k, before, k_before


def _harmonic(low: NDArray[Any], high: NDArray[Any]) -> Floats:
    """1 / (low + 1) + ... + 1 / high."""
    from scipy.special import digamma

    return np.asarray(digamma(high + 1.0) - digamma(low + 1.0))


def _ratio(above: NDArray[Any], below: NDArray[Any], empty: float = np.nan) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # none accepted: nothing to divide
        return np.asarray(np.where(below == 0, empty, above / below))
