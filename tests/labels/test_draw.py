"""`labels draw`: a sheet that shows annotators nothing, and brings weights and strata back."""

import csv
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.sources.allocating import allocated
from tallymark.sources.draw_codes import read
from tests.labels.drawn import COLUMN, SIZE, judged, write


def drawn(**more):
    columns, _ = judged()
    return tm.labels.draw(columns, **{"n": 100, "id": "id", "by": COLUMN, **more})


def test_every_stratum_gives_as_many_and_each_response_stands_for_its_share():
    columns, _ = judged()
    sheet, judge = drawn(), dict(zip(columns["id"], columns[COLUMN], strict=True))
    sizes = Counter(judge.values())
    assert [(h.size, h.drawn) for h in sheet.strata] == [(sizes[k], 20) for k in range(1, 6)]
    for key, *_, code in sheet.rows:
        known = read(code, key)
        assert known is not None
        assert known.weight == sizes[judge[key]] / 20
    assert len({row[0] for row in sheet.rows}) == 100


def test_every_response_of_a_stratum_has_the_same_chance():
    columns = {"id": [*range(30)], "judge": [0] * 20 + [1] * 10}
    times = Counter(
        row[0]
        for seed in range(200)
        for row in tm.labels.draw(columns, n=10, id="id", by="judge", seed=seed).rows
    )
    for key in range(30):
        chance = 5 / 20 if key < 20 else 5 / 10
        assert abs(times[str(key)] / 200 - chance) < 4 * np.sqrt(chance * (1 - chance) / 200)


def test_annotators_see_neither_the_score_nor_its_order():
    sheet = drawn(show=["answer"], raters=2)
    assert sheet.columns == ("id", "answer", "drawn_label_1", "drawn_label_2", "draw_code")
    assert all(row[2:4] == ("", "") for row in sheet.rows)
    assert all(row[1].startswith("'=1+") for row in sheet.rows)  # no spreadsheet runs it
    codes = [read(row[-1], row[0]) for row in sheet.rows]
    strata = [code.stratum for code in codes if code]
    assert sum(a == b for a, b in pairwise(strata)) < 40  # 20 by chance
    assert len({row[-1][:8] for row in sheet.rows}) == 100  # codes of a stratum look nothing alike


@pytest.mark.parametrize("column", [COLUMN, "nothing"])
def test_what_would_show_the_score_is_refused(column):
    with pytest.raises((OptionError, DataError), match=r"must not see a score|has no column"):
        drawn(show=[column])


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_rows():
    columns, _ = judged()
    order = np.random.default_rng(2).permutation(SIZE)
    moved = {name: [values[i] for i in order] for name, values in columns.items()}
    again = tm.labels.draw(moved, n=100, id="id", by=COLUMN)
    assert {row[0] for row in again.rows} == {row[0] for row in drawn().rows}
    assert {row[0] for row in drawn(seed=1).rows} != {row[0] for row in drawn().rows}


def test_many_numbers_are_cut_at_quantiles_and_columns_are_crossed():
    sheet = drawn(by=["sure", "lang"], strata=4)
    assert len(sheet.strata) == 8
    assert max(h.size for h in sheet.strata) < 1.3 * min(h.size for h in sheet.strata)
    assert sum(h.size for h in sheet.strata) == SIZE


@pytest.mark.parametrize("rule", ["equal", "proportional", "root"])
@pytest.mark.parametrize("sizes", [[9000, 900, 100], [5, 5000], [2, 2, 400], [40]])
def test_allocations_add_up_and_leave_no_stratum_out(rule, sizes):
    numbers = allocated(sizes, 40, rule)
    assert sum(numbers) == 40
    assert all(2 <= number <= size for number, size in zip(numbers, sizes, strict=True))


def test_rows_without_a_score_are_left_out_and_strata_of_one_response_merged():
    columns = {"id": [*range(41)], "judge": ["1"] * 19 + ["2"] + [""] + ["3"] * 20}
    sheet = tm.labels.draw(columns, n=10, id="id", by="judge")
    assert sheet.left_out == {"no judge": 1}
    assert [h.name for h in sheet.strata] == ["judge 1 or judge 2", "judge 3"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"n": 9}, "n=9 is too few for 5 strata"),
        ({"n": SIZE + 1}, rf"n={SIZE + 1} is more than there are responses to draw from \(3,000\)"),
        ({"by": "id"}, "makes 3,000 strata"),
        ({"id": "lang"}, "2 ids repeat in 'lang'"),
        ({"allocate": "neyman"}, "must be one of equal, proportional, root"),
        ({"raters": 0}, "raters= must be 1 or more"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(more, words):
    with pytest.raises((DataError, OptionError), match=words):
        drawn(**more)


def test_the_command_writes_a_sheet_and_never_over_one(tmp_path, run):
    columns, _ = judged()
    file, out = write(tmp_path / "judge.csv", columns), tmp_path / "sheet.csv"
    asked = ("labels", "draw", str(file), "-n", "60", "--by", COLUMN, "--out", str(out))
    ended = run(*asked)
    assert ended.code == 0
    assert "60 of 3,000 responses drawn" in ended.out
    assert f"--human-file {out} --id id" in " ".join(ended.out.split())
    with out.open(encoding="utf-8-sig", newline="") as text:
        rows = [*csv.reader(text)]
    assert rows[0] == ["id", "drawn_label", "draw_code"]
    assert len(rows) == 61
    again = run(*asked)
    assert (again.code, "exists and may hold labels" in again.err) == (2, True)
