"""Tallymark: may this automated scorer be used, for whom, and on which responses?

The public names are loaded when they are first used, so that ``import tallymark`` is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tallymark._version import __version__

if TYPE_CHECKING:
    from tallymark import metrics
    from tallymark.errors import DataError, OptionError, ScaleError, TallymarkError
    from tallymark.evaluation.catalogue import CATALOGUE
    from tallymark.evaluation.ceilings.ceiling import ceiling
    from tallymark.evaluation.estimates import estimate
    from tallymark.evaluation.evaluate import evaluate
    from tallymark.evaluation.raters import raters
    from tallymark.results import Estimate, Evaluation
    from tallymark.scale import Scale
    from tallymark.simulate import simulate

_HOMES = {
    "CATALOGUE": "evaluation.catalogue",
    "DataError": "errors",
    "Estimate": "results",
    "Evaluation": "results",
    "OptionError": "errors",
    "Scale": "scale",
    "ScaleError": "errors",
    "TallymarkError": "errors",
    "ceiling": "evaluation.ceilings.ceiling",
    "estimate": "evaluation.estimates",
    "evaluate": "evaluation.evaluate",
    "metrics": "",
    "raters": "evaluation.raters",
    "simulate": "simulate",
}

__all__ = [
    "CATALOGUE",
    "DataError",
    "Estimate",
    "Evaluation",
    "OptionError",
    "Scale",
    "ScaleError",
    "TallymarkError",
    "__version__",
    "ceiling",
    "estimate",
    "evaluate",
    "metrics",
    "raters",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tallymark' has no attribute {name!r}")
    home = _HOMES[name]
    found = (
        getattr(import_module(f"tallymark.{home}"), name)
        if home
        else import_module(f"tallymark.{name}")
    )
    globals()[name] = found
    return found
