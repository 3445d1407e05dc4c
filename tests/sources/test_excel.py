"""A sheet says what a person sees in it: errors and open formulas are not missing values."""

import zipfile

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


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_every_kind_of_hidden_sheet_is_passed_over(tmp_path, state):
    sheets = {"old": [HEADER, [1, 1]], "new": [HEADER, [2, 2], [3, 3]]}
    path = write_workbook(tmp_path / "s.xlsx", sheets, hidden={"old"}, state=state)
    assert read_scores(path, roles=ROLES).facts.read == 2
    path = write_workbook(tmp_path / "s.xlsx", sheets, hidden={"old"}, state="visible")
    assert read_scores(path, roles=ROLES).facts.read == 1


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


def shown(folder, code, value):
    """What a cell of a format is read as."""
    rows = [["a"], [f'<c s="2"><v>{value}</v></c>']]
    sheet = read_sheet(write_workbook(folder / "s.xlsx", {"a": rows}, formats=[code]))
    return sheet.columns["a"][0]


@pytest.mark.parametrize(
    "code",
    [
        # what Excel itself offers as "Accounting", in English, German and Danish
        '_-* #,##0.0\\ _D_M_-;\\-* #,##0.0\\ _D_M_-;_-* "-"??\\ _D_M_-;_-@_-',
        '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
        "_-* #,##0.00\\ _k_r_._-",
        "0.0_y", "0*d", "0_h;0_s", '0.0 "days"', "0.0\\d", "0.0\\m\\s", "General", "GENERAL;[Red]-0",
        "[Red]0.0", "[Magenta]0;[Yellow]-0", "[$USD]0.0", "[$-409]0.00", "[$kr-406] 0.0", "[DBNum1]0",
        "[>=100]0;[<1]0.00;0.0", "#,##0", "0.00E+00", "# ?/?", "@", '0"', '0 "dmyhs',
    ],
)  # fmt: skip
def test_a_number_stays_one_whatever_its_format_pads_quotes_or_colours(tmp_path, code):
    assert shown(tmp_path, code, 2.5) == "2.5"


@pytest.mark.parametrize(
    "code",
    ["yyyy-mm-dd", "d/m/yy", "[$-407]d. mmmm yyyy", "_-d_-", "[Red]dd", "MMM-YY", '"on" d', "*.d",
     "\\dd", "h:mm AM/PM", "[h]:mm", "[mm]:ss", "[h]", "[ss].00", "[HH]"],
)  # fmt: skip
def test_a_format_with_a_unit_of_time_is_a_date(tmp_path, code):
    assert shown(tmp_path, code, 45292.25) == "2024-01-01 06:00:00"


@pytest.mark.parametrize(
    ("properties", "day"),
    [
        ("", "2024-01-01"),
        ("<workbookPr/>", "2024-01-01"),
        ('<workbookPr date1904="0"/>', "2024-01-01"),
        ('<workbookPr date1904="false"/>', "2024-01-01"),
        # 1,462 days lie between the first days of the two calendars
        ('<workbookPr date1904="1"/>', "2028-01-02"),
        ('<workbookPr date1904="true"/>', "2028-01-02"),
    ],
)
def test_a_book_says_from_which_day_it_counts(tmp_path, properties, day):
    rows = [["a"], ['<c s="1"><v>45292</v></c>']]
    path = write_workbook(tmp_path / "s.xlsx", {"a": rows}, properties=properties)
    assert read_sheet(path).columns["a"][0] == day


def test_a_small_book_that_unpacks_to_a_huge_one_is_not_read(tmp_path):
    path = write_workbook(tmp_path / "s.xlsx", {"a": [HEADER, [1, 1]]})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/media/blank.xml", b" " * 50_000_000)
    text = error_of(path)
    assert "unpacks beyond all measure ('xl/media/blank.xml'" in text
    assert "to 50,000,000 or more" in text
    assert text.endswith("save the sheet as CSV")
