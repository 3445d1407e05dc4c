"""Sentences on raters: each beside the others, over time, and what to know before the numbers."""

from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding

CHANGE = (
    "Score points above the other raters of the same responses, their own severity taken out; "
    "change: first to last along a straight line. It is relative: one rater's change moves the "
    "others a little the other way, and a change of all together cannot be seen."
)
_TEMPLATES = {
    "not_rated_twice": "no response was rated twice.",
    "prompts_on_own_scales": "prompts have scales of their own: there is no panel of all responses, only of each prompt.",
    "raters_apart": "the raters fall into {groups} groups that share no response ({raters}): "
    "raters of different groups cannot be compared.",
    "raters_without_rating": "raters without any rating: {raters}.",
    "rater_like_an_id": "column {column} holds another whole number in every row: it looks like "
    "an id, not a score.",
    "raters_in_rows": "{raters} raters of {responses:responses}: are the raters in the rows? Each "
    "row must be a response.",
}


def within(column: str | None) -> str:
    """Say over what the comparison with the others is averaged."""
    return f"; r and difference: mean over {column}s" if column else ""


def in_order(*, many: bool) -> str:
    """Say in which order raters come."""
    return "those furthest from the others first" if many else "the most severe first"


def leaning(difference: Estimate) -> str:
    """Severe or lenient, where the interval of the difference from the others excludes 0."""
    if difference.why:  # an interval without width excludes nothing
        return ""
    if difference.low > 0:
        return "lenient"
    return "severe" if difference.high < 0 else ""


def turning(change: Estimate) -> str:
    """Where a rater is going, if the interval of the change excludes 0."""
    if change.low > 0:
        return "to lenient"
    return "to severe" if change.high < 0 else ""


def _words(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(Sentence(_TEMPLATES[finding.name], **finding.numbers, **finding.texts))


FINDINGS: Tellers = dict.fromkeys(_TEMPLATES, _words)
