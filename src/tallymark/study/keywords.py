"""The keywords of each command, in the order of its help page: what is its own, and what it shares."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from tallymark.defaults import FEW, LEVEL
from tallymark.study.categories import CategoriesKeyword, PositiveKeyword
from tallymark.study.fields import (
    COLUMNS,
    JOINED_NUMBERS,
    NAME_OR_FILE,
    NUMBER,
    NUMBERED,
    NUMBERS,
    PAIRS,
    TABLE,
    TABLES,
    TEXT,
    TEXTS,
    VERDICT,
    WHOLE,
    Field,
)
from tallymark.study.places import RowKeywords
from tallymark.study.shared import (
    CRITICAL_HELP,
    RUNS_RULES,
    Confidences,
    CrossTableKeyword,
    Fold,
    Gold,
    Groups,
    Human,
    Intervals,
    Keys,
    Lambda,
    PeopleKeywords,
    PromptKeyword,
    ReadingKeywords,
    Repeats,
    RunsRule,
    Statistics,
    Systems,
    Trait,
    Weighing,
    column,
    score,
    statistic,
)

if TYPE_CHECKING:
    from tallymark.sources.joining import Predictions

_ERROR = "Variance of a rater's error, if known. Estimated from responses rated twice if left out."
_SMALL = "Mark groups with fewer responses than this."
_RUNS = (
    "The score of a repeated system: each (numbers are means over runs), first, mean or majority."
)
_CUT = "A pass mark or grade boundary: a score that reaches it has passed; repeat it for each."
_CUT_MODEL = (
    "Model of true scores at --cut: normal or, for scores crowded at an end, beta-binomial."
)
_SUREST = (
    "Report agreement among these shares of the most confident responses; .25,.5,.75 if left out."
)
POLICY_HELP = (
    "Limits: williamson2012, wood2021, ctb2014, rsmtool-highlights, llm-judge or a TOML file of "
    "your own."
)
_EVIDENCE = (
    "Your own statement on an item of the evidence checklist, such as 3.8; repeat it for each."
)
_PREDICTIONS = "A table with the id and one column of scores, a system; repeat it for each."
_BY = "Rank by this statistic, such as qwk, pearson or mae."
_TEST = "Test for pairs of systems: permutation, t, or auto (permutation unless there are more than 45 pairs)."
_BATCH = "The batch, or the time, of a response: do raters drift?"
_SEVERITY = (
    "Responses that severity comes from: conditional (rated twice or more), mml (all), auto (all "
    "where they look dealt at random)."
)
_MADE = "The human score that counts; the rule that made it from the ratings is worked out."
_LIMIT = "Say what other coefficients have where QWK is at this value."
_EXCHANGE = "Exchange the agreement at two score points, such as 1:3; repeat it for each."
_MOVE = "Move this share of the agreement at A to B; repeat it for each."
_PREVALENCE = "Let this share of the responses have this gold; repeat it for each."
_ERRORS = "Let the system make its errors so many times as often; repeat it for each."
_PUBLISHED = "Published numbers for the benchmark table: columns system, part (a prompt or trait; blank for the average), statistic, value."
_LENGTH = "The length of a response, or its text, whose characters are counted: does the system reward length?"
_PROBES = "Scores of probes, texts in the place of responses that baseline makes: the probe, whose it is, a column for each system."
_KEEP = "Another column to keep apart, such as one that --flag names later; repeat it for each."
_SQL = "Print the statement for a warehouse: duckdb, spark, postgres, bigquery or snowflake."
_SUPPRESS = "Give only the total of cells with fewer responses than this; they count as left out."
_AS = "The name of the column of counts."
_ENGINE = "Who reads the table: duckdb, here, or spark, where it lives; only counts leave it."
_MASTER = "With --engine spark: its master, such as local[4], spark://host:7077 or sc://host."
_REFERENCE = "A published coefficient to place among the ceilings; repeat it for each."


class Details(TypedDict, total=False):
    """What an evaluation is asked beside its statistics."""

    runs: Annotated[
        RunsRule, statistic(TEXT, "--runs", "RULE", _RUNS, default="each", choices=RUNS_RULES)
    ]
    error_variance: Annotated[float | None, statistic(NUMBER, "--error-variance", "NUMBER", _ERROR)]
    small_group: Annotated[int, statistic(WHOLE, "--small-group", "N", _SMALL, default=FEW)]
    cuts: Annotated[Sequence[float], statistic(NUMBERS, "--cut", "SCORE", _CUT)]
    cut_model: Annotated[
        Literal["normal", "beta-binomial"] | None,
        statistic(TEXT, "--cut-model", "MODEL", _CUT_MODEL),
    ]
    surest: Annotated[Sequence[float], statistic(JOINED_NUMBERS, "--surest", "SHARES", _SUREST)]


class Judging(TypedDict, total=False):
    """By what the verdict is given."""

    policy: Annotated[
        object,
        Field(NAME_OR_FILE, "--policy", "NAME|FILE", POLICY_HELP, VERDICT, web="upload"),
    ]


class Statements(TypedDict, total=False):
    """What the user adds to the evidence checklist."""

    evidence: Annotated[
        Mapping[str, str] | None,
        Field(PAIRS, "--evidence", "ITEM=TEXT", _EVIDENCE, VERDICT, web="form"),
    ]


class CriticalPoints(TypedDict, total=False):
    """From how many points on an error is critical."""

    critical: Annotated[float | None, statistic(NUMBER, "--critical", "POINTS", CRITICAL_HELP)]


class LengthKeyword(TypedDict, total=False):
    """How long responses are."""

    length: Annotated[str | None, column("--length", _LENGTH)]


class ProbeKeyword(TypedDict, total=False):
    """What systems give probes."""

    probe_scores: Annotated[
        object, Field(TABLE, "--probe-scores", "FILE", _PROBES, COLUMNS, web="upload")
    ]


class PublishedKeyword(TypedDict, total=False):
    """Numbers that others published."""

    reference: Annotated[
        object, Field(TABLE, "--reference", "FILE", _PUBLISHED, COLUMNS, web="upload")
    ]


class EngineKeywords(TypedDict, total=False):
    """Who reads the table."""

    engine: Annotated[
        Literal["duckdb", "spark"],
        score(TEXT, "--engine", "NAME", _ENGINE, default="duckdb", choices=("duckdb", "spark")),
    ]
    master: Annotated[str | None, score(TEXT, "--master", "URL", _MASTER)]


class EvaluateKeywords(
    Human, Gold, Systems, Confidences, Repeats, PublishedKeyword, Keys, LengthKeyword, ProbeKeyword,
    ReadingKeywords, PositiveKeyword, EngineKeywords, CrossTableKeyword, Statistics, Details, Lambda, CriticalPoints, Intervals, Judging,
    Statements,
):  # fmt: skip
    """Keywords of ``evaluate``."""


class TableKeywords(TypedDict, total=False):
    """Systems in tables of their own."""

    predictions: Annotated[
        "Predictions | None",
        Field(TABLES, "--predictions", "[NAME=]FILE", _PREDICTIONS, COLUMNS, web="upload"),
    ]


class Ranking(TypedDict, total=False):
    """How systems are ranked."""

    by: Annotated[str, statistic(TEXT, "--by", "NAME", _BY, default="qwk")]
    test: Annotated[
        Literal["auto", "permutation", "t"],
        statistic(TEXT, "--test", "TEST", _TEST, default="auto"),
    ]


class CompareKeywords(
    TableKeywords,
    Human,
    Gold,
    Systems,
    Confidences,
    Keys,
    ProbeKeyword,
    ReadingKeywords,
    PositiveKeyword,
    EngineKeywords,
    Statistics,
    Lambda,
    Intervals,
    Ranking,
):
    """Keywords of ``compare``."""


class RatersKeywords(PeopleKeywords, CategoriesKeyword, EngineKeywords, total=False):
    """Keywords of ``raters``."""

    batch: Annotated[str | None, column("--batch", _BATCH)]
    severity: Annotated[
        Literal["auto", "conditional", "mml"],
        statistic(TEXT, "--severity", "METHOD", _SEVERITY, default="auto"),
    ]


class CeilingKeywords(PeopleKeywords, EngineKeywords, total=False):
    """Keywords of ``ceiling``."""

    gold: Annotated[str | None, column("--gold", _MADE)]
    references: Annotated[
        Mapping[str, float] | None,
        statistic(NUMBERED, "--reference", "NAME=VALUE", _REFERENCE),
    ]


class MovedKeywords(TypedDict, total=False):
    """What of a table is different."""

    exchange: Annotated[Sequence[str], statistic(TEXTS, "--exchange", "A:B", _EXCHANGE)]
    move: Annotated[Mapping[str, float] | None, statistic(NUMBERED, "--move", "A:B=SHARE", _MOVE)]
    prevalence: Annotated[
        Mapping[str, float] | None,
        statistic(NUMBERED, "--prevalence", "SCORE=SHARE", _PREVALENCE),
    ]
    errors: Annotated[Sequence[float], statistic(NUMBERS, "--errors", "TIMES", _ERRORS)]
    limit: Annotated[float, statistic(NUMBER, "--limit", "QWK", _LIMIT, default=0.7)]
    level: Annotated[float, statistic(NUMBER, "--level", None, "Confidence level.", default=LEVEL)]


class WhatifKeywords(
    Human,
    Gold,
    Systems,
    Keys,
    ReadingKeywords,
    EngineKeywords,
    CrossTableKeyword,
    MovedKeywords,
    Judging,
):
    """Keywords of ``whatif``."""


class CellKeywords(TypedDict, total=False):
    """Which cells, and how they are counted."""

    keep: Annotated[Sequence[str], column("--keep", _KEEP, TEXTS)]
    batch: Annotated[str | None, column("--batch", _BATCH)]
    as_: Annotated[str, statistic(TEXT, "--as", "NAME", _AS, default="n")]
    suppress: Annotated[int, statistic(WHOLE, "--suppress", "N", _SUPPRESS, default=0)]
    sql: Annotated[str | None, statistic(TEXT, "--sql", "DIALECT", _SQL)]


class TallyKeywords(
    Human, Gold, Systems, Confidences, Repeats, PromptKeyword, Trait, Groups, Fold, Weighing,
    RowKeywords, CellKeywords,
):  # fmt: skip
    """Keywords of ``tally``."""
