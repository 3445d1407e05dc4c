"""Experiments that train models: on texts of the user's own, and what is refused."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.lab import runs
from tallymark.lab.experiments import funayama
from tallymark.lab.learned import GoldScores, out_of_fold, read_lab_texts
from tallymark.lab.rulings import KAPPA
from tallymark.simulation import corpus

COLUMNS: dict[str, Any] = {"text": "text", "humans": ("h1", "h2")}


@pytest.fixture(scope="module")
def table():
    return corpus(160, prompts=2, words=30, signal=0.6, seed=3).columns()


def test_a_table_of_one_s_own_takes_the_place_of_the_synthetic_texts(table):
    done = tm.lab.run("replicated-scorer", table, **COLUMNS, prompt="prompt", replicates=1)
    again = tm.lab.run("replicated-scorer", table, **COLUMNS, prompt="prompt", replicates=1)
    assert done.to_json() == again.to_json()
    assert "texts of your own" in str(done.drawn)
    assert "synthetic" not in done.to_text() + done.to_json() + done.to_html()
    assert done.command.startswith(
        "tallymark lab run replicated-scorer FILE --text text --human h1"
    )


def test_what_is_said_of_texts_of_one_s_own_is_not_said_of_synthetic_ones():
    for experiment in runs.experiments_by_name().values():
        if experiment.learned:
            said = experiment.title + experiment.question + experiment.how
            assert "synthetic" not in said.lower(), experiment.name


def test_prompts_of_one_s_own_keep_their_names(table):
    named = {**table, "prompt": [f"{'tides, told at length ' * 9}{p}" for p in table["prompt"]]}
    done = tm.lab.run("uto-benchmark", named, **COLUMNS, prompt="prompt", replicates=1)
    assert named["prompt"][0] in done.to_html()
    (title,) = {row["x_title"] for row in done.records()}
    assert title.startswith("prompt: 1 tides, told")
    assert len(title) < 130


def test_a_prompt_is_taken_only_where_it_is_named(table):
    """What an error advises, to leave --prompt out, would not help against one that is guessed."""
    assert read_lab_texts(table, **COLUMNS).prompts == ("",)
    assert len(read_lab_texts(table, **COLUMNS, prompt="prompt").prompts) == 2


def test_models_recover_the_signal_that_the_words_carry_and_no_other(table):
    texts = read_lab_texts(table, **COLUMNS)
    gold = texts.gold("sum")
    rng = np.random.default_rng(1)
    golds = {"true": gold, "dealt": GoldScores(rng.permutation(gold.scores), gold.points)}
    made = out_of_fold(texts, golds, ["ridge"], seed=0)
    r = {name: np.corrcoef(made[name, "ridge"], golds[name].scores)[0, 1] for name in golds}
    assert r["true"] > 0.4
    assert abs(r["dealt"]) < 0.3


def test_rules_make_the_gold_on_their_own_points(table):
    texts = read_lab_texts(table, **COLUMNS, scale="1:6")
    assert texts.gold("sum").points.tolist() == [*range(2, 13)]
    assert (texts.gold("mean").scores * 2 == texts.gold("sum").scores).all()
    assert (texts.gold("higher").scores >= texts.gold("rounded mean").scores).all()


@pytest.mark.parametrize(
    ("name", "given", "error", "words"),
    [
        ("paradox", COLUMNS, OptionError, "draws its own tables and takes no FILE"),
        ("doewes-resolution", {"text": "text", "humans": ("h1",)}, OptionError, "two --human"),
        ("doewes-resolution", {**COLUMNS, "text": "txt"}, DataError, "no column 'txt'"),
        ("doewes-resolution", {**COLUMNS, "prompt": "response"}, DataError, "responses"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(table, name, given, error, words):
    with pytest.raises((error, OptionError), match=words):
        tm.lab.run(name, table, **given)


def test_columns_need_a_file():
    with pytest.raises(OptionError, match="name the FILE"):
        tm.lab.run("doewes-resolution", text="text")


@pytest.mark.parametrize("seed", [0, 1])
def test_the_pattern_of_doewes_s_tables_shows(seed):
    """The sum has the highest QWK and the lowest kappa; linear weights move least."""
    done = tm.lab.run("doewes-resolution", seed=seed)
    assert [claim["state"] for claim in done.claims] == ["holds"] * 3
    qwk, linear, kappa = (
        np.array([done.traces.of(name, rule).mean for rule in ("higher", "rounded mean", "sum")])
        for name in ("cohen_kappa[quadratic]", "cohen_kappa[linear]", KAPPA)
    )
    assert (qwk.argmax(axis=0) == 2).all()
    assert (kappa.argmin(axis=0) == 2).all()
    assert (np.ptp(linear, axis=0) < np.minimum(np.ptp(qwk, axis=0), np.ptp(kappa, axis=0))).all()


def test_the_share_before_the_first_critical_error_is_that_of_the_surest():
    """Counted by hand: from the surest down, until one is off by two points or more."""
    rng = np.random.default_rng(4)
    gold, system = (rng.integers(1, 7, 50).astype(np.float64) for _ in range(2))
    sure = rng.permutation(50) / 50
    test = np.ones(50, bool)
    test[:10] = False
    made = funayama.Tested(test, gold, system, np.stack([sure, sure], axis=1), np.arange(1.0, 7))
    place = funayama._by_development([made], 0)
    order = [i for i in np.argsort(-sure) if test[i]]
    until = next(k for k, i in enumerate(order) if abs(gold[i] - system[i]) >= 2)
    assert place.beside[funayama.SAFE][0] == pytest.approx(until / 40)
