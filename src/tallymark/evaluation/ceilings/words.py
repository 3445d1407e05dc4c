"""Words for ceilings: what each number is, by name."""

from tallymark.results import Definition

_UTO = "Uto (2026), arXiv:2604.19131"
CEILINGS: dict[str, Definition] = {
    "reliability": Definition(
        name="reliability",
        title="Reliability of human scores",
        reading="Share of the variance that is not rater error: of one rating, or of the mean of a "
        "response's ratings. fixed: these very raters, whose severity does not count as error.",
        formula="one: s_T^2 / (s_T^2 + s_E^2); mean: s_T^2 / (s_T^2 + s_E^2 / k)",
        reference="Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420",
    ),
    "rater_reliability": Definition(
        name="rater_reliability",
        title="Reliability of one rater",
        reading="Share of the variance of this rater's ratings that follows the true score, from the "
        "responses shared with other raters. Near 0: the rater rates at random. Above 1 (a Heywood "
        "case): the error variance is estimated below 0, from too few responses or because errors "
        "are shared; ceilings take it as 0. parts: error variance, slope beside the raters' mean.",
        formula="l_j^2 / s_j^2, s_jk = l_j l_k; two raters: s_12 / s_j^2",
        reference="Grubbs (1948), doi:10.1214/aoms/1177730031; Joreskog (1971), doi:10.1007/BF02291393",
    ),
    "sem": Definition(
        name="sem",
        title="Standard error of measurement",
        reading="How far a human score lies from the true score, in score points: of one rating, or "
        "of the mean of a response's ratings.",
        formula="one: s_E; mean: s_E / sqrt(k)",
        better="lower",
    ),
    "ceiling_theoretical": Definition(
        name="ceiling_theoretical",
        title="Theoretical ceiling",
        reading="The highest correlation, or QWK of calibrated scores, that a scorer who knew every "
        "true score would reach against this kind of gold. Each rater has an error of their own; "
        "pool: all ratings have the same error, raters drawn anew for each response; fixed: the same "
        "error, severity counting for none. A number: if the errors of raters correlate by so much.",
        formula="sqrt(1 - noise / variance of the gold); sum w_j X_j by the same raters: "
        "sum w_j l_j / sqrt((sum w_j l_j)^2 + sum w_j^2 s_j^2); pool: sqrt(rho_Y); other golds: "
        "sqrt(Var E(Y|T) / Var Y)",
        reference=_UTO,
        better="neither",
    ),
    "ceiling_human_like": Definition(
        name="ceiling_human_like",
        title="Human-like ceiling",
        reading="What one more rater like these, calibrated, would reach against this kind of gold, "
        "on average over the raters. pool: all ratings have the same error.",
        formula="mean_j sqrt(reliability of rater j) x theoretical ceiling; pool: sqrt(rho_X rho_Y)",
        reference=_UTO,
        better="neither",
    ),
    "ceiling_uncalibrated": Definition(
        name="ceiling_uncalibrated",
        title="Reached without calibration",
        reading="QWK against the mean of the ratings of the true score itself (theoretical) or of one "
        "more rater (human_like), whose spread is not matched to the gold's.",
        formula="theoretical: 2 rho_Y / (1 + rho_Y); human_like: 2 / (1 / rho_X + 1 / rho_Y)",
        better="neither",
    ),
    "rater_in_gold": Definition(
        name="rater_in_gold",
        title="A rater who is part of the gold",
        reading="Correlation of the mean rating with a rating that is in it. It is high because the "
        "rating meets itself: never compare a system with it.",
        formula="sqrt(rho_X / rho_Y)",
        better="neither",
    ),
    "ceiling_quantised": Definition(
        name="ceiling_quantised",
        title="Quantised ceiling",
        reading="The highest QWK of scores that must lie on the points, against a gold that does too. "
        "On few points the theoretical ceiling cannot be reached. uncalibrated: the true score, "
        "just rounded.",
        formula="max over maps of T onto points of QWK(map(T), gold), T normal and cut off, fitted to "
        "mean, variance and error of the ratings",
        better="neither",
    ),
    "gold_rule": Definition(
        name="gold_rule",
        title="How the gold was made",
        reading="Share of the responses with two ratings or more whose gold this rule gives; parts "
        "tell the same of responses on which raters differ.",
        formula="share of responses with rule(ratings) = gold",
        better="neither",
    ),
    "share_of_ceiling": Definition(
        name="share_of_ceiling",
        title="Share of a ceiling",
        reading="The system's statistic divided by the ceiling; 1 is at the ceiling.",
        formula="s(gold, system) / ceiling",
        better="higher",
    ),
    "gap_to_ceiling": Definition(
        name="gap_to_ceiling",
        title="Distance from a ceiling",
        reading="The system's statistic less the ceiling; negative is below. The interval is of the "
        "difference on the same responses.",
        formula="s(gold, system) - ceiling",
        better="neither",
    ),
    "reference": Definition(
        name="reference",
        title="A published number",
        reading="Given by the user, to be placed among the ceilings; nothing was computed.",
        formula="as given",
        better="neither",
    ),
}
"""Definitions of the statistics of ceilings, by name."""

RULES = {
    "first": "the first rating",
    "sum": "the sum of the ratings",
    "mean": "the mean of the ratings",
    "mean_up": "the mean of the ratings, halves rounded up",
    "mean_down": "the mean of the ratings, halves rounded down",
    "mean_even": "the mean of the ratings, halves rounded to even",
    "higher": "the highest rating",
    "lower": "the lowest rating",
    "median": "the middle rating",
    "third_mean": "the third rating where there is one, else the mean of the first two",
    "third_sum": "twice the third rating where there is one, else the sum of the first two",
    "third_higher": "the third rating where there is one, else the higher of the first two",
    "third_first": "the third rating where there is one, else the first",
    "parity": "the mean of the third rating and the nearer of the first two, else that of these two",
}
"""What a rule of resolution does, in a sentence."""


def rule_words(rule: str) -> str:
    """Say what a rule takes for the gold.

    >>> rule_words("second")
    'the second rating'
    """
    return RULES.get(rule, f"the {rule} rating")
