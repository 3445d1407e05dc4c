"""The questions that an evaluation answers, each as one section for every screen."""

from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.repeats.view import section as repeats
from tallymark.render.model import Section
from tallymark.results import Evaluation

QUESTIONS = (ceilings, repeats, cuts, fairness)


def sections(evaluation: Evaluation) -> list[Section]:
    """Return what is shown of each question, in the order of the screens."""
    return [section(evaluation) for section in QUESTIONS]
