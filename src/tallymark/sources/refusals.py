"""Refusals: what is said of scores that fail a check, and what to do."""

from collections.abc import Mapping

from tallymark.errors import DataError, ScaleError, TallymarkError

MOST_WORDS = 3
"""A text of more words is no score that could be put on a scale."""

MESSAGES: Mapping[str, tuple[type[TallymarkError], str]] = {
    "unnamed": (
        DataError,
        (
            "{column} of {source} has a score without its rater {place} ({rows} in all). Name the "
            "rater, or empty the score."
        ),
    ),
    "text": (
        DataError,
        (
            "{column} of {source} holds text in {rows}, first {value!r} {place}. Scores "
            "must be numbers, or words listed in their order with --scale; --missing {value!r} reads it "
            "as missing, --exclude text leaves such rows out."
        ),
    ),
    "prose": (
        DataError,
        (
            "{column} of {source} holds text in {rows}, first {value!r} {place}. Scores are numbers or "
            "single words: name another column, or leave such rows out with --exclude text."
        ),
    ),
    "infinite": (
        DataError,
        (
            "{column} of {source} is infinite or beyond 1e12 in {rows}, first {value} {place}. "
            "Mend it, or leave such rows out with --exclude infinite."
        ),
    ),
    "off-scale": (
        ScaleError,
        (
            "{column} of {source} holds {value} {place}, which is not on the scale {scale} ({rows} "
            "in all). Mend it, widen --scale, or leave such rows out with --exclude off-scale."
        ),
    ),
    "duplicate": (
        DataError,
        (
            "{source} has a {words}: {value!r} (first rows {where}; {rows} in all). Mend it, or "
            "leave such responses out with --exclude duplicate."
        ),
    ),
    "weight": (
        DataError,
        (
            "{column} of {source} has a {words} in {rows}, first {value} {place}. Mend it, or leave "
            "such rows out with --exclude weight."
        ),
    ),
    "probability": (
        DataError,
        (
            "{source} has {words}: {value} {place} (first rows {where}; {rows} in all). Divide each "
            "row by its sum, or leave such rows out with --exclude probability."
        ),
    ),
    "differing": (
        DataError,
        (
            "response {value!r} of {source}, first {place}, has rows that differ in group, cluster, "
            "fold, weight or count ({rows} concerned). A response has one of each: mend the rows."
        ),
    ),
}
