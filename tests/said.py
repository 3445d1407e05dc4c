"""What an evaluation says in words."""

from tallymark.analyses import findings


def notes(evaluation):
    """What is said before the numbers, without the final periods."""
    return tuple(text.removesuffix(".") for text in findings.notes(evaluation))


def words(evaluation, finding):
    """The words of a finding."""
    return str(findings.told(finding, evaluation).words)


def advice(evaluation, finding):
    """What a finding advises."""
    return str(findings.told(finding, evaluation).advice)
