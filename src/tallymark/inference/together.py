"""Together: the expansions of statistics of many small units of one shape, in one go."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.units import Units, build_each

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class Steps(NamedTuple):
    """How far sums are moved: by an imaginary step for derivatives, by a real one to both sides."""

    tiny: float
    real: float


class Ways(NamedTuple):
    """Ways in the space of the sums, one after the other, whose each is, and how it counts."""

    rows: Floats
    whose: Whole
    times: Floats


class Derivatives(NamedTuple):
    """Of each statistic that has them: values, moves of the units, biases and standard errors."""

    values: Floats
    moves: Floats
    biases: Floats
    errors: Floats


class Stacked(NamedTuple):
    """Units of one shape, their rows one after the other; ``whose`` says of which units each is."""

    units: Sequence[Units[Any]]
    rows: Floats
    times: Whole
    whose: Whole
    totals: Floats
    sizes: Floats

    @classmethod
    def of(cls, units: Sequence[Units[Any]]) -> "Stacked":
        """Put their rows together."""
        return cls(
            units,
            np.concatenate([each.rows for each in units]),
            np.concatenate([each.times for each in units]),
            np.repeat(np.arange(len(units)), [each.times.size for each in units]),
            np.stack([each.total for each in units]),
            np.array([[each.size] for each in units], dtype=np.float64),
        )

    @property
    def along_units(self) -> Ways:
        """What each unit adds to the sums, less what a unit adds on average."""
        mean = self.totals / self.sizes
        return Ways(self.rows - mean[self.whose], self.whose, self.times.astype(np.float64))

    @property
    def along_sums(self) -> Ways:
        """Each sum of each units."""
        number, width = self.totals.shape
        whose = np.repeat(np.arange(number), width)
        return Ways(np.tile(np.eye(width), (number, 1)), whose, np.ones(whose.size))

    @property
    def spread(self) -> Ways:
        """Ways whose squares add up to the covariance of the sums of each units."""
        squares = np.stack([each.rows.T @ (each.rows * each.times[:, None]) for each in self.units])
        outer = self.totals[:, :, None] * self.totals[:, None]
        squares -= outer / self.sizes[..., None]
        diagonal = np.einsum("uss->us", squares)
        scale = np.sqrt(np.maximum(diagonal, 0))
        used = scale > 1e-9 * np.sqrt(np.maximum(diagonal + self.totals**2, 0))
        scale = np.where(used, scale, 0.0)
        unit = np.where(used, scale, 1.0)
        known = used[:, :, None] & used[:, None]
        values, vectors = np.linalg.eigh(
            np.where(known, squares / unit[:, :, None] / unit[:, None], 0.0)
        )
        whose, which = np.nonzero(values > 1e-11)
        lengths = np.sqrt(values[whose, which])[:, None]
        return Ways(vectors[whose, :, which] * lengths * scale[whose], whose, np.ones(whose.size))

    def derivatives(
        self, functions: Sequence[Callable[[Any], Any]], steps: Steps, *, by_sum: bool, second: bool
    ) -> tuple[list[int], Derivatives | None]:
        """Which of the functions have derivatives, and these."""
        first = self.along_sums if by_sum else self.along_units
        bent = (self.spread if by_sum else first) if second else None
        every = {
            i: value
            for i, value in enumerate(self._evaluated(functions, first, bent, steps))
            if np.iscomplexobj(value)
        }
        if not every:
            return [], None
        values, number = np.stack([*every.values()]), len(self.units)
        slopes = values.imag / steps.tiny
        moves = slopes[:, number : number + len(first.rows)]
        moves = self._of_units(moves) if by_sum else moves
        biases = np.full((len(values), number), np.nan)
        if bent is not None:
            up, down = np.split(slopes[:, number + len(first.rows) :], 2, axis=1)
            biases = self._added((up - down) * bent.times, bent.whose) / (4 * steps.real)
        errors = np.sqrt(self._added(moves**2 * self.times, self.whose))
        return [*every], Derivatives(values.real[:, :number], moves, biases, errors)

    def _evaluated(
        self,
        functions: Sequence[Callable[[Any], Any]],
        first: Ways,
        second: Ways | None,
        steps: Steps,
    ) -> Iterator[NDArray[Any]]:
        """Each function at the sums, along the first directions, and along the others both ways."""
        here = np.arange(len(self.units))
        moved, whose = [self.totals + 0j], [here]
        ways = [(first, 0.0), *((second, way) for way in (steps.real, -steps.real) if second)]
        for along, way in ways:
            if along is not None:
                moved.append(self.totals[along.whose] + (way + 1j * steps.tiny) * along.rows)
                whose.append(along.whose)
        tally = build_each(self.units, np.concatenate(moved), np.concatenate(whose))
        with np.errstate(invalid="ignore", divide="ignore"):  # it may be undefined for some
            for function in functions:
                yield np.asarray(function(tally))

    def _of_units(self, slopes: Floats) -> Floats:
        """The moves of the units, given derivatives along the sums."""
        by_sum = slopes.reshape(len(slopes), *self.totals.shape)
        # one function after the other: rows of all of them would take too much memory
        moves = np.stack([(self.rows * each[self.whose]).sum(axis=-1) for each in by_sum])
        mean = self._added(moves * self.times, self.whose) / self.sizes[:, 0]
        return np.asarray(moves - mean[:, self.whose])

    def _added(self, values: Floats, whose: Whole) -> Floats:
        """Sums over what belongs to the same units."""
        added = np.zeros((len(values), len(self.units)))
        present, starts = np.unique(whose, return_index=True)
        if present.size:
            added[:, present] = np.add.reduceat(values, starts, axis=1)
        return added


def batches(many: Sequence[Units[Any]], most: int) -> Iterator[list[int]]:
    """Which units are expanded in one go: small ones, along their units or along their sums.

    ``most`` numbers are held at once.
    """
    waiting: dict[bool, list[int]] = {True: [], False: []}
    held = dict.fromkeys(waiting, 0)
    for i, units in enumerate(many):
        by_sum = units.by_sum
        steps = 1 + 3 * (units.width if by_sum else units.times.size)
        size = max(steps, units.times.size) * max(units.width, units.held)
        if units.stratified or not isinstance(units.rows, np.ndarray) or size > most:
            yield [i]
            continue
        if held[by_sum] + size > most:
            yield waiting[by_sum]
            waiting[by_sum], held[by_sum] = [], 0
        waiting[by_sum].append(i)
        held[by_sum] += size
    yield from filter(None, waiting.values())
