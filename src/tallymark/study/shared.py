"""What several commands can be asked: each keyword declares its field once.

A class holds what is asked together. To add an option to several commands, add it to a class that
they share.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, get_args

from tallymark.defaults import LAMBDA, LEVEL, REPLICATES, SEED
from tallymark.scale import HALF_STEP
from tallymark.study.categories import CategoriesKeyword
from tallymark.study.fields import (
    COLUMNS,
    KEPT,
    LISTS,
    LONG,
    NATURAL,
    NUMBER,
    PAIRS,
    PROMPTS,
    SCALE,
    SCORES,
    STATISTICS,
    SWITCH,
    TEXT,
    TEXTS,
    TRIM,
    WHOLE,
    Field,
    FieldKind,
)
from tallymark.study.places import FileKeywords

if TYPE_CHECKING:
    from tallymark.scale import Scale
    from tallymark.sources import PromptOptions


RunsRule = Literal["each", "first", "mean", "majority"]
RUNS_RULES: tuple[RunsRule, ...] = get_args(RunsRule)
"""What the score of a system is that scored every response several times."""


def column(
    flag: str, text: str, kind: FieldKind = TEXT, metavar: str = "COL", **more: Any
) -> Field:
    """Declare a role of a column."""
    return Field(kind, flag, metavar, text, COLUMNS, web="form", **more)


def score(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare how scores are read."""
    return Field(kind, flag, metavar, text, SCORES, web="form", **more)


def statistic(kind: FieldKind, flag: str, metavar: str | None, text: str, **more: Any) -> Field:
    """Declare what is computed."""
    return Field(kind, flag, metavar, text, STATISTICS, web="form", **more)


HUMAN_HELP = "A rater's scores; repeat it for each. SCORE@RATER where a column names the rater."
_SYSTEM = "An automated scorer's scores; repeat it for each. Patterns such as '*_shot' work."
COUNT_HELP = "How many responses the row stands for; never guessed."
_WEIGHT = "Design weight of the response, 1 / its chance to be in the sample; never guessed."
_STRATUM = "Stratum that the response was drawn from; goes with --weight, never guessed."
_SURE = "How sure the system NAME was."
_PROBABILITIES = "The probability of each score point by the system NAME, in scale order."
_REPEAT = "Runs of a system, two or more, to see how steady it is."
_GROUP = "Groups that must be treated alike; repeat it for each column."
CLUSTER_HELP = "What responses share, such as the candidate; an interval counts it as one."
_RATER = "Who rated it; people and systems are then named by what this column holds."
_SCALE = "The raters' score points: 1:6, 0:3:0.5 or 1,2,4. Inferred from their scores if left out."
_RESOLVE = "Ratings to gold: first (present), sum, mean or rounded-mean (of those present), higher, lower, adjudicated."
_ADJUDICATION = "With --resolve adjudicated: expert or parity."
_ADJACENCY = "With --resolve adjudicated: ratings this close need no third."
_TRIM = "Scores beyond the scale go to half a step beyond its ends (half-step), to its ends (range) or stay (none)."
_EXCLUDE = "Count and leave out instead of refusing: text, infinite, off-scale, duplicate, weight, probability."
_TABLE = "FILE is a cross-table of counts: a row for each human score, a column for each of the system, or of a second rater."
_FLAG = "Keep only responses whose COL has one of these values; repeat it for each column."
_MIN_ITEMS = "Leave out candidates with fewer usable responses than this."
_STATISTIC = "Compute only this, such as qwk or gwet_ac[linear]; repeat it for each."
CRITICAL_HELP = "An error of this many points is critical, on every scale; in place of --lambda."
LAMBDA_HELP = "An error of this share of the score range is critical."


class Human(TypedDict, total=False):
    """The people."""

    humans: Annotated[Sequence[str], column("--human", HUMAN_HELP, TEXTS)]


class Gold(TypedDict, total=False):
    """Scores that need no resolution."""

    gold: Annotated[str | None, column("--gold", "The human score that counts.")]


class Systems(TypedDict, total=False):
    """The automated scorers."""

    systems: Annotated[Sequence[str], column("--system", _SYSTEM, TEXTS)]


class Confidences(TypedDict, total=False):
    """How sure systems were."""

    confidences: Annotated[Mapping[str, str] | None, column("--confidence", _SURE, PAIRS, "NAME=COL", last=True)]  # fmt: skip
    probabilities: Annotated[
        Mapping[str, Sequence[str]] | None,
        column("--probabilities", _PROBABILITIES, LISTS, "NAME=COL,COL", last=True),
    ]


class Repeats(TypedDict, total=False):
    """Further runs of systems."""

    repeats: Annotated[
        Mapping[str, Sequence[str]] | None,
        column("--repeat", _REPEAT, LISTS, "NAME=COL,COL", last=True),
    ]


class PromptKeyword(TypedDict, total=False):
    """What a response answers."""

    prompt: Annotated[str | None, column("--prompt", "The question that a response answers.")]


class Trait(TypedDict, total=False):
    """What of a response a row scores."""

    trait: Annotated[str | None, column("--trait", "The trait that a row scores.")]


class GroupColumns(TypedDict, total=False):
    """Groups of responses."""

    groups: Annotated[Sequence[str], column("--group", _GROUP, TEXTS)]


class Groups(GroupColumns, total=False):
    """Groups and clusters of responses."""

    cluster: Annotated[str | None, column("--cluster", CLUSTER_HELP)]


class Fold(TypedDict, total=False):
    """Folds of a cross-validation."""

    fold: Annotated[str | None, column("--fold", "The fold of a cross-validation.")]


class Counting(TypedDict, total=False):
    """For how many responses a row stands."""

    count: Annotated[str | None, column("--count", COUNT_HELP, also="--count-column")]


class Weighing(Counting, total=False):
    """How much a response weighs, and for how many a row stands."""

    weight: Annotated[str | None, column("--weight", _WEIGHT)]
    stratum: Annotated[str | None, column("--stratum", _STRATUM)]


class Id(TypedDict, total=False):
    """The name of a response."""

    id: Annotated[str | None, column("--id", "The response's name, which must not repeat.")]


class Long(TypedDict, total=False):
    """The columns of a table with one row per rating."""

    response: Annotated[
        str | None,
        Field(TEXT, "--response", "COL", "The response that was rated.", LONG, web="form"),
    ]
    rater: Annotated[str | None, Field(TEXT, "--rater", "COL", _RATER, LONG, web="form")]
    score: Annotated[str | None, Field(TEXT, "--score", "COL", "The score.", LONG, web="form")]


class Keys(PromptKeyword, Trait, Groups, Fold, Weighing, Id, Long):
    """What responses are told apart by."""


class ScaleOf(TypedDict, total=False):
    """The scale, for all prompts or for each."""

    scale: Annotated[
        "Scale | str | Sequence[object] | None",
        score(SCALE, "--scale", "SCALE", _SCALE, prompts=True),
    ]
    prompts: Annotated[
        "Mapping[str, PromptOptions | Mapping[str, Any]] | None",
        Field(PROMPTS, "", None, "What differs for single prompts, by prompt.", SCORES, web="form"),
    ]


class SystemScaleKeyword(TypedDict, total=False):
    """The scale of the systems."""

    system_scale: Annotated[
        "Scale | str | Sequence[object] | None",
        score(
            SCALE, "--system-scale", "SCALE", "The systems' scale, if not the gold's.", prompts=True
        ),
    ]


class Resolve(TypedDict, total=False):
    """How ratings become the gold."""

    resolve: Annotated[
        str, score(TEXT, "--resolve", "RULE", _RESOLVE, default="first", prompts=True)
    ]


class Adjudicated(TypedDict, total=False):
    """How a third rating decides."""

    adjudication: Annotated[
        str, score(TEXT, "--adjudication", "RULE", _ADJUDICATION, default="expert")
    ]
    adjacency: Annotated[float, score(NUMBER, "--adjacency", "POINTS", _ADJACENCY, default=1.0)]


class Trim(TypedDict, total=False):
    """What becomes of scores beyond the scale."""

    trim: Annotated[
        str | float, score(TRIM, "--trim", "RULE", _TRIM, default=HALF_STEP, prompts=True)
    ]


class Odd(TypedDict, total=False):
    """What is left out or means nothing."""

    missing: Annotated[
        Sequence[str], score(TEXTS, "--missing", "TEXT", "A text that means a missing score.")
    ]
    exclude: Annotated[Sequence[str], score(TEXTS, "--exclude", "REASON", _EXCLUDE)]


class CrossTableKeyword(TypedDict, total=False):
    """Counts in place of scores."""

    table: Annotated[bool, score(SWITCH, "--table", None, _TABLE)]


class FilterKeywords(TypedDict, total=False):
    """Which responses are kept."""

    exclude_zero: Annotated[
        bool, score(SWITCH, "--exclude-zero", None, "Treat human scores of zero as missing.")
    ]
    flags: Annotated[Mapping[str, object] | None, score(KEPT, "--flag", "COL=VALUE,VALUE", _FLAG)]
    candidate: Annotated[
        str | None,
        score(TEXT, "--candidate", "COL", "Who gave the response; goes with --min-items."),
    ]
    min_items: Annotated[int | None, score(WHOLE, "--min-items", "N", _MIN_ITEMS)]


class ReadingKeywords(
    ScaleOf, CategoriesKeyword, SystemScaleKeyword, Resolve, Adjudicated, Trim, Odd, FileKeywords,
    FilterKeywords,
):  # fmt: skip
    """How the scores of people and systems are read."""


class Statistics(TypedDict, total=False):
    """Which statistics."""

    statistics: Annotated[Sequence[str], statistic(TEXTS, "--statistic", "NAME", _STATISTIC)]


class Lambda(TypedDict, total=False):
    """From which error on one is critical."""

    lambda_: Annotated[
        float, statistic(NUMBER, "--lambda", "SHARE", LAMBDA_HELP, default=LAMBDA, prompts=True)
    ]


class Intervals(TypedDict, total=False):
    """How intervals are made."""

    cross: Annotated[bool, statistic(SWITCH, "--cross", None, "Also each prompt in each group.")]
    level: Annotated[float, statistic(NUMBER, "--level", None, "Confidence level.", default=LEVEL)]
    interval: Annotated[
        Literal["abc", "bca", "percentile", "analytic"] | None,
        statistic(
            TEXT,
            "--interval",
            "KIND",
            "abc, bca, percentile or analytic. By default the statistic's own.",
        ),
    ]
    replicates: Annotated[
        int, statistic(WHOLE, "--replicates", None, "Number of resamples.", default=REPLICATES)
    ]
    seed: Annotated[
        int, statistic(NATURAL, "--seed", None, "Same seed, same numbers.", default=SEED)
    ]


class PeopleKeywords(Human, Keys, ScaleOf, Odd, FileKeywords, CrossTableKeyword, Intervals):
    """Of commands that look at people alone."""
