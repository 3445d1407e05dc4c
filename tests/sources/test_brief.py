"""A large table, of which rows are kept, is read as a small one; and it is read at most twice."""

import re

import duckdb
import numpy as np
import pytest
from msgspec.structs import replace

from tallymark.sources import Roles, brief, open_scores, profiles, readers, tables
from tallymark.study.worst import list_worst

ROWS = 400
ROLES = Roles(humans=("h1", "h2"), systems=("engine",), id="id")


def columns():
    rng = np.random.default_rng(1)
    h1, prompt = rng.integers(1, 4, ROWS), rng.integers(0, 3, ROWS)
    found = {
        "id": [f"r{i}" for i in range(ROWS)],
        "student_id": [f"s{i}" for i in range(ROWS)],
        "prompt": [("a", "b ", "b")[which] for which in prompt],
        "gender": [("f", "m", "")[which] for which in prompt],
        "h1": [str(value) for value in h1],
        "h2": [str(value) for value in h1],
        "engine": [str(value) for value in h1 + rng.integers(0, 2, ROWS)],
        "kept": rng.choice(["1", "1.0", "0"], ROWS).tolist(),
    }
    found["h1"][7], found["h1"][9], found["engine"][3] = "n/a", "9", ""
    found["h1"][20] = found["h2"][20] = ""
    return found


def seen(source, **options):
    given = {"scale": "1:4", "exclude": ["text", "off-scale"], "flags": {"kept": ["1"]}}
    with open_scores(source, roles=ROLES, **given | options) as opened:
        worst, excluded = list_worst(opened.responses, "ids")
        scores = opened.listing(excluded)
        return (
            scores.facts,
            scores.excluded,
            {name: repr(values.tolist()) for name, values in scores.patterns.scores.items()},
            scores.patterns.labels,
            worst,
            opened.responses.cells.brief is not None,
        )


@pytest.fixture
def large(monkeypatch):
    """Every table is a large one."""
    for module in (brief, profiles):
        monkeypatch.setattr(module, "SAMPLE", ROWS - 10)
        monkeypatch.setattr(module, "MANY", ROWS // 8)


@pytest.mark.parametrize("options", [{}, {"resolve": "sum"}, {"missing": ["n/a"]}])
@pytest.mark.parametrize("kind", ["csv", "parquet", "mapping", "relation"])
def test_a_large_table_is_read_as_a_small_one(kind, options, tmp_path, request):
    with duckdb.connect() as connection:
        data = {name: np.array(values, object) for name, values in columns().items()}
        connection.register("scores", data)
        source = {"mapping": columns(), "relation": connection.sql("SELECT * FROM scores")}.get(
            kind, tmp_path / f"scores.{kind}"
        )
        if kind in ("csv", "parquet"):
            connection.execute(f"COPY scores TO '{source}'")
        small = seen(source, **options)
        request.getfixturevalue("large")
        assert seen(source, **options) == (*small[:-1], True)


ESSAYS = {"essay_id": "r{i}", "h1": "{h}", "engine": "{e}", "gender": "{g}"}
FIRST = re.compile(r"\(?SELECT [^()]* FROM tallymark_data LIMIT \d+\)?")
BY_NAME = Roles(humans=("h1",), systems=("engine",))


@pytest.mark.parametrize(
    ("kinds", "roles", "most"),
    [
        # the distinct rows; then the worst disagreements and the responses left out, by their ids
        (ESSAYS, Roles(), 2),
        (ESSAYS | {"h1": "{gap}"}, Roles(), 2),
        # one more looks for an id that recurs
        (ESSAYS, Roles(id="essay_id"), 3),
        (ESSAYS | {"other": "x{i}"}, Roles(id="other"), 3),
        # a column that may be a cluster is counted in the same scan
        (ESSAYS | {"student_id": "s{i}"}, Roles(), 2),
        (ESSAYS | {"student_id": "s{few}"}, Roles(), 1),
        (ESSAYS | {"school": "{few}"}, replace(BY_NAME, cluster="school"), 1),
        (ESSAYS | {"engine": "{e}.{i}", "h1": "{gap}"}, Roles(id="essay_id"), 1),
        ({"essay_id": "r{few}", "rater": "{who}", "score": "{h}"}, Roles(), 1),
        # a column of texts that is named like a system's is looked at, not kept
        (ESSAYS | {"llm_feedback": "{text}"}, Roles(), 2),
        # a system that is found by its scores, and another column looked at for it
        ({"essay_id": "r{i}", "h1": "{h}", "gpt": "{e}", "words": "{i}"}, Roles(), 2),
    ],
)
def test_a_large_file_is_read_at_most_twice_and_once_more_for_ids(
    kinds, roles, most, write, monkeypatch
):
    asked = []
    described = tables.described

    def noted(name, run, **named):
        def running(query):
            asked.append(query)
            return run(query)

        return described(name, running, **named)

    monkeypatch.setattr(readers, "described", noted)
    line = ",".join(kinds.values())
    rows = [
        line.format(
            i=i,
            few=i // 3 * 7919 % 4000,
            who=("h1", "h2", "engine")[i % 3],
            h=i % 4,
            e=i * 7 % 5 % 4,
            g=i % 2,
            gap="" if i % 5 == 0 else i % 4,
            text=f"well done {i} " * 20,
        )
        for i in range(12_000)
    ]
    path = write("\n".join([",".join(kinds), *rows]) + "\n")
    with open_scores(path, roles=roles) as opened:
        worst, excluded = list_worst(opened.responses, "ids")
        assert worst["engine" if "gpt" not in kinds else "gpt"]
        left = opened.scores.facts.read - opened.scores.facts.used
        assert len(excluded) == left == ("{gap}" in kinds.values()) * 2400
    scans = [FIRST.sub("", query).count("FROM tallymark_data") for query in asked]
    looked = sum(query.startswith("DESCRIBE") for query in asked)
    assert sum(scans) - looked == most
