"""A sheet says what a person sees in it: errors and open formulas are not missing values."""

import pytest

from tallymark.errors import DataError, OptionError
from tallymark.sources import Roles, read_scores
from tallymark.sources.excel import read_sheet
from tests.sources.workbooks import write_workbook

ROLES = Roles(humans=("h1",), systems=("engine",))
HEADER = ["h1", "engine"]


def error_of(path, **options) -> str:
    with pytest.raises(DataError) as caught:
        read_scores(path, roles=ROLES, **options)
    return str(caught.value)


@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#REF!", "#VALUE!"])
def test_a_cell_in_error_is_text_where_a_number_belongs(tmp_path, error):
    rows = [HEADER, [1, 2], [2, f'<c t="e"><v>{error}</v></c>']]
    path = write_workbook(tmp_path / "s.xlsx", {"scores": rows})
    assert f"first {error!r} in row 2" in error_of(path)
    assert read_scores(path, roles=ROLES, missing=[error]).facts.exclusions == (
        ("no system score", 1),
    )


def test_a_formula_without_its_value_is_said_to_be_one(tmp_path):
    rows = [HEADER, [1, "<c><f>A2+1</f></c>"], [2, "<c><f>A3</f><v>2</v></c>"]]
    text = error_of(write_workbook(tmp_path / "s.xlsx", {"scores": rows}))
    assert "'=A2+1' in row 1" in text
    assert text.endswith("open the file in a spreadsheet and save it.")


def test_a_formula_whose_value_is_an_empty_text_is_empty(tmp_path):
    rows = [HEADER, [1, 1], [2, '<c t="str"><f>""</f><v></v></c>']]
    path = write_workbook(tmp_path / "s.xlsx", {"scores": rows})
    assert read_scores(path, roles=ROLES).facts.used == 1


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = write_workbook(tmp_path / "s.xlsx", {"a": [["h1", "h1", "engine"], [1, 2, 3]]})
    assert "more than one column 'h1'" in error_of(path)


def test_hidden_sheets_are_passed_over_and_others_are_named(tmp_path):
    sheets = {"old": [HEADER, [1, 1]], "new": [HEADER, [2, 2], [3, 3]], "notes": [["x"]]}
    path = write_workbook(tmp_path / "s.xlsx", sheets, hidden={"old"})
    facts = read_scores(path, roles=ROLES).facts
    assert facts.read == 2
    assert facts.notes[0] == "sheet 'new' was read; s.xlsx also has old, notes (--sheet)"
    chosen = read_scores(path, roles=ROLES, sheet="old")
    assert chosen.facts.read == 1
    assert chosen.facts.notes == ()
    assert chosen.options["sheet"] == "old"


def test_a_sheet_that_is_not_there_suggests_the_nearest(tmp_path):
    path = write_workbook(tmp_path / "s.xlsx", {"Scores": [HEADER, [1, 1]]})
    assert error_of(path, sheet="scores").endswith("it has Scores. Did you mean 'Scores'?")


def test_an_empty_first_sheet_names_the_others(tmp_path):
    path = write_workbook(tmp_path / "s.xlsx", {"front": [], "scores": [HEADER, [1, 1]]})
    assert error_of(path) == (
        "sheet 'front' of s.xlsx is empty; choose another with --sheet (scores)"
    )


def test_all_sheets_hidden_asks_for_one(tmp_path):
    path = write_workbook(tmp_path / "s.xlsx", {"a": [HEADER, [1, 1]]}, hidden={"a"})
    assert "every sheet of s.xlsx is hidden" in error_of(path)


def test_a_sheet_of_something_else_is_refused(write):
    with pytest.raises(OptionError, match="--sheet needs an Excel file"):
        read_scores(write("h1,engine\n1,1\n"), roles=ROLES, sheet="a")
    with pytest.raises(OptionError, match="--sheet needs an Excel file"):
        read_scores({"h1": [1], "engine": [1]}, roles=ROLES, sheet="a")


@pytest.mark.parametrize("ending", ["xls", "ods", "xlsb"])
def test_other_spreadsheets_are_told_to_become_xlsx(write, ending):
    assert "save it as .xlsx or .csv" in error_of(write("x", f"scores.{ending}"))


def test_cells_are_what_they_show(tmp_path):
    rows = [
        ["a", "b", "c", "d", "e", "f"],
        [
            1.0,
            '<c s="1"><v>45292</v></c>',
            '<c s="2"><v>1.5</v></c>',
            '<c s="3"><v>45292.25</v></c>',
            '<c t="b"><v>1</v></c>',
            '<c t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c>',
        ],
        [],
        ['<c r="C5"><v>3</v></c>'],
    ]
    sheet = read_sheet(write_workbook(tmp_path / "s.xlsx", {"a": rows}))
    assert {name: column.tolist() for name, column in sheet.columns.items()} == {
        "a": ["1", None],
        "b": ["2024-01-01", None],
        "c": ["1.5", "3"],
        "d": ["2024-01-01 06:00:00", None],
        "e": ["TRUE", None],
        "f": ["rich text", None],
    }
