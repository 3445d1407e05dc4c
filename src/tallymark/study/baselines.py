"""The keywords of ``baseline``, in the order of the help page."""

from collections.abc import Sequence
from typing import Annotated, Any, Required, TypedDict

from tallymark.defaults import LEVEL, SEED
from tallymark.study.fields import (
    COLUMNS,
    JOINED,
    NATURAL,
    NUMBER,
    SWITCH,
    TABLE,
    TEXTS,
    WHOLE,
    Field,
    FieldKind,
)
from tallymark.study.keywords import ProbeKeyword
from tallymark.study.places import RowKeywords
from tallymark.study.shared import (
    Adjudicated,
    Gold,
    Groups,
    Human,
    Id,
    Lambda,
    Odd,
    PromptKeyword,
    ScaleOf,
    Systems,
    SystemScaleKeyword,
    Trait,
    column,
    score,
    statistic,
)

LEARNED = "Reference scorers"
REFERENCE_SCORERS = (
    "majority", "length", "ridge", "forest", "boosting", "multinomial", "neural",
)  # fmt: skip
"""The reference scorers by name, the simplest first."""
_TEXT = "The text of the response."
_PROMPT_TEXT = "The text of the question: how much of it do responses repeat?"
_REFERENCE_TEXT = "A reference answer: how much of it do responses have?"
_VECTORS = (
    "Your own vectors in place of TF-IDF: .npy with one row per row of FILE, or Parquet joined by "
    "--id."
)
_MODELS = f"Only these: {', '.join(REFERENCE_SCORERS)}."
_SEEDS = "Fit what chance enters so many times; predictions are means over the runs."
_PROBED = "Also score probes: the text twice, its sentences shuffled, a response to another prompt, no text."
_RULES = (
    "Ratings to gold: first (present), sum, mean or rounded-mean (of those present), higher, lower, "
    "adjudicated. Repeat it to learn from each in turn."
)


def learned(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare what concerns the reference scorers."""
    return Field(kind, flag, metavar, text, LEARNED, web="form", **more)


class TextKeywords(TypedDict, total=False):
    """Where the texts are."""

    text: Required[Annotated[str, column("--text", _TEXT, required=True)]]
    prompt_text: Annotated[str | None, column("--prompt-text", _PROMPT_TEXT)]
    reference_text: Annotated[str | None, column("--reference-text", _REFERENCE_TEXT)]


class ReferenceKeywords(TypedDict, total=False):
    """Which reference scorers there are, and what they read."""

    models: Annotated[
        Sequence[str],
        learned(JOINED, "--models", "NAME,NAME", _MODELS, choices=REFERENCE_SCORERS),
    ]
    seeds: Annotated[int, learned(WHOLE, "--seeds", "N", _SEEDS, default=1)]
    vectors: Annotated[object, Field(TABLE, "--vectors", "FILE", _VECTORS, COLUMNS, web="upload")]


class Probes(TypedDict, total=False):
    """Texts that stand in the place of responses."""

    probes: Annotated[bool, learned(SWITCH, "--probes", None, _PROBED, default=False)]


class Rules(TypedDict, total=False):
    """How ratings become the gold, in one way or several."""

    resolve: Annotated[Sequence[str], score(TEXTS, "--resolve", "RULE", _RULES, default=("first",))]


class LevelAndSeed(TypedDict, total=False):
    """How intervals are made, and where chance starts."""

    level: Annotated[float, statistic(NUMBER, "--level", None, "Confidence level.", default=LEVEL)]
    seed: Annotated[
        int, statistic(NATURAL, "--seed", None, "Same seed, same folds and scores.", default=SEED)
    ]


class BaselineKeywords(
    TextKeywords, Human, Gold, Systems, PromptKeyword, Trait, Groups, Id, ReferenceKeywords, Probes, ProbeKeyword, ScaleOf,
    SystemScaleKeyword, Rules, Adjudicated, Odd, RowKeywords, Lambda, LevelAndSeed,
):  # fmt: skip
    """Keywords of ``baseline``."""
