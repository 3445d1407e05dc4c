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
        "true score would reach against this kind of gold. A number: if the errors of raters "
        "correlate by so much. fixed: for these very raters.",
        formula="sqrt(reliability of the gold); other golds: sqrt(Var E(Y|T) / Var Y)",
        reference=_UTO,
        better="neither",
    ),
    "ceiling_human_like": Definition(
        name="ceiling_human_like",
        title="Human-like ceiling",
        reading="What one more rater, calibrated, would reach against this kind of gold.",
        formula="sqrt(reliability of one rating x reliability of the gold)",
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
