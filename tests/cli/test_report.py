"""``tallymark report``: the page of an evaluation made before."""

import shutil
import webbrowser

import pytest

from tallymark.cli.main import main
from tests.cli.conftest import SCORES


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder of an evaluation, made once."""
    place = tmp_path_factory.mktemp("report")
    file, out = place / "scores.csv", place / "out"
    file.write_text(SCORES, "utf-8")
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["evaluate", str(file), "--replicates", "100", "--out", str(out)])
    return out


@pytest.fixture
def folder(written, tmp_path):
    """A copy of it."""
    return shutil.copytree(written, tmp_path / "out")


def test_the_page_is_made_again_byte_for_byte(run, folder):
    before = (folder / "report.html").read_bytes()
    (folder / "report.html").unlink()
    ended = run("report", folder / "evaluation.json")
    assert ended == (0, f"{folder / 'report.html'} written\n", "")
    assert (folder / "report.html").read_bytes() == before


def test_it_is_written_where_out_says(run, folder, tmp_path):
    target = tmp_path / "new" / "engine.html"
    assert run("report", folder / "evaluation.json", "--out", target).code == 0
    assert target.read_bytes() == (folder / "report.html").read_bytes()


def test_the_browser_opens_only_when_asked(run, folder, scores, tmp_path, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    run("report", folder / "evaluation.json")
    assert opened == []
    run("report", folder / "evaluation.json", "--open")
    assert opened == [(folder / "report.html").as_uri()]
    run("evaluate", scores, "--replicates", 100, "--out", tmp_path / "two", "--open")
    assert opened[1:] == [(tmp_path / "two" / "report.html").as_uri()]


def test_open_without_out_is_refused(run, scores):
    ended = run("evaluate", scores, "--open")
    assert ended.code == 2
    assert "add --out DIR" in ended.err


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 99}', "[1, 2]", '"x"', "\x00\xff"])
def test_what_is_no_evaluation_is_told(run, tmp_path, text):
    path = tmp_path / "evaluation.json"
    path.write_bytes(text.encode("latin-1"))
    ended = run("report", path)
    assert ended.code == 2
    assert "not an evaluation.json" in ended.err
    assert ended.err.count("\n") == 1


def test_an_evaluation_of_an_older_schema_names_both_versions(run, tmp_path):
    (tmp_path / "evaluation.json").write_text('{"schema": 1, "kind": "evaluate"}')
    ended = run("report", tmp_path / "evaluation.json")
    assert ended.code == 2
    assert "of schema 3: it has schema 1" in ended.err
    assert ended.err.count("\n") == 1


def test_a_file_that_is_not_there_and_a_folder_as_target_are_told(run, folder, tmp_path):
    ended = run("report", tmp_path / "nothing.json")
    assert ended.code == 2
    assert "cannot read" in ended.err
    ended = run("report", folder / "evaluation.json", "--out", tmp_path)
    assert ended.code == 2
    assert "is a folder" in ended.err
