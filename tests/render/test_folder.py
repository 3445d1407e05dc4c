"""The folder of results: the whole of one run, nothing of another, and never anything else."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallymark.errors import OptionError
from tallymark.render import folder as folder_module
from tallymark.render.folder import MANIFEST, check_names, is_plain, read_manifest, write_run

OLD = {"evaluation.json": "old", "tables/a.csv": "old a", "tables/b.csv": "old b", "x/y/z.md": "o"}
NEW = {"evaluation.json": "new", "tables/a.csv": "new a", "report.html": "new page"}
OTHERS = {"notes.txt": "mine", "tables/mine.csv": "mine too"}


def contents(folder: Path) -> dict[str, str]:
    """Every file, also hidden ones."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def without_manifest(files: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in files.items() if name != MANIFEST}


@pytest.fixture(params=["whole", "among others"])
def out(request, tmp_path):
    """A folder with an earlier run, alone or among files of the user."""
    write_run(tmp_path / "out", OLD, "evaluate")
    put(tmp_path / "out", OTHERS if request.param == "among others" else {})
    return tmp_path / "out"


def others_of(folder: Path) -> dict[str, str]:
    return OTHERS if (folder / "notes.txt").exists() else {}


def test_nothing_of_an_earlier_run_stays_and_others_files_do(out):
    others = others_of(out)
    written = write_run(out, NEW, "compare")
    assert without_manifest(contents(out)) == {**NEW, **others}
    assert {path.relative_to(out).as_posix() for path in written} == {*NEW, MANIFEST}
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert not (out / "x").exists()


def test_the_manifest_lists_every_file_with_its_digest(out):
    write_run(out, NEW, "compare")
    raw = json.loads((out / MANIFEST).read_bytes())
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in NEW.items()}
    assert raw == {
        "format": "tallymark output",
        "version": 1,
        "kind": "compare",
        "complete": True,
        "files": digests,
    }


def test_a_file_of_an_earlier_run_that_was_edited_is_the_users(out):
    (out / "tables" / "b.csv").write_text("my remarks", "utf-8")
    write_run(out, NEW, "compare")
    assert (out / "tables" / "b.csv").read_text("utf-8") == "my remarks"


def test_a_file_that_no_run_wrote_is_not_replaced(tmp_path):
    put(tmp_path, {"report.html": "mine"})
    with pytest.raises(OptionError, match=r"holds report.html, which no run of Tallymark wrote"):
        write_run(tmp_path, NEW, "evaluate")
    assert contents(tmp_path) == {"report.html": "mine"}
    write_run(tmp_path, NEW, "evaluate", force=True)
    assert without_manifest(contents(tmp_path)) == NEW


def test_the_folder_one_stands_in_keeps_being_the_same(out, monkeypatch):
    monkeypatch.chdir(out)
    before = out.stat().st_ino
    write_run(Path(), NEW, "compare")
    assert out.stat().st_ino == before
    assert without_manifest(contents(out)) == {**NEW, **others_of(out)}


def test_where_folders_cannot_change_places_files_do(out, monkeypatch):
    monkeypatch.setattr(folder_module, "_exchange", lambda *_: False)
    others = others_of(out)
    write_run(out, NEW, "compare")
    assert without_manifest(contents(out)) == {**NEW, **others}


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a//b", "", ".", "a\\b", "a\nb",
                                  "a\0b", "x" * 256, "\ud800"])  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(tmp_path, name):
    with pytest.raises(OptionError, match="cannot be the name of a file"):
        write_run(tmp_path / "out", {name: "x"}, "evaluate")
    assert contents(tmp_path) == {}


def test_links_in_the_folder_are_not_followed(out, tmp_path):
    outside = tmp_path / "outside"
    put(outside, {"file": "precious", "tables/a.csv": "precious"})
    (out / "evaluation.json").unlink()
    (out / "evaluation.json").symlink_to(outside / "file")
    write_run(out, NEW, "compare")
    assert (out / "evaluation.json").read_text("utf-8") == "new"
    assert not (out / "evaluation.json").is_symlink()
    assert contents(outside) == {"file": "precious", "tables/a.csv": "precious"}


def test_a_folder_that_is_a_link_is_refused(tmp_path):
    outside = tmp_path / "outside"
    put(outside, {"a.csv": "precious"})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "tables").symlink_to(outside)
    with pytest.raises(OptionError, match="is not a folder"):
        write_run(tmp_path / "out", NEW, "evaluate")
    assert contents(outside) == {"a.csv": "precious"}


@pytest.mark.parametrize("planted", ["../outside/a.csv", "tables/../../outside/a.csv", "/x"])
def test_a_planted_manifest_deletes_nothing_elsewhere(tmp_path, planted):
    put(tmp_path / "outside", {"a.csv": "precious"})
    out = tmp_path / "out"
    write_run(out, OLD, "evaluate")
    raw = json.loads((out / MANIFEST).read_bytes())
    raw["files"][planted] = ""
    (out / MANIFEST).write_text(json.dumps(raw), "utf-8")
    with pytest.raises(OptionError, match="no run of Tallymark wrote"):
        write_run(out, NEW, "compare")
    assert contents(tmp_path / "outside") == {"a.csv": "precious"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "[" * 100_000, "\xff"])
def test_a_damaged_manifest_is_none(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text, "latin-1")
    assert read_manifest(tmp_path) is None


def test_a_link_in_the_place_of_the_stage_is_not_written_through(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / f".out.tallymark-{os.getpid()}").symlink_to(outside)
    with pytest.raises(FileExistsError):
        write_run(tmp_path / "out", NEW, "evaluate")
    assert contents(outside) == {}


@pytest.mark.parametrize("after", range(8))
def test_a_disk_that_fails_leaves_the_old_run(out, monkeypatch, after):
    """Renaming fails for the n-th time; everything that was moved goes back."""
    others = others_of(out)
    before = contents(out)
    calls = [0]
    move = Path.replace

    def failing(self, target):
        calls[0] += 1
        if calls[0] == after + 1:
            raise OSError(28, "No space left on device")
        return move(self, target)

    monkeypatch.setattr(folder_module, "_exchange", lambda *_: False)
    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(OSError, match="No space"):
        write_run(out, NEW, "compare")
    assert contents(out) == before
    assert others == others_of(out)


def test_names_of_any_language_are_plain():
    assert all(is_plain(name) for name in ("日本.csv", "a b.csv", "tables/é.csv", ".x"))
    assert not any(is_plain(name) for name in ("..", "a/..", "a/. ", "\u202ex"))


def test_what_cannot_be_written_is_told_beforehand(tmp_path):
    put(tmp_path, {"tables": "a file"})
    with pytest.raises(OptionError, match="is not a folder"):
        check_names(tmp_path, ["tables/a.csv"])
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OptionError, match="is a folder"):
        check_names(tmp_path, ["report.html"])


KILLED = """
import os, signal, sys
from pathlib import Path
from tallymark.render.folder import write_run
from tests.render.test_folder import NEW

out, number, moment = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
seen = 0

def watch(event, args):
    global seen
    if event.startswith(("os.", "open", "shutil.", "ctypes.")) and event != "os.kill":
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), number)

while True:
    child = os.fork()
    if not child:
        sys.addaudithook(watch)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            write_run(out, NEW, "compare")
        except KeyboardInterrupt:
            os._exit(130)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(moment, os.waitstatus_to_exitcode(status), flush=True)
    if sys.stdin.readline() != "next\\n":
        break
    moment += 1
"""


@pytest.mark.parametrize("number", [9, 2, 15], ids=["kill", "interrupt", "terminate"])
def test_a_run_that_is_killed_at_any_moment_leaves_the_old_or_the_new(out, number):
    """Every operation on files is a moment; at each one a run ends, and the folder is looked at."""
    others = others_of(out)
    before = contents(out)
    command = [sys.executable, "-c", KILLED, str(out), str(number), "1"]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin is not None
    assert program.stdout is not None
    code, moments, states = 1, 0, set()
    with program:
        while code:
            moment, code = map(int, program.stdout.readline().split())
            states.add(_state(out, before, others))
            _clean(out, others)
            program.stdin.write("next\n" if code else "enough\n")
            program.stdin.flush()
            moments = moment
    assert moments > 20
    # among files of the user nothing swaps at once: there the manifest tells, and only if killed
    expected = {"old", "new", "unfinished"} if others and number == 9 else {"old", "new"}
    assert states == expected


def _state(out, before, others):
    found = {n: t for n, t in contents(out).items() if not n.startswith(".tallymark-")}
    if found == before:
        return "old"
    assert {name: found.get(name) for name in others} == others
    if without_manifest(found) == {**NEW, **others}:
        known = read_manifest(out)
        if known is not None and known.complete:
            return "new"
    known = read_manifest(out)
    assert known is not None
    assert not known.complete
    assert {*without_manifest(found)} <= {*known.files, *others}
    return "unfinished"


def _clean(out, others):
    """A run after the killed one ends whole, and leaves nothing behind."""
    write_run(out, OLD, "evaluate")
    assert without_manifest(contents(out)) == {**OLD, **others}
    assert [path.name for path in out.parent.iterdir()] == ["out"]
