"""The keywords of ``route``, in the order of the help pages."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Required, TypedDict

from tallymark.defaults import DELTA, LAMBDA, RUN_LENGTH, SEED, VOLUME
from tallymark.selective.guarantees import GUARANTEES
from tallymark.study.categories import CategoriesKeyword
from tallymark.study.fields import (
    COLUMNS,
    GUARANTEE,
    JOINED,
    NATURAL,
    NUMBER,
    NUMBERED,
    ONE_TEXT,
    PRICES,
    SCALE,
    SWITCH,
    TABLE,
    TEXT,
    TEXTS,
    WHOLE,
    Field,
    FieldKind,
)
from tallymark.study.keywords import Judging
from tallymark.study.places import FileKeywords, RowKeywords, SheetKeyword
from tallymark.study.shared import (
    CRITICAL_HELP,
    LAMBDA_HELP,
    Counting,
    Gold,
    Groups,
    Human,
    Id,
    Odd,
    PromptKeyword,
    Resolve,
    ScaleOf,
    Trim,
    column,
    score,
)

if TYPE_CHECKING:
    from tallymark.scale import Scale

_CONFIDENCE = "How sure the system was; higher is safer."
_PROBABILITIES = "The probability of each score, in the order of --scale."
_FROM = (
    "p_no_cse, max, margin, entropy or variance of probabilities; pairwise_no_cse, mode_share or "
    "sd of runs. The first of these by default. boundary: how far the unrounded score is from the next."
)
_VECTORS = (
    "Vectors of the responses: .npy with one row per row of the table, or Parquet joined by --id. The "
    "trust score in them is the confidence."
)
_NEW_VECTORS = "Vectors of these responses, where the confidence is a trust score: .npy or Parquet."
_TRAIN = "With --vectors: the rows that trained the system, such as fold=train."
_RUNS = "Repeated runs of the system: how close they lie is the confidence."
_MARGIN = (
    "No worse than a second rater: critical errors may be so much more frequent than the rater's."
)
_METHOD = "; ".join(f"{name}: {guarantee.words}" for name, guarantee in GUARANTEES.items()) + "."
_FAMILY = "With --by prompt: bonferroni, sidak or common (one threshold, good for each prompt)."
_POOL = "Unlabelled responses with the same columns: their confidences are the thresholds tried."
_ONE_PER_CLUSTER = "Certify on one response of a cluster, drawn at random."
_WEIGH = "With --one-per-cluster: responses (large clusters are kept more often) or clusters count alike."
_ALPHA = "The rate of critical errors to certify; only --dev-zero needs none."
_DEV_ZERO = "The lowest threshold without a critical error: not a guarantee."
_PRICE = "A price: human, machine, adjudication, label or fixed; repeat it for each."
_TIME = "When a response was audited. The order of the rows if left out."
_LENGTH = "A false alarm of the detector comes so late on average."
PRICED = ("human", "machine", "adjudication", "label", "fixed")


def term(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare a term of the guarantee."""
    return Field(kind, flag, metavar, text, GUARANTEE, web="form", **more)


def price(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare what work costs."""
    return Field(kind, flag, metavar, text, PRICES, web="form", **more)


class ScorerKeywords(TypedDict, total=False):
    """The system, and where its confidence comes from."""

    system: Required[
        Annotated[
            str | Sequence[str],
            column("--system", "The automated scorer's scores.", ONE_TEXT, required=True),
        ]
    ]
    confidence: Annotated[str | None, column("--confidence", _CONFIDENCE)]
    probabilities: Annotated[
        Sequence[str], column("--probabilities", _PROBABILITIES, JOINED, "COL,COL")
    ]
    runs: Annotated[Sequence[str], column("--repeat", _RUNS, JOINED, "COL,COL")]
    confidence_from: Annotated[str | None, column("--confidence-from", _FROM, metavar="KIND")]
    vectors: Annotated[object, Field(TABLE, "--vectors", "FILE", _VECTORS, COLUMNS, web="upload")]
    train: Annotated[str | None, column("--train", _TRAIN, metavar="COL=VALUE")]


class GuaranteeKeywords(TypedDict, total=False):
    """What is to be certified."""

    alpha: Annotated[float | None, term(NUMBER, "--alpha", "RATE", _ALPHA)]
    delta: Annotated[
        float, term(NUMBER, "--delta", "SHARE", "How often it may fail.", default=DELTA)
    ]
    lambda_: Annotated[
        float, term(NUMBER, "--lambda", "SHARE", LAMBDA_HELP, default=LAMBDA, prompts=True)
    ]
    critical: Annotated[float | None, term(NUMBER, "--critical", "POINTS", CRITICAL_HELP)]
    margin: Annotated[float | None, term(NUMBER, "--margin", "RATE", _MARGIN)]
    method: Annotated[str, term(TEXT, "--method", "NAME", _METHOD, default="ltt")]
    by: Annotated[
        Literal["prompt"] | None,
        term(TEXT, "--by", "prompt", "A threshold for each prompt: prompt.", choices=("prompt",)),
    ]
    family: Annotated[
        Literal["bonferroni", "sidak", "common"],
        term(TEXT, "--family", "NAME", _FAMILY, default="bonferroni"),
    ]
    pool: Annotated[object, Field(TABLE, "--pool", "FILE", _POOL, GUARANTEE, web="upload")]
    one_per_cluster: Annotated[bool, term(SWITCH, "--one-per-cluster", None, _ONE_PER_CLUSTER)]
    weigh: Annotated[
        Literal["responses", "clusters"], term(TEXT, "--weigh", "NAME", _WEIGH, default="responses")
    ]
    dev_zero: Annotated[bool, term(SWITCH, "--dev-zero", None, _DEV_ZERO)]
    seed: Annotated[int, term(NATURAL, "--seed", None, "Same seed, same draw.", default=SEED)]


class RoutedScaleKeyword(TypedDict, total=False):
    """The scale of the system."""

    system_scale: Annotated[
        "Scale | str | Sequence[object] | None",
        score(SCALE, "--system-scale", "SCALE", "The system's scale, if not the gold's."),
    ]


class Work(TypedDict, total=False):
    """What is to come, and what it costs."""

    volume: Annotated[int, price(WHOLE, "--volume", "N", "Responses to come.", default=VOLUME)]
    prices: Annotated[
        Mapping[str, float] | None,
        price(NUMBERED, "--price", "NAME=NUMBER", _PRICE, choices=PRICED),
    ]
    audit: Annotated[
        float,
        price(
            NUMBER, "--audit", "SHARE", "Share of the accepted that people read all the same.", default=0.0,
            shown=False,
        ),
    ]  # fmt: skip
    double: Annotated[bool, price(SWITCH, "--double", None, "People score twice.")]


class CertifyKeywords(
    Human, Gold, ScorerKeywords, PromptKeyword, Groups, Counting, Id, GuaranteeKeywords, ScaleOf, CategoriesKeyword, RoutedScaleKeyword, Resolve,
    Odd, Trim,
    FileKeywords, Work, Judging,
):  # fmt: skip
    """Keywords of ``route certify``."""


class NewValues(TypedDict, total=False):
    """What means nothing in a table of new responses."""

    missing: Annotated[
        Sequence[str], score(TEXTS, "--missing", "TEXT", "A text that means a missing value.")
    ]


class NewVectors(TypedDict, total=False):
    """Vectors of new responses."""

    vectors: Annotated[
        object, Field(TABLE, "--vectors", "FILE", _NEW_VECTORS, COLUMNS, web="upload")
    ]


class ApplyKeywords(NewValues, NewVectors, SheetKeyword):
    """Keywords of ``route apply``."""


class Time(TypedDict, total=False):
    """The order of audits."""

    time: Annotated[str | None, column("--time", _TIME)]


class Alarm(TypedDict, total=False):
    """When there is an alarm."""

    run_length: Annotated[
        float, term(NUMBER, "--run-length", "AUDITS", _LENGTH, default=RUN_LENGTH)
    ]


class MonitorKeywords(Time, NewValues, NewVectors, RowKeywords, Alarm):
    """Keywords of ``route monitor``."""
