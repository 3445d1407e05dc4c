"""Scores with a known truth: the one generator. Imports the rooms below it and NumPy only.

``tm.simulate`` makes responses, raters and systems; the records that it takes are here, and so are
``joint`` and ``pairs``: two scores whose margins and agreement are set.
"""

from tallymark.simulation.generator import Simulated, simulate
from tallymark.simulation.margins import joint, pairs
from tallymark.simulation.population import Population
from tallymark.simulation.records import Group, Prompt, Rater, System

__all__ = [
    "Group",
    "Population",
    "Prompt",
    "Rater",
    "Simulated",
    "System",
    "joint",
    "pairs",
    "simulate",
]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
