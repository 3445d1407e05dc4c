"""Names from configurations and data never lead out of the folder of results."""

import pytest

from tallymark.rsmtool.rsmeval import run_rsmeval
from tests.rsmtool.conftest import SCORES

NAMES = ["x/../../../../escape", "../up", "/tmp/abs", "a\\b", "..", "a:b*c?", "x" * 300, "日本"]


@pytest.mark.parametrize("name", NAMES)
def test_a_subgroups_name_stays_in_the_folder(configured, run, tmp_path, name):
    path = configured(scores=SCORES.replace("grade", name), subgroups=[name])
    before = {one for one in tmp_path.rglob("*") if one.is_file()}
    code, _, err = run("rsmeval", path, tmp_path / "deep" / "deeper" / "out")
    assert (code, err) == (0, "")
    new = {one for one in tmp_path.rglob("*") if one.is_file()} - before
    assert all(one.is_relative_to(tmp_path / "deep" / "deeper" / "out") for one in new)
    assert len([one for one in new if "eval_by_" in one.name]) == 1


def test_a_plain_name_is_the_one_that_rsmtool_gives(configured):
    scores = SCORES.replace("grade", "first language (L1)")
    found = run_rsmeval(configured(scores=scores, subgroups=["first language (L1)"])).files()
    assert "small_eval_by_first language (L1).csv" in found


def test_names_that_become_alike_keep_their_own_files(configured):
    scores = SCORES.replace("grade", "a/b").replace("who", "a:b")
    found = run_rsmeval(configured(scores=scores, subgroups=["a/b", "a:b"])).files()
    assert {"small_eval_by_a_b.csv", "small_eval_by_a_b_2.csv"} <= {*found}


def test_force_leaves_nothing_of_the_earlier_run_and_keeps_what_is_read(configured, run, tmp_path):
    out = tmp_path / "out"
    assert run("rsmeval", configured(subgroups=["grade"]), out)[0] == 0
    assert (out / "output" / "small_eval_by_grade.csv").exists()
    code, _, err = run("rsmeval", configured(), out)
    assert code == 2
    assert "already holds results" in err
    assert run("rsmeval", configured(), out, "--force")[0] == 0
    assert not (out / "output" / "small_eval_by_grade.csv").exists()
    inside = out / "output" / "small_eval.csv"
    inside.write_text(SCORES, "utf-8")
    code, _, err = run("rsmeval", configured(predictions_file=str(inside)), out, "--force")
    assert code == 2
    assert "which is read" in err
    assert inside.read_text("utf-8") == SCORES


def test_a_comparison_is_not_written_over_its_experiments(configured, run, tmp_path):
    out = tmp_path / "out"
    assert run("rsmeval", configured(), out)[0] == 0
    for words in (("rsmcompare", out, out), ("rsmsummarize", out)):
        code, _, err = run(*words, "--out", out)
        assert code == 2, words
        assert "which is read" in err
    assert (out / "output" / "small_pred_processed.csv").exists()
