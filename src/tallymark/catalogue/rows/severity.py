"""Severity, fit and drift of raters."""

from functools import partial

from tallymark.catalogue.reasons import LINACRE, WRIGHT
from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row

fitted = partial(
    Row,
    by="severity",
    undefined="the model could not be fitted: no two raters share responses, or their scores do "
    "not vary",
    reference=LINACRE,
)
"""A number of the Rasch model."""
ROWS = (
    fitted(
        name="severity",
        title="Severity in logits",
        reading="From the many-facet Rasch model. Above 0, the rater gives less than the average "
        "rater to equally good responses, whoever else rated them. A system's severity is "
        "relative to the people's mean. With traits, from a model in each, and their mean. Standard "
        "errors are robust to misfit.",
        misreading="Not in score points: fair_difference is. Comparable only among raters linked by "
        "shared responses.",
        formula="log(P_k / P_k-1) = theta_i - severity_r - tau_k, severities sum to 0",
        short="severity",
        gloss="in logits; above 0 is severe",
        sets="rater_fit",
        aliases=("rater severity", "leniency", "facet measure"),
        range=UNBOUNDED,
        style="logits",
        better="zero",
    ),
    fitted(
        name="fair_average",
        title="Fair average of a rater",
        reading="The mean score this rater would give if they scored all responses.",
        misreading="Not the rater's own mean: it is what the model expects over all responses.",
        formula="mean over theta of E(x | theta - severity_r)",
        aliases=("fair mean", "fair-M"),
        range=UNBOUNDED,
        style="points",
        better="neither",
    ),
    fitted(
        name="fair_difference",
        title="Fair average less that of an average rater",
        reading="Severity in score points: below 0 is severe, above 0 lenient.",
        misreading="Relative to these raters: all of them may be severe together.",
        formula="fair_average - fair average at severity 0",
        short="points",
        gloss="score points above the average rater",
        sets="rater_fit",
        aliases=("severity in points",),
        range=UNBOUNDED,
        style="points",
        better="zero",
    ),
    fitted(
        name="infit",
        title="Infit of a rater",
        reading="1 is expected; above 1.5 is erratic, below 0.5 too predictable. Residuals are taken "
        "from what the response's other ratings predict.",
        misreading="Below 1 is no praise: a rater who is too predictable may copy others or avoid the "
        "ends of the scale.",
        formula="sum (x - E)^2 / sum V",
        reference=WRIGHT,
        short="infit",
        gloss="1 is expected, above 1.5 erratic",
        sets="rater_fit",
        aliases=("infit mean square", "infit MnSq"),
        range=POSITIVE,
        style="ratio",
        better="neither",
    ),
    fitted(
        name="outfit",
        title="Outfit of a rater",
        reading="Like infit, but a few very unexpected ratings weigh more.",
        misreading="One odd rating can decide it: read it beside infit.",
        formula="mean of (x - E)^2 / V",
        reference=WRIGHT,
        short="outfit",
        gloss="the same, moved by odd scores",
        sets="rater_fit",
        aliases=("outfit mean square", "outfit MnSq"),
        range=POSITIVE,
        style="ratio",
        better="neither",
    ),
    fitted(
        name="rater_spread",
        title="Spread of a rater's scores over that expected",
        reading="1 is expected. Below 1, the rater compresses the scale, keeping to the middle or to "
        "few points, given the responses they scored.",
        misreading="Not the plain spread of the scores: it is relative to the spread these responses "
        "lead one to expect.",
        formula="sqrt(Var x / (Var E + mean V))",
        reference="",
        short="spread",
        gloss="of the scores, over that expected",
        sets="rater_fit",
        aliases=("central tendency", "range restriction"),
        range=POSITIVE,
        style="ratio",
        better="neither",
    ),
    fitted(
        name="severity_sd",
        title="Spread of severities",
        reading="Standard deviation of severities in logits, with estimation error taken out.",
        misreading="0 does not prove that raters are equal: few ratings show little.",
        formula="sqrt(Var severity - mean se^2 R / (R - 1)), at least 0",
        aliases=("spread of severity",),
        range=POSITIVE,
        style="logits",
        better="lower",
    ),
    fitted(
        name="quality_mean",
        title="Mean quality of responses",
        reading="In logits, on the scale of severities and thresholds.",
        misreading="Meaningless on its own: only its place among thresholds and severities counts.",
        formula="mean of theta",
        aliases=("mean theta",),
        range=UNBOUNDED,
        style="logits",
        better="neither",
    ),
    fitted(
        name="quality_sd",
        title="Spread of the quality of responses",
        reading="In logits. Large relative to the spread of severities is good. Includes differences "
        "between the responses that raters were given.",
        misreading="Not reliability: compare it with the spread of severities.",
        formula="standard deviation of theta",
        aliases=("sd theta",),
        range=POSITIVE,
        style="logits",
        better="neither",
    ),
    fitted(
        name="threshold",
        title="Threshold of a score point",
        reading="Where this point and the one below it are equally likely, in logits. Thresholds out "
        "of order mean that some point is never the likeliest.",
        misreading="Not a cut score: it is in logits and belongs to the model.",
        formula="tau_k, they sum to 0",
        aliases=("step difficulty", "tau_k", "Andrich threshold"),
        choices={"point": ()},
        range=UNBOUNDED,
        style="logits",
        better="neither",
    ),
    Row(
        name="rater_difference",
        title="Rater less the others, in score points",
        by="raters",
        reading="Compared on the same responses, with the others' severity taken out: below 0 is "
        "severe.",
        misreading="Relative to the others: if all are severe, nobody appears so.",
        formula="mean of x_ij - mean_k (x_ik - a_k), a by least squares",
        undefined="the rater shares no response with another",
        aliases=("difference from the others",),
        range=UNBOUNDED,
        style="points",
        better="zero",
    ),
    Row(
        name="drift",
        title="Drift of a rater",
        by="raters",
        reading="Change in the difference from the others from the first batch to the last, along a "
        "straight line, in score points.",
        misreading="A change in all raters together is invisible: detecting it takes anchor responses.",
        formula="slope of rater_difference on the place of the batch, 0 first to 1 last",
        undefined="the rater shares responses in one batch only",
        aliases=("rater drift",),
        range=UNBOUNDED,
        style="points",
        better="zero",
    ),
)
