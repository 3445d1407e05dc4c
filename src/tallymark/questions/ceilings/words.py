"""Words for ceilings: what each number is, by name."""

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
