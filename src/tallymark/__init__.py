"""Tallymark: may this automated scorer be used, for whom, and on which responses?

The public names are loaded when they are first used, so that ``import tallymark`` is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tallymark._version import __version__

if TYPE_CHECKING:
    from tallymark import lab, metrics, simulation
    from tallymark.analyses import labels, plan, route
    from tallymark.analyses.ceiling import ceiling
    from tallymark.analyses.compare import compare
    from tallymark.analyses.evaluate import evaluate
    from tallymark.analyses.explain import explain
    from tallymark.analyses.raters import raters
    from tallymark.analyses.whatif import whatif
    from tallymark.catalogue import CATALOGUE
    from tallymark.errors import DataError, OptionError, ScaleError, TallymarkError
    from tallymark.results import Estimate, Evaluation
    from tallymark.scale import Scale
    from tallymark.scorers.baseline import baseline
    from tallymark.simulation import simulate
    from tallymark.study.estimates import estimate

_MODULES = {
    "lab": "lab",
    "labels": "analyses.labels",
    "metrics": "metrics",
    "plan": "analyses.plan",
    "route": "analyses.route",
    "simulation": "simulation",
}
_HOMES = {
    "CATALOGUE": "catalogue",
    "DataError": "errors",
    "Estimate": "results",
    "Evaluation": "results",
    "OptionError": "errors",
    "Scale": "scale",
    "ScaleError": "errors",
    "TallymarkError": "errors",
    "baseline": "scorers.baseline",
    "ceiling": "analyses.ceiling",
    "compare": "analyses.compare",
    "estimate": "study.estimates",
    "explain": "analyses.explain",
    "evaluate": "analyses.evaluate",
    "raters": "analyses.raters",
    "whatif": "analyses.whatif",
    "simulate": "simulation",
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
    "baseline",
    "ceiling",
    "compare",
    "estimate",
    "evaluate",
    "explain",
    "lab",
    "labels",
    "metrics",
    "plan",
    "raters",
    "route",
    "simulate",
    "simulation",
    "whatif",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name in _MODULES:
        value = import_module(f"tallymark.{_MODULES[name]}")
    elif name in _HOMES:
        value = getattr(import_module(f"tallymark.{_HOMES[name]}"), name)
    else:
        from tallymark.errors import did_you_mean

        hint = "" if name.startswith("__") else did_you_mean(name, __all__)
        raise AttributeError(f"module 'tallymark' has no attribute {name!r}.{hint}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
