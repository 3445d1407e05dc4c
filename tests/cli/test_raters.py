"""``tallymark raters``."""

import csv
import inspect
import json
import random
import shlex

import click
import pytest

import tallymark as tm
from tallymark.cli.raters import raters
from tests.sources.test_guesses import long_table

QUICK = ("--replicates", 100)


@pytest.fixture
def panel(tmp_path):
    """``panel(3, 60)`` writes scores of so many raters of so many responses."""

    def write(number, responses, share=1.0, point=round):
        random.seed(number)
        path = tmp_path / "panel.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([f"h{i}" for i in range(number)])
            for _ in range(responses):
                truth = random.gauss(3, 1)
                given = [point(min(max(truth + random.gauss(0, 0.6), 1), 5)) for _ in range(number)]
                writer.writerow([score if random.random() < share else "" for score in given])
        return path

    return write


def shown(ended):
    assert (ended.code, ended.err) == (0, "")
    return " ".join(ended.out.split())


def test_a_wide_table_is_summed_up_by_panel_rater_and_pair(run, panel):
    text = shown(run("raters", panel(3, 60), "--scale", "1:5", *QUICK))
    assert text.startswith("Two people give the same score to ")
    assert "60 responses read, 60 used. Scale: 1:5. Guessed" in text
    for words in (
        "3 raters as a panel, 95 % intervals: 60 responses rated twice or more",
        "ICC(1,k)",
        "Raters, the most severe first",
        "Every two raters, those who agree least first",
    ):
        assert words in text
    assert "Gold" not in text


def test_a_long_table_and_one_with_slots_say_the_same(run, tmp_path):
    long, slots = tmp_path / "long.csv", tmp_path / "slots.csv"
    ratings = [(i, f"r{(i + k) % 5}", 1 + (i * (k + 2) + k) % 4) for i in range(50) for k in (0, 1)]
    long.write_text("response,rater,score\n" + "".join(f"{i},{r},{s}\n" for i, r, s in ratings))
    pairs = [(*first[1:], *second[1:]) for first, second in zip(*[iter(ratings)] * 2, strict=True)]
    lines = [f"{a},{b},{c},{d}\n" for a, b, c, d in pairs]
    slots.write_text("rater_1,score_1,rater_2,score_2\n" + "".join(lines))
    texts = [shown(run("raters", path, "--scale", "1:4", *QUICK)) for path in (long, slots)]
    numbers = [text[: text.index("Guessed")] for text in texts]
    assert numbers[0] == numbers[1]


def test_json_is_all_that_is_printed_and_equals_that_of_the_function(run, panel):
    path = panel(3, 30)
    ended = run("raters", path, *QUICK, "--json")
    found, same = json.loads(ended.out), json.loads(tm.raters(path, replicates=100).to_json())
    assert found["kind"] == "raters"
    assert {**found, "options": None} == {**same, "options": None}


def test_every_option_of_the_command_is_a_parameter_of_the_function():
    options = {p.name for p in raters.params if isinstance(p, click.Option)}
    parameters = {*inspect.signature(tm.raters).parameters}
    assert options - parameters == {"out", "as_json", "debug", "force", "open"}
    assert parameters - options == {"source", "progress"}


def table(folder, name):
    lines = (folder / "tables" / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(lines))


def test_out_writes_one_row_per_rater_and_per_pair(run, panel, tmp_path):
    folder = tmp_path / "report"
    run("raters", panel(4, 60), *QUICK, "--out", folder)
    names = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    tables = ("estimates", "raters", "pairs", "distributions", "curves")
    shown = ("people", "raters", "severity", "generalizability")
    files = {"evaluation.json", "report.html", "summary.md", "exclusions.csv", "manifest.json"}
    expected = {
        *files,
        *(f"tables/{name}.tex" for name in shown),
        *(f"tables/{name}.csv" for name in tables),
    }
    assert names == expected
    rows = table(folder, "raters.csv")
    assert [row["rater"] for row in rows] == ["h0", "h1", "h2", "h3"]
    assert {row["n"] for row in rows} == {"60"}
    pairs = table(folder, "pairs.csv")
    assert [(row["rater"], row["other_rater"]) for row in pairs][:2] == [("h0", "h1"), ("h0", "h2")]
    assert len(pairs) == 6


def test_options_come_from_a_file_too_but_not_those_of_systems(run, panel, tmp_path):
    path, file = panel(2, 40), tmp_path / "panel.toml"
    file.write_text('human = ["h0", "h1"]\nscale = "1:5"\nreplicates = 100\n')
    options = json.loads(run("raters", path, "--config", file, "--json").out)["options"]
    assert (options["humans"], options["scale"]) == (["h0", "h1"], "1:5")
    for text, message in (
        ('system = "engine"', "unknown key 'system'"),
        ('[prompts.a]\nresolve = "sum"', "unknown key 'resolve'; it takes scale."),
    ):
        file.write_text(text)
        ended = run("raters", path, "--config", file)
        assert ended.code == 2
        assert message in ended.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h1\n1\n2\n", "has one rater, h1; agreement of people needs two or more. Name them with"),
        ("gold,engine\n1,2\n2,2\n", "looks like a human score; name it with --human COLUMN"),
        (
            "h1,h2\ntall,short\n",
            "are words: short, tall. List them from the lowest to the highest, such as",
        ),
        (
            "who," + ",".join(f"e{i}" for i in range(12)) + "\n" + f"ann{',1' * 12}\n" * 3,
            "with 3 rows: is it on its side? Each row must be a response",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(run, tmp_path, text, message):
    path = tmp_path / "x.csv"
    path.write_text(text)
    ended = run("raters", path)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_nobody_who_rated_twice_is_undefined_with_the_reason(run, tmp_path):
    path = tmp_path / "once.csv"
    path.write_text("h1,h2\n" + "1,\n,2\n3,\n,1\n" * 10)
    text = shown(run("raters", path, *QUICK))
    assert "Note: no response was rated twice." in text
    assert "undefined, because no response was rated twice" in text


def test_words_in_their_order_are_scores(run, tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("h1,h2\n" + "poor,fair\ngood,good\nfair,fair\npoor,poor\n" * 10)
    text = shown(run("raters", path, "--scale", "poor,fair,good", *QUICK))
    assert "Scale: poor,fair,good." in text
    assert "exact .75" in text


def test_half_points_and_negative_points_are_scales(run, panel, tmp_path):
    halves = panel(2, 50, point=lambda score: round(2 * score) / 2)
    assert "Scale: 1:5:0.5 (inferred" in shown(run("raters", halves, *QUICK))
    negative = panel(2, 50, point=lambda score: round(score) - 3)
    assert "Scale: -2:2 (inferred" in shown(run("raters", negative, *QUICK))


def test_forty_raters_of_a_part_each_are_told_on_two_screens(run, panel):
    ended = run("raters", panel(40, 80, share=0.2), *QUICK)
    assert "Raters, those furthest from the others first" in ended.out
    assert "... and 20 more (see --out)" in ended.out
    assert "Pairs are not shown one by one: there are more than 12 raters." in ended.out
    assert ended.out.count("\n") < 94


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("summeval_experts", ["3 raters as a panel", "mean over traits", "QWK", "People by trait"]),
        (
            "wmt23_mqm_three_raters",
            ["10 raters as a panel, 95 % intervals: 4,810", "CCC", "more (see"],
        ),
    ],
)
def test_real_panels_are_told_on_two_screens(run, shared, folder, told):
    path = shared("data", folder, "scores.csv")
    ended = run("raters", path, "--interval", "analytic")
    assert ended.code == 0
    assert all(words in ended.out for words in told)
    assert ended.out.count("\n") < 80


def test_the_options_offered_for_a_long_table_work_as_printed(run, tmp_path):
    rows = long_table("my text", "who", "given")
    path = tmp_path / "ratings.csv"
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines))
    for command in ("raters", "evaluate"):
        refused = run(command, path)
        assert refused.code == 2
        offered = shlex.split(refused.err.partition(": add ")[2])
        assert offered[::2] == ["--response", "--rater", "--score"]
        ended = run(command, path, *offered)
        assert ended.code == 0
        assert "60 responses read, 60 used." in ended.out
