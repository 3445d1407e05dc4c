"""Defaults that several rooms share, each in one place."""

LEVEL = 0.95
"""The level of intervals."""
REPLICATES = 2000
"""Resamples."""
SEED = 0
LAMBDA = 0.2
"""An error of this share of the score range is critical."""
FEW = 30
"""Fewer responses than this are few."""
RELIABLY = 0.95
"""A rule that gives the gold less often than this did not make it."""
ON_LIMIT = 1e-9
"""Values this close to a limit are on it."""
MANY = 30
"""More parts of the data than this are many."""
FEW_SYSTEMS = 2
"""So many systems are told one by one; more stand in a matrix, and what is of each is folded."""
MOST_SYSTEMS = 4
"""So many systems have tables and figures of their own."""
MANY_RATERS = 12
"""Beyond this many raters, pairs are not examined one by one."""
DELTA = 0.05
"""How often a guarantee may fail."""
POWER = 0.8
"""The chance with which data are to settle a question."""
VOLUME = 1000
"""Responses to come, where nobody said how many."""
RUN_LENGTH = 1000.0
"""A false alarm of a detector comes after this many audits on average, or later."""
