"""Statistic: one row of the catalogue, and how its parameters are bound and checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula
from tallymark.inference.estimate import Analytic, Kind

Floats = NDArray[np.float64]
TallyKind = Literal[
    "table", "moments", "ranks", "errors", "gaps", "panel", "pairable", "raters", "complete",
    "pairwise",
]  # fmt: skip
Better = Literal["higher", "lower", "zero", "neither"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic: its formula, what it needs, how it is read, where it comes from.

    ``tallies`` are the tallies the formula accepts, preferred first. ``params`` maps each
    parameter to its default, ``choices`` to the values it may take. ``settled`` tells of points and
    parameters whether there is only one value whatever the scores. The fields from ``interval``
    on say how its intervals are made; see :class:`tallymark.inference.Formula`.
    """

    name: str
    title: str
    reading: str
    formula: str
    reference: str
    value: Callable[..., Floats]
    tallies: tuple[TallyKind, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    symmetric: bool = True
    range: tuple[float, float] = (-1.0, 1.0)
    better: Better = "higher"
    undefined: str = ""
    score: Literal["rounded", "trimmed"] = "rounded"
    settled: Callable[..., bool] | None = None
    interval: Kind = "bca"
    analytic: Analytic | None = "normal"
    linear: Callable[..., Floats] | None = None
    influence: Callable[[Any], Floats] | None = None
    ddof: int = 0
    parts: Callable[..., Mapping[str, float]] | None = None
    closed_form: Callable[..., tuple[float, float]] | None = None

    def bind(self, params: Mapping[str, Any] | None = None) -> Formula:
        """Return the formula with its parameters fixed, defaults filled in."""
        given = self.check(params or {})
        return Formula(
            name=self.name,
            params=given,
            value=partial(self.value, **given),
            interval=self.interval,
            analytic=self.analytic,
            linear=partial(self.linear, **given) if self.linear else None,
            influence=self.influence,
            ddof=self.ddof,
            parts=partial(self.parts, **given) if self.parts else None,
            undefined=self.undefined,
            ranks=self.tallies == ("ranks",),
            closed_form=_closed(self.closed_form, given),
            range=self.range,
        )

    def settled_on(self, points: Floats, params: Mapping[str, Any]) -> bool:
        """Whether scores on these points leave only one value: it would say nothing of them."""
        return self.settled is not None and self.settled(points, **params)

    def check(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults and refuse unknown parameters and values."""
        for key, value in params.items():
            if key not in self.params:
                known = ", ".join(self.params) or "none"
                raise OptionError(
                    f"{self.name} has no parameter {key!r}; it takes {known}."
                    + did_you_mean(key, self.params)
                )
            allowed = self.choices.get(key, ())
            if isinstance(value, str) and value not in allowed:
                raise OptionError(
                    f"unknown {key} {value!r} for {self.name}; choose {', '.join(allowed)}."
                    + did_you_mean(value, allowed)
                )
        filled = {**self.params, **params}
        if filled.get("weights") is not None and "metric" in filled:
            filled.pop("metric")
        return {key: value for key, value in filled.items() if value is not None}


def _closed(
    function: Callable[..., tuple[float, float]] | None, params: Mapping[str, Any]
) -> Callable[[Any, float], tuple[float, float]] | None:
    if function is None:
        return None
    return lambda tally, level: function(tally, level=level, **params)
