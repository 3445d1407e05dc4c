"""Sentences on the same scores on other scales, under other rules, and recalibrated."""

from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding, Key

QWK, CCC = Key("cohen_kappa", weights="quadratic"), Key("lin_ccc")
_SETTLED = (
    " These data settle neither: both intervals hold .70.",
    " These data settle only one of the two.",
    "",
)
"""What is said of two decisions of which none, one or both are settled."""
ORDER_IS_RIGHT = 0.8
"""From this tau-b on the order of responses is called right: of ten pairs that both scores order, nine
are in the same order."""
_RECALIBRATION = {"linear": "A linear recalibration", "isotonic": "An isotonic recalibration"}


def decides(finding: Finding, _: Evaluation) -> FindingWords:
    """The choice of scale or rule turns the decision at QWK .70 around."""
    shown = finding.numbers
    words = Sentence(
        "At a limit of .70 on QWK the same scores pass {accepted} ({best:share}) and fail {rejected} "
        "({worst:share}).{settled}",
        accepted=_way(finding, "accepted"),
        rejected=_way(finding, "rejected"),
        best=shown["accepted"],
        worst=shown["rejected"],
        settled=_SETTLED[int(shown["settled"])],
    )
    advice = (
        "Fix the scale and the resolution rule before you see the numbers, and report both with "
        "QWK; AC2 and Brennan-Prediger change less with the scale."
    )
    rule = finding.name == "resolution_decides"
    ways = tuple(str(_way(finding, side)) for side in ("accepted", "rejected"))
    title = f"The {'resolution rule' if rule else 'scale'} decides"
    return FindingWords(words, advice, title, (*ways, shown["settled"]))


def _way(finding: Finding, side: str) -> Sentence:
    if side in finding.texts:
        return Sentence("with the {rule} of the ratings as gold", rule=finding.texts[side])
    return Sentence("on {points} points", points=finding.numbers[f"{side}_points"])


def recalibrate(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Level or spread cost agreement that the order of responses would allow."""
    numbers, shown, way = evaluation.numbers[finding.subset], finding.numbers, finding.texts["by"]
    gain = Key("recalibration_gain", of=QWK, by=way)
    name = "QWK" if gain in numbers else "CCC"
    right = shown["tau_b"] >= ORDER_IS_RIGHT
    closer = abs(shown["smd_after"]) < abs(shown["smd_before"])
    words = Sentence(
        "{name} is {before:share}{order} (r {r:share}, tau-b {tau:share}). {way}, which keeps the "
        "order of responses, would reach {after:share}, a gain of {gain}, cross-fitted{smd}.",
        name=name,
        smd=Sentence(
            "; SMD{rounded} would move from {off:hundredths} to {still:hundredths}",
            rounded=" of the rounded scores" if name == "QWK" else "",
            off=shown["smd_before"],
            still=shown["smd_after"],
        )
        if closer
        else "",
        order=Sentence(
            ", but their order is right: tau-b is {limit:goal} or more", limit=ORDER_IS_RIGHT
        )
        if right
        else "",
        before=shown["before"],
        r=shown["r"],
        tau=shown["tau_b"],
        way=_RECALIBRATION[way],
        after=shown["after"],
        gain=numbers[gain if gain in numbers else Key("recalibration_gain", of=CCC, by=way)],
    )
    advice = (
        "Fit a recalibration on other responses than those it is judged on, and evaluate again; tables "
        "named recalibration show one."
    )
    title = "Order is right, level is not" if right else "Level or spread is off"
    return FindingWords(words, advice, title, (right, way, shown["smd_before"] > 0))


def line(linear: Estimate) -> Sentence:
    """Say which straight line recalibrates the scores."""
    return Sentence(
        "The line is {shift} + {slope} x score",
        shift=linear.parts["shift"],
        slope=linear.parts["slope"],
    )


FINDINGS: Tellers = {
    "scale_decides": decides,
    "resolution_decides": decides,
    "recalibrate": recalibrate,
}
