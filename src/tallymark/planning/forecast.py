"""Forecast: the chance that n responses decide a limit, and how many responses that takes.

The interval of a number says how the number varies. A Wilson interval belongs to a proportion, whose
every outcome is looked at. Any other interval is carried over to n responses on the scale on which
it reaches equally far to both sides.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.defaults import LEVEL
from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.interval import quantile, wilson
from tallymark.results import Estimate

Sizes = Whole
MOST = 10**12
"""Larger samples are not worth naming."""
COUNTED = 1000
"""Every outcome is looked at of proportions of up to so many responses."""
STEPS = 16
SAME = 1e-9
"""Nearer than this, numbers are equal but for rounding."""
_TAILS = 9
"""So many standard deviations out, a probability is 0 for our purposes."""


class Reach(NamedTuple):
    """How far intervals reach below and above a value."""

    below: Floats
    above: Floats


class LimitEnds(NamedTuple):
    """Between which values a limit is kept.

    ``tests``: that it is broken is shown by so many tests, adjusted for their number, in place of
    the interval. ``by_value``: neither the interval nor the number of responses decides.
    """

    lower: float = -math.inf
    upper: float = math.inf
    tests: int = 0
    by_value: bool = False

    def keep(self, value: float) -> bool:
        """Whether a value keeps the limit."""
        return self.lower <= value <= self.upper

    def broken(self, value: float) -> float:
        """The end of the limit that a value breaks."""
        return self.lower if value < self.lower else self.upper

    def reached(self, value: float) -> bool:
        """Whether a value is the limit itself, which no number of responses decides."""
        return min(abs(value - self.lower), abs(value - self.upper)) <= SAME

    def region(self, value: float, reach: Reach, level: float) -> tuple[Floats, Floats]:
        """Between which values a sample decides the limit on the side of the true value.

        ``reach`` is how far the interval of such a sample reaches.
        """
        times = 0.0 if self.by_value else 1.0
        if self.keep(value):
            return self.lower + times * reach.below, self.upper - times * reach.above
        times *= quantile(1 - (1 - level) / max(self.tests, 1)) / quantile(level)
        if value < self.lower:
            return np.full_like(reach.above, -math.inf), self.lower - times * reach.above
        return self.upper + times * reach.below, np.full_like(reach.below, math.inf)


class Proportion(NamedTuple):
    """A proportion of the responses that it is about, a share ``base`` of all."""

    value: float
    base: float
    level: float = LEVEL

    def decides(self, sizes: Sizes, limits: LimitEnds) -> Floats:
        """The chance that so many responses decide the limit on the side of the value."""
        few, chance = sizes * self.base <= COUNTED, np.empty(sizes.shape)
        if few.any():
            chance[few] = self._mixed(sizes[few], limits)
        if not few.all():
            chance[~few] = self._of_many().decides(sizes[~few], limits)
        return chance

    def _mixed(self, sizes: Sizes, limits: LimitEnds) -> Floats:
        """The mean chance over how many of the responses it is about."""
        if self.base >= 1 - SAME:
            return self._decides(sizes, limits)
        m, shares = _binomial(sizes, self.base)
        first = int(m.min(initial=0))
        chance = self._decides(np.arange(first, int(m.max(initial=0)) + 1), limits)
        return np.asarray((shares * chance[m - first]).sum(axis=1))

    def _decides(self, m: Sizes, limits: LimitEnds) -> Floats:
        """The chance of a decision from m responses that it is about."""
        k, shares = _binomial(m, self.value)
        n = np.maximum(m, 1)[:, None]
        share, z = k / n, quantile(self.level)
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        reach = Reach(share - (middle - half), middle + half - share)
        if limits.tests and not limits.keep(self.value):
            se = np.sqrt(share * (1 - share) / n)
            reach = Reach(*(np.maximum(side, z * se) for side in reach))
        low, high = limits.region(self.value, reach, self.level)
        correct = (share >= low - SAME) & (share <= high + SAME)
        return np.asarray(np.where(m > 0, (shares * correct).sum(axis=1), 0.0))

    def moved(self, value: float) -> "Proportion":
        """The same with another true value."""
        return self._replace(value=value)

    def _of_many(self) -> "Smooth":
        n = round(COUNTED / self.base)
        low, high = wilson(self.value, COUNTED, self.level)
        se = math.sqrt(self.value * (1 - self.value) / COUNTED)
        return Smooth(self.value, se, self.value - low, high - self.value, n, self.level)


class Smooth(NamedTuple):
    """A number whose interval from n responses reaches so far ``below`` and ``above`` it.

    Over clusters the interval has ``df`` degrees of freedom, of which more responses bring more.
    """

    value: float
    se: float
    below: float
    above: float
    n: float
    level: float = LEVEL
    df: float = math.inf

    def decides(self, sizes: Sizes, limits: LimitEnds) -> Floats:
        """The chance that so many responses decide the limit on the side of the value."""
        shrink = np.sqrt(self.n / np.maximum(sizes, 1))
        sd, reach = self.se * shrink, (self.below + self.above) / 2 * shrink * self._steps(sizes)
        if limits.tests and not limits.keep(self.value):
            reach = np.maximum(reach, quantile(self.level) * sd)
        # quantiles of a skewed number, and its spread at the limits: Cornish & Fisher (1938)
        skewed = (quantile(self.level) ** 2 - 1) / 3 * self._slope * sd**2
        ends = (
            (limits.lower, limits.upper)
            if limits.keep(self.value)
            else (limits.broken(self.value),) * 2
        )
        below, above = (reach * self._wider(end) for end in ends)
        low, high = limits.region(self.value, Reach(below + skewed, above - skewed), self.level)
        return np.maximum(self._below(high, sd) - self._below(low, sd), 0.0)

    def moved(self, value: float) -> "Smooth":
        """The same at another true value."""
        times = self._wider(value)
        ends = self.se * times, self.below * times, self.above * times
        return Smooth(value, *ends, self.n, self.level, self.df)

    def _wider(self, value: float) -> float:
        """How much larger the standard error is at another true value."""
        return max(1 + (value - self.value) * self._slope, SAME) if math.isfinite(value) else 1.0

    @property
    def _slope(self) -> float:
        """How the standard error changes with the true value, relative to itself.

        Of a mean whose variance changes with it, a second-order interval is uneven by (4 z^2 + 2)/6
        times the skewness, which is twice this slope.
        """
        z = quantile(self.level)
        return (self.above - self.below) / (self.above * self.below) / (4 / 3 + 2 / 3 / z**2)

    def _below(self, end: Floats, sd: Floats) -> Floats:
        """The chance of a value below, with the skewness of a sample (Edgeworth)."""
        x = (end - self.value) / sd
        skew = self._slope * sd / 3
        chance = [
            NORMAL.cdf(point)
            - (by * (point * point - 1) * NORMAL.pdf(point) if math.isfinite(point) else 0.0)
            for point, by in zip(x.tolist(), skew.tolist(), strict=True)
        ]
        return np.clip(chance, 0.0, 1.0)

    def _steps(self, sizes: Sizes) -> Floats:
        """How much shorter intervals become because of more degrees of freedom."""
        if math.isinf(self.df):
            return np.ones(sizes.shape)
        now = t_quantile(self.level, max(self.df, 1.0))
        scaled_df = self.df * sizes / self.n
        return np.array([t_quantile(self.level, max(df, 1.0)) / now for df in scaled_df.tolist()])


Sampling = Proportion | Smooth


def sampling_of(estimate: Estimate) -> Sampling | None:
    """How a number varies; None without an interval.

    A proportion that was 0 or 1 is taken to be its Jeffreys mean, (k + 1/2) / (m + 1).
    """
    value, low, high, level = estimate.value, estimate.low, estimate.high, estimate.level
    m = _wilson_number(value, low, high, level)
    if not math.isnan(m) and m <= estimate.n * (1 + SAME):
        if value in (0, 1):
            value = (value * m + 0.5) / (m + 1)
        return Proportion(value, min(m / estimate.n, 1.0), level)
    if not (high - value > SAME and value - low > SAME):
        return None
    df = estimate.parts.get("df", math.inf)
    se = estimate.se if estimate.se > 0 else (high - low) / 2 / quantile(level)
    return Smooth(value, se, value - low, high - value, estimate.n, level, df)


def _wilson_number(value: float, low: float, high: float, level: float) -> float:
    """Of how many responses this is the Wilson interval of a proportion; NaN where it is none.

    Its ends x solve (value - x)^2 = z^2 x (1 - x) / m.
    """
    squared = quantile(level) ** 2
    sizes = [
        squared * end * (1 - end) / (value - end) ** 2
        for end in (low, high)
        if 0 < end < 1 and end != value
    ]
    if not (0 <= value <= 1 and sizes and max(sizes) - min(sizes) <= 1e-6 * max(sizes)):
        return math.nan
    return sizes[0] if len(sizes) == 2 or value in (0, 1) else math.nan


class PartForecast(NamedTuple):
    """A number that takes part in a decision: of ``share`` responses for each that is planned.

    With fewer than ``fewest`` it decides nothing.
    """

    sampling: Sampling
    limits: LimitEnds
    share: float = 1.0
    fewest: float = 1.0
    estimate: Estimate | None = None

    def range(self, sizes: Sizes) -> tuple[Floats, Floats]:
        """Between which standard normal quantiles a number decides its limit."""
        ends = (self.limits.lower, self.limits.upper)
        if not self.keeps:
            chance = self.decides(sizes)
            if self.sampling.value < self.limits.lower:
                return np.full(sizes.shape, -math.inf), _quantiles(chance)
            return -_quantiles(chance), np.full(sizes.shape, math.inf)
        above, below = (
            self._replace(limits=limits).decides(sizes)
            for limits in (
                self.limits._replace(upper=math.inf),
                self.limits._replace(lower=-math.inf),
            )
        )
        return (
            -_quantiles(above if math.isfinite(ends[0]) else self._gate(sizes)),
            _quantiles(below if math.isfinite(ends[1]) else self._gate(sizes)),
        )

    def _gate(self, sizes: Sizes) -> Floats:
        return np.where(sizes * self.share >= self.fewest - 0.5, 1.0, 0.0)

    def decides(self, sizes: Sizes) -> Floats:
        """The chance that it decides its limit, on the side of its value."""
        of_part = np.round(sizes * self.share).astype(np.int64)
        chance = self.sampling.decides(of_part, self.limits)
        return np.where(of_part >= self.fewest - SAME, chance, 0.0)

    @property
    def keeps(self) -> bool:
        """Whether its value keeps the limit."""
        return self.limits.keep(self.sampling.value)


class Forecast(NamedTuple):
    """A limit on one number, or on each of several from different responses.

    ``value`` is that of the number whose responses are planned: of the ``estimate``, if there is one.
    """

    value: float
    parts: tuple[PartForecast, ...]
    estimate: Estimate | None = None

    def decides(self, sizes: Sizes) -> Floats:
        """The chance of a decision: each part is shown to keep the limit, or one to break it."""
        broken = [part for part in self.parts if not part.keeps]
        if not broken:
            return np.asarray(np.prod([part.decides(sizes) for part in self.parts], axis=0))
        return np.asarray(1 - np.prod([1 - part.decides(sizes) for part in broken], axis=0))

    def moved(self, value: float) -> "Forecast":
        """The same of one number with another true value."""
        parts = tuple(part._replace(sampling=part.sampling.moved(value)) for part in self.parts)
        return self._replace(value=value, parts=parts)

    def needed(self, power: float) -> int | None:
        """The smallest number with this power that every larger one has too; None if there is none."""
        broken = [part for part in self.parts if not part.keeps]
        if any(part.limits.reached(part.sampling.value) for part in broken or self.parts):
            return None
        jumps = any(isinstance(part.sampling, Proportion) for part in self.parts)
        return needed(self.decides, power, every=COUNTED if jumps else STEPS)


class Jointly(NamedTuple):
    """The limits of a policy: met when all are, not met when one is not; ``first`` must be met.

    ``normal`` are draws of all numbers, each standard normal, that rise and fall together as the
    numbers do; a column for each part of each limit, those of ``first`` before.
    """

    first: tuple[Forecast, ...]
    forecasts: tuple[Forecast, ...]
    normal: Floats

    def decides(self, sizes: Sizes) -> Floats:
        """The chance of a verdict, met or not met as the values are."""
        column = 0
        counts = np.ones((len(sizes), len(self.normal)), dtype=bool)
        preconditions, met, broken = counts, counts, ~counts
        for i, forecast in enumerate((*self.first, *self.forecasts)):
            parts = [
                _inside(part.range(sizes), self.normal[:, column + j])
                for j, part in enumerate(forecast.parts)
            ]
            column += len(parts)
            failing = [
                state for state, part in zip(parts, forecast.parts, strict=True) if not part.keeps
            ]
            if i < len(self.first):
                preconditions = preconditions & np.all(parts, axis=0)
            elif failing:
                broken = broken | np.any(failing, axis=0)
            else:
                met = met & np.all(parts, axis=0)
        chosen = met if self.keeps else broken
        return np.asarray((preconditions & chosen).mean(axis=1))

    @property
    def keeps(self) -> bool:
        """Whether every value keeps its limit."""
        return all(part.keeps for forecast in self.forecasts for part in forecast.parts)

    def needed(self, power: float) -> int | None:
        """The smallest number with this power that every larger one has too; None if there is none."""
        separate = [forecast.needed(power) for forecast in self.forecasts]
        blocked = None in separate if self.keeps else {*separate} == {None}
        if blocked or any(forecast.needed(power) is None for forecast in self.first):
            return None
        return needed(self.decides, power, every=STEPS)


def _inside(ends: tuple[Floats, Floats], normal: Floats) -> NDArray[np.bool_]:
    low, high = (end[:, None] for end in ends)
    return np.asarray((low < normal) & (normal < high))


def _quantiles(chances: Floats) -> Floats:
    return np.array(
        [
            math.copysign(math.inf, chance - 0.5) if chance in (0, 1) else NORMAL.inv_cdf(chance)
            for chance in np.clip(chances, 0.0, 1.0).tolist()
        ]
    )


def of_difference(value: float, se: float, n: float, level: float, tests: int = 1) -> Forecast:
    """Whether a difference is shown not to be 0, by one of so many adjusted tests."""
    reach = quantile(level) * se
    zero = LimitEnds(upper=0.0, tests=tests) if value > 0 else LimitEnds(lower=0.0, tests=tests)
    return Forecast(value, (PartForecast(Smooth(value, se, reach, reach, n, level), zero),))


def needed(decides: Callable[[Sizes], Floats], power: float, *, every: int = COUNTED) -> int:
    """The smallest number of responses with this power that every larger one has too.

    Ranges of numbers are looked at ``every`` one if they are so few.
    """
    last, low = 0, 1
    while low <= MOST:
        sizes = _between(low, 2 * low, every)
        failing = np.flatnonzero(decides(sizes) < power)
        if not failing.size:
            break
        last, low = int(sizes[failing[-1]]), 2 * low
        if failing[-1] + 1 < sizes.size:
            low = int(sizes[failing[-1] + 1])
    while low - last > 1 and low <= MOST:
        sizes = _between(last, low, every)
        failing = np.flatnonzero(decides(sizes) < power)
        last, low = int(sizes[failing[-1]]), int(sizes[failing[-1] + 1])
    return min(low, MOST)


def _between(low: int, high: int, every: int) -> Sizes:
    """Whole numbers from low to high: all of them, or some where they are many."""
    if high - low <= every:
        return np.arange(low, high + 1)
    return np.unique(np.linspace(low, high, STEPS).astype(np.int64))


def _binomial(n: Sizes, share: float) -> tuple[Sizes, Floats]:
    """The likely numbers of successes in n trials, and their probabilities, row by row."""
    spread = _TAILS * np.sqrt(n * share * (1 - share)) + _TAILS
    first = np.maximum(np.floor(n * share - spread), 0).astype(np.int64)
    width = int(min(2 * spread.max(initial=0) + 1, n.max(initial=0))) + 1
    k = first[:, None] + np.arange(width)
    possible, k = k <= n[:, None], np.minimum(k, n[:, None])
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n.max(initial=0) + 1)))])
    rest = n[:, None] - k
    log_chances = (
        log[n][:, None] - log[k] - log[rest] + k * math.log(share) + rest * math.log1p(-share)
    )
    return k, np.where(possible, np.exp(log_chances), 0.0)
