"""How more is asked for: by options, or where RSMTool's configurations are read by their fields."""

from tallymark.results import Evaluation

_FIELDS = {
    "a second --human column": "second_human_score_column in the configuration",
    "--human COLUMN": "second_human_score_column",
    "--group gender": "subgroups",
    "--group COLUMN": "subgroups",
    "--group": "subgroups",
    "--error-variance": "rater_error_variance",
    "--repeat": "tallymark evaluate and --repeat",
    "--confidence": "tallymark evaluate and --confidence",
}
"""What a configuration has in place of an option, the longer words first."""


def asked_by(evaluation: Evaluation, words: str) -> str:
    """Words that name options, in the way of who asked for this evaluation."""
    if evaluation.kind == "rsmeval":
        for option, field in _FIELDS.items():
            words = words.replace(option, field)
    return words
