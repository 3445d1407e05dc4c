"""Why a number of two scores has no value."""

ONE_POINT = "both scores are one and the same point throughout: chance leaves nothing to agree on"
ONE_POINT_SCALE = "the scale has one point only"
TWO_POINTS = "defined for a scale of two points"
CONSTANT = "a score does not vary"
NO_PAIRS = "no response was scored twice"
