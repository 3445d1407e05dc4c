"""The command, what it prints first, and the tables it writes for a paper."""

import json
import re
from typing import Any

import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.questions.comparison.pairs import answers
from tallymark.questions.comparison.papers import paper_table
from tallymark.render import latex, markdown
from tallymark.render.latex import escaped
from tallymark.render.layout import plain_text
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.compare.made import made, written

PEOPLE: dict[str, Any] = {
    "humans": ["h1", "h2"],
    "scale": "1:6",
    "replicates": 200,
    "statistics": ["qwk", "mae"],
}
NAMES = {"s0": "a_b&c%", "s1": "<script>", "s2": "[x] *y* $z$ {\\}"}


@pytest.fixture
def file(tmp_path):
    return written(tmp_path / "scores.csv", made(200, noises=(0.4, 1.2)))


def test_the_first_line_answers_the_question(run, file):  # noqa: F811
    people = ("--human", "h1", "--human", "h2", "--scale", "1:6")
    ended = run("compare", file, *people, "--statistic", "qwk", "--replicates", 200)
    assert ended.code == 0
    assert re.match(r"s0 is better than s1: QWK \+\.\d+ \[\+\.\d+, \+\.\d+\], adj", ended.out)
    assert "null hypothesis: the two scores of a response are exchangeable" in " ".join(
        ended.out.split()
    )


def test_an_open_question_says_how_many_responses_would_settle_it():
    found = tm.compare(made(60, noises=(0.5, 0.6)), systems=["s0", "s1"], **PEOPLE)
    (said,) = answers(found)
    assert re.fullmatch(
        r"These data do not tell s\d and s\d apart: QWK \+.* about [\d,]+ responses would\.",
        str(said),
    )


def test_many_systems_are_answered_by_the_best():
    found = tm.compare(made(300, noises=(0.3, 1.2, 1.3, 1.4)), systems=["s*"], **PEOPLE)
    (said,) = map(str, answers(found))
    assert " over s1, the next (interval not adjusted), adjusted p " in said
    assert said.startswith("s0 is the best of 4 systems by QWK, ahead of every other: +.")


def test_json_and_files_are_written(run, file, tmp_path):  # noqa: F811
    options = ("--human", "h1", "--scale", "1:6", "--statistic", "qwk", "--replicates", 200)
    ended = run("compare", file, *options, "--out", tmp_path / "out", "--json")
    found = json.loads(ended.out)
    assert found["kind"] == "compare"
    assert {"ranking", "pairs"} == {table["name"] for table in found["tables"]}
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"comparison.tex", "comparison.md", "ranking.csv", "pairs.csv"} <= names


def test_predictions_are_joined_on_the_command_line(run, tmp_path):  # noqa: F811
    columns = made(60)
    people = written(tmp_path / "people.csv", {k: columns[k] for k in ("id", "h1")})
    tables = []
    for name in ("s0", "s1"):
        own = {"id": columns["id"], "score": columns[name]}
        tables += ["--predictions", written(tmp_path / f"{name}.csv", own)]
    options = ("--id", "id", "--human", "h1", "--statistic", "qwk", "--replicates", 200)
    ended = run("compare", people, *options, *tables)
    assert ended.code == 0
    assert "s0" in ended.out


def test_mistakes_end_in_one_line(run, file):  # noqa: F811
    ended = run("compare", file, "--human", "h1", "--system", "s0")
    assert ended.code == 2
    assert "a comparison needs two systems or more, got s0" in ended.err


def paper_tables(found):
    """The files of the table for a paper."""
    table = paper_table(found)
    assert table is not None
    return {
        f"{table.id}.tex": latex.booktabs(table.id, table),
        f"{table.id}.md": markdown.paper(table),
    }


def renamed(n, noises):
    return {NAMES.get(name, name): values for name, values in made(n, noises=noises).items()}


def test_names_are_escaped_in_the_tables_of_a_paper():
    found = tm.compare(renamed(100, (0.5, 0.6, 0.7)), systems=[*NAMES.values()], **PEOPLE)
    tables = paper_tables(found)
    tex = tables["comparison.tex"]
    for name in (r"a\_b\&c\%", r"\textless{}script\textgreater{}"):
        assert name in tex
    assert r"{[}x{]} {*}y{*} \$z\$ \{\textbackslash{}\}" in tex
    assert "<script>" not in tables["comparison.md"]
    rows = [line for line in tex.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {2}
    assert not any(row.startswith(("[", "*")) for row in rows)
    assert tex.count("{") - tex.count(r"\{") == tex.count("}") - tex.count(r"\}")
    assert "<script>" in plain_text(summary(found))


def test_bold_is_only_what_is_settled():
    clear = tm.compare(made(300, noises=(0.3, 1.3)), systems=["s0", "s1"], **PEOPLE)
    tex = paper_tables(clear)["comparison.tex"]
    assert len(re.findall(r"\\textbf", tex)) == 2
    assert re.search(r"^s0 & \\textbf", tex, re.MULTILINE)
    assert "**" in paper_tables(clear)["comparison.md"]
    close = tm.compare(made(60, noises=(0.5, 0.55)), systems=["s0", "s1"], **PEOPLE)
    assert "textbf" not in paper_tables(close)["comparison.tex"]
    three = tm.compare(made(300, noises=(0.5, 0.5, 1.4)), systems=["s*"], **PEOPLE)
    assert "textbf" not in paper_tables(three)["comparison.tex"]


def test_an_evaluation_has_a_table_for_a_paper_too():
    found = tm.evaluate(made(80), systems=["s0", "s1"], **PEOPLE)
    tables = paper_tables(found)
    assert set(tables) == {"systems.tex", "systems.md"}
    assert "textbf" not in tables["systems.tex"]
    assert r"\toprule" in tables["systems.tex"]


def test_every_special_character_of_latex_is_escaped():
    assert escaped("#$%&_{}~^\\") == (
        r"\#\$\%\&\_\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    assert escaped("a--b\x1b[0m") == "a-{}-b{[}0m"


@pytest.mark.parametrize("by", ["krippendorff_alpha[ratio]", "csrate[0.4]", "pabak"])
def test_systems_are_ranked_by_statistics_that_are_not_computed_by_themselves(by):
    people = {key: value for key, value in PEOPLE.items() if key != "statistics"}
    found = tm.compare(made(60), systems=["s0", "s1"], by=by, **people)
    first = str(next(iter(answers(found))))
    assert ("PABAK is undefined" in first) == (by == "pabak")
    assert {e.text for e in found.estimates} >= {by, "cohen_kappa[quadratic]", "mae"}
