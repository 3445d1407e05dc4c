"""The mean of a rater's severities over traits or prompts holds the truth as often as it says."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.questions.severity.compute import Fitted, FittedRater, mean_estimates
from tallymark.reliability.rasch import probabilities
from tallymark.reliability.severity import Severities
from tallymark.results import Estimate
from tallymark.scale import Scale
from tallymark.study.models import severity_model
from tallymark.study.parts import People
from tallymark.study.units import Rows
from tests.reliability.designs import PILES, POINTS

Floats = NDArray[np.float64]
NAMES = ("r1", "r2", "r3", "r4")
SEVERITY = np.array([[0.8, 0.2, -0.3, -0.7], [0.2, 0.5, -0.6, -0.1], [-0.3, 0.3, 0.3, -0.3]])
"""Of each rater in each of three traits."""
WHOLE: Any = None
"""The part that a model is of, which no mean asks for."""


@dataclass(frozen=True)
class Traits:
    """Responses that raters score on three traits, and what these have in common.

    A ``double`` share of the responses is read by ``each`` raters, the rest by one. ``common`` is the
    share of the variance of quality that the traits of a response share; ``halo`` is the spread of
    what a rater sees in a response whatever the trait, and raters are then equal. Without ``same``
    responses the parts are prompts.
    """

    n: int = 300
    double: float = 1.0
    each: int = 2
    common: float = 0.8
    same: bool = True
    cluster: bool = True
    piles: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    halo: float = 0.0

    @property
    def severity(self) -> Floats:
        return np.zeros_like(SEVERITY) if self.halo else SEVERITY

    def draw(self, rng: np.random.Generator) -> list[Floats]:
        """Responses x raters, of each trait."""
        if self.same:
            return self.drawn(rng)
        return [self.drawn(rng)[trait] for trait in range(len(SEVERITY))]

    def drawn(self, rng: np.random.Generator) -> list[Floats]:
        owner = rng.choice(len(NAMES), self.n)
        place = rng.random((self.n, len(NAMES)))
        place[np.arange(self.n), owner] = -1
        read = np.where(rng.random(self.n) < self.double, self.each, 1)
        unread = place.argsort(axis=1).argsort(axis=1) >= read[:, None]
        shared = np.asarray(self.piles)[owner] + 0.8 * self.common**0.5 * rng.normal(size=self.n)
        seen = self.halo * rng.normal(size=(self.n, len(NAMES)))
        made = []
        for severity in self.severity:
            quality = shared + 0.8 * (1 - self.common) ** 0.5 * rng.normal(size=self.n)
            away = quality[:, None] + seen - severity
            chance = probabilities(away.reshape(-1, 1), np.linspace(-1.5, 1.5, POINTS.size - 1))
            chance = chance.reshape(*away.shape, POINTS.size)
            score = (chance.cumsum(-1) < rng.random((*away.shape, 1))).sum(-1).astype(float)
            made.append(np.where(unread, np.nan, score))
        return made


def mean_severities(design: Traits, traits: list[Floats]) -> list[Estimate]:
    """The mean of each rater, as `raters` has it."""
    clusters = np.arange(design.n) if design.cluster else None
    models = []
    for ratings in traits:
        rows = Rows(ratings, np.ones(design.n, np.int64), POINTS, clusters)
        people = People(NAMES, rows, Scale.parse("0:4")).distinct()
        model = severity_model(people, "auto")
        assert isinstance(model, Severities)
        models.append(Fitted(WHOLE, people, model))
    raters = [[FittedRater.of(fitted, name) for fitted in models] for name in NAMES]
    return [mean_estimates(each, "trait", Settings())[0] for each in raters]


DESIGNS = {
    "prompts, three in ten read twice": Traits(double=0.3, same=False, cluster=False),
    "prompts of 40 responses, all read all": Traits(n=40, each=4, same=False, cluster=False),
    "traits, all read twice": Traits(),
    "traits, all read twice, no cluster": Traits(cluster=False),
    "traits, halo, all read twice": Traits(halo=0.8),
    "traits, halo, all read all": Traits(n=100, each=4, halo=0.8),
    "traits, piles, three in ten read twice": Traits(n=400, double=0.3, piles=PILES),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_of_mean_severities_hold_their_values(name):
    design, rng = DESIGNS[name], np.random.default_rng(5)
    truth = (design.severity - design.severity.mean(axis=1, keepdims=True)).mean(axis=0)
    held = np.array(
        [
            [e.low <= true <= e.high for e, true in zip(of, truth, strict=True)]
            for of in (mean_severities(design, design.draw(rng)) for _ in range(500))
        ]
    )
    # four standard errors of one rater's 500; of all four, which hang together, three
    assert held.mean(axis=0).min() > 0.91, held.mean(axis=0)
    assert held.mean() > 0.92, held.mean()


def test_a_halo_is_one_thing_where_traits_share_their_responses():
    # four times one trait: as one cluster a response adds no certainty, alone it seems to
    design = Traits(n=100, each=4, halo=0.8)
    (ratings, *_) = design.draw(np.random.default_rng(1))
    (alone, *_) = mean_severities(design, [ratings])
    (four, *_) = mean_severities(design, [ratings] * 4)
    (apart, *_) = mean_severities(Traits(n=100, each=4, cluster=False), [ratings] * 4)
    assert four.value == pytest.approx(alone.value, abs=1e-9)
    assert four.se == pytest.approx(alone.se, rel=1e-6)
    assert apart.se == pytest.approx(alone.se / 2, rel=0.02)
