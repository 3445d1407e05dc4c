"""Columns that are left when one rater is named: never taken for a system, and how to name them is said."""

import re

import pytest

from tests.awkward import SETS, awkward
from tests.laws.test_hints import run, written

TWO = [
    name
    for name in SETS
    if len(awkward(name).roles["humans"]) > 1 and name not in ("labels_absent", "one_category")
]


@pytest.mark.parametrize("name", TWO)
def test_a_second_rater_is_no_system_and_is_named_by_the_option_that_is_printed(name, tmp_path):
    first, *others = awkward(name).roles["humans"]
    call = ("evaluate", str(written(name, tmp_path)), "--human", first, "--interval", "analytic")
    ended = run(call)
    said = " ".join(ended.said)
    if ended.code == 2:  # scales that differ are asked for
        return
    guessed = re.search(r"system: (.*?)[.;]? (?:\(|Note)", said)
    assert guessed, said
    assert not {*others} & {*re.split(r"[ ,;]+", guessed[1])}
    assert "No response was rated twice" not in said
    options = re.findall(r"--human (?!column)(\w+)", said)
    assert options == others
    assert "name a second --human column" in said
    after = run((*call, *(word for other in others for word in ("--human", other))))
    assert after.code == 0
    assert "name a second --human column" not in " ".join(after.said)


@pytest.mark.parametrize("name", ["wide_panel", "rated_once"])
def test_people_alone_leave_no_system_to_guess(name, tmp_path):
    columns = {k: v for k, v in awkward(name).columns.items() if k != "engine"}
    path = tmp_path / "people.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))
    first = awkward(name).roles["humans"][0]
    ended = run(("evaluate", str(path), "--human", first))
    said = " ".join(ended.said)
    assert ended.code == 2
    assert "looks like a system score; name it with --system COLUMN" in said
    assert "lie outside" not in said
    assert (" seem" in said) is (len(columns) > 1)
    assert {*re.findall(r"--human (\w+)", said)} == {*columns} - {first}


def test_slots_named_without_their_raters_are_told_apart_by_the_option_that_is_printed(tmp_path):
    path = tmp_path / "slots.csv"
    cells = [f"{'abc'[i % 3]},{'bca'[i % 3]},{i % 5},{(i + i % 2) % 5},{i % 4}" for i in range(60)]
    path.write_text("\n".join(["rater_1,rater_2,mark_1,mark_2,engine", *cells]))
    named = run(("raters", str(path), "--human", "mark_1", "--human", "mark_2"))
    said = " ".join(named.said)
    options = re.search(r"(--human \S+@\S+ )+", said)
    assert options, said
    after = " ".join(run(("raters", str(path), *options[0].split())).said)
    assert "3 raters as a panel" in after
    assert "are taken for one rater each" not in after
