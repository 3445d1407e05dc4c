"""Is the system no worse than a second rater, on what is accepted?"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.questions.routing.calibration import Calibration, RoutingTerms
from tallymark.results import Estimate, Key, ResultTable
from tallymark.selective.humans import no_worse, score_upper
from tallymark.sources import Scores
from tallymark.study.judged import critical_of

Errors = NDArray[np.bool_]


def beside_second(
    calibration: Calibration, terms: RoutingTerms, chosen: Errors
) -> tuple[list[Estimate], list[ResultTable]]:
    """Critical errors of the system less those of a second rater, against the first, if accepted.

    Of several responses of one cluster, only the one behind the certificate counts.
    """
    if not _has_second(calibration.scores):
        _refuse(calibration.scores, terms)
        return [], []
    judged, second = calibration.judged, _name(calibration.scores)
    other = critical_of(calibration.scores, "second", terms.lambda_)[judged.rows]
    both = chosen & calibration.used & ~np.isnan(other)
    ours, theirs = judged.wrong[both], other[both] > 0
    tables = [] if terms.margin is None else [_table(second, ours, theirs, terms)]
    return ([_estimate(ours, theirs, terms.delta)] if both.any() else []), tables


def _has_second(scores: Scores) -> bool:
    return set(_rules(scores)) == {"first"} and len(scores.humans) > 1


def _name(scores: Scores) -> str:
    """Who gave the second rating; several raters are called the second human."""
    raters = {name for made in scores.facts.golds for name, _ in made.second}
    return raters.pop() if len(raters) == 1 else "second human"


def _rules(scores: Scores) -> Iterator[str]:
    """How the gold comes about; a prompt may have a rule of its own."""
    yield scores.resolve
    for settings in scores.options.get("prompts", {}).values():
        yield settings.get("resolve", scores.resolve)


def _refuse(scores: Scores, terms: RoutingTerms) -> None:
    """A margin without a second rater cannot be answered."""
    if terms.margin is None:
        return
    raise OptionError(
        "--margin compares the system with a second rater, both against the first: name two raters "
        f"with --human, without --gold and with --resolve first; got {len(scores.humans)} --human "
        f"and gold by {', '.join(dict.fromkeys(_rules(scores)))}"
    )


def _estimate(ours: Errors, theirs: Errors, delta: float) -> Estimate:
    n, more, less = ours.size, int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    return Estimate(
        key=Key("excess_csrate"),
        value=(more - less) / n,
        low=-score_upper(less, more, n, delta),
        high=score_upper(more, less, n, delta),
        level=1 - 2 * delta,
        n=n,
        method=f"Tango's score bounds, each at level {1 - delta:g}",
    )


def _table(second: str, ours: Errors, theirs: Errors, terms: RoutingTerms) -> ResultTable:
    """Whether "no worse than a second rater" is shown, with what it rests on.

    The exact bound, for these responses chose the threshold: after that, simulated score bounds
    were too low up to twice as often as delta, exact ones hardly ever.
    """
    shown = False
    numbers: tuple[float | None, ...] = (None,) * 4
    if ours.size and terms.margin is not None:
        seen = no_worse(ours, theirs, margin=terms.margin, delta=terms.delta, method="exact")
        shown = seen.shown
        numbers = (seen.machine_rate, seen.human_rate, seen.difference, seen.upper)
    return ResultTable(
        name="no_worse",
        title="No worse than a second rater?",
        columns=(
            "rater", "shown", "margin", "CSRate of the system", "CSRate of the rater", "difference",
            "upper bound", "responses",
        ),
        rows=((second, "yes" if shown else "no", terms.margin, *numbers, ours.size),),
        note="Shown if the upper bound of the difference lies below the margin. Both against the "
        "first rater, on accepted responses that both raters scored, one of each cluster. The bound "
        f"is exact, at level {1 - terms.delta:g}, for a threshold that is taken as given.",
    )  # fmt: skip
