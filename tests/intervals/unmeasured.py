"""The sections of docs/coverage.md on confidences, and on the intervals that nobody has measured."""

from tests.intervals.measuring import Measured
from tests.intervals.tables import grid, named, samples

CONFIDENCES = """## Confidences and class probabilities

200 forecasts of scores on four points, stated a third too surely; the gold is drawn with the true probabilities. *Skewed*: low scores dominate. One response in twenty is a critical error
(two points or more). True values: the formulas on the exact distribution. {samples}.

{table}

`brier` and `rps` are means and have ABC. The areas have BCa up to 100 distinct confidences and above that a normal interval of their log odds, by their influence. Without log odds they held the truth less often: `aurc`
.85 at n=100 (now .92 to .94), .89 to .91 at n=200, .92 to .94 at n=1000. `auroc_cse` of 50 responses held .76 to .78; it now has an interval only with 5 critical errors and 5 other scores, which one
sample of 50 in nine has.
"""


def confidences(measured: Measured) -> str:
    """The section."""
    cells = measured["confidences"]
    return CONFIDENCES.format(
        samples=samples(cells), table=grid("", named(next(iter(cells.values()))), cells)
    )


REST = """## What this page does not measure

- These have the interval of the statistic in their brackets, on other responses or scores: `human_human`, `human_system`, `most_confident`, `resolved`, `binned`, `recalibrated`, `qwk_even_position`.
- These follow from reliability or from a ceiling, whose coverage is above: `error_variance`, `true_score_variance`, `sem`, `raters_needed`, `rater_in_gold`, `rater_reliability`, `mse_true`, `disattenuated_r`,
  `ceiling_uncalibrated`, `share_of_ceiling`, `gap_to_ceiling`, `sem_relative`, `sem_absolute`, `variance_component`. `ceiling_quantised`: [ceilings](ceilings.md#intervals).
- These have Wilson's interval of a share, as `csrate` has: `accepted`, `accepted_csrate`, `human_gap`, and of a mean of squares: `brier_cse`. With `--cluster` it is as wide as the t quantile of the clusters
  makes it. Shares of .05 and .3, clusters of 10 to 30 responses that differ somewhat or strongly (correlation .02 or .2), 1,500 samples: 4 to 40 equal clusters hold in .88 to 1.00, unequal ones (lognormal sizes with SD 1)
  in .90 to 1.00, the least where the share is .05 and clusters differ strongly. Without it they held in .74 to .94.
- Of labels, held against limits by tests/classes (400 samples a cell) and not shown here: `sensitivity`, `specificity`, `precision`, `negative_predictive_value`, `f1`, `balanced_accuracy`, `mcc`, `positive_rate`,
  `class_recall`, `class_precision`, `class_f1`, `macro_precision`, `macro_f1`.
- Not measured: `osa`, `osd`, `csd` (noncentral F, as RSMTool's definitions imply), `fair_average`, `fair_difference`, `infit`, `outfit`, `rater_spread`,
  `distance_to_agreement`, `recalibration_gain`. Take these intervals as a guide only.
"""
