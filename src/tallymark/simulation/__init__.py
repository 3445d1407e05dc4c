"""Scores with a known truth: the one generator. Imports the rooms below it and NumPy only.

``tm.simulate`` makes responses, raters and systems; the records that it takes are here, and so are
``joint`` and ``pairs``: two scores whose margins and agreement are set. ``texts`` and ``corpus``
write synthetic texts whose words carry the true score.
"""

from tallymark.simulation.generator import Simulated, simulate
from tallymark.simulation.margins import joint, pairs
from tallymark.simulation.population import Group, Population, Prompt, Rater, System
from tallymark.simulation.texts import Corpus, corpus, texts

__all__ = [
    "Corpus",
    "Group",
    "Population",
    "Prompt",
    "Rater",
    "Simulated",
    "System",
    "corpus",
    "joint",
    "pairs",
    "simulate",
    "texts",
]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
