"""Spark: the table stays where it is; queries run there, and only their answers come here."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from tallymark.errors import DataError, OptionError
from tallymark.sources.connecting import connected
from tallymark.sources.files import ENDINGS, check_names
from tallymark.sources.frames import is_spark
from tallymark.sources.sql import DATA, identifier
from tallymark.sources.tables import FRAME_NAME, SqlColumn, SqlTable

if TYPE_CHECKING:
    import duckdb

_ANSWER = "tallymark_answer"
_CREATE = re.compile(r"CREATE TEMP TABLE (\w+) AS (.*)", re.DOTALL)
_NUMERIC = re.compile(r"(tiny|small|big)?int|float|double|decimal\(.*\)")
_TYPES = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), "BIGINT"),
    **dict.fromkeys(("float", "double", "boolean", "date"), ""),
    **dict.fromkeys(("timestamp", "timestamp_ntz"), "TIMESTAMP"),
}
"""What DuckDB calls the types of Spark; the same where nothing is said, and text for all others."""
_WORDS = (
    (re.compile(r"\\"), r"\\\\"),
    (re.compile(r'"(tallymark [^"]*)"'), r"`\1`"),
    (re.compile(r"AS VARCHAR\)"), "AS STRING)"),
    (re.compile(r"\bisfinite\((\w+)\)"), r"(abs(\1) <= 1.7976931348623157E308D)"),
    (re.compile(r"\bisnan\((\w+)\)"), r"(\1 = double('NaN'))"),  # Spark's own is false of NULL
    (re.compile(r"\blist_position\(\[(.*?)\], "), r"array_position(array(\1), "),
)
"""Words of DuckDB that profiles and briefs use, and those of Spark."""
_HOW = "Spark needs Java 17 or newer; install it, or set JAVA_HOME"
_MASTERS = "a master is local[4], spark://host:7077, yarn or sc://host"
_LONGEST = 200


@contextmanager
def open_spark(
    source: object, master: str | None, memory_limit: str | None = None
) -> Iterator[SqlTable]:
    """Open a frame of Spark, a table of its catalogue, or a file or folder that Spark can read."""
    if is_spark(source):
        with open_frame(source, memory_limit=memory_limit) as table:
            yield table
        return
    if not isinstance(source, str | os.PathLike):
        raise OptionError("--engine spark needs a table, a file, or a frame of Spark")
    place = str(source)
    name = place.rpartition("/")[2] or place
    session = _session(master)
    with _our_words(name):
        frame = _frame(session, place)
    with open_frame(frame, name=name, memory_limit=memory_limit) as table:
        yield table


@contextmanager
def open_frame(
    frame: Any, *, name: str = FRAME_NAME, memory_limit: str | None = None
) -> Iterator[SqlTable]:
    """Open a frame of Spark: its rows stay there, what is kept of them is kept here."""
    view, session = f"{DATA}_{os.getpid()}_{id(frame)}", frame.sparkSession
    with _our_words(name):
        check_names(name, frame.columns)
        if not frame.columns:
            raise DataError(f"the {name} has no columns")
        # our own names: no name of the user's has to be quoted
        frame.toDF(*(f"c{i}" for i, _ in enumerate(frame.columns))).createOrReplaceTempView(view)
    try:
        with connected(memory_limit) as here:
            here.execute("SET enable_external_access = false")
            here.execute("SET pandas_analyze_sample = 0")

            def there(query: str) -> Any:
                with _our_words(name):
                    return session.sql(in_spark(query).replace(DATA, view))

            columns = {
                field.name: SqlColumn(
                    field.name, f"c{i}", bool(_NUMERIC.fullmatch(field.dataType.simpleString()))
                )
                for i, field in enumerate(frame.schema.fields)
            }
            run = _runner(here, there, name)
            yield SqlTable(name, columns, run, lambda: f"{name} cannot be read", elsewhere=True)
    finally:
        with suppress(Exception):  # of a session that has ended
            session.catalog.dropTempView(view)


def in_spark(query: str) -> str:
    """Put a query in Spark's words.

    >>> in_spark('SELECT CAST(c0 AS VARCHAR), isfinite(d1) AS "tallymark 1"')
    'SELECT CAST(c0 AS STRING), (abs(d1) <= 1.7976931348623157E308D) AS `tallymark 1`'
    """
    for ours, theirs in _WORDS:
        query = ours.sub(theirs, query)
    return query


def _runner(
    here: "duckdb.DuckDBPyConnection", there: Callable[[str], Any], name: str
) -> "Callable[[str], duckdb.DuckDBPyConnection]":
    """Ask Spark what concerns its table, and DuckDB what concerns answers that were kept."""

    def run(query: str) -> "duckdb.DuckDBPyConnection":
        if DATA not in query:
            return here.execute(query)
        kept = _CREATE.fullmatch(query)
        answer = there(kept[2] if kept else query)
        with _our_words(name):
            _bring(here, kept[1] if kept else _ANSWER, answer)
        return here if kept else here.execute(f"SELECT * FROM {_ANSWER}")

    return run


def _bring(here: "duckdb.DuckDBPyConnection", name: str, answer: Any) -> None:
    """Make a table of an answer, value for value: as text, whose type DuckDB reads again."""
    fields, rows = answer.schema.fields, answer.collect()
    columns = {
        f"a{i}": np.array([None if row[i] is None else str(row[i]) for row in rows], dtype=object)
        for i, _ in enumerate(fields)
    }
    names = [field.name for field in fields]
    shown = names if len({*names}) == len(names) else [*columns]
    casts = ", ".join(
        f"CAST(a{i} AS {_type(field.dataType.simpleString())}) AS {identifier(given)}"
        for i, (field, given) in enumerate(zip(fields, shown, strict=True))
    )
    here.register("tallymark_brought", columns)
    here.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {casts} FROM tallymark_brought")
    here.unregister("tallymark_brought")


def _type(spark: str) -> str:
    if spark.startswith("decimal"):
        return spark
    return (_TYPES[spark] or spark) if spark in _TYPES else "VARCHAR"


def _session(master: str | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise OptionError(
            "--engine spark needs pyspark, which is not installed: pip install 'tallymark[spark]'"
        ) from None
    home = os.environ.get("JAVA_HOME")
    remote = master is not None and master.startswith("sc://")
    if not (shutil.which("java") or home or remote):
        raise OptionError(f"--engine spark found no Java. {_HOW}")
    builder = SparkSession.builder.appName("tallymark")
    if remote:
        builder = builder.remote(str(master))
    else:
        builder = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
        builder = builder if master is None else builder.master(master)
    try:
        return builder.getOrCreate()
    except Exception as problem:  # noqa: BLE001 - of Java, of Py4J or of the network
        text = str(problem)
        if "JAVA_GATEWAY_EXITED" in text or "Java gateway process exited" in text:
            said = f"see the lines above. {_HOW}; {_MASTERS}"
        else:
            said = f"{_reason(text).rstrip('.')}. See whether its master can be reached; {_MASTERS}"
        raise OptionError(f"Spark did not start: {said}") from None


def _frame(session: Any, source: str) -> Any:
    """A file by its ending, a folder of Parquet files, or else a table by its name."""
    place = re.sub(r"^(\w{2,}):/(?!/)", r"\1://", source)  # as a path, s3://x has become s3:/x
    kind = ENDINGS.get(re.sub(r"\.gz$", "", place)[place.rfind(".") :].lower())
    if kind in ("csv", "tsv"):
        mark = "\t" if kind == "tsv" else ","
        read = session.read.option("header", True).option("escape", '"').option("multiLine", True)
        return read.option("sep", mark).csv(place)
    if kind == "jsonl":
        return session.read.json(place)
    if kind == "parquet" or "/" in place:
        return session.read.parquet(place)
    return session.table(place)


@contextmanager
def _our_words(name: str) -> Iterator[None]:
    """Say in our words what Spark says of the data, of its cluster or of Java."""
    try:
        yield
    except Exception as problem:
        module = type(problem).__module__.partition(".")[0]
        if module not in ("pyspark", "py4j"):
            raise
        text = str(problem)
        if "PARSE_SYNTAX" in text or "UNRESOLVED_COLUMN" in text:  # our mistake
            raise
        raise DataError(f"Spark cannot read {name}: {_reason(text)}") from None


def _reason(text: str) -> str:
    """The sentence that says it: the last cause of a failed job, else the first line."""
    if "stopped SparkContext" in text:
        return "its session has ended, as when executors are lost or the master gives up; start it again"
    causes = re.findall(r"Caused by: (?:[\w.$]+: )?(.+)", text)
    lost = re.search(r"(ExecutorLostFailure[^\n]*|executor \d+ exited[^\n]*)", text)
    calling = r"An error occurred while calling .*\s*:? ?(?:[\w.$]+: )?"  # Py4J's own first line
    first = lost[0] if lost else causes[-1] if causes else re.sub(calling, "", text).strip()
    first = first.partition("\n")[0]
    return first if len(first) <= _LONGEST else f"{first[:_LONGEST]} ..."
