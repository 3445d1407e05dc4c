"""Our words for what a system is compared with, kept apart from the names that users give."""

ITSELF = "itself"
"""Against what the runs of one system are compared."""
OURS = frozenset(
    {
        "gold", "people", "the other raters", ITSELF, "true scores", "other groups", "ceiling",
        "confidence", "critical errors", "other scales", "pass marks", "cut scores", "recalibrated",
        "diagnosis", "severity", "generalizability", "majority score", "random score", "mean score",
        "second human",
    }
)  # fmt: skip
"""Results use these words in the fields that also hold names of systems and raters."""


def told_apart(name: str, kind: str) -> str:
    """Mark a name that means something else in the results.

    >>> told_apart("people", "system"), told_apart("engine", "system")
    ('people (system)', 'engine')
    """
    return f"{name} ({kind})" if name in OURS else name


def as_given(name: str) -> str:
    """Return the name as the user gave it.

    >>> as_given("people (system)"), as_given("new (system)")
    ('people', 'new (system)')
    """
    plain, _, kind = name.rpartition(" (")
    return plain if plain in OURS and kind in ("system)", "rater)", "published)") else name
