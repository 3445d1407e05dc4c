"""A large table, of which the distinct rows are kept, is read as a small one; and it is read once."""

import duckdb
import numpy as np
import pytest

from tallymark.sources import Roles, brief, open_scores, profiles, tables
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
        scores = opened.scores
        return (
            scores.facts,
            scores.excluded,
            {name: repr(values.tolist()) for name, values in scores.patterns.scores.items()},
            scores.patterns.labels,
            list_worst(opened.responses, "ids"),
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


@pytest.mark.parametrize(("given", "most"), [({}, 2), ({"id": "id"}, 3)])
def test_a_large_file_is_read_twice_and_once_more_for_ids_that_recur(
    given, most, write, monkeypatch
):
    asked = []
    connect = tables.SqlTable.__init__

    def noted(self, name, columns, run, *others):
        def running(query):
            asked.append(query)
            return run(query)

        connect(self, name, columns, running, *others)

    monkeypatch.setattr(tables.SqlTable, "__init__", noted)
    rows = "".join(f"r{i},{i % 4},{i % 3},{i % 2}\n" for i in range(12_000))
    path = write(f"essay_id,h1,engine,gender\n{rows}")
    roles = Roles(id="essay_id") if given else Roles()
    with open_scores(path, roles=roles) as opened:
        assert list_worst(opened.responses, "ids")["engine"]
    whole = [query for query in asked if "FROM tallymark_data" in query and "LIMIT" not in query]
    assert len([query for query in whole if not query.startswith("DESCRIBE")]) == most
