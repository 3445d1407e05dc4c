"""Decisions at cuts."""

from tallymark.catalogue.reasons import LIVINGSTON
from tallymark.catalogue.row import POSITIVE, PROPORTION, Row

ROWS = (
    Row(
        name="decision_accuracy",
        title="Decision accuracy",
        by="cuts",
        reading="How often the system, or a single rating, decides as true scores would: as "
        "most ratings of the response would, if there were many. Needs responses rated twice.",
        misreading="Rests on a model of true scores: nobody has seen them. Check part "
        "`counted` of the consistency.",
        formula="P(same grade) of two normal variables, shares passing as seen, rounding taken "
        "out: true score and system, or rating",
        undefined="no response was rated twice",
        reference=LIVINGSTON,
        aliases=("classification accuracy",),
        choices={"of": ("rater", "system"), "cut": ()},
        range=PROPORTION,
    ),
    Row(
        name="decision_consistency",
        title="Decision consistency",
        by="cuts",
        reading="How often the system, or a single rating, decides as another rating would; "
        "lower than accuracy, because that rating errs too. Part `counted` is the share of "
        "ratings that do, which the model should meet.",
        misreading="Not accuracy: two ratings can share an error.",
        formula="P(same grade) of two normal variables, shares passing as seen, rounding taken "
        "out: one rating and system, or another rating",
        undefined="no response was rated twice",
        reference=LIVINGSTON,
        aliases=("classification consistency",),
        choices={"of": ("rater", "system"), "cut": ()},
        range=PROPORTION,
    ),
    Row(
        name="decision_agreement",
        title="Same decision as the gold",
        by="cuts",
        reading="Share of responses on which the system decides as the gold does, as counted.",
        misreading="High at any cut that few responses come near: a cut far out is easy.",
        formula="share of responses with both scores on one side of the cut",
        undefined="no response has both scores",
        aliases=("pass/fail agreement",),
        choices={"cut": ()},
        range=PROPORTION,
    ),
    Row(
        name="false_pass",
        title="Passed by the system alone",
        by="cuts",
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
    Row(
        name="false_fail",
        title="Failed by the system alone",
        by="cuts",
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
    Row(
        name="error_at_cut",
        title="Standard error at the cut (conditional SEM)",
        by="cuts",
        reading="Among responses that the system puts at the points beside the cut, in score "
        "points of a rating: how far a rating, or the system, lies from the true score.",
        misreading="Not the standard error over the whole scale: only responses beside the cut "
        "count.",
        formula="rater: sqrt(error_variance); system: sqrt(mse_true); of these responses",
        undefined="no response beside the cut was rated twice",
        aliases=("conditional SEM", "CSEM"),
        choices={"of": ("rater", "system"), "cut": ()},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
)
