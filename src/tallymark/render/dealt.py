"""Whether responses were dealt to raters at random, in words."""

import math

from tallymark.reliability.assignment import REJECTED
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate

SURE = 0.05


def dealt(test: Estimate, what: str) -> Sentence:
    """Say by the test which responses tell ``what`` of raters."""
    p, shared = test.parts["p"], int(test.parts["shared"])
    tested = "" if math.isnan(p) else Sentence(" (p {p:p})", p=p)
    twice = Sentence("the {shared} rated twice or more", shared=shared)
    some = Sentence("within them") if shared == test.n else twice
    if test.parts["random"]:
        which = Sentence("all of them") if test.parts["all_count"] else some
        return Sentence(
            "Responses look dealt at random{tested}: severity from {which}.",
            tested=tested,
            which=which,
        )
    surely = ("not" if p < SURE else "perhaps not") if p < REJECTED else "not shown to be"
    if test.parts["all_count"]:
        return Sentence(
            f"Responses {surely} dealt at random{{tested}}, yet {what} from all of them.",
            tested=tested,
        )
    return Sentence(
        f"Responses {surely} dealt at random{{tested}}: {what} from {{which}}.",
        tested=tested,
        which=some,
    )
