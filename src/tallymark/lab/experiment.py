"""What an experiment is: tables drawn along an axis, and what a source says of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct, field

from tallymark.arrays import Floats
from tallymark.render.sentences import Words
from tallymark.tally import PairCounts

if TYPE_CHECKING:
    from tallymark.lab.learned import LabTexts

MOST_OF_AXIS = 100
"""Characters of all names below a figure; longer names are cut."""
Holds = Literal["holds", "holds in part", "does not hold"]


class Place(Struct, frozen=True, kw_only=True):
    """One place on the horizontal axis.

    ``tables.counts[replicate, i, j]`` are responses with gold i and system score j; ``beside`` are
    other numbers of each replicate, by name.
    """

    x: float
    tables: PairCounts
    beside: Mapping[str, Floats] = field(default_factory=dict)


class Sweep(Struct, frozen=True, kw_only=True):
    """Settings along one axis; ``title`` tells it from the other sweeps of an experiment.

    Where the axis counts what has names, such as models or prompts, ``names`` are theirs.
    """

    name: str
    title: str = ""
    x_title: str
    names: tuple[str, ...] = ()
    settings: Sequence[Place]

    @property
    def axis(self) -> str:
        """What the axis shows, and what each number on it stands for."""
        longest = max(8, MOST_OF_AXIS // max(len(self.names), 1))
        numbered = [
            f"{i} {name if len(name) <= longest else name[: longest - 1] + '…'}"
            for i, name in enumerate(self.names, 1)
        ]
        return ": ".join(filter(None, [self.x_title, ", ".join(numbered)]))


class Trace(Struct, frozen=True):
    """One number along a sweep: ``values[setting, replicate]``, NaN where it is undefined."""

    sweep: str
    name: str
    x: Floats
    values: Floats

    @property
    def mean(self) -> Floats:
        """The mean over replicates in which it is defined."""
        defined = ~np.isnan(self.values)
        with np.errstate(invalid="ignore"):  # defined in none
            return np.asarray(np.where(defined, self.values, 0.0).sum(axis=1) / defined.sum(axis=1))

    @property
    def band(self) -> tuple[Floats, Floats]:
        """Between what 95 % of the replicates lie.

        Where each replicate is only right or wrong (0 or 1): between what their share lies.
        """
        if np.isin(self.values, (0.0, 1.0)).all() and len(self.values[0]) > 1:
            half = 1.96 * self.error
            return np.clip(self.mean - half, 0, 1), np.clip(self.mean + half, 0, 1)
        ends = np.full((2, self.x.size), np.nan)
        for i, values in enumerate(self.values):
            defined = values[~np.isnan(values)]
            if defined.size:
                ends[:, i] = np.quantile(defined, [0.025, 0.975])
        return ends[0], ends[1]

    @property
    def error(self) -> Floats:
        """Monte Carlo standard error of the mean."""
        number = (~np.isnan(self.values)).sum(axis=1)
        deviations = np.where(np.isnan(self.values), 0.0, self.values - self.mean[:, None])
        with np.errstate(invalid="ignore", divide="ignore"):  # one replicate has no spread
            return np.asarray(np.sqrt((deviations**2).sum(axis=1) / (number - 1) / number))

    @property
    def undefined(self) -> int:
        """How many values are undefined."""
        return int(np.isnan(self.values).sum())


class Traces(Struct, frozen=True):
    """All numbers of an experiment, by sweep and name."""

    by_name: Mapping[tuple[str, str], Trace]

    def of(self, name: str, sweep: str = "") -> Trace:
        """A number along a sweep; without a name, along the first."""
        first = next(iter(self.by_name))[0]
        return self.by_name[sweep or first, name]


class Ruling(Struct, frozen=True):
    """Whether a statement holds, and the numbers that say so; ``scope`` says for what, or how."""

    state: Holds
    words: Words
    scope: str = ""

    @property
    def verdict(self) -> str:
        """The state in full: ``holds exactly``, ``holds for kappa only``."""
        return f"holds {self.scope}" if self.scope else self.state


class Statement(Struct, frozen=True):
    """What a source says, or what is ours beyond it, and the check that decides it."""

    says: str
    check: Callable[[Traces], Ruling]
    ours: bool = False


class LabFigure(Struct, frozen=True):
    """A figure: numbers by sweep and name; a name alone is along the first sweep."""

    caption: str
    lines: tuple[str | tuple[str, str], ...]

    @classmethod
    def of(cls, caption: str, sweeps: Sequence[str], names: Sequence[str]) -> "LabFigure":
        """Each of the numbers along each of the sweeps."""
        return cls(caption, tuple((sweep, name) for sweep in sweeps for name in names))

    def pairs(self, first: str) -> list[tuple[str, str]]:
        """The sweep and name of each line."""
        return [(first, line) if isinstance(line, str) else line for line in self.lines]


class LabExperiment(Struct, frozen=True, kw_only=True):
    """An experiment with a known truth.

    ``draw`` makes the sweeps of so many replicates; it takes the generator first. ``figures`` name
    the numbers that are shown; the catalogue's are computed of the tables, all others stand beside
    them. ``source`` says whose experiment it is, ``how`` how the tables are drawn. Where models are
    trained, ``learned`` makes the sweeps of texts, one set of them for each replicate; ``corpus``
    says which texts are drawn where a user gives none.
    """

    name: str
    title: str
    source: str
    question: str
    how: str
    draw: Callable[[np.random.Generator, int], Sequence[Sweep]]
    figures: tuple[LabFigure, ...]
    statements: tuple[Statement, ...]
    replicates: int = 100
    y_title: str = ""
    corpus: str = ""
    learned: "Callable[[Sequence[LabTexts], np.random.Generator], Sequence[Sweep]] | None" = None
