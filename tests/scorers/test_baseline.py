"""The public function: every response is scored by models that never saw it."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tests.scorers.made import table

FAST = ["majority", "length", "ridge", "multinomial"]
ASKED: Any = {"text": "essay", "humans": ["h1", "h2"], "prompt": "prompt", "id": "id"}


def test_a_table_comes_out_that_evaluate_and_route_read():
    made = tm.baseline(table(), **ASKED, systems=["engine"], models=FAST)
    columns = made.columns
    assert {len(values) for values in columns.values()} == {80}
    folds = np.array([float(value) for value in columns["fold"]])
    assert {*folds} == {1.0, 2.0, 3.0, 4.0, 5.0}
    assert {*columns["dev_test"]} == {"dev", "test"}
    shares = np.array([[float(x) for x in columns[f"multinomial_p{i}"]] for i in (1, 2, 3, 4)])
    assert shares.sum(axis=0) == pytest.approx(np.ones(80))
    read = tm.evaluate(
        columns,
        humans=["h1", "h2"],
        systems=["ridge", "multinomial"],
        prompt="prompt",
        confidences={"multinomial": "multinomial_p_no_cse"},
        fold="dev_test",
    )
    assert read.data.used == 80
    certified = tm.route.certify(
        columns, humans=["h1"], system="multinomial", confidence="multinomial_trust", alpha=0.5
    )
    assert certified.evaluation.data.used == 80
    assert made.evaluation.kind == "compare"
    assert [*made.evaluation.options["systems"]] == ["engine", "length", "ridge", "multinomial"]


def test_same_seed_same_bytes_whatever_the_order_of_rows():
    columns = table(n=20)
    first = tm.baseline(columns, **ASKED, models=["ridge", "neural"], seeds=2)
    again = tm.baseline(columns, **ASKED, models=["ridge", "neural"], seeds=2)
    assert first.run.to_csv() == again.run.to_csv()
    turned = {name: values[::-1] for name, values in columns.items()}
    other = tm.baseline(turned, **ASKED, models=["ridge", "neural"], seeds=2)
    assert other.run.to_csv().splitlines()[1:] == first.run.to_csv().splitlines()[:0:-1]
    assert {"neural_sd", "neural_run2"} <= {*first.columns}


def test_a_system_on_its_own_scale_is_brought_to_that_of_the_gold():
    columns = table(n=20)
    percent = {**columns, "engine": [(score - 1) * 100 / 3 for score in columns["engine"]]}
    asked: Any = {**ASKED, "systems": ["engine"], "models": ["length"], "scale": "1:4"}
    plain = tm.baseline(columns, **asked)
    other = tm.baseline(percent, **asked, system_scale="0:100")
    assert np.array(other.columns["engine"], float) == pytest.approx(columns["engine"])
    assert str(plain.evaluation) == str(other.evaluation)


def test_every_rule_has_its_gold():
    made = tm.baseline(table(), **ASKED, models=["length", "ridge"], resolve=["sum", "mean"])
    assert [run.rule for run in made.runs] == ["sum", "mean"]
    highest = [max(float(x) for x in run.columns["ridge"]) for run in made.runs]
    assert highest[0] > 4 >= highest[1]


def refused(columns, **more):
    with pytest.raises((DataError, OptionError)) as error:
        tm.baseline(columns, **{**ASKED, "models": ["length"], **more})
    return str(error.value)


def test_what_cannot_be_learned_is_said():
    columns = table(n=12)
    assert "is empty in all 24 rows" in refused({**columns, "essay": [""] * 24})
    assert "is empty in all 24 rows" in refused({**columns, "essay": [None] * 24})
    assert "holds numbers, such as '7', not texts" in refused({**columns, "essay": ["7"] * 24})
    assert "there is nothing to learn" in refused({**columns, "h1": [3] * 24, "h2": [3] * 24})
    assert "has no column 'esay'" in refused(columns, text="esay")
    assert "Did you mean 'essay'?" in refused(columns, text="esay")
    assert "must be 1 or more, got 0" in refused(columns, seeds=0)
    assert "must be one of" in refused(columns, models=["bert"])
    assert "no prompt has 10 responses" in refused(table(n=2, prompts="abcde"))
    assert "has the name of a column of predictions" in refused(
        {**columns, "ridge": columns["h1"]}, humans=["ridge"], models=["ridge"]
    )


def test_vectors_that_do_not_fit_are_refused(tmp_path):
    columns = table(n=12)
    np.save(tmp_path / "short.npy", np.ones((3, 2)))
    assert "has 3 rows and the table 24" in refused(columns, vectors=tmp_path / "short.npy")
    np.save(tmp_path / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    assert "is not a readable .npy array" in refused(columns, vectors=tmp_path / "objects.npy")
    others = {"id": [f"x{i}" for i in range(24)], "d0": [0.5] * 24}
    assert "has no vector for 24 of 24 responses" in refused(columns, vectors=others)


def test_own_vectors_are_learned_from():
    columns = table()
    exact = np.array([[h, 0.0] for h in columns["h1"]])
    made = tm.baseline(columns, **ASKED, models=["length", "ridge"], vectors=exact)
    ridge = np.array([float(x) for x in made.columns["ridge"]])
    assert np.corrcoef(ridge, columns["h1"])[0, 1] > 0.95


def test_a_small_prompt_and_blank_texts_are_counted():
    columns = table()
    few = table(n=2, prompts=["few"])
    both = {name: columns[name] + few[name] for name in columns}
    both["essay"][0] = ""
    made = tm.baseline(both, **ASKED, models=["length", "ridge"])
    assert [str(note) for note in made.notes] == [
        "1 response without text: scored as empty.",
        "Not scored: 1 prompt with fewer than 10 responses by different candidates (few).",
    ]
    assert made.columns["ridge"][-2:] == [None, None]
    assert made.columns["ridge"][0] is not None


def test_a_run_that_was_broken_off_goes_on(tmp_path):
    columns, done = table(n=20), []

    def stop(number, total):
        done.append(number)
        if number == 3:
            raise KeyboardInterrupt

    asked: Any = {**ASKED, "models": ["ridge"]}
    with pytest.raises(KeyboardInterrupt):
        tm.baseline(columns, **asked, cache=tmp_path, progress=stop)
    assert len([*tmp_path.glob("*.npz")]) == 3
    (first,) = [*tmp_path.glob("*.npz")][:1]
    first.write_bytes(b"damaged")
    resumed = tm.baseline(columns, **asked, cache=tmp_path)
    assert len([*tmp_path.glob("*.npz")]) == 10
    assert resumed.run.to_csv() == tm.baseline(columns, **asked).run.to_csv()
