"""Sentences on raters: what to know before their numbers."""

from tallymark.render.sentences import Sentence, Tellers, Told
from tallymark.results import Evaluation, Finding

_TEMPLATES = {
    "not_rated_twice": "no response was rated twice.",
    "prompts_on_own_scales": "prompts are on scales of their own: see each prompt.",
    "raters_apart": "the raters fall into {groups} groups that share no response ({raters}): "
    "raters of different groups cannot be compared.",
    "raters_without_rating": "raters without any rating: {raters}.",
    "rater_like_an_id": "column {column} holds another whole number in every row: it looks like "
    "an id, not a score.",
    "raters_in_rows": "{raters} raters of {responses:responses}: are the raters in the rows? Each "
    "row must be a response.",
}


def _told(finding: Finding, _: Evaluation) -> Told:
    return Told(Sentence(_TEMPLATES[finding.name], **finding.numbers, **finding.texts))


FINDINGS: Tellers = dict.fromkeys(_TEMPLATES, _told)
