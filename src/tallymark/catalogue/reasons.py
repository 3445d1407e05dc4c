"""Why a number has no value, or one that it should not have."""

ONE_POINT = "both scores are one and the same point throughout: chance leaves nothing to agree on"
ONE_POINT_SCALE = "the scale has one point only"
TWO_POINTS = "defined for a scale of two points"
CONSTANT = "a score does not vary"
NO_PAIRS = "no response was scored twice"
ONE_RATER = (
    "no response was rated twice, so the variance of rater errors is not known; name a second "
    "rater, or give the variance with --error-variance"
)


def beyond_range(prmse: float) -> str:
    """What a PRMSE below 0 or above 1 means; nothing of others."""
    if prmse < 0:
        return "below 0: further from true scores than their mean is"
    if prmse > 1:
        return "above 1 only by sampling error: more responses rated twice would settle it"
    return ""
