"""Units: what is resampled. Every tally is a sum over units, so a resample is a weighted sum."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.few_clusters import Leverage, leverage

Floats = NDArray[np.float64]
Tally = TypeVar("Tally")

SHARDS = 4096
"""Many units are first dealt at random into this many, each resampled as one."""


@dataclass(frozen=True, slots=True)
class PartBuild(Generic[Tally]):
    """Makes tallies of sums and of numbers that are known of a part of the data, as a fit is.

    ``make`` takes both with leading axes, so that it makes those of several parts in one go.
    """

    make: Callable[[Any, Mapping[Any, Floats]], Tally]
    numbers: Mapping[Any, Floats]

    def __call__(self, sums: Any) -> Tally:
        """Make tallies of the part itself."""
        return self.make(sums, self.numbers)


@dataclass(frozen=True, slots=True)
class Units(Generic[Tally]):
    """Responses (equal ones told once, with how often they occur), clusters or shards.

    ``rows[u]`` is what unit u adds to the sums of the tally that ``build`` makes of them; without
    ``rows`` unit u adds one to sum u. ``n`` counts the responses behind all units. ``ids`` tell
    which clusters or shards the units are, where parts of the data share them. ``sizes[u]`` are the
    responses of a cluster, in each part of the data where there are several. Where responses have
    design weights, which ``rows`` hold, ``worth`` says how many of equal weight they are worth.
    Units of several ``parts`` of the data together tell at which ``places`` those of each part are.
    ``kept`` is what was worked out from them.
    ``near`` makes of them units with fewer sums, of which formulas have the same value and the same
    first and second derivatives at the data; derivatives are taken there. ``held`` is how many
    numbers a tally holds, where they are more than its sums. ``unseen`` makes what a response would
    add whose error is a step or two larger than any of these; None where there is none so large.
    Units of one ``shape`` build their tallies alike, so that a formula takes those of several parts
    of the data in one go.
    """

    times: NDArray[np.int64]
    build: Callable[[Any], Tally]
    n: int
    rows: Any = None  # a matrix, dense or sparse
    kind: str = "responses"
    ids: NDArray[np.int64] | None = None
    sizes: NDArray[Any] | None = None
    worth: float | None = None
    parts: "Sequence[Units[Any]]" = ()
    places: Sequence[NDArray[np.int64]] = ()
    near: "Callable[[Units[Any]], Units[Any]] | None" = None
    held: int = 1
    unseen: Callable[[], Floats | None] | None = None
    shape: Any = None
    kept: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

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
        kept: Leverage = self.kept["leverage"]
        return kept

    @property
    def disjoint(self) -> bool:
        """Whether no two parts share a unit."""
        return sum(place.size for place in self.places) == self.times.size

    @property
    def size(self) -> int:
        """How many units there are, equal ones told separately."""
        return int(self.times.sum())

    @property
    def width(self) -> int:
        """How many sums the tally has."""
        return int(self.times.size if self.rows is None else self.rows.shape[1])

    @property
    def tally(self) -> Tally:
        """The tally of the data as they are."""
        if "tally" not in self.kept:
            self.kept["tally"] = self.build(self.sums(self.times))
        tally: Tally = self.kept["tally"]
        return tally

    @property
    def nearby(self) -> "Units[Any]":
        """The units of which derivatives are taken: those with fewer sums, if there are any."""
        if self.near is None:
            return self
        if "near" not in self.kept:
            self.kept["near"] = self.near(self)
        near: Units[Any] = self.kept["near"]
        return near

    def sums(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Sums over units with these weights; leading axes are resamples."""
        if self.rows is None:
            return weights
        if isinstance(self.rows, np.ndarray):
            return np.asarray(weights @ self.rows)
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
        return np.asarray(self.sums(self.times) - self.rows_between(start, stop))


def build_each(many: Sequence[Units[Any]], sums: NDArray[Any], times: Sequence[int]) -> Any:
    """The tallies of units of one shape, given so many sums of each, one after the other."""
    build = many[0].build
    if len(many) == 1 or not isinstance(build, PartBuild):
        return build(sums)
    which = np.repeat(np.arange(len(many)), times)
    known = [_numbers(units.build) for units in many]
    return build.make(sums, {n: np.stack([each[n] for each in known])[which] for n in known[0]})


def _numbers(build: Any) -> Mapping[Any, Floats]:
    return build.numbers if isinstance(build, PartBuild) else {}


def shards_of_responses(n: int, *, shards: int = SHARDS) -> tuple[NDArray[np.int64], int]:
    """Deal n responses at random into shards of equal size: the shard of each, and how many.

    The order of the responses decides who goes where, so sort them first. The spread between
    shards estimates a standard error to about 1 / sqrt(2 shards), 1.1 % with the default.
    """
    size = min(shards, n)
    return np.random.default_rng(0).permutation(n) % size, size


def shards_of_clusters(codes: NDArray[np.int64], *, shards: int = SHARDS) -> NDArray[np.int64]:
    """Deal clusters into shards by a hash of their code: the same shard in every part of the data.

    The hash is splitmix64, which sends neighbours far apart.
    """
    x = codes.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return ((x ^ (x >> np.uint64(31))) % np.uint64(shards)).astype(np.int64)
