"""The kinds of guarantee that ``route certify`` gives, one row each."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tallymark.selective.certificate import Certificate


class Labelled(NamedTuple):
    """Confidences and critical errors of labelled responses, and what is asked of them.

    ``grid`` are thresholds fixed beforehand, ``pool`` confidences of unlabelled responses.
    """

    confidence: "NDArray[Any]"
    wrong: "NDArray[Any]"
    alpha: float
    delta: float
    grid: "NDArray[Any] | None" = None
    pool: "NDArray[Any] | None" = None


class Guarantee(NamedTuple):
    """How a threshold is found, and what may be said of it.

    ``words`` stand in the help of --method; ``watched`` says what audits are held against, with
    ``{rate:level}`` for :attr:`rate`: the rate among the accepted, from alpha and the coverage.
    ``by_prompt`` says whether prompts can have thresholds of their own.
    """

    words: str
    find: "Callable[[Labelled], Certificate]"
    watched: str = "promised: {rate:level} at most"
    rate: Callable[[float, float], float | None] = lambda alpha, _: alpha
    by_prompt: bool = False


def _ltt(given: Labelled) -> "Certificate":
    from tallymark.selective.certify import certify

    grid = None if given.pool is not None else given.grid
    return certify(
        given.confidence, given.wrong, alpha=given.alpha, delta=given.delta, grid=grid,
        pool=given.pool,
    )  # fmt: skip


def _batch(given: Labelled) -> "Certificate":
    from tallymark.selective.certify import certify

    batch = given.confidence if given.pool is None else given.pool
    return certify(given.confidence, given.wrong, alpha=given.alpha, method="batch", batch=batch)


def _crc(given: Labelled) -> "Certificate":
    from tallymark.selective.certify import certify

    return certify(given.confidence, given.wrong, alpha=given.alpha, method="crc")


def _dev_zero(given: Labelled) -> "Certificate":
    from tallymark.selective.certify import dev_zero

    return dev_zero(given.confidence, given.wrong, delta=given.delta)


GUARANTEES = {
    "ltt": Guarantee("with high probability", _ltt, by_prompt=True),
    "batch": Guarantee(
        "on average in a batch",
        _batch,
        "promised: {rate:level} at most on average; every response given counts as accepted in its batch",
    ),
    "crc": Guarantee(
        "on average of the submitted",
        _crc,
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
