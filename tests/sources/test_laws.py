"""What holds for every table: nothing is lost, and the order of rows does not matter."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.sources import Roles, Scores, read_scores
from tallymark.sources.resolution import RULES

HUMAN = st.sampled_from(["1", "2", "3", "", "n/a", "9", "x", "inf"])
SYSTEM = st.sampled_from(["1", "2.5", "3.25", "", "nan", "x", "-inf", "7"])
ROW = st.tuples(st.sampled_from("abcdefgh"), HUMAN, HUMAN, HUMAN, SYSTEM, SYSTEM)
# three good rows, so that there is always something to use
ROWS = st.lists(ROW, max_size=12).map(
    lambda rows: [*rows, *((name, "1", "2", "3", "1", "2") for name in "xyz")]
)
EVERYTHING = ("text", "infinite", "off-scale", "duplicate")


def read_rows(rows: list[tuple[str, ...]], rule: str = "first") -> Scores:
    names = ["id", "h1", "h2", "h3", "engine", "bot"]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    roles = Roles(humans=("h1", "h2", "h3"), systems=("engine", "bot"), id="id")
    return read_scores(
        columns,
        roles=roles,
        scale="1:3",
        system_scale="1:3",
        missing=["n/a"],
        exclude=EVERYTHING,
        resolve=rule,
    )


@settings(max_examples=12)
@given(ROWS, st.sampled_from(RULES))
def test_read_is_used_plus_every_exclusion(rows, rule):
    scores = read_rows(rows, rule)
    facts = scores.facts
    assert facts.read == len(rows)
    assert facts.read == facts.used + sum(count for _, count in facts.exclusions)
    assert facts.used == scores.patterns.where(scores.used).n
    assert len(scores.excluded) == facts.read - facts.used


@settings(max_examples=6)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = read_rows(rows), read_rows(shuffled)
    assert one.facts == other.facts
    for name, values in one.patterns.scores.items():
        np.testing.assert_array_equal(values, other.patterns.scores[name])


NUMBER = st.one_of(st.none(), st.integers(-20, 20), st.decimals(-20, 20, places=3).map(float))
CELLS = st.tuples(st.integers(0, 5), NUMBER, st.sampled_from(["f", "m", "é", None]))


@settings(max_examples=3)
@given(st.lists(CELLS, max_size=8).map(lambda rows: [*rows, (1, 1.5, "f"), (2, 2.0, None)]))
def test_the_format_does_not_matter(tmp_path_factory, rows):
    folder: Path = tmp_path_factory.mktemp("formats")
    columns = dict(zip(("h1", "engine", "gender"), map(list, zip(*rows, strict=True)), strict=True))
    columns["engine"] = [None if score is None else float(score) for score in columns["engine"]]
    schema = {"h1": pl.Int64, "engine": pl.Float64, "gender": pl.String}
    frame = pl.DataFrame(columns, schema=schema)
    frame.write_csv(folder / "a.csv")
    frame.write_csv(folder / "a.tsv", separator="\t")
    frame.write_parquet(folder / "a.parquet")
    frame.write_ndjson(folder / "a.jsonl")
    sources = [*sorted(folder.iterdir()), frame, frame.to_arrow(), pd.DataFrame(columns), columns]
    roles = Roles(humans=("h1",), systems=("engine",), groups=("gender",))
    hashes = {read_scores(source, roles=roles, scale="0:5").facts.hash for source in sources}
    assert len(hashes) == 1
