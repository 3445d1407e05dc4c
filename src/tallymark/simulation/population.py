"""The responses and who scores them: prompts, groups, raters, systems, candidates, true scores."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

import numpy as np
from msgspec import Struct, field

from tallymark.arrays import Floats, Whole
from tallymark.errors import OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.signatures import check_types
from tallymark.tally import nearest

Shift = Mapping[str, Mapping[str, float]]
"""Points added by column and label, for example ``{"first_language": {"Mandarin": -0.5}}``."""


class CalledByName(Struct, frozen=True):
    """What has a name, given first; all else is given by keyword."""

    name: str

    def __post_init__(self) -> None:
        values = {field: getattr(self, field) for field in self.__struct_fields__}
        check_types(type(self), values, f"{type(self).__name__}: ")


class Prompt(CalledByName, frozen=True, kw_only=True):
    """A question; difficulty lowers the true scores of the responses to it."""

    difficulty: float = 0.0


class Group(CalledByName, frozen=True, kw_only=True):
    """A label of a group column: its relative frequency, and points added to its true scores."""

    share: float = 1.0
    ability: float = 0.0


class Rater(CalledByName, frozen=True, kw_only=True):
    """A person who scores. Severity is what the rater takes off, on average over the responses.

    * ``noise``: standard deviation of the error; ``shared``: the part of its variance that all
      raters have in common, which is also the correlation of the errors of two such raters
    * ``halo``: standard deviation of an error repeated over all responses of one candidate
    * ``compression``: 0.2 keeps 80 % of a response's distance from the mean
    * ``drift``: by how much severity grows from the first response to the last
    * ``shift``: points given to a group, or to the responses to a prompt
    * ``share``: the chance that the rater scores a response
    * ``rounded``: False gives scores between the points of the scale
    * ``margin``: one number per point of the scale; the scores keep the order that noise and
      severity give them, and take exactly these frequencies
    * ``thresholds``: of a Rasch rating-scale model, one per step, in logits; one point of ability
      or severity is then one logit
    """

    severity: float = 0.0
    noise: float = 0.0
    shared: float = 0.0
    halo: float = 0.0
    compression: float = 0.0
    drift: float = 0.0
    shift: Shift = field(default_factory=dict)
    share: float = 1.0
    rounded: bool = True
    margin: tuple[float, ...] = ()
    thresholds: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        CalledByName.__post_init__(self)
        _check_spread(self.name, noise=self.noise, halo=self.halo)
        _check_share(self.name, share=self.share, shared=self.shared)
        if self.margin and self.thresholds:
            raise OptionError(f"{self.name}: give margin or thresholds, not both")


class System(CalledByName, frozen=True, kw_only=True):
    """An automated scorer. Bias is what it adds, on average over the responses.

    ``noise``, ``shared``, ``halo``, ``compression``, ``shift``, ``share``, ``rounded`` and
    ``margin`` mean what they mean for a :class:`Rater`; ``drift`` is by how much bias grows.

    * ``jitter``: standard deviation of the error that changes from run to run; ``repeats``: runs
    * ``slips``: the share of responses that are off by exactly ``slip_size`` points, up or down;
      or a function from confidence to the chance of a slip, and confidence is then spread evenly
      over 0 to 1
    * ``confidence``: how well its confidence orders its errors: 0 not at all, 1 perfectly; None
      gives no confidence
    """

    bias: float = 0.0
    noise: float = 0.0
    shared: float = 0.0
    halo: float = 0.0
    compression: float = 0.0
    drift: float = 0.0
    shift: Shift = field(default_factory=dict)
    share: float = 1.0
    rounded: bool = True
    margin: tuple[float, ...] = ()
    jitter: float = 0.0
    repeats: int = 1
    slips: float | Callable[[Floats], Floats] = 0.0
    slip_size: float = 1.0
    confidence: float | None = None

    def __post_init__(self) -> None:
        CalledByName.__post_init__(self)
        _check_spread(self.name, noise=self.noise, halo=self.halo, jitter=self.jitter)
        _check_share(self.name, share=self.share, shared=self.shared)
        if self.confidence is not None:
            _check_share(self.name, confidence=self.confidence)
        if not callable(self.slips):
            _check_share(self.name, slips=self.slips)
        elif self.confidence is not None:
            raise OptionError(
                f"{self.name}: slips as a function of confidence already make its confidence; "
                "leave confidence= out"
            )
        if self.repeats < 1:
            raise OptionError(f"{self.name}: repeats must be 1 or more, got {self.repeats}")

    @property
    def runs(self) -> list[str]:
        """The columns of its runs; the first has the name of the system."""
        return [self.name] + [f"{self.name}_{run}" for run in range(2, self.repeats + 1)]


def _check_spread(name: str, **values: float) -> None:
    for option, value in values.items():
        if not (math.isfinite(value) and value >= 0):
            raise OptionError(f"{name}: {option} must be 0 or more, got {value}")


def _check_share(name: str, **values: float) -> None:
    for option, value in values.items():
        if not 0 <= value <= 1:
            raise OptionError(f"{name}: {option} must lie between 0 and 1, got {value}")


Codes = Whole


class Population(Struct, frozen=True):
    """Responses with their known truth.

    ``ability`` is what the true score would be on a scale without ends; ``truth`` lies on the
    scale. ``keys`` holds codes, indices into ``labels``, for ``prompt`` and every group column.
    """

    scale: Scale
    mean: float
    sd: float
    ability: Floats
    truth: Floats
    candidate: Codes
    keys: Mapping[str, Codes]
    labels: Mapping[str, tuple[str, ...]]

    @property
    def n(self) -> int:
        """How many responses there are."""
        return self.truth.size

    @property
    def time(self) -> Floats:
        """When a response was scored: -1/2 for the first, 1/2 for the last."""
        return np.linspace(-0.5, 0.5, self.n) if self.n > 1 else np.zeros(1)

    def shifted(self, shift: Shift) -> Floats:
        """Points to add to each response, by its prompt and groups."""
        total = np.zeros(self.n)
        for column, points in shift.items():
            if column not in self.keys:
                raise OptionError(_unknown("column", column, self.keys))
            for label in points:
                if label not in self.labels[column]:
                    raise OptionError(_unknown(column, label, self.labels[column]))
            total += _of_labels(self.labels[column], points)[self.keys[column]]
        return total


class TrueScores(Struct, frozen=True):
    """How true scores are spread: see :func:`tallymark.simulation.simulate`."""

    scale: Scale
    mean: float
    sd: float
    consistency: float
    shares: Sequence[float] | None
    round_true: bool

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mean) and math.isfinite(self.sd) and self.sd >= 0):
            raise OptionError(f"mean must be finite and sd 0 or more, got {self.mean}, {self.sd}")
        if not 0 <= self.consistency <= 1:
            raise OptionError(f"consistency must lie between 0 and 1, got {self.consistency}")
        if (self.shares is not None or self.round_true) and self.scale.continuous:
            raise OptionError(
                "shares and round_true need a scale with points, not a continuous one"
            )
        if self.shares is not None:
            _check_shares(self.shares, len(self.scale.points), self.sd)

    def truth(self, ability: Floats) -> Floats:
        """Bring ability onto the scale."""
        points = np.asarray(self.scale.points)
        if self.shares is not None:
            return points[np.searchsorted(self._cuts(self.shares), ability, side="right")]
        if self.round_true:
            return points[nearest(ability, points)]
        return np.clip(ability, self.scale.low, self.scale.high)

    def _cuts(self, shares: Sequence[float]) -> list[float]:
        """Abilities at which the next point begins, so that each point gets its share."""
        below = np.cumsum(shares)[:-1] / np.sum(shares)
        normal = NormalDist(self.mean, self.sd)
        ends = {0.0: -math.inf, 1.0: math.inf}
        return [ends[p] if p in ends else normal.inv_cdf(p) for p in below.tolist()]


def populate(
    n: int,
    spread: TrueScores,
    prompts: Sequence[Prompt],
    groups: Mapping[str, Sequence[Group]],
    candidates: int,
    rng: np.random.Generator,
) -> Population:
    """Draw candidates with their groups, the prompts they answer, and the true scores.

    Responses go to the candidates in turn, so each has n / candidates of them, up to one more or
    less; a candidate meets every prompt once before meeting one again.
    """
    round_, candidate = np.divmod(np.arange(n), candidates)
    keys: dict[str, Codes] = {}
    labels = {column: tuple(group.name for group in members) for column, members in groups.items()}
    level = np.full(n, float(spread.mean))
    for column, members in groups.items():
        chances = np.array([group.share for group in members])
        drawn = rng.choice(len(members), size=candidates, p=chances / chances.sum())
        keys[column] = drawn[candidate]
        level += np.array([group.ability for group in members])[keys[column]]
    if prompts:
        first = rng.integers(len(prompts), size=candidates)
        keys["prompt"] = (first[candidate] + round_) % len(prompts)
        labels["prompt"] = tuple(prompt.name for prompt in prompts)
        level -= np.array([prompt.difficulty for prompt in prompts])[keys["prompt"]]
    ability = level + spread.sd * _deviations(candidate, candidates, spread.consistency, rng)
    return Population(
        spread.scale,
        spread.mean,
        spread.sd,
        ability,
        spread.truth(ability),
        candidate,
        keys,
        labels,
    )


def _deviations(
    candidate: Codes, candidates: int, consistency: float, rng: np.random.Generator
) -> Floats:
    """Standard normal, correlated by ``consistency`` between responses of one candidate."""
    deviation = rng.standard_normal(candidate.size)
    if candidates == candidate.size:
        return deviation
    person = rng.standard_normal(candidates)[candidate]
    return math.sqrt(consistency) * person + math.sqrt(1 - consistency) * deviation


def _of_labels(labels: Sequence[str], points: Mapping[str, float]) -> Floats:
    return np.array([points.get(label, 0.0) for label in labels], dtype=np.float64)


def _unknown(kind: str, word: str, existing: Mapping[str, object] | Sequence[str]) -> str:
    listed = ", ".join(existing) or "none"
    return (
        f"shift names an unknown {kind} {word!r}; there are {listed}.{did_you_mean(word, existing)}"
    )


def _check_shares(shares: Sequence[float], points: int, sd: float) -> None:
    if len(shares) != points:
        raise OptionError(f"shares needs one number per scale point, {points}, got {len(shares)}")
    if min(shares) < 0 or not 0 < sum(shares) < math.inf:
        raise OptionError(f"shares must be 0 or more and not all 0, got {list(shares)}")
    if sd == 0:
        raise OptionError("shares needs sd above 0, else every true score is the same")
