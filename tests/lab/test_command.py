"""``tallymark lab``: what it prints and writes, and how it refuses."""

import json
import sys

import pytest

from tallymark.cli.main import main


def run(capsys, *words):
    """Run the command line; return its exit code, output and messages."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def test_list_names_every_experiment_with_its_question(capsys):
    code, out, _ = run(capsys, "lab", "list")
    assert code == 0
    assert "trait-prevalence\nYannakoudakis & Cummins (2015), Figure 1. Does a coefficient" in out


def test_a_run_prints_claims_first_and_writes_its_files(capsys, tmp_path):
    folder = tmp_path / "out"
    words = ("lab", "run", "error-magnitude", "--replicates", "5", "--out", str(folder))
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "Linear-weighted metrics rise slightly: holds for kappa linear only." in out
    assert out.index("holds for kappa") < out.index("Quadratic weights\nsize of the errors")
    assert "BP with linear weights is constant: holds exactly." in out
    assert "7 files written" in out
    assert {path.name for path in folder.iterdir()} >= {"report.html", "curves.csv", "summary.md"}


def test_json_is_the_whole_run(capsys):
    code, out, _ = run(capsys, "lab", "run", "paradox", "--json", "--statistic", "mae")
    assert code == 0
    read = json.loads(out)
    assert read["experiment"] == "paradox"
    assert {point["statistic"] for point in read["curves"]} >= {"mae", "cohen_kappa[quadratic]"}


def test_a_function_in_the_folder_one_stands_in_joins(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_own_metrics.py").write_text("def half(gold, system):\n    return 0.5\n")
    code, out, _ = run(capsys, "lab", "run", "paradox", "--statistic", "my_own_metrics:half")
    sys.modules.pop("my_own_metrics", None)
    assert code == 0
    assert "Your statistics\nresponses  half\n       50  .500" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("trait-prevalance",), "Did you mean 'trait-prevalence'?"),
        (("paradox", "--statistic", "qkw"), "unknown statistic 'qkw'"),
        (("paradox", "--statistic", "no_such_module:f"), "cannot import 'no_such_module'"),
        (("paradox", "--statistic", "json:dumps"), "json:dumps failed on 50 responses: TypeError"),
        (("paradox", "--open"), "--open shows report.html, which only --out writes"),
        (("paradox", "--replicates", "0"), "replicates must be a whole number of 1 or more"),
    ],
)
def test_mistakes_end_in_one_line(capsys, words, message):
    code, _, err = run(capsys, "lab", "run", *words)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_properties_are_written_as_markdown_csv_json_and_latex(capsys, tmp_path):
    folder = tmp_path / "out"
    code, out, _ = run(
        capsys,
        "lab",
        "properties",
        "--statistic",
        "qwk",
        "--statistic",
        "mae",
        "--out",
        str(folder),
    )
    assert code == 0
    assert f"5 files written to {folder}" in out.replace("\n", " ")
    names = {"metrics.md", "properties.csv", "properties.json", "manifest.json", "tables"}
    assert {path.name for path in folder.iterdir()} == names
    cards = json.loads((folder / "properties.json").read_text("utf-8"))["cards"]
    lines = (folder / "properties.csv").read_text("utf-8").splitlines()
    assert lines[0].split(",") == [*cards[0]]
    assert {line.split(",")[0] for line in lines[1:]} == {card["statistic"] for card in cards}
    assert "cohen" in (folder / "tables/properties.tex").read_text("utf-8")
    _, _, err = run(capsys, "lab", "properties", "--out", str(folder / "metrics.md"))
    assert "must name a folder" in err
