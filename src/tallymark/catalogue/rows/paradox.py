"""What explains a kappa."""

from functools import partial

from tallymark.agreement import paradox
from tallymark.catalogue.reasons import BYRT, DOEWES, ONE_POINT_SCALE, TWO_POINTS
from tallymark.catalogue.row import PROPORTION, Row

row = partial(Row, by="agreement")
ROWS = (
    row(
        name="pabak",
        title="PABAK",
        reading="Kappa on two points as if both were equally common and equally used.",
        misreading="Percent agreement rescaled: it does not correct for chance in these data.",
        formula="2 po - 1",
        undefined=TWO_POINTS,
        reference=BYRT,
        short="PABAK",
        aliases=("prevalence- and bias-adjusted kappa",),
        sets="two_points chance_corrected",
        level="nominal",
        value=paradox.pabak,
        example=("[0, 0, 1, 1], [0, 0, 1, 0]", "0.500"),
        tallies=("table",),
    ),
    row(
        name="prevalence_index",
        title="Prevalence index",
        reading="How much one of the two points dominates the agreement. Far from 0, kappa is low.",
        misreading="Neither good nor bad. Not the share of the commoner point: it counts agreements "
        "only.",
        formula="(n_11 - n_22) / n",
        undefined=TWO_POINTS,
        reference=BYRT,
        short="prevalence",
        sets="two_points",
        better="neither",
        level="nominal",
        value=paradox.prevalence_index,
        example=("[0, 0, 1, 1], [0, 0, 1, 0]", "0.250"),
        tallies=("table",),
    ),
    row(
        name="bias_index",
        title="Bias index",
        reading="How much more often the first rater uses the first of the two points than the "
        "second rater does.",
        misreading="Not a bias in score points: it compares how often a point is used.",
        formula="(n_12 - n_21) / n",
        undefined=TWO_POINTS,
        reference=BYRT,
        short="bias index",
        sets="two_points",
        better="zero",
        level="nominal",
        value=paradox.bias_index,
        example=("[0, 0, 1, 1], [0, 0, 1, 0]", "-0.250"),
        tallies=("table",),
        symmetric=False,
        interval="bca",  # ABC holds less by .004 of 50 responses, 3.2 standard errors of 4,000 samples
    ),
    row(
        name="prevalence_doewes",
        title="Prevalence (many points)",
        reading="How unevenly the agreement is spread over the score points; 0 is even.",
        misreading="Explains a kappa but does not judge a system: uneven is not bad.",
        formula="2 / (n c (c - 1)) sum_{i<j} |n_ii - n_jj|",
        undefined=ONE_POINT_SCALE,
        reference=f"{DOEWES}, equation 4 corrected",
        short="prevalence",
        sets="default",
        better="neither",
        level="nominal",
        value=paradox.prevalence_doewes,
        example=("[1, 1, 2, 3], [1, 1, 2, 2]", "0.333"),
        tallies=("cells",),
        range=PROPORTION,
        interval="none",
        analytic=None,
    ),
)
