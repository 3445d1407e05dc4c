"""One number of scores, as scikit-learn's metrics: ``f(y_true, y_pred)``, or ``f(ratings)``.

``y_true`` is the gold, ``y_pred`` the system. A response that lacks a score (None, NaN, masked) is
an error; ``missing="drop"`` leaves it out. ``ratings`` is one array of responses x raters, in which
scores may be missing where the statistic is defined with gaps (all but two-way ICC); functions
whose ``y_pred`` may be left out take it in place of two sequences. NaN is returned, without a
warning, where a statistic is undefined. For intervals and reasons take ``tallymark.estimate``,
which gives the same number.

On a ``scale`` ("1:6", "0:3:0.5" or a list of points or words) the gold must lie, and scores of a
system are trimmed to half a step beyond its ends. Statistics of a table take scores at the nearest
point. Without ``scale`` it runs from the lowest to the highest score seen, by their greatest common
step, or that of the gold where the system's scores have none: declare it, above all in
cross-validation, where folds differ.

Every statistic of the catalogue is here by its name; ``__init__.pyi`` has their types, and
``make fix`` writes it.
"""

from tallymark.catalogue import FORMULAS
from tallymark.metrics import rsmtool as _rsmtool
from tallymark.metrics.built import metric_of

_FUNCTIONS = {row.name: metric_of(row) for row in FORMULAS}
_FUNCTIONS |= {name: getattr(_rsmtool, name) for name in _rsmtool.__all__}
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # noqa: PLE0605 - names of the catalogue


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
