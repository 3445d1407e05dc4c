"""People's scores in a file of their own, joined by id: the numbers are those of the table joined by hand."""

import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.errors import DataError, OptionError
from tests.sources.judges.test_hostile_logs import FILES

RNG = np.random.default_rng(4)
N = 160
TRUE = RNG.integers(1, 5, N)


def near(rng):
    return np.clip(TRUE + rng.integers(-1, 2, N), 1, 4).tolist()


JUDGED: dict[str, list[Any]] = {
    "id": [f"r{i}" for i in range(N)],
    "judge": near(RNG),
    "other": near(RNG),
    "sure": RNG.random(N).round(3).tolist(),
    "essay": [f"e{i % 2}" for i in range(N)],
}
CHOSEN = RNG.permutation(N)[:90].tolist()
SCORED: dict[str, list[Any]] = {
    "id": [f"r{i}" for i in CHOSEN],
    "h1": [int(TRUE[i]) for i in CHOSEN],
    "h2": (seconds := near(RNG)) and [seconds[i] for i in CHOSEN],
}
BY_HAND = {
    **JUDGED,
    **{
        name: [dict(zip(CHOSEN, SCORED[name], strict=True)).get(i) for i in range(N)]
        for name in ("h1", "h2")
    },
}
COMMANDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "evaluate": (tm.evaluate, {"systems": ["judge"], "prompt": "essay", "replicates": 100}),
    "compare": (tm.compare, {"systems": ["judge", "other"], "replicates": 100}),
    "raters": (tm.raters, {"replicates": 100}),
    "ceiling": (tm.ceiling, {"replicates": 100}),
    "whatif": (tm.whatif, {"systems": ["judge"]}),
    "route certify": (
        tm.route.certify,
        {"system": "judge", "confidence": "sure", "alpha": 0.5},
    ),
    "plan width": (tm.plan.width, {"systems": ["judge"], "half_width": 0.05}),
}


def numbers(evaluation):
    made = json.loads(evaluation.to_json())
    return json.dumps({key: made[key] for key in ("estimates", "tables") if key in made})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_numbers_are_those_of_the_table_joined_by_hand(command):
    run, given = COMMANDS[command]
    given = {"scale": "1:4", "humans": ["h1", "h2"], "id": "id", **given}
    joined, by_hand = run(JUDGED, human_file=SCORED, **given), run(BY_HAND, **given)
    assert numbers(getattr(joined, "evaluation", joined)) == numbers(
        getattr(by_hand, "evaluation", by_hand)
    )


def evaluate(judged=JUDGED, scored=SCORED, **given):
    asked: dict[str, Any] = {"systems": ["judge"], "statistics": ["bias"], "scale": "1:4", **given}
    return tm.evaluate(judged, human_file=scored, **asked)


def test_people_and_the_id_are_guessed_and_what_does_not_match_is_counted():
    more = {name: [*column, "r999" if name == "id" else 1] for name, column in SCORED.items()}
    found = evaluate(scored=more)
    assert found.data.used == 90
    assert found.data.exclusions == (("not in data frame", N - 90),)
    assert found.data.guesses[:2] == (
        "joined to data frame by id",
        "human: h1, h2 (from data frame)",
    )
    assert "data frame: 1 of 91 rows left out, as no response has its id (r999)" in found.data.notes


@pytest.mark.parametrize(
    ("here", "there", "matched"),
    [
        ([1, 2, 3], ["1", "2", "3"], 3),
        (["1", "2", "3"], [1.0, 2.0, 3.0], 3),
        (["01", "2", "3"], ["1", "2", "3"], 2),
        ([" a", "b ", "c"], ["a", "b", "c"], 3),
        ([10**17, 10**17 + 1, 3], [str(10**17), str(10**17 + 1), "3"], 3),
    ],
)
def test_ids_are_compared_as_texts(here, there, matched):
    found = evaluate({"id": here, "judge": [1, 2, 3]}, {"id": there, "h1": [1, 2, 3]}, id="id")
    assert found.data.used == matched


def test_one_row_for_each_rating_becomes_one_column_for_each_rater():
    long = {
        "id": [*SCORED["id"], *SCORED["id"]],
        "annotator": ["ann"] * 90 + ["bob"] * 90,
        "score": [*SCORED["h1"], *SCORED["h2"]],
    }
    found, wide = evaluate(scored=long), evaluate()
    assert [e.value for e in found.estimates] == [e.value for e in wide.estimates]
    assert (
        "human: ann, bob (from annotator of data frame, one row for each rating)"
        in found.data.guesses
    )
    alone = evaluate(scored=long, humans=["bob"])
    assert [*alone.options["humans"]] == ["bob"]


@pytest.mark.parametrize(
    ("judged", "scored", "given", "said"),
    [
        ({}, {"id": ["r1", "r1", "r2"], "h1": [1, 2, 3]}, {}, r"1 id repeats \(r1\)"),
        ({"id": ["r1", "r1"], "judge": [1, 2]}, {"id": ["r1"], "h1": [1]}, {}, r"1 id repeats \(r1\)"),
        ({}, {"id": ["r1", None], "h1": [1, 2]}, {}, "lacks id in 1 row, first in row 2"),
        ({}, {"id": ["x"], "h1": [1]}, {}, "no id of data frame is in data frame, such as 'x'"),
        ({}, {"id": ["r1"]}, {}, "has no column beside id"),
        ({}, {"id": [], "h1": []}, {}, "no rows"),
        ({}, {"name": ["r1"], "h1": [1]}, {"id": "id"}, "has no column 'id'"),
        ({}, {"name": ["r1"], "h1": [1]}, {}, "name the column with id="),
        ({}, {"id": ["r1"], "a": [1], "b": [2]}, {}, 'name it with humans=\\["COLUMN"\\]'),
        ({}, {"id": ["r1"], "h1": [1]}, {"humans": ["h7"]}, "has none of the columns h7"),
        ({}, {"id": ["r1", "r1"], "rater": ["a", "a"], "score": [1, 2]}, {}, "two rows of the rater 'a'"),
    ],
)  # fmt: skip
def test_what_cannot_be_joined_is_refused(judged, scored, given, said):
    with pytest.raises((DataError, OptionError), match=said):
        evaluate(judged or JUDGED, scored, **given)


def test_names_that_both_tables_have_are_told_apart_and_asked_for_again():
    judged = {**JUDGED, "h1": near(np.random.default_rng(5))}
    found = evaluate(judged, SCORED, humans=["h1"], id="id")
    plain = evaluate(JUDGED, SCORED, humans=["h1"], id="id")
    assert [*found.options["humans"]] == ["h1 (data frame)"]
    assert [e.value for e in found.estimates] == [e.value for e in plain.estimates]
    again = evaluate(judged, SCORED, humans=["h1 (data frame)"], id="id")
    assert [e.value for e in again.estimates] == [e.value for e in plain.estimates]


def test_prompts_in_both_tables_are_part_of_the_id():
    judged = {"id": [1, 1, 2, 2], "essay": ["a", "b"] * 2, "judge": [1, 2, 3, 4]}
    scored = {"id": [1, 1, 2], "essay": ["b", "a", "a"], "h1": [4, 1, 3]}
    found = evaluate(judged, scored, id="id", prompt="essay")
    whole = next(e for e in found.estimates if found.subsets[e.subset].id == "judge")
    assert whole.value == pytest.approx((0 - 2 + 0) / 3)


def test_rows_are_numbered_as_in_the_judges_table():
    found = tm.evaluate(JUDGED, human_file=SCORED, systems=["judge"], scale="1:4", id="id")
    (worst,) = [table for table in found.tables if table.name == "largest_disagreements"]
    assert worst.rows
    for record in (dict(zip(worst.columns, row, strict=True)) for row in worst.rows):
        place = JUDGED["id"].index(record["id"])
        assert (BY_HAND["h1"][place], JUDGED["judge"][place]) == (record["gold"], record["system"])


def test_labels_join_the_log_of_a_judge():
    log = FILES / "apart.eval"
    ids = [f"q0{i} epoch {epoch}" for i in range(8) for epoch in (1, 2)]
    labels = {"id": [*ids, "q99"], "label": [i % 2 for i in range(17)]}
    found = tm.evaluate(log, human_file=labels)
    assert [*found.options["humans"]] == ["label"]
    assert (found.data.read, found.data.used) == (16, 12)  # the judge failed on four


def test_the_shell_and_a_file_of_options_take_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, columns in (("judge.csv", JUDGED), ('la"b <i>.csv', SCORED)):
        lines = [
            ",".join(columns),
            *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
        ]
        (tmp_path / name).write_text("\n".join(lines), "utf-8")
    (tmp_path / "o.toml").write_text(
        "human-file = 'la\"b <i>.csv'\nid = 'id'\nsystem = ['judge']", "utf-8"
    )
    shell = CliRunner().invoke(
        tallymark,
        [
            "evaluate",
            "judge.csv",
            "--human-file",
            'la"b <i>.csv',
            "--id",
            "id",
            "--system",
            "judge",
        ],
    )
    options = CliRunner().invoke(tallymark, ["evaluate", "judge.csv", "--config", "o.toml"])
    assert shell.exit_code == 0, shell.output
    assert shell.output == options.output
    assert '70 excluded: not in la"b <i>.csv.' in " ".join(shell.output.split())
