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
_RECALIBRATION = {"linear": "A linear recalibration", "isotonic": "An isotonic recalibration"}


def decides(finding: Finding, _: Evaluation) -> FindingWords:
    """The choice of scale or rule turns the decision at QWK .70 around."""
    shown = finding.numbers
    words = Sentence(
        "QWK at .70: accepted {accepted} ({best:share}), rejected {rejected} "
        "({worst:share}): the people and the system are the same.{settled}",
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
    return FindingWords(words, advice, f"The {'resolution rule' if rule else 'scale'} decides")


def _way(finding: Finding, side: str) -> Sentence:
    if side in finding.texts:
        return Sentence("as the {rule} of the ratings", rule=finding.texts[side])
    return Sentence("on {points} points", points=finding.numbers[f"{side}_points"])


def recalibrate(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """The order of responses is right, and their level or spread is not."""
    numbers, shown, way = evaluation.numbers[finding.subset], finding.numbers, finding.texts["by"]
    gain = Key("recalibration_gain", of=QWK, by=way)
    name = "QWK" if gain in numbers else "CCC"
    words = Sentence(
        "{name} is {before:share}, but the order of responses is right (r {r:share}, "
        "tau-b {tau:share}). {way} would reach {after:share} and move SMD from "
        "{off} to {still}: a gain of {gain}, cross-fitted.",
        name=name,
        before=shown["before"],
        r=shown["r"],
        tau=shown["tau_b"],
        way=_RECALIBRATION[way],
        after=shown["after"],
        off=shown["smd_before"],
        still=shown["smd_after"],
        gain=numbers[gain if gain in numbers else Key("recalibration_gain", of=CCC, by=way)],
    )
    advice = (
        "Recalibrate with the table `recalibration`, fitted to responses that are not those it is "
        "judged on, and evaluate again."
    )
    return FindingWords(words, advice, "Order is right, level is not")


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
