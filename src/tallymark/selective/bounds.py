"""Exact bounds: how high a rate may be, how many labels show it is low, how many errors follow.

k is always an integer count of critical errors, n of accepted responses.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.defaults import LEVEL
from tallymark.errors import OptionError

TIES = 1e-9
"""Relative: a probability this close to its limit is on it, whatever the rounding of sums."""


def binomial_cdf(k: ArrayLike, n: ArrayLike, rate: ArrayLike) -> Floats:
    """P(at most k errors among n) at a true rate: the p-value against "the rate is above this".

    >>> f"{binomial_cdf(0, 59, 0.05):.4f}"
    '0.0485'
    """
    from scipy.special import betainc

    k, n = np.asarray(k), np.asarray(n)
    inside = np.maximum(n - k, 1)
    tail = betainc(inside, k + 1.0, 1 - np.asarray(rate, np.float64))
    return np.asarray(np.where(k >= n, 1.0, np.where(k < 0, 0.0, tail)))


def upper(k: ArrayLike, n: ArrayLike, delta: ArrayLike) -> Floats:
    """One-sided upper bound of a rate at level 1 - delta; NaN of no responses.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> f"{upper(0, 100, 0.05):.4f}"
    '0.0295'
    """
    from scipy.special import betaincinv

    k, n, tail = np.asarray(k), np.asarray(n), np.asarray(delta, np.float64)
    bound = betaincinv(k + 1.0, np.maximum(n - k, 1), 1 - tail)
    return np.asarray(np.where(n < 1, np.nan, np.where(k >= n, 1.0, bound)))


def lower(k: ArrayLike, n: ArrayLike, delta: ArrayLike) -> Floats:
    """One-sided lower bound of a rate at level 1 - delta; NaN of no responses."""
    k, n = np.asarray(k), np.asarray(n)
    return np.asarray(1 - upper(n - k, n, delta))


def interval(k: ArrayLike, n: ArrayLike, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Two-sided exact interval of a rate, for arrays. Clopper & Pearson (1934).

    >>> [f"{end:.4f}" for end in interval(1, 10)]
    ['0.0025', '0.4450']
    """
    tail = (1 - level) / 2
    return lower(k, n, tail), upper(k, n, tail)


def n_min(alpha: float, delta: float, k: ArrayLike = 0) -> Whole:
    r"""The fewest accepted responses that certify a rate of alpha with k critical errors.

    .. math:: \min\{n : P(\mathrm{Bin}(n, \alpha) \le k) \le \delta\}

    With k = 0 about 3 / alpha at delta = .05. These are accepted responses: divide by the coverage.

    >>> n_min(0.05, 0.05, [0, 1, 2]).tolist()
    [59, 93, 124]
    """
    check_rates(alpha, delta)
    errors = np.asarray(k, np.int64)
    if errors.ndim == 0:  # the starts of chains, asked for again and again
        return np.asarray(_fewest(alpha, delta, int(errors)))
    return _certifying(alpha, delta, errors)


@lru_cache(maxsize=4096)
def _fewest(alpha: float, delta: float, k: int) -> int:
    return int(_certifying(alpha, delta, np.asarray(k, np.int64)))


def _certifying(alpha: float, delta: float, errors: Whole) -> Whole:
    def enough(n: Whole) -> NDArray[np.bool_]:
        return np.asarray(binomial_cdf(errors, n, alpha) <= delta)

    return _first(enough, errors + 1)


def largest_k(alpha: float, delta: float, n: ArrayLike) -> Whole:
    """The most critical errors among n that still certify alpha; -1 where even none is too many.

    For many n at once: the counts at which one more error is allowed are found once.

    >>> largest_k(0.05, 0.05, [58, 59, 92, 93]).tolist()
    [-1, 0, 0, 1]
    """
    sizes = np.asarray(n, np.int64)
    largest = int(sizes.max(initial=0))

    def too_many(k: Whole) -> NDArray[np.bool_]:
        return np.asarray(binomial_cdf(k, largest, alpha) > delta)

    steps = n_min(alpha, delta, np.arange(int(_first(too_many, np.asarray(0)))))
    return np.asarray(np.searchsorted(steps, sizes, side="right") - 1, np.int64)


def future_errors(k: int, n: int, m: int, delta: float) -> int:
    """Upper bound on the critical errors among m further accepted responses; tau fixed beforehand.

    The largest x that k errors among n do not speak against: P(Hypergeometric(n + m, k + x, n)
    <= k) > delta. Exact if old and new responses are exchangeable. It also bounds the errors left
    among m accepted responses after a random audit of n of them found k.

    >>> future_errors(0, 300, 1000, 0.05), future_errors(0, 1900, 100, 0.05)
    (11, 0)
    """
    _check_counts(k, n, m)

    def excluded(x: Whole) -> NDArray[np.bool_]:
        spoken = _hypergeometric_cdf(k, n, m, int(x))
        return np.asarray(x > m or spoken <= delta * (1 + TIES))

    return int(_first(excluded, np.asarray(1))) - 1


def future_errors_certified(alpha: float, m: int, delta2: float) -> int:
    """Upper bound on the critical errors among the next m accepted, after certifying alpha.

    The 1 - delta2 quantile of Binomial(m, alpha). With a certificate at delta it holds with
    probability 1 - delta - delta2.

    >>> future_errors_certified(0.01, 1000, 0.05)
    15
    """
    check_rates(alpha, delta2)

    def enough(x: Whole) -> NDArray[np.bool_]:
        return np.asarray(binomial_cdf(x, m, alpha) >= 1 - delta2 - TIES * delta2)

    return int(_first(enough, np.asarray(0)))


def labels_for_zero(m: int, delta: float) -> int:
    """Clean accepted labels needed to say "none among the next m" at level 1 - delta.

    >>> labels_for_zero(100, 0.05), labels_for_zero(1000, 0.05)
    (1900, 19000)
    """
    check_rates(0.5, delta)
    return int(np.ceil(m * (1 - delta) / delta * (1 - TIES)))


def audit_size(accepted: int, most: int, delta: float, errors: int = 0) -> int:
    """How many of the accepted responses to audit so that at most ``most`` errors are left.

    The smallest random audit that, if it finds ``errors`` critical errors, bounds those among the
    responses not audited by ``most`` at level 1 - delta. All of them if nothing less does.

    >>> audit_size(1000, 20, 0.05)
    132
    """
    _check_counts(errors, accepted, 0)
    low, high = errors, accepted
    while low < high:
        size = (low + high) // 2
        if future_errors(errors, size, accepted - size, delta) <= most:
            high = size
        else:
            low = size + 1
    return low


def check_rates(alpha: float, delta: float) -> None:
    """Refuse limits that no sample could keep."""
    if not 0 < delta < 1:
        raise OptionError(f"delta must lie between 0 and 1, got {delta}; 0.05 is usual")
    if not alpha > 0:
        raise OptionError(
            f"alpha must be above 0, got {alpha}: zero cannot be certified. No critical error "
            f"among the next 100 accepted responses alone takes {labels_for_zero(100, delta)} "
            "accepted labels without one; alpha = 0.01 takes "
            f"{int(n_min(0.01, delta))}. Choose the rate you can accept"
        )
    if not alpha < 1:
        raise OptionError(f"alpha must be below 1, got {alpha}; 0.02 is two in a hundred")


def _hypergeometric_cdf(k: int, n: int, m: int, x: int) -> float:
    """P(at most k of the k + x errors fall among the first n of n + m responses)."""
    from scipy.special import gammaln

    if x > m:
        return 0.0
    inside = np.arange(max(0, k + x - m), min(k, n) + 1)

    def ln_choose(a: ArrayLike, b: ArrayLike) -> Floats:
        a, b = np.asarray(a), np.asarray(b)
        return np.asarray(gammaln(a + 1) - gammaln(b + 1) - gammaln(a - b + 1))

    logs = ln_choose(k + x, inside) + ln_choose(n + m - k - x, n - inside)
    return float(np.exp(logs - ln_choose(n + m, n)).sum())


def _first(enough: Callable[[Whole], NDArray[np.bool_]], start: Whole) -> Whole:
    """The smallest integers from ``start`` on that are enough; once enough, always enough."""
    low, high = start - 1, start
    while not (reached := enough(high)).all():
        low = np.where(reached, low, high)
        high = np.where(reached, high, 2 * high + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        reached = enough(middle)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return np.asarray(high, np.int64)


def _check_counts(k: int, n: int, m: int) -> None:
    if not (0 <= k <= n and m >= 0):
        raise OptionError(
            f"counts must be whole numbers with 0 <= errors <= responses, got {k} errors among "
            f"{n} responses and {m} further ones"
        )
