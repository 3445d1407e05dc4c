"""Ratings whose raters were given better or worse responses, and what intervals make of them."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.interval import student
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.generalizability import Components, dependability, generalizability
from tallymark.reliability.rasch import probabilities
from tallymark.reliability.rater_effects import within_effects
from tallymark.reliability.severity import Severities, severities
from tallymark.study.units import Rows, summed

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
RESIDUAL = 0.8
PILES = (-1.0, -0.33, 0.33, 1.0)
EQUAL = (0.0, 0.0, 0.0, 0.0)
APART = (0.8, 0.2, -0.3, -0.7)
POINTS = np.arange(5.0)


@dataclass(frozen=True)
class Design:
    """So many responses, who reads them, how good they are, and how the raters rate."""

    n: int = 800
    severity: tuple[float, ...] = EQUAL
    piles: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    double: float = 0.1
    shares: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)
    each: int = 2
    sd: float = 0.8
    noise: tuple[float, ...] = field(default=EQUAL)
    stretch: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
    alike: int = 1
    """How many responses come from one candidate, whose quality they share."""

    @property
    def truth(self) -> Floats:
        return np.asarray(self.severity) - np.mean(self.severity)

    def chance(self, quality: Floats) -> Floats:
        """Of every category, for each response and rater."""
        away = quality[:, None] * np.asarray(self.stretch) - self.truth
        return np.asarray(probabilities(away, np.linspace(-1.5, 1.5, POINTS.size - 1)))

    def draw(self, rng: np.random.Generator) -> Floats:
        """Responses x raters: one rater each, a ``double`` share of them read by ``each``."""
        raters = len(self.severity)
        owner, quality = self.responses(rng)
        odd = rng.normal(0, 1, (owner.size, raters)) * np.asarray(self.noise)
        chance = np.stack([self.chance(quality + odd[:, r])[:, r] for r in range(raters)], axis=1)
        found = (chance.cumsum(-1) < rng.random((owner.size, raters, 1))).sum(-1).astype(float)
        return self.kept(found, owner, rng)

    def normal(self, rng: np.random.Generator, residual: float = RESIDUAL) -> Floats:
        """The same with normal errors: piles, severities and residuals in score points."""
        owner, quality = self.responses(rng)
        found = quality[:, None] - self.truth
        return self.kept(found + rng.normal(0, residual, found.shape), owner, rng)

    def responses(self, rng: np.random.Generator) -> tuple[Whole, Floats]:
        """Who is given each response, and how good it is."""
        owner = rng.choice(len(self.severity), self.n // self.alike, p=self.shares)
        quality = rng.normal(np.asarray(self.piles)[owner], self.sd)
        return np.repeat(owner, self.alike), np.repeat(quality, self.alike)

    def kept(self, found: Floats, owner: Whole, rng: np.random.Generator) -> Floats:
        """Ratings by the rater who was given the response, and by others of some of them."""
        place = rng.random(found.shape)
        place[np.arange(owner.size), owner] = -1
        number = np.where(rng.random(owner.size) < self.double, self.each, 1)
        found[place.argsort(axis=1).argsort(axis=1) >= number[:, None]] = np.nan
        return found


def severity_hits(design: Design, rng: np.random.Generator, **options: Any) -> Any:
    """Which severities their intervals hold, their errors, and whether all ratings were used."""
    clusters = np.arange(design.n) // design.alike if design.alike > 1 else None
    names = [f"r{i}" for i in range(len(design.severity))]
    found = severities(design.draw(rng), POINTS, names=names, clusters=clusters, **options)
    if not isinstance(found, Severities):
        return None
    fit = found.fit
    ends = [student(s, e, fit.units - 1, 0.95) for s, e in zip(fit.severity, fit.se, strict=True)]
    held = [low <= t <= high for (low, high), t in zip(ends, design.truth, strict=True)]
    return np.array(held), fit.severity - design.truth, found.conditional, fit.spread


class Held(NamedTuple):
    """Which components their intervals hold, by name, and their values."""

    held: dict[str, bool]
    values: dict[str, float]
    random: bool


def component_hits(design: Design, rng: np.random.Generator, replicates: int = 400) -> Held:
    """Components and coefficients of ratings with normal errors, beside the truth."""
    rows = Rows(design.normal(rng), np.ones(design.n, dtype=np.int64), POINTS)
    found = absorb(rows.scores, rows.counts)
    units = summed(rows, found.rows, lambda sums: absorbed(found.tally(sums)))
    truth = _truth(design, within_effects(rows.scores, rows.counts).inverse)
    t: dict[str, Any] = {"interval": "analytic", "analytic": "t", "ddof": 1}
    formulas = [Formula(name=name, value=partial(_part, name), **t) for name in Components._fields]
    formulas += [
        Formula(name=f.__name__, value=partial(f, raters=2))
        for f in (generalizability, dependability)
    ]
    own = estimate_all(formulas, units, Settings(replicates=replicates))
    true = {name: float(value) for name, value in truth._asdict().items()}
    true |= {f.__name__: float(f(truth, raters=2)) for f in (generalizability, dependability)}
    return Held(
        {e.name: e.low <= true[e.name] <= e.high for e in own},
        {e.name: e.value - true[e.name] for e in own},
        found.assignment.random,
    )


def _part(name: str, parts: Components) -> Any:
    return getattr(parts, name)


def _truth(design: Design, inverse: Floats) -> Components:
    """Components of these very raters, as their shared responses weigh them."""
    information = np.linalg.pinv(inverse, hermitian=True)
    between = float(np.dot(design.shares, np.square(design.piles)))
    between -= float(np.dot(design.shares, design.piles)) ** 2
    rater = design.truth @ information @ design.truth / np.trace(information)
    parts = (design.sd**2 + between, rater, RESIDUAL**2)
    return Components(*(np.array(part) for part in parts))
