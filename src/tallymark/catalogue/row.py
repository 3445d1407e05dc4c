"""Row: all there is to know about one number that Tallymark can report."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, Literal

from msgspec import Struct, field

from tallymark.arrays import Floats
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula, MeanOf
from tallymark.inference.estimate import Analytic, Kind
from tallymark.inference.interval import OtherRaters
from tallymark.results import Key, split_key

TallyKind = Literal[
    "table", "cells", "moments", "ranks", "errors", "gaps", "panel", "pairable", "raters",
    "complete", "pairwise",
]  # fmt: skip
Better = Literal["higher", "lower", "zero", "neither"]
Style = Literal["share", "points", "squared", "logits", "count", "ratio", "plain", "of"]
"""How a number is written. ``share``: without a leading zero; ``of``: as the statistic it is of."""
Range = tuple[float, float]
"""Between which values an estimate lies, whatever the data; not only its true value."""
UNBOUNDED: Range = (-math.inf, math.inf)
POSITIVE: Range = (0.0, math.inf)
PROPORTION: Range = (0.0, 1.0)
AT_MOST_ONE: Range = (-math.inf, 1.0)
EITHER_WAY: Range = (-1.0, 1.0)
Level = Literal["nominal", "ordinal", "interval"]
"""What scores must be for a number to mean something: labels, in an order, or with distances."""


class Variant(Struct, frozen=True):
    """A number with its parameters: what differs from the row.

    ``inside`` is the text in the brackets. Empty fields are those of the row.
    """

    inside: str
    short: str = ""
    called: str = ""
    gloss: str = ""
    panel_gloss: str = ""
    aliases: tuple[str, ...] = ()
    sets: str = ""
    style: Style | None = None
    range: Range | None = None
    level: Level | None = None


class Row(Struct, frozen=True, kw_only=True):
    """One number: what it is, how to read it, where it comes from, how it is computed.

    ``short`` is its column heading, ``called`` its name in a sentence, ``gloss`` the few words
    beside it, ``panel_gloss`` those beside it where it is about raters as a panel. ``by`` is the section of the question that reports it. ``undefined`` says when it has no value.
    ``range`` is that of the estimate, which ends of intervals keep to; ``values`` are the values in
    words, where the truth lies in a narrower one.
    ``signed`` numbers have a plus sign where they are above 0. ``params`` maps each parameter to its default, ``choices`` to the values it may take. ``sets``
    are the lists that the number is in, in one text: a set's members stand in the order of the
    catalogue, or by the place after its name (``leading:2``); ``binary/leading`` is that set on two
    points. ``level`` is the level of measurement that it needs. ``on_two_points`` says which other
    number it repeats on two points, where it is not shown. ``example`` holds the arguments of a
    call of its function on arrays (``tm.metrics``) and the value it gives.

    A formula's row also has ``value`` and ``tallies`` (those the formula accepts, preferred first);
    ``ordinal`` tells whether distances move with the scores, for which margins do not suffice.
    ``settled`` tells whether it has nothing to say on these points, and ``settled_why`` the reason:
    only one value is possible, unless another is given. The fields from
    ``interval`` on say how its intervals are made; see :class:`tallymark.inference.Formula`.
    """

    name: str
    title: str
    by: str
    reading: str
    misreading: str
    formula: str
    undefined: str
    lacks: Callable[[Any], str] | None = None
    reference: str = ""
    short: str = ""
    called: str = ""
    gloss: str = ""
    panel_gloss: str = ""
    aliases: tuple[str, ...] = ()
    sets: str = ""
    variants: tuple[Variant, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    range: Range = EITHER_WAY
    values: str = ""
    style: Style = "share"
    signed: bool = False
    better: Better = "higher"
    level: Level = "interval"
    on_two_points: str = ""
    value: Callable[..., Floats] | None = None
    example: tuple[str, str] = ("", "")
    tallies: tuple[TallyKind, ...] = ()
    ordinal: Callable[[Mapping[str, Any]], bool] | None = None
    symmetric: bool = True
    score: Literal["rounded", "trimmed"] = "rounded"
    settled: Callable[..., bool] | None = None
    settled_why: str = "always the same on this scale, whatever the scores"
    interval: Kind = "abc"
    analytic: Analytic | None = "normal"
    linear: Callable[..., Floats] | None = None
    influence: Callable[[Any], Floats] | None = None
    ddof: int = 0
    parts: Callable[..., Mapping[str, float]] | None = None
    closed_form: Callable[..., tuple[float, float]] | None = None
    raters: Callable[..., Callable[[Any, float], OtherRaters] | None] | None = None
    thin: Callable[[Any], str] | None = None
    unseen: bool = False
    base: Callable[..., Floats] | None = None
    mean: Callable[..., MeanOf] | None = None
    scored: Callable[..., tuple[float, float]] | None = None

    def variant(self, inside: str) -> Variant:
        """What is special about the number with these parameters; a plain one if nothing is."""
        return next(
            (variant for variant in self.variants if variant.inside == inside), Variant(inside)
        )

    def bounds(self, inside: str) -> Range:
        """The range with the parameters in the brackets."""
        return self.variant(inside).range or self.range

    def bind(self, params: Mapping[str, Any] | None = None) -> Formula:
        """Return the formula with its parameters fixed, defaults filled in."""
        if self.value is None:
            raise TypeError(f"{self.name} is computed by a question and has no formula to bind")
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
            lacks=self.lacks,
            ranks=self.tallies == ("ranks",),
            closed_form=_closed(self.closed_form, given),
            raters=self.raters(**given) if self.raters else None,
            tally="ordinal" if self.ordinal and self.ordinal(given) else "",
            range=self.bounds(split_key(Key(self.name, **given))[1]),
            thin=self.thin,
            unseen=self.unseen,
            base=partial(self.base, **given) if self.base else None,
            mean=partial(self.mean, **given) if self.mean else None,
            scored=partial(self.scored, **given) if self.scored else None,
        )

    def settled_on(self, points: Floats, params: Mapping[str, Any]) -> bool:
        """Whether it would say nothing about scores on these points."""
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
            if not isinstance(value, str) and not _suits(key, value, self.params[key]):
                expected = "a number" if isinstance(self.params[key], float) else "a string"
                raise OptionError(f"{key} of {self.name} must be {expected}, got {value!r}")
        filled = {**self.params, **params}
        if filled.get("weights") is not None and "metric" in filled:
            filled.pop("metric")
        return {key: value for key, value in filled.items() if value is not None}


def _suits(key: str, value: Any, default: Any) -> bool:
    """Whether a value that is no word may be a parameter: a number, or a matrix of weights."""
    if value is None or isinstance(default, float):
        return value is None or (isinstance(value, Real) and not isinstance(value, bool))
    return key == "weights" and hasattr(value, "__len__") and not isinstance(value, Mapping | bytes)


def _closed(
    function: Callable[..., tuple[float, float]] | None, params: Mapping[str, Any]
) -> Callable[[Any, float], tuple[float, float]] | None:
    if function is None:
        return None
    return lambda tally, level: function(tally, level=level, **params)
