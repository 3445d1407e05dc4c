"""Words for variance components, severity and drift: what each number is, by name."""

from tallymark.results import Definition

_BRENNAN = "Brennan (2001), doi:10.1007/978-1-4757-3456-0"
_LINACRE = "Linacre (1989), Many-facet Rasch measurement"
_WRIGHT = "Wright & Masters (1982), Rating scale analysis"
RATER_WORDS: dict[str, Definition] = {
    "variance_component": Definition(
        name="variance_component",
        title="Variance component",
        reading="How much of the variance of one rating comes from the responses, from raters' "
        "severity, and from neither, in squared score points. The responses' holds differences "
        "between the responses that raters were given. Estimates below 0 are kept, and taken as 0 "
        "in coefficients. crossed: raters are known; nested: as if they were not, "
        "severity is then in the residual; once: every response was read once; prompts: "
        "candidates by raters by prompts.",
        formula="expected mean squares; Henderson's method 3, responses absorbed, where cells are "
        "missing",
        reference=_BRENNAN,
        better="neither",
    ),
    "generalizability": Definition(
        name="generalizability",
        title="Generalizability of the mean of n' ratings",
        reading="Reliability for ranking responses that the same raters scored: severity does not "
        "count. 1 is perfect, 0.80 is often asked for. Intervals are for these raters.",
        formula="s2_p / (s2_p + s2_pr / n')",
        reference=_BRENNAN,
    ),
    "dependability": Definition(
        name="dependability",
        title="Dependability of the mean of n' ratings",
        reading="Reliability of the score as it stands, whoever rated: severity is error too. "
        "Intervals are for these raters.",
        formula="s2_p / (s2_p + (s2_r + s2_pr) / n')",
        reference=_BRENNAN,
    ),
    "sem_relative": Definition(
        name="sem_relative",
        title="Standard error of the mean of n' ratings, severity aside",
        reading="In score points; for comparing responses that the same raters scored.",
        formula="sqrt(s2_pr / n')",
        reference=_BRENNAN,
        better="lower",
    ),
    "sem_absolute": Definition(
        name="sem_absolute",
        title="Standard error of the mean of n' ratings, severity included",
        reading="In score points; how far a score lies from that of all raters like these.",
        formula="sqrt((s2_r + s2_pr) / n')",
        reference=_BRENNAN,
        better="lower",
    ),
    "raters_needed": Definition(
        name="raters_needed",
        title="Raters needed for a coefficient",
        reading="How many ratings of each response reach the target; round up.",
        formula="n' = error of one rating / s2_p * target / (1 - target)",
        reference=_BRENNAN,
        better="lower",
    ),
    "severity": Definition(
        name="severity",
        title="Severity in logits",
        reading="Many-facet Rasch model. Above 0 the rater gives less than the average rater to "
        "equally good responses, whoever else rated them; a system's is less the people's mean. "
        "Errors are robust to misfit.",
        formula="log(P_k / P_k-1) = theta_i - severity_r - tau_k, severities sum to 0",
        reference=_LINACRE,
        better="zero",
    ),
    "random_assignment": Definition(
        name="random_assignment",
        title="Were raters given their responses at random?",
        reading="Effects of raters from within responses against those that take responses as "
        "dealt at random. A p (in parts) below .2 says they were not; one above says so only where "
        "the share, variance of the contrast over that of the effects, is at most .5 (part "
        "random). Part all_count is 1 where responses read once count too.",
        formula="F = (m - q) / (q (m - 1)) d' V^- d",
        reference="Hausman (1978), doi:10.2307/1913827",
        better="neither",
    ),
    "fair_average": Definition(
        name="fair_average",
        title="Fair average of a rater",
        reading="The mean score this rater would give if all responses were his or hers.",
        formula="mean over theta of E(x | theta - severity_r)",
        reference=_LINACRE,
        better="neither",
    ),
    "fair_difference": Definition(
        name="fair_difference",
        title="Fair average less that of an average rater",
        reading="Severity in score points: below 0 is severe, above 0 lenient.",
        formula="fair_average - fair average at severity 0",
        reference=_LINACRE,
        better="zero",
    ),
    "infit": Definition(
        name="infit",
        title="Infit of a rater",
        reading="1 is expected; above 1.5 erratic, below 0.5 too predictable. Residuals are taken "
        "from what the other ratings of the response predict.",
        formula="sum (x - E)^2 / sum V",
        reference=_WRIGHT,
        better="neither",
    ),
    "outfit": Definition(
        name="outfit",
        title="Outfit of a rater",
        reading="As infit; a few very unexpected ratings weigh more.",
        formula="mean of (x - E)^2 / V",
        reference=_WRIGHT,
        better="neither",
    ),
    "rater_spread": Definition(
        name="rater_spread",
        title="Spread of a rater's scores over that expected",
        reading="1 is expected; below 1 the rater compresses the scale, keeping to the middle or "
        "to few points, given the responses that were his or hers.",
        formula="sqrt(Var x / (Var E + mean V))",
        better="neither",
    ),
    "severity_sd": Definition(
        name="severity_sd",
        title="Spread of severities",
        reading="Standard deviation of severities in logits, their estimation error taken out.",
        formula="sqrt(Var severity - mean se^2 R / (R - 1)), at least 0",
        reference=_LINACRE,
        better="lower",
    ),
    "quality_mean": Definition(
        name="quality_mean",
        title="Mean quality of responses",
        reading="In logits, on the scale of severities and thresholds.",
        formula="mean of theta",
        reference=_LINACRE,
        better="neither",
    ),
    "quality_sd": Definition(
        name="quality_sd",
        title="Spread of the quality of responses",
        reading="In logits; large beside the spread of severities is good. It holds differences "
        "between the responses that raters were given.",
        formula="standard deviation of theta",
        reference=_LINACRE,
        better="neither",
    ),
    "threshold": Definition(
        name="threshold",
        title="Threshold of a score point",
        reading="Where this point and the one below are equally likely, in logits. Thresholds out "
        "of order mean that a point is never the likeliest.",
        formula="tau_k, they sum to 0",
        reference=_LINACRE,
        better="neither",
    ),
    "rater_difference": Definition(
        name="rater_difference",
        title="Rater less the others, in score points",
        reading="On the same responses, the others' own severity taken out: below 0 is severe.",
        formula="mean of x_ij - mean_k (x_ik - a_k), a by least squares",
        better="zero",
    ),
    "drift": Definition(
        name="drift",
        title="Drift of a rater",
        reading="Change of the difference from the others, from the first batch to the last along "
        "a straight line, in score points. A change of all raters together cannot be seen.",
        formula="slope of rater_difference on the place of the batch, 0 first to 1 last",
        better="zero",
    ),
}
"""Definitions by name."""
