"""Configurations: comments, loose types, defaults, and mistakes told in a sentence or two."""

import json

import pytest

from tallymark.errors import DataError, OptionError, TallymarkError
from tallymark.rsmtool.configuration import read_experiment
from tallymark.rsmtool.rsmeval import run_rsmeval
from tests.rsmtool.conftest import FIELDS, SCORES


def test_comments_are_no_part_of_the_configuration(configured):
    text = json.dumps({**FIELDS, "description": "see http://x // y"}, indent=1)
    text = text.replace("{\n", "{ // what\n /* and\n why */\n", 1)
    found = read_experiment(configured(text=text))
    assert found.fields["description"] == "see http://x // y"


def test_lists_booleans_and_numbers_may_be_written_as_text(configured):
    found = read_experiment(
        configured(subgroups="grade, flag", exclude_zero_scores="FALSE", trim_max="4")
    )
    assert found.subgroups == ("grade", "flag")
    assert (found.exclude_zeros, found.trim_max) == (False, 4.0)


def test_fields_of_other_tools_are_left_out_and_said(configured):
    found = read_experiment(configured(skll_objective="mse", use_thumbnails=True))
    assert [note.partition(" ")[0] for note in found.notes] == ["skll_objective", "use_thumbnails"]
    assert "skll_objective" not in found.fields


def test_the_file_is_found_beside_the_configuration(configured, monkeypatch, tmp_path_factory):
    path = configured()
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert read_experiment(path).predictions == path.parent / "scores.csv"


def test_a_field_that_is_null_counts_as_left_out(configured):
    nothing = read_experiment(configured(text=json.dumps({**FIELDS, "trim_tolerance": None})))
    assert nothing.tolerance == read_experiment(configured()).tolerance


MISTAKES = [
    ({"trim_min": None}, r'lacks .trim_min., the lowest score point; add "trim_min": 1'),
    ({"experiment_id": None}, "lacks 'experiment_id'"),
    ({"subgroup": ["grade"]}, r"unknown field 'subgroup'. Did you mean 'subgroups'\?"),
    ({"train_file": "x.csv"}, "unknown field 'train_file'"),
    ({"system_score_column": "h1"}, "human_score_column and system_score_column .* name 'h1'"),
    ({"second_human_score_column": "h1"}, "name two columns"),
    ({"experiment_id": "two words"}, "without spaces"),
    ({"experiment_id": "../up"}, "without spaces and slashes"),
    ({"experiment_id": "x" * 201}, "201 characters; it must have 200 at most"),
    ({"min_items_per_candidate": 3}, "needs candidate_column"),
    ({"trim_max": 1}, "trim_min of config.json must lie below trim_max"),
    ({"trim_max": "six"}, "must be a number, got 'six'"),
    ({"exclude_zero_scores": "maybe"}, "must be true or false, got 'maybe'"),
    ({"flag_column": "flag"}, "must say which values are kept"),
    ({"file_format": "pdf"}, "must be csv, tsv or xlsx, got 'pdf'"),
    ({"general_sections": ["evaluations"]}, r"Did you mean 'evaluation'\?"),
    ({"predictions_file": "none.csv"}, "there is no file 'none.csv', named as predictions_file"),
    ({"predictions_file": "x.sas7bdat"}, "there is no file 'x.sas7bdat'"),
    ({"scale_with": "none.csv"}, "there is no file 'none.csv', named as scale_with"),
    ({"subgroups": ["grades"]}, r"no column 'grades'.* Did you mean 'grade'\?"),
    ({"human_score_column": "h3"}, r"no column 'h3'"),
    ({"flag_column": {"flags": 0}}, r"no column 'flags'.* Did you mean 'flag'\?"),
    ({"flag_column": {"flag": 9}}, "no response .* is left: none of 8 has the flags asked for"),
    ({"human_score_column": "grade"}, "none of 8 has a human score that is a number"),
    ({"system_score_column": "grade"}, "none of 8 has a system score that is a number"),
    ({"candidate_column": "who", "min_items_per_candidate": 9}, "candidate with 9 responses"),
    ({"id_column": "who"}, "has the response 'x' of column 'who' more than once"),
    ({"min_n_per_group": {"sex": 5}, "subgroups": ["grade"]}, "must name the subgroups"),
]


@pytest.mark.parametrize(("change", "message"), MISTAKES)
def test_mistakes_are_told(configured, change, message):
    with pytest.raises(TallymarkError, match=message):
        run_rsmeval(configured(**change))


@pytest.mark.parametrize(("change", "message"), MISTAKES[::5])
def test_a_mistake_ends_with_code_2_and_writes_nothing(configured, run, tmp_path, change, message):
    code, out, err = run("rsmeval", configured(**change), tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.startswith("tallymark: ")
    assert len(err.splitlines()) <= 2
    assert not (tmp_path / "out").exists()


def test_json_that_is_none_tells_where(configured):
    with pytest.raises(OptionError, match=r"not valid JSON in line 3, column 5"):
        read_experiment(configured(text='{"a": 1, /* x */\n\n"b" 2}'))


def test_sas_files_are_refused_with_a_way_out(configured, tmp_path):
    (tmp_path / "x.sas7bdat").write_bytes(b"SAS")
    with pytest.raises(DataError, match="export it as CSV"):
        run_rsmeval(configured(predictions_file="x.sas7bdat"))


def test_a_scaling_file_needs_both_columns(configured, tmp_path):
    (tmp_path / "train.csv").write_text("prediction,human\n1,2\n2,3\n", "utf-8")
    with pytest.raises(DataError, match=r"train.csv has no column 'sc1'"):
        run_rsmeval(configured(scale_with="train.csv"))


def test_scores_without_rows_are_refused(configured):
    with pytest.raises(TallymarkError, match="no rows"):
        run_rsmeval(configured(scores=SCORES.splitlines()[0] + "\n"))


def test_a_missing_subgroup_is_looked_for_among_the_columns_as_the_file_names_them(configured):
    with pytest.raises(DataError, match=r"no column 'grad'; it has id, h1, .*mean 'grade'"):
        run_rsmeval(configured(subgroups=["grad"]))
    with pytest.raises(DataError, match="column 'h1' has another role"):
        run_rsmeval(configured(subgroups=["h1"]))
