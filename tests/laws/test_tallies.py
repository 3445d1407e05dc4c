"""A tally and its rows give the same JSON, whatever is asked of them."""

import json
from typing import Any

import duckdb
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import OptionError
from tallymark.sources import counted

COLUMNS = (
    "prompt, gender, h1, h2, round(engine) AS engine, chatbot, round(chatbot_confidence, 1) AS sure"
)
PEOPLE: dict[str, Any] = {"humans": ["h1", "h2"]}
BOTH: dict[str, Any] = {**PEOPLE, "systems": ["engine", "chatbot"]}
ASKED: dict[str, tuple[Any, dict[str, Any]]] = {
    "evaluate": (tm.evaluate, BOTH),
    "prompts and groups": (
        tm.evaluate, {**BOTH, "prompt": "prompt", "groups": ["gender"], "statistics": ["qwk"]},
    ),
    "confidences": (tm.evaluate, {**BOTH, "confidences": {"chatbot": "sure"}, "statistics": ["qwk"]}),
    "adjudicated panels": (tm.evaluate, {**BOTH, "resolve": "mean", "statistics": ["qwk"]}),
    "compare": (tm.compare, {**BOTH, "statistics": ["qwk"], "replicates": 200}),
    "raters": (tm.raters, PEOPLE),
    "ceiling": (tm.ceiling, PEOPLE),
    "whatif": (tm.whatif, {**PEOPLE, "systems": ["engine"]}),
    "plan width": (tm.plan.width, {**PEOPLE, "system": "engine", "half_width": 0.03}),
    "plan double-scores": (tm.plan.double_scores, {**PEOPLE, "system": "engine", "half_width": 0.05, "responses": 1000}),
    "plan raters": (tm.plan.raters, {**PEOPLE, "reliability": 0.9}),
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The rows of the demo, and their tally."""
    folder = tmp_path_factory.mktemp("tally")
    rows, tally = folder / "rows.parquet", folder / "tally.parquet"
    duckdb.sql(f"COPY (SELECT {COLUMNS} FROM read_csv('{SCORES}') ORDER BY ALL) TO '{rows}'")
    cells = f"SELECT *, count(*) AS n FROM '{rows}' GROUP BY ALL ORDER BY ALL"
    duckdb.sql(f"COPY ({cells}) TO '{tally}'")
    return rows, tally


def written(answer):
    if not hasattr(answer, "to_json"):
        return repr(answer)
    found = json.loads(answer.to_json())
    found["options"].pop("count", None)
    return found


@pytest.mark.parametrize("what", ASKED)
def test_a_tally_gives_the_json_of_its_rows(files, what):
    rows, tally = files
    command, asked = ASKED[what]
    assert written(command(tally, count="n", **asked)) == written(command(rows, **asked))


@pytest.mark.parametrize("method", ["ltt", "crc"])
def test_a_certificate_of_a_tally_is_that_of_its_rows(files, method):
    rows, tally = files
    asked: dict[str, Any] = {
        **PEOPLE, "system": "chatbot", "confidence": "sure", "alpha": 0.3, "method": method,
    }  # fmt: skip
    found, expected = tm.route.certify(tally, count="n", **asked), tm.route.certify(rows, **asked)
    assert found.routing.thresholds == expected.routing.thresholds
    assert written(found.evaluation) == written(expected.evaluation)
    assert found.evaluation.options["count"] == "n"


def test_a_certificate_refuses_a_tally_of_too_many(files, monkeypatch):
    monkeypatch.setattr(counted, "MOST", 100)
    asked: dict[str, Any] = {**PEOPLE, "system": "chatbot", "confidence": "sure", "alpha": 0.3}
    with pytest.raises(OptionError, match="stands for 1,200 responses"):
        tm.route.certify(files[1], count="n", **asked)
