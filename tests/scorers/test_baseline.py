"""The public function: every response is scored by models that never saw it."""

from multiprocessing import active_children
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.scorers.baseline import prepare
from tallymark.scorers.fitting import FoldTask
from tallymark.scorers.out_of_fold import Sample, canonical, predict_out_of_fold
from tallymark.scorers.view import announced
from tallymark.study.request import Request
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


def test_equal_texts_are_told_apart_by_what_else_their_rows_hold():
    columns, without_ids = table(n=20), {k: v for k, v in ASKED.items() if k != "id"}
    columns["essay"] = ["the same text" if i % 2 else x for i, x in enumerate(columns["essay"])]
    turned = {name: values[::-1] for name, values in columns.items()}
    for asked in (ASKED, without_ids):
        ordered = []
        for given in (columns, turned):
            lesson = prepare(given, Request.of("baseline", asked)).lessons[0]
            ordered.append([given["id"][i] for i in lesson.rows[canonical(lesson.sample)]])
        assert ordered[0] == ordered[1]


def test_several_workers_give_the_same_and_leave_nothing_behind():
    essays, random = table(n=40, prompts=["p"]), np.random.default_rng(1)
    sample = Sample(
        texts=essays["essay"], gold=random.integers(1, 4, 40).astype(np.float64), parts=np.full(40, "", object),
        points={"": np.arange(1.0, 4.0)}, units=np.arange(40),
    )  # fmt: skip
    alone, shared = (
        predict_out_of_fold(sample, ["ridge", "neural"], seed=1, workers=workers)
        for workers in (1, 2)
    )
    for name, scores in alone.scores.items():
        assert (scores == shared.scores[name]).all()
    assert not [x for x in active_children() if x.name.startswith("Loky")]


def test_a_system_on_its_own_scale_is_brought_to_that_of_the_gold():
    columns = table(n=20)
    percent = {**columns, "engine": [(score - 1) * 100 / 3 for score in columns["engine"]]}
    asked: Any = {**ASKED, "systems": ["engine"], "models": ["length"], "scale": "1:4"}
    plain = tm.baseline(columns, **asked)
    other = tm.baseline(percent, **asked, system_scale="0:100")
    assert np.array(other.columns["engine"], float) == pytest.approx(columns["engine"])
    assert str(plain.evaluation) == str(other.evaluation)


def test_a_continuous_gold_has_its_mean_in_place_of_the_majority_score():
    columns = table(n=20, prompts=["p"])
    columns["h1"] = [score + 0.01 * i for i, score in enumerate(columns["h1"])]
    made = tm.baseline(columns, text="essay", humans=["h1"], models=["majority", "length"])
    given = np.array([float(x) for x in made.columns["majority"]])
    assert given == pytest.approx(np.full(20, np.mean(columns["h1"])), abs=0.3)


def test_words_are_scores_whether_their_scale_is_guessed_or_declared():
    columns = table(n=15, prompts=["p"])
    for name in ("h1", "engine"):
        columns[name] = ["low" if score < 3 else "high" for score in columns[name]]
    asked: Any = {"text": "essay", "humans": ["h1"], "systems": ["engine"], "models": ["length"]}
    guessed = tm.baseline(columns, **asked)
    declared = tm.baseline(columns, **asked, scale="low,high")
    assert declared.columns == guessed.columns
    assert {*declared.columns["length_rounded"]} <= {"0", "1"}


def test_every_rule_has_its_gold():
    made = tm.baseline(table(), **ASKED, models=["length", "ridge"], resolve=["sum", "mean"])
    assert [run.rule for run in made.runs] == ["sum", "mean"]
    highest = [max(float(x) for x in run.columns["ridge"]) for run in made.runs]
    assert highest[0] > 4 >= highest[1]


def refused(columns, **more):
    with pytest.raises((DataError, OptionError)) as error:
        tm.baseline(columns, **{**ASKED, "models": ["length"], **more})
    return str(error.value)


@pytest.mark.parametrize("rule", ["first", "sum", "mean", "rounded-mean"])
def test_tenths_are_learned_as_whole_points(rule):
    """Sums and means of tenths, such as .1 + .2, are the points that they stand for."""
    whole = table(prompts=["p"])
    tenths = {**whole, **{h: [f"{s / 10:.1f}" for s in whole[h]] for h in ("h1", "h2")}}
    made = [
        tm.baseline(given, **ASKED, models=FAST, resolve=[rule], scale=scale).columns
        for given, scale in ((whole, "1:4"), (tenths, "0.1:0.4:0.1"))
    ]
    for name in (*FAST, "fold", "multinomial_p_no_cse", "multinomial_trust"):
        first, second = (np.array([float(x) for x in columns[name]]) for columns in made)
        assert second * (10 if name in FAST else 1) == pytest.approx(first, abs=1e-6), name


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
    assert "the largest of 5 has 2. Reference" in refused(table(n=2, prompts="abcde"))
    alike = {**table(n=12), "h1": [3] * 12 + [4] * 12}
    assert "has 12; in 2 of them all have the same gold" in refused(alike, humans=["h1"])
    assert "the largest of 1 has 1." in refused(table(n=1, prompts=["p"]), humans=["h1"])
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
        "Not scored: 2 responses of 1 prompt with fewer than 10 candidates each (few).",
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


def test_a_changed_text_is_learned_anew_in_its_own_prompt_alone(tmp_path, monkeypatch):
    done: list[str] = []

    def quickly(self):
        done.append(self.label)
        return {"length": np.arange(self.test.size) % 4 + 1.0}

    monkeypatch.setattr(FoldTask, "run", quickly)
    columns = table(n=20, prompts="pqr")
    more = table(n=20, prompts="pqr", seed=1)
    asked: Any = {**ASKED, "models": ["length"], "cache": tmp_path}
    for cluster in (None, [f"c{i % 20}" for i in range(60)]):  # who may stand in all prompts
        given = dict(columns) if cluster is None else {**columns, "candidate": cluster}
        asked |= {} if cluster is None else {"cluster": "candidate"}
        tm.baseline(given, **asked)
        done.clear()
        tm.baseline({**given, "engine": more["engine"]}, **asked, systems=["engine"])
        assert not done
        given["essay"] = [*columns["essay"][:3], "another text", *columns["essay"][4:]]
        tm.baseline(given, **asked)
        assert len(done) == 5
        assert {label.partition("\x1f")[0] for label in done} == {"p"}


TEXTS = {
    "japanese": ("雨が降った。", "しかし、私たちは家にいた。"),
    "chinese": ("今天下雨了。", "但是我们还是出去了。"),
    "thai": ("วันนี้ฝนตก ", "แต่เราไม่อยู่บ้าน "),
    "arabic": ("نزل المطر اليوم. ", "لكن بقينا في البيت. "),
    "portuguese": ("Choveu muito hoje. ", "Porém não ficámos em casa. "),
    "emoji": ("😀 👍🏽 ", "🎉 ok "),
}


@pytest.mark.parametrize("written", TEXTS.values(), ids=TEXTS)
def test_texts_in_every_script_are_learned_from(written):
    """The better a response, the more of the second sentence it has; as long as the others."""
    random = np.random.default_rng(2)
    gold = [1 + i % 3 for i in range(60)]
    essays = ["".join(written[int(random.random() < g / 4)] for _ in range(8)) for g in gold]
    columns = {"essay": essays, "h1": gold, "engine": gold}
    made = tm.baseline(columns, text="essay", humans=["h1"], models=["ridge", "multinomial"])
    ridge = np.array([float(x) for x in made.columns["ridge"]])
    assert np.corrcoef(ridge, gold)[0, 1] > 0.4


def test_two_responses_in_a_prompt_and_missing_texts_get_an_answer():
    columns = table(n=2, prompts=["p"])
    assert "no prompt has responses by 10 candidates" in refused(columns)
    whole = table(n=15)
    whole["essay"][::3] = [None] * len(whole["essay"][::3])
    made = tm.baseline(whole, **ASKED, models=["length", "ridge"])
    assert str(made.notes[0]) == "10 responses without text: scored as empty."
    assert None not in made.columns["ridge"]


def test_a_prompt_that_was_guessed_is_said():
    columns = table(n=15)
    made = tm.baseline(columns, text="essay", humans=["h1"], models=["length", "ridge"])
    assert "Guessed: prompt: prompt" in str(made.notes[0])


def test_the_work_is_announced_as_it_is():
    request = Request.of("baseline", {**ASKED, "resolve": ["sum", "mean"], "seeds": 3})
    columns = table(n=60, prompts=("p", "q"))
    flat, few = table(n=12, prompts=["flat"]), table(n=4, prompts=["few"])
    flat |= {"h1": [2] * 12, "h2": [2] * 12}
    every = {name: [*columns[name], *flat[name], *few[name]] for name in columns}
    work = prepare(every, request).work
    # forest 2 candidates, boosting 2, neural 2: 3 fits each with the last; ridge and multinomial 4
    assert work.fits == 2 * 2 * 5 * ((1 + 1 + 4 + 3 + 3 + 4 + 3) + 2 * (3 + 3 + 3))
    assert str(announced(work, 7, 3)).endswith("2 prompts, 5 folds, 2 rules, 3 seeds.")
