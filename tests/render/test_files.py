"""Tables and files."""

import csv
import io
import json
import math
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from tallymark.analyses.files import exclusions_csv, write_folder
from tallymark.errors import OptionError
from tallymark.render.files import check_folder, write_whole
from tallymark.render.tables import file_name, tables
from tallymark.results import Curve, Evaluation, ResultTable
from tallymark.sources import ExcludedRow


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_estimates_have_one_row_each_at_full_precision(evaluation):
    rows = rows_of(tables(evaluation)["estimates.csv"])
    assert len(rows) == len(evaluation.estimates)
    written = [float(row["value"] or "nan") for row in rows]
    assert written == pytest.approx([e.value for e in evaluation.estimates], rel=0, nan_ok=True)


def test_an_undefined_number_is_an_empty_cell_beside_its_reason(undefined):
    rows = {row["statistic"]: row for row in rows_of(tables(undefined)["estimates.csv"])}
    assert rows["pearson"]["value"] == ""
    assert rows["pearson"]["why"] == "a score does not vary"


def test_confusion_tables_have_gold_rows_and_system_columns(undefined):
    rows = rows_of(tables(undefined)["confusion_engine.csv"])
    assert [row["gold"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["3"] for row in rows] == ["1"] * 4
    assert [row["2"] for row in rows] == ["0"] * 4


def test_distributions_count_both_scores(undefined):
    rows = rows_of(tables(undefined)["distributions.csv"])
    assert [row["given_by_gold"] for row in rows] == ["1"] * 4
    assert [row["given_by_system"] for row in rows] == ["0", "0", "4", "0"]


def test_confusion_tables_of_prompts_follow_those_of_everything(evaluation):
    rows = rows_of(tables(evaluation)["confusion_engine.csv"])
    assert list(dict.fromkeys(row["prompt"] for row in rows)) == ["", "a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("../../etc/passwd", "etc_passwd"),
        ("<script>", "script"),
        ("a/b\\c:d", "a_b_c_d"),
        ("...", "unnamed"),
        ("日本 1", "日本_1"),
        ("x" * 300, "x" * 80),
    ],
)
def test_file_names_are_safe(text, name):
    assert file_name(text) == name


def test_systems_whose_names_become_alike_keep_their_own_files():
    columns = {"h1": [1, 2, 3] * 4, "a b": [1, 2, 3] * 4, "A/B": [1, 2, 2] * 4}
    import tallymark as tm

    found = tm.evaluate(
        columns,
        humans=["h1"],
        systems=["a b", "A/B"],
        scale="1:3",
        statistics=["qwk"],
        replicates=100,
    )
    assert {"confusion_a_b.csv", "confusion_A_B_2.csv"} <= {*tables(found)}


def test_exclusions_name_row_column_value_and_reason():
    text = exclusions_csv([ExcludedRow(3, "R3", "text where a number belongs", "engine", "n,a")])
    assert text == 'row,id,column,value,reason\n3,R3,engine,"n,a",text where a number belongs\n'


def test_a_folder_holds_the_json_the_exclusions_and_the_tables(evaluation, tmp_path):
    folder = tmp_path / "new" / "report"
    written = write_folder(evaluation, (), folder)
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == {str(path.relative_to(folder)) for path in written}
    assert {"evaluation.json", "exclusions.csv", "tables/estimates.csv"} <= found
    text = (folder / "evaluation.json").read_text("utf-8")
    assert json.loads(text)["schema"] == 3
    assert Evaluation.from_json(text).to_json() == evaluation.to_json()


def test_files_of_an_earlier_run_are_replaced_and_others_refused(evaluation, undefined, tmp_path):
    write_folder(evaluation, (), tmp_path / "out")
    write_folder(undefined, (), tmp_path / "out")
    assert (tmp_path / "out" / "evaluation.json").read_text("utf-8") == undefined.to_json() + "\n"
    (tmp_path / "evaluation.json").write_text("mine")
    with pytest.raises(OptionError, match="no run of Tallymark wrote"):
        check_folder(tmp_path)
    with pytest.raises(OptionError, match="no run of Tallymark wrote"):
        write_folder(undefined, (), tmp_path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    def fail(*paths):
        raise OSError(28, "No space left on device")

    target = tmp_path / "x.csv"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(target, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
    assert target.read_text() == "old"


def test_a_disk_that_fails_is_told_with_the_folder(undefined, tmp_path, monkeypatch):
    def fail(*paths):
        raise OSError(28, "No space left on device")

    (tmp_path / "notes.txt").write_text("")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OptionError, match=r"cannot write to --out .*: No space left on device"):
        write_folder(undefined, (), tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match=r"--out must name a folder, but .*file is a file"):
        check_folder(tmp_path / "file")
    with pytest.raises(OptionError, match=r"--out must name a folder, but .*file is a file"):
        check_folder(tmp_path / "file" / "below")


def test_a_folder_without_permission_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OptionError, match="no permission"):
        check_folder(tmp_path / "new")


def test_tables_of_one_name_stand_below_each_other_and_curves_in_one_file(evaluation):
    subset = len(evaluation.subsets) - 1
    both = tuple(
        ResultTable(name="cost", title="", columns=columns, rows=((1, "a"),), subset=subset)
        for columns in (("x", "y"), ("x", "z"))
    )
    alone = ResultTable(name="prices", title="", columns=("p",), rows=((math.nan,),))
    curve = Curve(name="risk", subset=subset, x_title="c", y_title="r", x=(0.5,), y=(0.1,))
    found = tables(replace(evaluation, tables=(*both, alone), curves=(curve,)))
    system = evaluation.subsets[subset].system
    read = list(csv.DictReader(io.StringIO(found["cost.csv"])))
    assert [(row["of_system"], row["x"], row["y"], row["z"]) for row in read] == [
        (system, "1", "a", ""),
        (system, "1", "", "a"),
    ]
    assert found["prices.csv"] == 'p\n""\n'
    (row,) = csv.DictReader(found["curves.csv"].splitlines())
    assert (row["curve"], row["x"], row["y"], row["low"]) == ("risk", "0.5", "0.1", "")
