"""What is wrong with scores is an error with its rows, or a counted exclusion where allowed."""

import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.scale import Scale
from tallymark.sources import Roles, read_scores

ROLES = Roles(humans=("h1",), systems=("engine",))


def test_an_unknown_column_suggests_the_nearest(write):
    path = write("human1,engine\n1,2\n")
    with pytest.raises(DataError) as caught:
        read_scores(path, roles=Roles(humans=("humann1",), systems=("engine",)))
    assert "scores.csv has no column 'humann1' (asked for as --human)" in str(caught.value)
    assert str(caught.value).endswith("Did you mean 'human1'?")


def test_text_names_column_value_row_count_and_remedy(write):
    path = write("h1,engine\n1,2\n2,n/a\n3,n/a\n")
    with pytest.raises(DataError) as caught:
        read_scores(path, roles=ROLES)
    text = str(caught.value)
    assert "column 'engine' of scores.csv holds text in 2 rows, first 'n/a' in row 2" in text
    assert "--missing 'n/a'" in text


def test_prose_is_no_score_and_no_word_for_a_missing_one(write):
    path = write("h1,engine\n1,2\n2,the essay is weak here\n")
    with pytest.raises(DataError, match="single words: name another column") as caught:
        read_scores(path, roles=ROLES)
    assert "--missing" not in str(caught.value)


def test_a_decimal_comma_is_recognised(write):
    with pytest.raises(DataError, match="decimals with a point"):
        read_scores(write('h1,engine\n1,"2,5"\n'), roles=ROLES)


def test_text_may_be_declared_missing(write):
    scores = read_scores(write("h1,engine\n1,2\n2,n/a\nNA,1\n"), roles=ROLES, missing=["n/a", "NA"])
    assert (scores.facts.read, scores.facts.used) == (3, 1)
    assert dict(scores.facts.exclusions) == {
        "no human score that the rule 'first' needs": 1,
        "no system score": 1,
    }


def test_a_number_may_be_declared_missing_in_text_and_in_numbers(write):
    path = write("h1,engine\n1,2\n-9,2\n3,-9.0\n")
    frame = {"h1": [1.0, -9.0, 3.0], "engine": [2.0, 2.0, -9.0]}
    read = [read_scores(source, roles=ROLES, missing=["-9"]) for source in (path, frame)]
    assert read[0].facts.used == 1
    assert read[0].facts.hash == read[1].facts.hash


@pytest.mark.parametrize("infinity", ["inf", "-Infinity", "1e999", "1e308", "9" * 50])
def test_an_infinite_score_is_refused_with_its_row(write, infinity):
    with pytest.raises(DataError, match=r"is infinite or beyond 1e12 in 1 row, first \S+ in row 2"):
        read_scores(write(f"h1,engine\n1,2\n2,{infinity}\n"), roles=ROLES)


@pytest.mark.parametrize("gap", ["", "  ", '""', "NaN", "nan"])
def test_blank_cells_and_nan_are_missing(write, gap):
    scores = read_scores(write(f"h1,engine\n1,2\n2,{gap}\n"), roles=ROLES)
    assert scores.facts.exclusions == (("no system score", 1),)


def test_a_human_score_off_the_declared_scale_is_refused(write):
    with pytest.raises(ScaleError) as caught:
        read_scores(write("h1,engine\n1,2\n9,2\n2.5,2\n"), roles=ROLES, scale="1:6")
    text = str(caught.value)
    assert "column 'h1' of scores.csv holds 9.0 in row 2, which is not on the scale 1:6" in text
    assert "(2 rows in all)" in text


@pytest.mark.parametrize("scale", ["0:1:0.1", "0.1,0.3,0.7"])
def test_points_that_binary_numbers_miss_are_on_the_scale(write, scale):
    scores = read_scores(write("h1,engine\n0.1,0.1\n0.3,0.3\n0.7,0.7\n"), roles=ROLES, scale=scale)
    assert scores.patterns.scores["human:h1"].tolist() == [0.1, 0.3, 0.7]


def test_duplicate_ids_are_refused_when_an_id_is_named(write):
    path = write("id,h1,engine\na,1,2\nb,1,2\na,2,2\n")
    with pytest.raises(DataError, match=r"duplicate id: 'a' \(first rows 1, 3; 2 rows in all\)"):
        read_scores(path, roles=Roles(humans=("h1",), systems=("engine",), id="id"))
    assert read_scores(path, roles=ROLES).facts.used == 3


def test_an_id_may_occur_once_for_each_prompt_and_trait(write):
    path = write("id,prompt,trait,h1,engine\na,p,x,1,2\na,p,y,1,2\na,q,x,2,2\n")
    roles = Roles(humans=("h1",), systems=("engine",), id="id", prompt="prompt", trait="trait")
    assert read_scores(path, roles=roles).facts.used == 3


@pytest.mark.parametrize(
    ("word", "bad", "reason"),
    [
        ("text", "x,2", "text where a number belongs"),
        ("infinite", "inf,2", "score infinite or beyond 1e12"),
        ("off-scale", "7,2", "score off the scale"),
    ],
)
def test_what_the_user_allows_is_excluded_and_counted(write, word, bad, reason):
    path = write(f"id,h1,engine\na,1,2\nb,{bad}\nc,3,4\n")
    scores = read_scores(path, roles=ROLES, scale="1:6", exclude=[word])
    assert (scores.facts.read, scores.facts.used) == (3, 2)
    assert scores.facts.exclusions == ((reason, 1),)
    row = scores.excluded[0]
    assert (row.row, row.id, row.reason, row.column) == (2, "b", reason, "h1")


def test_all_rows_of_a_duplicate_id_are_excluded_whatever_their_order(write):
    path = write("id,h1,engine\na,1,2\nb,1,2\na,2,2\n")
    roles = Roles(humans=("h1",), systems=("engine",), id="id")
    scores = read_scores(path, roles=roles, exclude=["duplicate"])
    assert scores.facts.exclusions == (("duplicate id", 2),)
    assert [row.row for row in scores.excluded] == [1, 3]


def test_an_unknown_exclusion_is_refused(write):
    with pytest.raises(OptionError, match="Did you mean 'infinite'"):
        read_scores(write("h1,engine\n1,2\n"), roles=ROLES, exclude=["infinit"])


def test_one_column_cannot_be_human_and_system(write):
    with pytest.raises(OptionError, match="both as a human and as a system"):
        read_scores(write("h1,engine\n1,2\n"), roles=Roles(humans=("h1",), systems=("h1",)))


def test_a_column_is_named_once_for_a_role(write):
    with pytest.raises(OptionError, match="--human names 'h1' more than once"):
        read_scores(
            write("h1,engine\n1,2\n"), roles=Roles(humans=("h1", "h1"), systems=("engine",))
        )


def test_a_single_row_works(write):
    scores = read_scores(write("h1,engine\n4,3.2\n"), roles=ROLES)
    assert scores.facts.used == 1
    assert scores.patterns.scores["system:engine"].tolist() == [3.2]


def test_no_usable_response_says_why(write):
    with pytest.raises(
        DataError, match=r"no response of scores.csv can be used: 2 read, no system"
    ):
        read_scores(write("h1,engine\n4,\n5,\n"), roles=ROLES)


def test_confidences_of_an_unknown_system_are_refused(write):
    roles = Roles(humans=("h1",), systems=("engine",), confidences={"engin": "c"})
    with pytest.raises(OptionError, match="Did you mean 'engine'"):
        read_scores(write("h1,engine,c\n4,4,0.5\n"), roles=roles)


def test_gaps_of_each_system_are_counted(write):
    path = write("h1,engine,bot\n1,1,\n2,,2\n3,3,3\n")
    scores = read_scores(path, roles=Roles(humans=("h1",), systems=("engine", "bot")))
    assert scores.facts.missing == {"engine": 1, "bot": 1}
    assert scores.facts.exclusions == ()


@pytest.mark.parametrize("scale", ["1-6", "1 to 6", "1..6"])
def test_a_range_that_is_written_otherwise_is_named_as_it_is_written_here(scale):
    with pytest.raises(ScaleError, match="write 1:6 for a range"):
        Scale.parse(scale)


def test_numbers_that_are_no_labels_are_not_said_to_be_no_numbers(write):
    cells = "\n".join(["h1,engine", *(f"{i % 2 + 1},{i % 5 + 1}" for i in range(40))])
    with pytest.raises(DataError, match="24 of 40 cells are none of the labels, such as '3'"):
        tm.evaluate(write(cells), categories="1,2")
