"""The certificate: a threshold, what was seen at it, and the sentence that may be said."""

from msgspec import Struct

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
    the share of the batch). ``p`` is the
    p-value of "the rate is above alpha" and ``upper`` the bound on the rate, both at the level
    ``delta_each`` that this threshold was tested at. ``needed`` is the least number of further
    accepted labels, none of them a critical error, with which it could have been certified.
    ``grid`` says where thresholds came from (rank, fixed, pool), ``starts`` at how many accepted
    responses chains began, ``tied`` whether a rank grid met equal confidences.
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
