"""Sentences on severity."""

from tallymark.reliability.severity import NO_WAY_BACK
from tallymark.render.sentences import Sentence, Tellers, Told
from tallymark.results import Evaluation, Finding


def _unused(finding: Finding, _: Evaluation) -> Told:
    points = [Sentence("{point:g}", point=point) for point in finding.numbers.values()]
    return Told(
        Sentence("nobody gave the score {points}: severity is estimated without it.", points=points)
    )


def _from_all(_: Finding, __: Evaluation) -> Told:
    return Told(
        Sentence(
            "{why}: severity takes the quality of responses as the same for all raters, which "
            "could not be checked.",
            why=NO_WAY_BACK,
        )
    )


FINDINGS: Tellers = {"points_unused": _unused, "severity_from_all": _from_all}
