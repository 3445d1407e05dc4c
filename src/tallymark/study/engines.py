"""Where a table lives: keywords of the commands that can have it read there."""

from typing import Annotated, Literal, TypedDict

from tallymark.study.fields import TEXT
from tallymark.study.shared import score

_ENGINE = "Who reads the table: duckdb, here, or spark, where it lives; only counts leave it."
_MASTER = "With --engine spark: its master, such as local[4], spark://host:7077 or sc://host."


class EngineKeywords(TypedDict, total=False):
    """Who reads the table."""

    engine: Annotated[
        Literal["duckdb", "spark"],
        score(TEXT, "--engine", "NAME", _ENGINE, default="duckdb", choices=("duckdb", "spark")),
    ]
    master: Annotated[str | None, score(TEXT, "--master", "URL", _MASTER)]
