"""The user's mistakes. Each message says what was expected, what came, where, and what to do.

TallymarkError (a ValueError)
├── DataError      the file or frame does not hold what was asked of it
├── OptionError    an option, parameter or name that cannot be used
└── ScaleError     scores that do not fit the scale
"""

from collections.abc import Iterable

TOO_LONG = "holds a whole number of more than 4,300 digits"
"""Where a file of options holds what Python will not read."""


class TallymarkError(ValueError):
    """A mistake the user can mend; the command line prints it and exits with code 2."""


class DataError(TallymarkError):
    """The file or frame does not hold what was asked of it."""


class OptionError(TallymarkError):
    """An option, parameter or name that cannot be used."""


class ScaleError(TallymarkError):
    """Scores that do not fit the scale."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` when a known word is close, else nothing."""
    from difflib import get_close_matches

    choices = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), choices, n=1, cutoff=0.6)
    return f" Did you mean {choices[close[0]]!r}?" if close else ""
