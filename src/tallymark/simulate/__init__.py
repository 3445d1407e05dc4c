"""Scores with a known truth: the one generator. Imports the rooms below it and NumPy only."""

from tallymark.simulate.generator import Simulated, simulate
from tallymark.simulate.population import Population
from tallymark.simulate.records import Group, Prompt, Rater, System

__all__ = ["Group", "Population", "Prompt", "Rater", "Simulated", "System", "simulate"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
