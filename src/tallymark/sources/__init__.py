"""The outside world becomes tallies: formats, column roles, exclusions, resolution.

May import tally, results, scale and errors; DuckDB is imported only when something is read.
"""

from tallymark.sources.checks import ExcludedRow
from tallymark.sources.facts import DataFacts, Scores
from tallymark.sources.reading import open_scores, read_scores
from tallymark.sources.roles import PromptOptions, Roles

__all__ = [
    "DataFacts",
    "ExcludedRow",
    "PromptOptions",
    "Roles",
    "Scores",
    "open_scores",
    "read_scores",
]
