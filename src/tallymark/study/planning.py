"""The keywords of ``plan``, in the order of the help pages."""

from collections.abc import Sequence
from typing import Annotated, Any, Required, TypedDict

from tallymark.defaults import DELTA, LEVEL, POWER
from tallymark.study.categories import CategoriesKeyword, PositiveKeyword
from tallymark.study.fields import JOINED_NUMBERS, NUMBER, TEXT, TEXTS, WHOLE, Field
from tallymark.study.keywords import Judging, LengthKeyword
from tallymark.study.places import FileKeywords, RowKeywords
from tallymark.study.shared import (
    Counting,
    Gold,
    GroupColumns,
    Human,
    Id,
    Odd,
    PromptKeyword,
    Repeats,
    Resolve,
    ScaleOf,
    SystemScaleKeyword,
    Trait,
    Trim,
    column,
    statistic,
)

_SHARES = "How many responses get each point, as shares: .1,.4,.4,.1. Bell-shaped if left out."
_BETWEEN = "Correlation of the two systems. Independent errors if left out."
_VALUE = "What you expect; with a pilot, instead of what it shows."
_RATE = "Critical errors that you expect among accepted ones. A quarter of alpha if left out."
_SINGLE = "Reliability of one rater. From a pilot with two ratings per response if left out."
_HALF = "The interval is to be value -/+ this."
_POWER = "Chance that the data settle it."
_ALLOWED = "Critical errors allowed among accepted responses."
_CLUSTER = "What responses share, such as the candidate."


def number(flag: str, text: str, metavar: str = "NUMBER", **more: Any) -> Field:
    """Declare a number of a plan."""
    return statistic(NUMBER, flag, metavar, text, **more)


class PilotKeywords(TypedDict, total=False):
    """The system of a pilot, and its clusters."""

    systems: Annotated[Sequence[str], column("--system", "The system to plan for.", TEXTS)]
    cluster: Annotated[str | None, column("--cluster", _CLUSTER)]


class PilotReading(
    Human,
    Gold,
    PilotKeywords,
    PromptKeyword,
    Trait,
    Counting,
    Id,
    ScaleOf,
    CategoriesKeyword,
    PositiveKeyword,
    SystemScaleKeyword,
    Resolve,
    Trim,
    Odd,
    FileKeywords,
):
    """How a pilot is read."""


class Half(TypedDict, total=False):
    """How wide an interval may be."""

    half_width: Required[Annotated[float, number("--half-width", _HALF, required=True)]]


class Value(TypedDict, total=False):
    """What is expected of a statistic."""

    value: Annotated[float | None, number("--value", _VALUE)]


class Statistic(TypedDict, total=False):
    """The statistic to plan for."""

    statistic: Annotated[
        str, statistic(TEXT, "--statistic", "NAME", "The statistic to plan for.", default="qwk")
    ]


class ShapeKeywords(TypedDict, total=False):
    """The scale, and how its points are used."""

    points: Annotated[int, statistic(WHOLE, "--points", "N", "Points of the scale.", default=6)]
    shares: Annotated[Sequence[float], statistic(JOINED_NUMBERS, "--shares", "NUMBERS", _SHARES)]


class Power(TypedDict, total=False):
    """How surely."""

    power: Annotated[float, number("--power", _POWER, default=POWER)]


class Level(TypedDict, total=False):
    """Level of the interval."""

    level: Annotated[float, number("--level", "Level of the interval.", default=LEVEL)]


class WidthKeywords(Half, Value, Statistic, ShapeKeywords, Level, PilotReading):
    """Of ``plan width``."""


class Limits(TypedDict, total=False):
    """What is to be settled."""

    at_least: Annotated[float | None, number("--at-least", "The value must reach this.")]
    at_most: Annotated[float | None, number("--at-most", "The value must not exceed this.")]


class SettleKeywords(
    Limits,
    Judging,
    Value,
    Statistic,
    ShapeKeywords,
    Power,
    Level,
    PilotReading,
    GroupColumns,
    LengthKeyword,
    Repeats,
):
    """Of ``plan settle``."""


class Two(TypedDict, total=False):
    """What is expected of two systems."""

    values: Annotated[
        Sequence[float],
        statistic(JOINED_NUMBERS, "--values", "A,B", "QWK of both systems, without a pilot."),
    ]
    between: Annotated[float | None, number("--between", _BETWEEN)]


class DifferenceKeywords(Two, Statistic, Power, Level, PilotReading):
    """Of ``plan difference``."""


class Doubles(TypedDict, total=False):
    """What is expected of PRMSE."""

    responses: Required[
        Annotated[int, statistic(WHOLE, "--responses", "N", "Responses in all.", required=True)]
    ]
    value: Annotated[float | None, number("--value", "PRMSE that you expect.")]
    true_variance: Annotated[float | None, number("--true-variance", "Variance of true scores.")]
    error_variance: Annotated[
        float | None, number("--error-variance", "Variance of a rater's errors.")
    ]


class DoubleScoresKeywords(Half, Doubles, Level, PilotReading):
    """Of ``plan double-scores``."""


class Reliable(TypedDict, total=False):
    """How reliable raters are, and are to be."""

    reliability: Required[
        Annotated[
            float,
            number(
                "--reliability",
                "Reliability that the mean of the raters must reach.",
                required=True,
            ),
        ]
    ]
    single: Annotated[float | None, number("--single", _SINGLE)]


class PlanRatersKeywords(
    Reliable, Human, PromptKeyword, Trait, Counting, ScaleOf, Odd, RowKeywords
):
    """Of ``plan raters``."""


class LabelKeywords(TypedDict, total=False):
    """What is to be certified, and what is expected."""

    alpha: Required[Annotated[float, number("--alpha", _ALLOWED, "SHARE", required=True)]]
    delta: Annotated[float, number("--delta", "Chance that the guarantee fails.", default=DELTA)]
    rate: Annotated[float | None, number("--rate", _RATE, "SHARE")]
    coverage: Annotated[
        float, number("--coverage", "Share of responses to be accepted.", "SHARE", default=1.0)
    ]


class Prompts(TypedDict, total=False):
    """How many thresholds."""

    prompts: Annotated[
        int, statistic(WHOLE, "--prompts", "N", "Thresholds, one a prompt.", default=1)
    ]


class PlanCertifyKeywords(LabelKeywords, Power, Prompts):
    """Of ``plan certify``."""
