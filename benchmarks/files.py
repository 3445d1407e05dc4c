"""A file of scores: what an evaluation costs beside a plain GROUP BY of the same file.

``files.py FILE [STEP]`` prints CPU seconds as JSON, of one step or of all.
"""

import json
import sys
from typing import Any

import duckdb
from clock import side_by_side
from msgspec.structs import replace

from tallymark.analyses.evaluate import evaluate_scores
from tallymark.inference import Settings
from tallymark.sources import Roles, Scores, read_scores

ROLES = Roles(humans=("h1", "h2"), systems=("engine",))


def scan(path: str) -> Any:
    """The limit: nothing can be known about the scores in less time."""
    with duckdb.connect() as connection:
        query = f"SELECT h1, h2, engine, count(*) FROM '{path}' GROUP BY ALL"
        return connection.execute(query).fetchnumpy()


def read(path: str, roles: Roles = ROLES) -> Scores:
    return read_scores(path, roles=roles, scale="1:6")


def with_ids(path: str) -> str:
    """The same scores in a Parquet file with an id for each response."""
    named = f"{path}-ids.parquet"
    with duckdb.connect() as connection:
        query = f"SELECT 'r' || row_number() OVER () AS id, * FROM '{path}'"
        connection.execute(f"COPY ({query}) TO '{named}'")
    return named


def main(path: str, step: str = "") -> None:
    scores = read(path)
    if step == "statistics":
        print(json.dumps(side_by_side({step: lambda: evaluate_scores(scores, Settings())})))
        return
    named = with_ids(path)
    found = side_by_side(
        {
            "scan": lambda: scan(path),
            "read": lambda: read(path),
            "read with ids": lambda: read(named),
            "read with unique ids": lambda: read(named, replace(ROLES, id="id")),
            "statistics": lambda: evaluate_scores(scores, Settings()),
        }
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
