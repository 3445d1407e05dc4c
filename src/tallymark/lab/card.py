"""Cards: what every statistic does where a good metric should stay, move or refuse."""

import math
from collections.abc import Iterable
from functools import cache
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.catalogue import FORMULAS, style_of
from tallymark.defaults import SEED
from tallymark.errors import OptionError, TallymarkError
from tallymark.lab.contenders import Contender, Function, contender, number_of
from tallymark.lab.experiment import Sweep
from tallymark.lab.recorded import recorded, simulated
from tallymark.lab.running import experiment_called, values_of
from tallymark.study.estimates import estimate
from tallymark.tally import PairCounts

Floats = NDArray[np.float64]
Grade = Literal["yes", "partly", "no", ""]
K = 5
POINTS = np.arange(float(K))
REPLICATES = 10
MAJORITY = np.array([10, 60, 20, 10, 0])
"""Gold scores where one dominates, for the scorer that always gives it."""
GAPS = (
    (1, 1, 2),
    (2, 2, 2),
    (3, None, 3),
    (4, 3, None),
    (1, 2, 1),
    (3, 3, 4),
    (2, 3, 2),
    (4, 4, 4),
)
"""Responses of three raters, two of them with a gap."""
DEGENERATE = {
    "all scores the same": [[0, 0, 0], [0, 9, 0], [0, 0, 0]],
    "the system gives one score": [[0, 4, 0], [0, 9, 0], [0, 4, 0]],
    "the gold has one score": [[0, 0, 0], [4, 9, 4], [0, 0, 0]],
    "one response": [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
}


class Property(Struct, frozen=True):
    """A property: its name, what is asked, and up to where the number is a yes and a partly."""

    name: str
    title: str
    asks: str
    yes: float
    partly: float
    more: bool = False

    def grade(self, value: float) -> Grade:
        """Judge a number; ``more`` is better where it says so."""
        if math.isnan(value):
            return ""
        if self.more:
            return "yes" if value >= self.yes else "partly" if value >= self.partly else "no"
        return "yes" if value <= self.yes else "partly" if value <= self.partly else "no"


PROPERTIES = (
    Property("prevalence", "robust to prevalence", "how far it moves as one score comes to dominate (trait-prevalence), as a share of the way from chance to perfect agreement", 0.05, 0.15),
    Property("marginals", "robust to marginals", "how far it moves as the margins of gold and system differ at the same agreement (marginal-homogeneity, set margins), likewise", 0.05, 0.15),
    Property("magnitude", "sensitive to magnitude", "how much it loses as errors become larger and fewer with the same sum (error-magnitude), likewise", 0.1, 0.02, more=True),
    Property("scale", "robust to scale", "how far it moves as 40 points become 3 (scale-binning), likewise", 0.05, 0.15),
    Property("majority", "penalises the majority scorer", "how far from chance towards perfect agreement it puts a scorer that always gives the most common score (60 % of the gold)", 0.05, 0.3),
    Property("closeness", "close to the agreement it corrects", "its mean distance from percent agreement on pass or fail, over all cuts (pass-fail-sweep)", 0.1, 0.25),
    Property("interval", "has an interval that covers", "how often its 95 % interval holds the true value: the lowest of the recorded settings with 200 responses", 0.93, 0.9, more=True),
    Property("missing", "behaves with missing ratings", "1 uses every rating of any number of raters, .5 leaves out responses without both, 0 fails or changes", 1.0, 0.5, more=True),
    Property("degenerate", "defined on degenerate data", "in how many of four degenerate data sets it has a value", 1.0, 0.5, more=True),
)  # fmt: skip
"""After Yannakoudakis & Cummins (2015) up to closeness; the last three are ours."""


class Card(Struct, frozen=True):
    """The numbers and grades of a statistic, in the order of ``PROPERTIES``."""

    name: str
    label: str
    values: tuple[float, ...]

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grade of each property; empty where it does not apply."""
        pairs = zip(PROPERTIES, self.values, strict=True)
        return tuple(property_.grade(value) for property_, value in pairs)

    @property
    def score(self) -> float:
        """Yes counts 1 and partly a half, over the properties that apply."""
        points = [{"yes": 1.0, "partly": 0.5, "no": 0.0}[grade] for grade in self.grades if grade]
        return sum(points) / len(points) if points else math.nan


def cards(statistics: Iterable[str | Function] = (), *, seed: int = SEED) -> list[Card]:
    """Make the cards of these statistics, or of all that measure agreement of two scores.

    >>> [card.grades[0] for card in cards(["qwk", "brennan_prediger[quadratic]"])]
    ['no', 'yes']
    """
    asked = [contender(each) for each in statistics]
    made = [(entry, _card(entry, seed)) for entry in asked or map(contender, every_text())]
    for entry, card in made if asked else ():
        if card is None:
            raise OptionError(
                f"{entry.name} has no card: it does not tell perfect agreement from chance on a scale "
                f"of {K} points"
            )
    return [card for _, card in made if card is not None]


def every_text() -> list[str]:
    """All statistics of two scores by name, each with every choice of its parameter."""
    texts = []
    for row in FORMULAS:
        inside = [variant.inside for variant in row.variants if variant.inside]
        texts += [f"{row.name}[{word}]" for word in inside] or [row.name]
    return texts


def _card(entry: Contender, seed: int) -> Card | None:
    """Return the card; None where a statistic does not tell perfect agreement from chance."""
    chance, perfect = entry.value(
        PairCounts(np.stack([np.full((K, K), 4), np.diag([20] * K)]), POINTS)
    )
    way = perfect - chance
    if math.isnan(way) or abs(way) < 1e-9:
        return None
    prevalence, marginals, magnitude, bins = (
        _means(entry, _sweep(name, sweep, seed))
        for name, sweep in (
            ("trait-prevalence", "redrawn"),
            ("marginal-homogeneity", "set"),
            ("error-magnitude", "size"),
            ("scale-binning", "bins"),
        )
    )
    return Card(
        entry.name,
        entry.label,
        (
            _spread(prevalence) / abs(way),
            _spread(marginals) / abs(way),
            float(magnitude[0] - magnitude[-1]) / way,
            math.nan if _in_points(entry) else _spread(bins) / abs(way),
            (_majority(entry) - chance) / way,
            _closeness(entry, seed) if abs(perfect - 1) < 1e-9 else math.nan,
            simulated(entry, seed) if entry.function is not None else recorded(entry.name),
            _missing(entry),
            _defined(entry),
        ),
    )


@cache
def _sweep(name: str, sweep: str, seed: int) -> Sweep:
    """A sweep of an experiment, drawn once for all statistics."""
    rng = np.random.default_rng([seed, *name.encode()])
    drawn = experiment_called(name).draw(rng, REPLICATES)
    return next(each for each in drawn if each.name == sweep)


def _means(entry: Contender, sweep: Sweep) -> Floats:
    values = values_of(entry, sweep)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):  # defined in none
        return np.asarray(np.where(known, values, 0.0).sum(axis=1) / known.sum(axis=1))


def _in_points(entry: Contender) -> bool:
    """Whether a statistic is in points of the scale, so that another scale changes it anyway."""
    return entry.function is None and style_of(entry.name) in ("points", "squared")


def _spread(means: Floats) -> float:
    return float(means.max() - means.min())


def _majority(entry: Contender) -> float:
    """The value of the scorer that always gives the most common score."""
    table = np.zeros((K, K), dtype=np.int64)
    table[:, MAJORITY.argmax()] = MAJORITY
    return _value_or_nan(entry, table, POINTS)


def _closeness(entry: Contender, seed: int) -> float:
    sweep = _sweep("pass-fail-sweep", "prevalence", seed)
    apart = np.abs(values_of(entry, sweep) - values_of(contender("percent_agreement"), sweep))
    return float(np.nanmean(apart)) if not np.isnan(apart).all() else math.nan


def _missing(entry: Contender) -> float:
    """What gaps do, by trying: responses of three raters for our statistics, pairs for a function."""
    if entry.function is None:
        try:
            used = estimate(entry.name, GAPS, scale="1:4").n
        except TallymarkError:  # of two scores only: a response without both is left out
            return 0.5
        return 1.0 if used == len(GAPS) else 0.5
    gold = np.array([0.0, 1, 2, 3, 4, 4, 1, 2])
    system = np.array([0.0, 1, 3, 3, 4, 2, np.nan, np.nan])
    try:
        whole = number_of(entry.name, entry.function, gold[:6], system[:6])
        gaps = number_of(entry.name, entry.function, gold, system)
    except OptionError:
        return 0.0
    return 0.5 if math.isclose(whole, gaps, abs_tol=1e-9) else 0.0


def _defined(entry: Contender) -> float:
    values = [
        _value_or_nan(entry, np.array(table), np.arange(3.0)) for table in DEGENERATE.values()
    ]
    return float(np.mean([not math.isnan(value) for value in values]))


def _value_or_nan(entry: Contender, table: NDArray[np.int64], points: Floats) -> float:
    """The value on one table; a function that fails there has none."""
    try:
        return float(entry.value(PairCounts(table[None], points))[0])
    except OptionError:
        return math.nan
