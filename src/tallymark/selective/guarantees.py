"""Guarantees that ``route certify`` gives: how a threshold is found, and what may be said of it.

Each is a function from labelled responses to a :class:`Certificate`, and one row of ``GUARANTEES``.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from tallymark.defaults import DELTA

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

HIGH_PROBABILITY = (
    "With probability {sure:g} % or more over the draw of the calibration responses, at most "
    "{alpha:g} % of the accepted responses are critical errors in the long run."
)
EACH_PROMPT = " This holds at once for every prompt with a threshold; {prompts} were tried."
BATCH = (
    "On average over calibration samples and batches, at most {alpha:g} % of the accepted responses "
    "of a batch are critical errors; a batch without accepted responses counts as 0."
)
SUBMITTED = (
    "On average over calibration samples, at most {alpha:g} % of the submitted responses are "
    "accepted critical errors; among the accepted ones alone the share can be higher."
)
OF_CLUSTERS = "Of one response of each cluster, drawn at random: "
NOTHING = "Cannot certify: {why}."
NOT_A_GUARANTEE = (
    "Not a guarantee: the threshold was chosen because no accepted response was a critical error. "
    "If it had been fixed beforehand, at most {upper:.3g} % of the accepted responses would be "
    "critical errors, with confidence {sure:g} %."
)
NO_ZERO = "Not a guarantee, and no threshold: the most confident response is a critical error."


class Certificate(Struct, frozen=True):
    """A threshold with a guarantee, or the reason why there is none.

    Responses are accepted at confidence >= ``tau`` if ``inclusive``, else at > ``tau``; ``tau`` is
    -inf where all are accepted and NaN where none is certified. ``n`` calibration responses lie
    above it, ``k`` of them critical errors; ``coverage`` is their share of all (of method "batch":
    the share of the batch). ``p`` is the p-value of "the rate is above alpha" and ``upper`` the
    bound on the rate, both at the level ``delta_each`` that this threshold was tested at.
    ``needed`` is the least number of further accepted labels, none of them a critical error, with
    which it could have been certified. ``grid`` says where thresholds came from (rank, fixed,
    pool), ``starts`` at how many accepted responses chains began, ``tied`` whether a rank grid met
    equal confidences.
    """

    method: str
    alpha: float
    delta: float
    certified: bool
    statement: str
    tau: float = float("nan")
    inclusive: bool = False
    coverage: float = float("nan")
    n: int = 0
    k: int = 0
    total: int = 0
    p: float = float("nan")
    upper: float = float("nan")
    delta_each: float = float("nan")
    needed: int = 0
    why: str = ""
    grid: str = ""
    starts: tuple[int, ...] = ()
    tied: bool = False

    @property
    def accepts_all(self) -> bool:
        """Whether every response is accepted."""
        return self.certified and self.tau == float("-inf")

    @property
    def rule(self) -> str:
        """The sign that stands between a confidence and ``tau``."""
        return ">=" if self.inclusive else ">"


class Labelled(NamedTuple):
    """Labelled responses, the rate to certify, and the thresholds that may be tried.

    ``counts`` say how often each response occurs. ``grid`` are thresholds fixed beforehand;
    ``pool`` are confidences of unlabelled responses, whose quantiles become the grid. ``starts``
    are the critical errors allowed where chains of tests begin. ``batch`` are the confidences of
    the one batch that method "batch" is for.
    """

    confidence: "ArrayLike"
    errors: "ArrayLike"
    alpha: float
    delta: float = DELTA
    counts: "ArrayLike | None" = None
    grid: "ArrayLike | None" = None
    pool: "ArrayLike | None" = None
    starts: Sequence[int] | None = None
    batch: "ArrayLike | None" = None


class Guarantee(NamedTuple):
    """How a threshold is found, and what may be said of it.

    ``words`` stand in the help of --method; ``watched`` says what audits are held against, with
    ``{rate:level}`` for :attr:`rate`: the rate among the accepted, from alpha and the coverage.
    ``by_prompt`` says whether prompts can have thresholds of their own.
    """

    words: str
    find: Callable[[Labelled], Certificate]
    watched: str = "promised: {rate:level} at most"
    rate: Callable[[float, float], float | None] = lambda alpha, _: alpha
    by_prompt: bool = False


def _learn_then_test(labelled: Labelled) -> Certificate:
    from tallymark.selective.ltt import certificate

    return certificate(labelled)


def _batch(labelled: Labelled) -> Certificate:
    from tallymark.selective.conformal import batch_certificate

    return batch_certificate(labelled)


def _submitted(labelled: Labelled) -> Certificate:
    from tallymark.selective.conformal import submitted_certificate

    return submitted_certificate(labelled)


def _dev_zero(labelled: Labelled) -> Certificate:
    from tallymark.selective.certify import dev_zero

    return dev_zero(
        labelled.confidence, labelled.errors, delta=labelled.delta, counts=labelled.counts
    )


GUARANTEES = {
    "ltt": Guarantee("with high probability", _learn_then_test, by_prompt=True),
    "batch": Guarantee(
        "on average in a batch",
        _batch,
        "promised: {rate:level} at most on average; every response given counts as accepted in its batch",
    ),
    "crc": Guarantee(
        "on average of the submitted",
        _submitted,
        "{rate:level} is alpha, which counts submitted responses, at the coverage of the calibration",
        lambda alpha, coverage: min(alpha / coverage, 0.99) if coverage > 0 else None,
    ),
}
NO_GUARANTEE = Guarantee(
    "no guarantee",
    _dev_zero,
    "watched for {rate:level}, the bound as reported; not a guarantee",
    by_prompt=True,
)
METHODS = {**GUARANTEES, "dev_zero": NO_GUARANTEE}
"""Also the rule that guarantees nothing, which has an option of its own."""
