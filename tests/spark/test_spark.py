"""On a real Spark: the same JSON as DuckDB's, and nothing but counts leaves it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.sources.handoff import Wanted, statement

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore"),
]
FEW: dict[str, Any] = {"statistics": ["qwk"]}


def csv(spark, path):
    return spark.read.option("header", True).option("escape", '"').csv(str(path))


def test_the_demo_gives_the_same_json_with_all_that_is_guessed(spark):
    frame = csv(spark, SCORES)
    assert tm.evaluate(frame, **FEW).to_json() == tm.evaluate(SCORES, **FEW).to_json()
    assert spark.catalog.listTables() == []


def test_all_statistics_are_those_of_duckdb_but_for_the_ids_in_lists(spark, tmp_path):
    path = tmp_path / "scores.csv"
    rows = f"SELECT * EXCLUDE (response) FROM read_csv('{SCORES}', all_varchar = true)"
    duckdb.sql(f"COPY ({rows}) TO '{path}'")
    there = tm.evaluate(csv(spark, path).repartition(4))
    assert there.to_json() == tm.evaluate(path).to_json()


WIDE: dict[str, dict[str, Any]] = {
    "rsmtool_examples/asap2_system_two_raters.csv": {},
    "essay_br_llm/scores.csv": {},
    "wmt23_mqm_three_raters/scores.csv": {
        "humans": ["mqm_1", "mqm_2"],
        "systems": ["mqm_3"],
        "groups": ["system"],
    },
    "summeval_experts/scores.csv": {
        "humans": ["expert_0", "expert_1"],
        "systems": ["expert_2"],
        "prompt": "dimension",
        "groups": ["system"],
    },
    "mohler_texts/answers.csv": {
        "humans": ["rater_1"],
        "systems": ["rater_2"],
        "prompt": "question_id",
    },
}


@pytest.mark.parametrize("name", WIDE)
def test_shared_files_give_the_same_json(spark, shared, name):
    path = shared("data", *name.split("/"))
    frame = spark.read.option("multiLine", True).csv(str(path), header=True, escape='"')
    there, here = (tm.evaluate(source, **FEW, **WIDE[name]) for source in (frame, str(path)))
    assert there.to_json() == here.to_json()


def test_a_table_without_a_system_is_refused_in_the_same_words(spark, shared):
    path = shared("data", "summeval_experts", "scores.csv")
    said = []
    for source in (csv(spark, path), str(path)):
        with pytest.raises(DataError) as refused:
            tm.evaluate(source, **FEW)
        said.append(str(refused.value).replace(path.name, "data frame"))
    assert said[0] == said[1]


def test_one_row_per_rating_is_refused_with_the_remedy(spark):
    rows = [(f"r{i}", rater, 1 + i % 3) for i in range(9) for rater in ("ann", "bot")]
    frame = spark.createDataFrame(rows, "essay string, rater string, score int")
    with pytest.raises(OptionError, match="pivot"):
        tm.evaluate(frame, response="essay", rater="rater", score="score", systems=["bot"])


def test_a_statement_for_spark_gives_the_tally_of_odd_names(spark):
    names = ("back`tick", 'a "b"', "it's", "größe", "select", "x.y", "a\\b", "semi;colon")
    rows = [(*((i + j) % 3 for j, _ in enumerate(names)), "it's \\n") for i in range(9)]
    rows += [(*rows[0][:-1], "other")]
    spark.createDataFrame(rows, [*names, "note"]).createOrReplaceTempView("odd")
    try:
        where = r"note = 'it''s \n'"
        text = statement(Wanted(names, where=where), "odd", "spark").removesuffix(";")
        found = {tuple(row) for row in spark.sql(text).collect()}
    finally:
        spark.catalog.dropTempView("odd")
    assert found == {(*rows[i][:-1], 3) for i in range(3)}


def test_scores_with_decimals_agree_to_ten_digits(spark):
    rng = np.random.default_rng(5)
    gold = rng.normal(3, 1, 300)
    columns = {"gold": gold, "engine": gold + rng.normal(0, 0.5, 300)}
    frame = spark.createDataFrame(
        [*zip(*(c.tolist() for c in columns.values()), strict=True)], [*columns]
    )
    there, here = (
        tm.evaluate(source, gold="gold", systems=["engine"]) for source in (frame, columns)
    )
    for a, b in zip(there.estimates, here.estimates, strict=True):
        expected = pytest.approx([b.value, b.low, b.high], rel=1e-10, nan_ok=True)
        assert [a.value, a.low, a.high] == expected


def test_what_is_wrong_with_the_data_is_said_as_ever(spark):
    rows = [(1, "2", True), (2, "n/a", False), (9, "3", True)] * 5
    frame = spark.createDataFrame(rows, "h1 int, engine string, flag boolean")
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], **FEW}
    with pytest.raises(DataError, match="holds text"):
        tm.evaluate(frame, **asked)
    with pytest.raises(ScaleError, match="not on the scale"):
        tm.evaluate(frame, **asked, scale="1:6", missing=["n/a"])
    with pytest.raises(DataError, match="no column 'h2'"):
        tm.evaluate(frame, humans=["h2"], systems=["engine"])


def test_ids_that_repeat_are_found_there(spark):
    rows = [(1 + i % 4, 1 + i % 3, f"r{i}", f"p{i % 2}") for i in range(40)]
    names = ["h1", "engine", "who", "prompt"]
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "prompt": "prompt", **FEW}
    found = tm.evaluate(spark.createDataFrame(rows, names), id="who", **asked)
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    assert found.estimates == tm.evaluate(columns, id="who", **asked).estimates
    twice = spark.createDataFrame([*rows, (1, 1, "r0", "p1")], names)
    tm.evaluate(twice, id="who", **asked)  # of another prompt
    twice = spark.createDataFrame([*rows, (1, 1, " r7 ", "p1"), (1, 1, "r8", "p0")], names)
    with pytest.raises(DataError, match=r"the id 'r7' more than once \(ids that repeat: 2\)"):
        tm.evaluate(twice, id="who", **asked)


def test_a_condition_is_met_there(spark):
    frame = csv(spark, SCORES)
    for where in (
        "prompt = travel",
        "h1 >= 3 and h2 is not null",
        "engine not in (3.73) or h1 < 2",
    ):
        found, expected = (tm.evaluate(one, **FEW, where=where) for one in (frame, SCORES))
        assert found.to_json() == expected.to_json()


LOST = "Job aborted due to stage failure: ExecutorLostFailure (executor 1 exited caused by one of the running tasks)"


def test_a_lost_executor_is_said_and_nothing_is_written(spark, tmp_path, monkeypatch, capsys):
    from pyspark.errors import PySparkException

    from tallymark.cli.main import main
    from tallymark.sources import spark as engine

    def lost(*_):
        raise PySparkException(f"An error occurred.\n{LOST}\nCaused by: java.lang.Exception: gone")

    monkeypatch.setattr(engine, "_bring", lost)
    asked = ["--engine", "spark", "--human", "h1", "--system", "chatbot"]
    with pytest.raises(SystemExit) as end:
        main(["evaluate", str(SCORES), *asked, "--out", str(tmp_path / "report")])
    assert end.value.code == 2
    assert "Spark cannot read scores.csv: ExecutorLostFailure" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()
    assert spark.catalog.listTables() == []


def test_a_folder_of_parquet_files_is_read_by_the_command(spark, tmp_path, capsys):
    from tallymark.cli.main import main

    csv(spark, SCORES).repartition(3).write.parquet(str(tmp_path / "scores"))
    asked = ["--human", "h1", "--system", "chatbot", "--statistic", "qwk", "--json"]
    with pytest.raises(SystemExit) as end:
        main(["evaluate", str(tmp_path / "scores"), "--engine", "spark", *asked])
    there = capsys.readouterr()
    assert end.value.code == 0, there.err
    here = tm.evaluate(SCORES, humans=["h1"], systems=["chatbot"], **FEW)
    assert json.loads(there.out) == json.loads(here.to_json())
    part = next((tmp_path / "scores").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(SystemExit) as end:
        main(["evaluate", str(tmp_path / "scores"), "--engine", "spark", *asked])
    assert end.value.code == 2
    assert "Spark cannot read scores" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        main(["evaluate", "no.such_table", "--engine", "spark", *asked])
    assert end.value.code == 2


@pytest.mark.slow
def test_a_million_rows_give_the_same_json(spark, tmp_path):
    path = tmp_path / "million.parquet"
    scores = "1 + (hash(i) % 6)::INT AS h1, 1 + (hash(i + 1) % 6)::INT AS h2"
    near = (
        "least(6, 1 + (hash(i) % 6) + (hash(i + 2) % 2))::INT AS engine, 'p' || (i % 3) AS prompt"
    )
    duckdb.sql(f"COPY (SELECT {scores}, {near} FROM range(1000000) t(i)) TO '{path}'")
    asked: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"], "prompt": "prompt"}
    there = tm.evaluate(spark.read.parquet(str(path)), **asked)
    assert there.to_json() == tm.evaluate(str(path), **asked).to_json()


LOSING = """
import os, signal, subprocess, threading, time
import duckdb
import tallymark as tm
from pyspark.sql import SparkSession
from tallymark.demo import SCORES
from tallymark.errors import DataError
spark = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    .config("spark.log.level", "OFF").config("spark.task.maxFailures", "1")
    .config("spark.deploy.maxExecutorRetries", "0").config("spark.driver.host", "127.0.0.1").getOrCreate())
duckdb.sql(f"COPY (SELECT * EXCLUDE (response) FROM read_csv('{SCORES}', all_varchar = true)) TO 'demo.csv'")
demo = spark.read.option("header", True).option("escape", '"').csv(os.path.abspath("demo.csv")).repartition(4)
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
same = tm.evaluate(demo).to_json() == tm.evaluate("demo.csv").to_json()
print("executors:", executors, "same:", same, flush=True)
print("app:", spark.sparkContext.applicationId, flush=True)
frame = spark.range(400_000_000).selectExpr("1 + id % 4 AS h1", "1 + hash(id, id * 7) % 2 AS engine")
def kill():
    time.sleep(1.0)
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout
    ours = {str(os.getpid())}
    for _ in range(6):
        ours |= {l.split()[0] for l in found.splitlines() if l.split()[1] in ours}
    for line in found.splitlines():
        if line.split()[0] in ours and "CoarseGrainedExecutorBackend" in line:
            os.kill(int(line.split()[0]), signal.SIGKILL)
threading.Thread(target=kill, daemon=True).start()
try:
    tm.evaluate(frame, humans=["h1"], systems=["engine"], statistics=["qwk"])
except DataError as error:
    print("refused:", error)
else:
    print("read all the same")
"""


@pytest.mark.slow
def test_two_executors_give_the_same_json_and_losing_them_ends_in_a_sentence(tmp_path):
    """Executors are killed, by their ids and only ours; Spark may also start others and go on."""
    pyspark = pytest.importorskip("pyspark", reason="no Spark is installed")
    ran = subprocess.run(
        [sys.executable, "-c", LOSING], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=500
    )  # fmt: skip
    for app in re.findall(r"^app: (\S+)$", ran.stdout, re.MULTILINE):  # what executors wrote
        shutil.rmtree(Path(pyspark.__file__).parent / "work" / app, ignore_errors=True)
    if "local-cluster" in ran.stderr or "SPARK_HOME" in ran.stderr:
        pytest.skip("no local cluster of Spark starts here")
    assert "executors: 2 same: True" in ran.stdout, ran.stdout + ran.stderr[-2000:]
    assert "refused: Spark cannot read" in ran.stdout or "read all the same" in ran.stdout, (
        ran.stderr[-2000:]
    )
