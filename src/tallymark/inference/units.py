"""Units: what is resampled. Every tally is a sum over units, so a resample is a weighted sum."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference.few_clusters import Leverage, leverage
from tallymark.inference.strata import Strata

Tally = TypeVar("Tally")

SHARDS = 4096
"""Many units are first dealt at random into this many, each resampled as one."""


class PartBuild(Struct, Generic[Tally], frozen=True):
    """Makes tallies of sums and of numbers that are known of a part of the data, as a fit is.

    ``make`` takes both with leading axes, so that it makes those of several parts in one go.
    """

    make: Callable[[Any, Mapping[Any, Floats]], Tally]
    numbers: Mapping[Any, Floats]

    def __call__(self, sums: Any) -> Tally:
        """Make tallies of the part itself."""
        return self.make(sums, self.numbers)


class Units(Struct, Generic[Tally], frozen=True, dict=True):
    """Responses (equal ones told once, with how often they occur), clusters or shards.

    ``rows[u]`` is what unit u adds to the sums of the tally that ``build`` makes of them; without
    ``rows`` unit u adds one to sum u. ``n`` counts the responses behind all units. ``ids`` tell
    which clusters or shards the units are, where parts of the data share them. ``sizes[u]`` are the
    responses of a cluster, in each part of the data where there are several. Where responses have
    design weights, which ``rows`` hold, ``worth`` says how many of equal weight they are worth.
    ``strata`` say which responses were drawn together, out of how many.
    Units of several ``parts`` of the data together tell at which ``places`` those of each part are.
    ``kept`` is what was worked out from them.
    ``near`` makes of them units with fewer sums, of which formulas have the same value and the same
    first and second derivatives at the data; derivatives are taken there. ``held`` is how many
    numbers a tally holds, where they are more than its sums. ``unseen`` makes what a response would
    add whose error is a step or two larger than any of these; None where there is none so large.
    ``hidden`` says what sums would change by if strata without an error held some, at a level.
    ``differing`` tells in which units the two sides of a comparison are not the same, if two are compared.
    Units of one ``shape`` build their tallies alike, so that a formula takes those of several parts
    of the data in one go.
    """

    times: Whole
    build: Callable[[Any], Tally]
    n: int
    rows: Any = None  # a matrix: dense, sparse or in blocks
    kind: str = "responses"
    ids: Whole | None = None
    sizes: NDArray[Any] | None = None
    worth: float | None = None
    parts: "Sequence[Units[Any]]" = ()
    places: Sequence[Whole] = ()
    near: "Callable[[Units[Any]], Units[Any]] | None" = None
    held: int = 1
    unseen: Callable[[], Floats | None] | None = None
    hidden: Callable[[float], Floats] | None = None
    shape: Any = None
    strata: Strata | None = None
    differing: NDArray[np.bool_] | None = None

    @property
    def carriers(self) -> float:
        """How many units carry a difference; infinitely many where nothing is known of that."""
        differences = [part.differing for part in self.parts] if self.parts else [self.differing]
        places = self.places if self.parts else [np.arange(self.times.size)]
        carry = np.zeros(self.times.size, dtype=bool)
        for place, differing in zip(places, differences, strict=True):
            if differing is None:
                return math.inf
            carry[place[differing]] = True
        return float(self.times @ carry)

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What was worked out of these units, by what it is."""
        return {}

    @property
    def sizes_by_part(self) -> Floats:
        """Responses of each unit in each part; units of one size where that is not known."""
        sizes = np.ones(self.times.size) if self.sizes is None else self.sizes
        parts = 1 if sizes.ndim == 1 else sizes.shape[1]
        return np.asarray(sizes, dtype=np.float64).reshape(self.times.size, parts)

    @property
    def leverage(self) -> Leverage:
        """By what the squared influence of each unit is raised, and the degrees of freedom."""
        if "leverage" not in self.kept:
            self.kept["leverage"] = leverage(self.sizes_by_part, self.times)
        lever: Leverage = self.kept["leverage"]
        return lever

    @property
    def disjoint(self) -> bool:
        """Whether no two parts share a unit."""
        return sum(place.size for place in self.places) == self.times.size

    @property
    def size(self) -> int:
        """How many units there are, equal ones told separately."""
        if "size" not in self.kept:
            self.kept["size"] = int(self.times.sum())
        size: int = self.kept["size"]
        return size

    @property
    def width(self) -> int:
        """How many sums the tally has."""
        return int(self.times.size if self.rows is None else self.rows.shape[1])

    @property
    def by_sum(self) -> bool:
        """Whether it has fewer sums than units, so that derivatives are taken along the sums."""
        return self.rows is not None and self.times.size > self.width

    @property
    def tally(self) -> Tally:
        """The tally of the data as they are."""
        if "tally" not in self.kept:
            self.kept["tally"] = self.build(self.total)
        tally: Tally = self.kept["tally"]
        return tally

    @property
    def total(self) -> NDArray[Any]:
        """The sums of the data as they are."""
        if "total" not in self.kept:
            self.kept["total"] = self.sums(self.times)
        total: NDArray[Any] = self.kept["total"]
        return total

    @property
    def nearby(self) -> "Units[Any]":
        """The units of which derivatives are taken: those with fewer sums, if there are any."""
        if self.near is None:
            return self
        if "near" not in self.kept:
            self.kept["near"] = self.near(self)
        nearby: Units[Any] = self.kept["near"]
        return nearby

    @property
    def stratified(self) -> bool:
        """Whether units, or those of a part, were drawn stratum by stratum."""
        if "stratified" not in self.kept:
            of_parts = any(part.stratified for part in self.parts)
            self.kept["stratified"] = self.strata is not None or of_parts
        stratified: bool = self.kept["stratified"]
        return stratified

    @property
    def spreading(self) -> Floats:
        """What each unit adds to the sums beyond the mean, so far as the design lets it vary."""
        if "spreading" not in self.kept:
            self.kept["spreading"] = _of_parts(self) if self.parts else self._spreading()
        spreading: Floats = self.kept["spreading"]
        return spreading

    def hiding(self, level: float) -> Floats:
        """What sums change by if strata without an error held some: a row for each order of weight."""
        if not self.parts:
            return np.empty((0, self.width)) if self.hidden is None else self.hidden(level)
        by_part = [part.hiding(level) for part in self.parts]
        edges = np.cumsum([0, *(rows.shape[1] for rows in by_part)])
        blocks = [np.zeros((len(rows), int(edges[-1]))) for rows in by_part]
        for block, rows, (start, stop) in zip(
            blocks, by_part, pairwise(edges.tolist()), strict=True
        ):
            block[:, start:stop] = rows
        return np.concatenate(blocks)

    def _spreading(self) -> Floats:
        rows = self.rows_between(0, self.times.size) - self.total / self.size
        return rows if self.strata is None else self.strata.spread(rows, self.times)

    def pulled(self, pulls: NDArray[Any]) -> NDArray[Any]:
        """Where the sums go when each unit is pulled this far, within what the design lets vary."""
        return np.asarray(pulls @ self.spreading) if self.stratified else self.sums(pulls)

    def sums(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Sums over units with these weights; leading axes are resamples."""
        if self.rows is None:
            return weights
        if isinstance(self.rows, np.ndarray):
            return np.asarray(weights @ self.rows)
        if isinstance(self.rows, Blocks):
            return self.rows.sums(weights)
        # SciPy's sparse matrices multiply from the left only
        return np.asarray((self.rows.T @ weights.T).T)

    def rows_between(self, start: int, stop: int) -> NDArray[Any]:
        """What each of the units from start to stop adds to the sums."""
        if self.rows is None:
            return np.eye(stop - start, self.times.size, start, dtype=np.int64)
        rows = self.rows[start:stop]
        return rows if isinstance(rows, np.ndarray) else np.asarray(rows.toarray())

    def without_one(self, start: int, stop: int) -> NDArray[Any]:
        """Sums with one unit left out, one row for each of the units from start to stop."""
        return np.asarray(self.total - self.rows_between(start, stop))


class Blocks:
    """What the units of several parts of the data add to sums of their own, each part to the next ones.

    It does what the matrix with a block for each part would, of which nearly all is 0.
    """

    def __init__(self, parts: Sequence[Units[Any]]) -> None:
        self.parts = parts
        self._heights = np.cumsum([0, *(part.times.size for part in parts)]).tolist()
        self._widths = np.cumsum([0, *(part.width for part in parts)]).tolist()
        self.shape = self._heights[-1], self._widths[-1]

    def sums(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Sums over units with these weights; leading axes are resamples."""
        heights = zip(self.parts, pairwise(self._heights), strict=True)
        sums = [part.sums(weights[..., start:stop]) for part, (start, stop) in heights]
        return np.concatenate(sums, axis=-1)

    def __matmul__(self, by_sum: NDArray[Any]) -> NDArray[Any]:
        widths = zip(self.parts, pairwise(self._widths), strict=True)
        return np.concatenate([part.rows @ by_sum[start:stop] for part, (start, stop) in widths])

    def __getitem__(self, units: slice) -> NDArray[Any]:
        first, last, _ = units.indices(self.shape[0])
        rows = np.zeros((max(last - first, 0), self.shape[1]))
        bounds = zip(pairwise(self._heights), pairwise(self._widths), strict=True)
        for part, ((start, stop), columns) in zip(self.parts, bounds, strict=True):
            low, high = max(first, start), min(last, stop)
            if low < high:
                block = part.rows_between(low - start, high - start)
                rows[low - first : high - first, slice(*columns)] = block
        return rows

    def toarray(self) -> NDArray[Any]:
        """The matrix itself."""
        return self[:]


def build_each(many: Sequence[Units[Any]], sums: NDArray[Any], owner: Whole) -> Any:
    """The tallies of units of one shape, given sums and of which of the units each row of them is."""
    build = many[0].build
    if len(many) == 1 or not isinstance(build, PartBuild):
        return build(sums)
    numbers = [units.build.numbers for units in many if isinstance(units.build, PartBuild)]
    return build.make(
        sums, {name: np.stack([of_part[name] for of_part in numbers])[owner] for name in numbers[0]}
    )


def _of_parts(units: Units[Any]) -> Floats:
    """What units add beyond the mean, each part in its own columns."""
    edges = np.cumsum([0, *(part.width for part in units.parts)])
    rows = np.zeros((units.times.size, int(edges[-1])))
    for part, place, start in zip(units.parts, units.places, edges[:-1], strict=True):
        np.add.at(rows[:, start : start + part.width], place, part.spreading)
    return rows


def shards_of_responses(n: int, *, shards: int = SHARDS) -> tuple[Whole, int]:
    """Deal n responses at random into shards of equal size: the shard of each, and how many.

    The order of the responses decides who goes where, so sort them first. The spread between
    shards estimates a standard error to about 1 / sqrt(2 shards), 1.1 % with the default.
    """
    size = min(shards, n)
    return np.random.default_rng(0).permutation(n) % size, size


def shards_of_clusters(codes: Whole, *, shards: int = SHARDS) -> Whole:
    """Deal clusters into shards by a hash of their code: the same shard in every part of the data.

    The hash is splitmix64, which sends neighbours far apart.
    """
    x = codes.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return ((x ^ (x >> np.uint64(31))) % np.uint64(shards)).astype(np.int64)
