"""A small experiment, its numbers worked out by hand."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import DataError
from tallymark.results.cells import csv_lines, csv_of_columns
from tallymark.rsmtool.rsmeval import run_rsmeval
from tallymark.rsmtool.tables import read_columns
from tests.rsmtool.conftest import SCORES, parsed
from tests.sources.workbooks import write_workbook

TWO = {"second_human_score_column": "h2"}
CELLS = st.text(alphabet=st.sampled_from("ab,;\"\r\n\t'= é"), max_size=5)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), min_size=1)))
def test_columns_are_written_as_rows_are(rows):
    for delimiter in (",", "\t"):
        assert csv_of_columns([*zip(*rows, strict=True)], delimiter) == "".join(
            csv_lines(rows, delimiter)
        )


def test_trimmed_scores_are_rounded_halves_to_the_even_number(tables):
    found = tables()["pred_processed"]
    assert [row["raw_trim_round"] for row in found.values()] == ["2", "2", "3", "4"]
    assert float(found["r4"]["raw_trim"]) == pytest.approx(4.4998)


def test_statistics_of_rounded_scores(tables):
    # human 1 2 3 4, system 2 2 3 4: products 3.5, squares 5 and 2.75, one error of 1
    found = {name: float(cell) for name, cell in tables()["eval"]["raw_trim_round"].items() if name}
    assert found["N"] == 4
    assert found["corr"] == pytest.approx(3.5 / math.sqrt(5 * 2.75))
    assert found["wtkappa"] == pytest.approx(7 / 8)
    assert found["kappa"] == pytest.approx(2 / 3)
    assert (found["exact_agr"], found["adj_agr"]) == (75, 100)
    assert found["R2"] == pytest.approx(0.8)
    assert found["RMSE"] == pytest.approx(0.5)
    assert found["SMD"] == pytest.approx(0.25 / math.sqrt(5 / 3))


def test_two_raters(tables):
    found = tables(**TWO)
    people = next(iter(found["consistency"].values()))
    assert people["N"] == "3"
    assert float(people["exact_agr"]) == pytest.approx(200 / 3)
    # pairs 1 1, 2 3, 4 4: deviations within responses are 1/2 on three degrees of freedom
    true = found["true_score_eval"]["raw"]
    assert float(true["Variance of errors"]) == pytest.approx(0.5 / 3)
    assert (true["N single"], true["N multiple"]) == ("1", "3")
    # system on all four responses, people on three
    lost = float(found["degradation"]["raw_trim_round"]["exact_agr"])
    assert lost == pytest.approx(75 - 200 / 3)


def test_a_zero_of_the_second_rater_is_missing(tables):
    scores = SCORES.replace("r1,1,1", "r1,1,0")
    assert tables(scores=scores, **TWO)["test_human_scores"]["r1"]["sc2"] == ""
    kept = tables(scores=scores, exclude_zero_scores="False", **TWO)
    assert kept["test_human_scores"]["r1"]["sc2"] == "0.0"
    assert kept["pred_processed"]["r5"]["sc1"] == "0.0"


def test_what_is_left_out_is_listed_and_counted(tables):
    found = tables()
    assert list(found["test_excluded_responses"]) == ["r6", "r5", "r7"]
    assert list(found["test_responses_with_excluded_flags"]) == ["r8"]
    counted = found["test_excluded_composition"]
    assert [row["non-numeric system score"] for row in counted.values()] == ["1", "0", "0"]
    assert [row["numeric system score"] for row in counted.values()] == ["", "1.0", "1.0"]


def test_rows_of_the_exclusions_have_no_names_when_nothing_was_excluded(tables):
    scores = "".join(SCORES.splitlines(keepends=True)[:5])
    found = tables(scores=scores, flag_column=None)
    assert "Human/System" not in found["test_excluded_composition"]["0"]
    assert "test_excluded_responses" not in found


def test_scaling_by_a_file_gives_six_kinds_of_score(tables, tmp_path):
    (tmp_path / "train.csv").write_text("prediction,sc1\n1,2\n2,4\n3,6\n", "utf-8")
    found = tables(scale_with="train.csv")
    assert list(found["eval"]) == [
        "raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round",
    ]  # fmt: skip
    # training means 2 and 4, standard deviations 1 and 2: scaled = 2 raw
    assert float(found["pred_processed"]["r1"]["scale"]) == pytest.approx(3.0)
    assert "sys_scale" in found["score_dist"]["1.0"]


@pytest.mark.parametrize(
    ("scaling", "kinds"), [(None, {"raw"}), ("asis", {"scale"}), ("raw", {"raw", "scale"})]
)
def test_the_kinds_of_score_follow_from_the_scaling(tables, scaling, kinds):
    found = tables(scale_with=scaling)
    assert {name.partition("_")[0] for name in found["eval"]} == kinds
    assert ("raw" in found["test_other_columns"]["r1"]) == (scaling == "asis")


def test_candidates_with_too_few_responses_are_left_out_last(tables):
    found = tables(candidate_column="who", min_items_per_candidate="2", flag_column=None)
    assert list(found["pred_processed"]) == ["r1", "r2", "r3", "r4"]
    assert list(found["test_excluded_responses"])[-1] == "r8"
    assert found["data_composition"]["Evaluation"]["candidates"] == "2"
    assert found["test_metadata"]["r3"]["candidate"] == "y"


def test_a_blank_group_is_a_group_of_its_own(tables):
    found = tables(subgroups=["grade"], flag_column=None)
    assert list(found["eval_by_grade"]) == ["A", "All data", "B", "No info"]
    assert found["eval_by_grade"]["No info"]["corr.raw_trim"] == ""
    assert found["data_composition_by_grade"]["No info"]["N responses"] == "1"


def test_errors_by_group(tables):
    # errors of A: .5 .5, of B: 0 .4998
    found = tables(subgroups="grade")
    rows = found["estimates_osd_by_grade"]
    assert list(rows) == ["Intercept (A)", "B"]
    assert float(rows["Intercept (A)"]["estimate"]) == pytest.approx(0.5)
    assert float(rows["B"]["estimate"]) == pytest.approx(0.2499 - 0.5)
    assert found["fairness_metrics_by_grade"]["R2"]["base_category"] == "A"


def test_fairness_is_left_out_with_its_section(tables):
    found = tables(subgroups=["grade"], general_sections=["evaluation"])
    assert not any("osa" in name or "fairness" in name for name in found)


def test_an_error_variance_from_elsewhere_needs_no_second_rater(tables):
    found = tables(rater_error_variance="0.25")["true_score_eval"]["raw_trim"]
    assert (found["N raters"], found["Variance of errors"]) == ("1", "0.25")
    # mean squared error of the trimmed score less the variance of errors
    squares = 0.25 + 0.25 + 0 + 0.4998**2
    assert float(found["MSE true"]) == pytest.approx(squares / 4 - 0.25)


def test_columns_with_reserved_names_are_kept_under_another(tables):
    found = tables(scores=SCORES.replace("who", "raw"))
    assert list(found["test_other_columns"]["r1"]) == [
        "spkitemid", "h2", "grade", "flag", "##raw##",
    ]  # fmt: skip


def test_tab_separated_files(configured):
    found = run_rsmeval(configured(file_format="tsv")).files()
    table = parsed(found["small_eval.tsv"].decode(), "\t")
    assert table["raw"]["N"] == "4"


def test_nested_json_lines(configured, tmp_path):
    lines = [
        '{"id": "a", "scores": {"h1": 1, "score": 1.5}, "flag": 0}',
        '{"id": "b", "scores": {"h1": 2, "score": null}, "flag": 0}',
        '{"id": "c", "scores": {"h1": 3, "score": 2.5}, "flag": 0}',
    ]
    (tmp_path / "scores.jsonlines").write_text("\n".join(lines), "utf-8")
    found = run_rsmeval(configured(predictions_file="scores.jsonlines"))
    assert found.processed.human.tolist() == [1.0, 3.0]


def test_excel_files_go_out_and_come_in(configured, tmp_path):
    found = run_rsmeval(configured(file_format="xlsx")).files()
    name = "small_pred_processed.xlsx"
    (tmp_path / name).write_bytes(found[name])
    again = run_rsmeval(
        configured(
            predictions_file=name,
            id_column=None,
            human_score_column=None,
            system_score_column="raw",
            flag_column=None,
        )
    )
    assert again.processed.scores["raw"].tolist() == [1.5, 2.5, 3.0, 9.0]


def test_of_several_sheets_a_note_names_the_one_that_was_read(configured, run, tmp_path):
    rows = [line.split(",") for line in SCORES.splitlines()]
    write_workbook(tmp_path / "book.xlsx", {"notes": [["a"], [1]], "run 2": rows}, {"notes"})
    path = configured(predictions_file="book.xlsx")
    code, _, said = run("rsmeval", path, tmp_path / "out")
    assert code == 0, said
    notes = json.loads((tmp_path / "out" / "evaluation.json").read_text("utf-8"))["data"]["notes"]
    assert "sheet 'run 2' was read; book.xlsx also has notes; put yours first" in notes


def test_objects_in_a_column_are_refused_when_too_deep_and_kept_when_none(tmp_path):
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000
    path = tmp_path / "deep.jsonl"
    path.write_text(f'{{"id": "a", "more": {deep}}}\n', "utf-8")
    with pytest.raises(DataError, match="column more holds objects nested too deeply"):
        read_columns(path)
    path.write_text('{"id": "a", "more": "{so it goes"}\n', "utf-8")
    assert read_columns(path)["more"].tolist() == ["{so it goes"]


def test_a_number_of_thousands_of_digits_is_no_number(configured, run, tmp_path):
    path = configured(text='{"experiment_id": "a", "trim_max": ' + "9" * 5000 + "}")
    code, _, said = run("rsmeval", path, tmp_path / "out")
    assert code == 2
    assert said.count("\n") == 1
    assert "4,300 digits" in said
