"""Decisions at cuts."""

from functools import partial

from tallymark.catalogue.reasons import LIVINGSTON
from tallymark.catalogue.row import POSITIVE, PROPORTION, Row

row = partial(Row, by="cuts")
ROWS = (
    row(
        name="decision_accuracy",
        title="Decision accuracy",
        reading="How often the system, or a single rating, decides as true scores would, that is, as "
        "most of many ratings of the response would. Needs responses rated twice.",
        misreading="Rests on a model of true scores, which nobody has seen. Check part counted of the "
        "consistency.",
        formula="P(same grade) of two normal variables, shares passing as seen, rounding taken "
        "out: true score and system, or rating",
        undefined="no response was rated twice",
        reference=LIVINGSTON,
        aliases=("classification accuracy",),
        choices={"of": ("rater", "system"), "cut": ()},
        range=PROPORTION,
    ),
    row(
        name="decision_consistency",
        title="Decision consistency",
        reading="How often the system, or a single rating, decides as another rating would. Lower "
        "than accuracy, because that rating errs too. Part counted is the share of ratings "
        "that do, which the model should match.",
        misreading="Not accuracy: two ratings can share an error.",
        formula="P(same grade) of two normal variables, shares passing as seen, rounding taken "
        "out: one rating and system, or another rating",
        undefined="no response was rated twice",
        reference=LIVINGSTON,
        aliases=("classification consistency",),
        choices={"of": ("rater", "system"), "cut": ()},
        range=PROPORTION,
    ),
    row(
        name="decision_agreement",
        title="Same decision as the gold",
        reading="Share of responses on which the system decides as the gold does, counted directly.",
        misreading="High at any cut that few responses come near: an extreme cut is easy.",
        formula="share of responses with both scores on one side of the cut",
        undefined="no response has both scores",
        aliases=("pass/fail agreement",),
        choices={"cut": ()},
        range=PROPORTION,
    ),
    row(
        name="false_pass",
        title="Passed by the system alone",
        reading="Share of all responses that the system passes and the gold, or the true "
        "score, fails.",
        misreading="A share of all responses, not of those that passed.",
        formula="P(system >= cut, gold < cut)",
        undefined="no response has both scores; against true scores, none was rated twice",
        aliases=("false positive", "false positives"),
        choices={"against": ("gold", "true score"), "cut": ()},
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="false_fail",
        title="Failed by the system alone",
        reading="Share of all responses that the system fails and the gold, or the true score, "
        "passes.",
        misreading="A share of all responses, not of those that failed.",
        formula="P(system < cut, gold >= cut)",
        undefined="no response has both scores; against true scores, none was rated twice",
        aliases=("false negative", "false negatives"),
        choices={"against": ("gold", "true score"), "cut": ()},
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="error_at_cut",
        title="Standard error at the cut (conditional SEM)",
        reading="How far a rating, or the system, lies from the true score among responses that the "
        "system puts next to the cut, in score points of a rating.",
        misreading="Not the standard error over the whole scale: only responses next to the cut count.",
        formula="rater: sqrt(error_variance); system: sqrt(mse_true); of these responses",
        undefined="no response beside the cut was rated twice",
        aliases=("conditional SEM", "CSEM"),
        choices={"of": ("rater", "system"), "cut": ()},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
)
