"""What can be asked for: prompts, groups, raters and systems. All sizes are in score points.

Every departure from the truth defaults to none: ``Rater("h1")`` gives each response its true
score, moved to the nearest point of the scale.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tallymark.errors import OptionError

Floats = NDArray[np.float64]
Shift = Mapping[str, Mapping[str, float]]
"""Points added by column and label, for example ``{"first_language": {"Mandarin": -0.5}}``."""


class CalledByName(Struct, frozen=True):
    """What has a name, given first; all else is given by keyword."""

    name: str


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
