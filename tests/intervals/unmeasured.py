"""The sections of docs/coverage.md on confidences, and on the intervals that nobody has measured."""

CONFIDENCES = """## Confidences and class probabilities

200 forecasts of scores on four points, stated a third too surely; the gold is drawn with the true probabilities. *Skewed*: low scores dominate. One response in twenty is a critical error
(two points or more). True values: the formulas on the exact distribution. 400 samples (standard error .011); `confidences.py` in tests/intervals measures again.

| | even n=50 | even n=200 | even n=1000 | skewed n=50 | skewed n=200 | skewed n=1000 |
|---|---|---|---|---|---|---|
| brier | .955 | .955 | .940 | .965 | .948 | .955 |
| rps | .938 | .960 | .945 | .948 | .945 | .948 |
| aurc | .973 | .932 | .940 | .975 | .940 | .938 |
| e_aurc | .954 | .930 | .945 | .967 | .940 | .940 |
| augrc | .976 | .945 | .942 | *.986* | .955 | .945 |
| auroc_cse | .970 | .934 | .935 | .971 | .936 | .935 |

`brier` and `rps` are means and have ABC. The areas have BCa up to 100 distinct confidences and above that a normal interval of their log odds, by their influence. Without log odds they held the truth less often: `aurc`
.85 at n=100 (now .92 to .94), .89 to .91 at n=200, .92 to .94 at n=1000. `auroc_cse` of 50 responses held .76 to .78; it now has an interval only with 5 critical errors and 5 other scores, which one
sample of 50 in nine has.
"""
REST = """## What this page does not measure

- These have the interval of the statistic in their brackets, on other responses or scores: `human_human`, `human_system`, `most_confident`, `resolved`, `binned`, `recalibrated`, `qwk_even_position`.
- These follow from reliability or from a ceiling, whose coverage is above: `error_variance`, `true_score_variance`, `sem`, `raters_needed`, `rater_in_gold`, `rater_reliability`, `mse_true`, `disattenuated_r`,
  `ceiling_uncalibrated`, `share_of_ceiling`, `gap_to_ceiling`, `sem_relative`, `sem_absolute`, `variance_component`. `ceiling_quantised`: [ceilings](ceilings.md#intervals).
- These have Wilson's interval of a share, as `csrate` has: `accepted`, `accepted_csrate`, `human_gap`, and of a mean of squares: `brier_cse`.
- Not measured: `osa`, `osd`, `csd` (noncentral F, as RSMTool's definitions imply), `osa_effect`, `csd_effect`, `fair_average`, `fair_difference`, `infit`, `outfit`, `rater_spread`,
  `distance_to_agreement`, `recalibration_gain`. Take these intervals as a guide only.
"""
