"""Logs that were made to harm, cut off or filled with other things: a sentence, never a bug."""

import builtins
import json
import random
import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tallymark.errors import DataError, TallymarkError
from tallymark.sources import Roles, read_scores
from tallymark.sources.judges.recognising import read_export
from tests.fuzz.mutated import as_text, changed

FILES = Path(__file__).parent / "files"


def error_of(path, **asked):
    with pytest.raises(DataError) as error:
        read_scores(path, roles=Roles(**asked))
    return str(error.value)


def archive(path, members, pack=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", pack) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return path


def test_a_bomb_is_not_unpacked(tmp_path):
    bomb = {"header.json": "{}", "samples/a_epoch_1.json": b" " * 50_000_000}
    assert "unpacks beyond all measure" in error_of(archive(tmp_path / "bomb.eval", bomb))


def test_a_member_that_is_larger_than_it_says_is_not_unpacked(tmp_path):
    bomb = {"header.json": "{}", "samples/a_epoch_1.json": b" " * 50_000_000}
    path = archive(tmp_path / "bomb.eval", bomb)
    content = path.read_bytes().replace(struct.pack("<I", 50_000_000), struct.pack("<I", 100))
    path.write_bytes(content)
    assert "damaged" in error_of(path) or "beyond all measure" in error_of(path)


def test_a_bomb_of_zstandard_that_hides_its_size_is_not_unpacked(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(b" " * 50_000_000)
    path = archive(tmp_path / "bomb.eval", {"header.json": "{}", "samples/a.json": packed}, pack=0)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as made:
        place = made.getinfo("samples/a.json").header_offset
    central = content.rindex(b"PK\x01\x02")
    content[place + 8 : place + 10] = content[central + 10 : central + 12] = struct.pack("<H", 93)
    path.write_bytes(content)
    assert "beyond all measure" in error_of(path)


@pytest.mark.parametrize("name", ["/etc/a.json", "../a.json", "samples/../../a.json", "C:\\a.json"])
def test_names_that_point_outside_are_refused(tmp_path, name):
    path = archive(tmp_path / "log.eval", {"header.json": "{}", name: "{}"})
    assert "points outside" in error_of(path)


def test_two_members_of_one_name_are_refused(tmp_path):
    with zipfile.ZipFile(FILES / "apart.eval") as log:
        name = next(n for n in log.namelist() if n.startswith("samples/"))
    path = tmp_path / "twice.eval"
    path.write_bytes((FILES / "apart.eval").read_bytes())
    with zipfile.ZipFile(path, "a") as made, pytest.warns(UserWarning, match="Duplicate name"):
        made.writestr(name, "{}")
    assert "two members of one name" in error_of(path)


def encrypted(path):
    """A ZIP file whose members say that they are encrypted."""
    content = bytearray(archive(path, {"header.json": "{}", "samples/a.json": "{}"}).read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = content.find(mark)
        while start >= 0:
            content[start + place] |= 1
            start = content.find(mark, start + 4)
    path.write_bytes(content)
    return path


def test_an_encrypted_log_is_refused_with_what_to_do(tmp_path):
    assert "is encrypted; unpack it" in error_of(encrypted(tmp_path / "locked.eval"))


def test_a_zip_file_that_is_no_log_is_refused(tmp_path):
    path = archive(tmp_path / "other.eval", {"readme.txt": "hello", "data/a.csv": "h,e\n1,2\n"})
    assert "other.eval" in error_of(path)
    assert "Inspect" in error_of(path)


def test_every_hostile_log_ends_the_command_in_one_line(tmp_path, run):
    bomb = {"header.json": "{}", "samples/a_epoch_1.json": b" " * 50_000_000}
    files = [
        archive(tmp_path / "bomb.eval", bomb),
        archive(tmp_path / "out.eval", {"header.json": "{}", "../a.json": "{}"}),
        archive(tmp_path / "none.eval", {"header.json": "{}"}),
        encrypted(tmp_path / "locked.eval"),
        archive(tmp_path / "other.eval", {"readme.txt": "hello"}),
    ]
    cut = tmp_path / "cut.eval"
    cut.write_bytes((FILES / "apart.eval").read_bytes()[:5000])
    for path in [*files, cut]:
        ended = run("evaluate", path)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), path
        assert path.name in ended.err


def test_without_zstandard_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "zstandard":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    with zipfile.ZipFile(FILES / "same.eval") as made:
        if hasattr(zipfile, "ZIP_ZSTANDARD"):
            pytest.skip("this Python reads Zstandard itself")
        assert {member.compress_type for member in made.infolist()} == {93}
    monkeypatch.setattr(builtins, "__import__", without)
    assert 'pip install "tallymark[logs]"' in error_of(FILES / "same.eval")


@pytest.mark.parametrize("name", ["same.eval", "apart.eval"])
def test_a_log_that_was_cut_off_is_refused(tmp_path, name):
    content = (FILES / name).read_bytes()
    for share in (0.1, 0.5, 0.9, 0.99):
        path = tmp_path / name
        path.write_bytes(content[: int(share * len(content))])
        error_of(path)


@pytest.mark.parametrize("name", ["same.eval", "apart.eval"])
def test_changed_bytes_of_a_log_are_noticed_or_harmless(tmp_path, name):
    rng = random.Random(3)
    for _ in range(30):
        content = bytearray((FILES / name).read_bytes())
        for _ in range(3):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path = tmp_path / name
        path.write_bytes(content)
        with suppress(TallymarkError):
            read_export(path)


JSONS = [
    "same.json",
    "promptfoo.json",
    "mlflow.jsonl",
    "langfuse.json",
    "label_studio.json",
    "deepeval.json",
]


@pytest.mark.parametrize("name", JSONS)
def test_edited_json_gives_scores_or_a_sentence(tmp_path, name):
    text = (FILES / name).read_text("utf-8")
    whole: Any = [json.loads(line) for line in text.splitlines() if name.endswith("l")]
    whole = whole or json.loads(text)
    small = {**whole, "samples": whole["samples"][:9]} if name == "same.json" else whole
    rng = random.Random(len(name))
    path = tmp_path / "any.json"
    for i in range(60):
        path.write_bytes(as_text(changed(small, rng), rng))
        with suppress(TallymarkError):  # anything else is our bug
            read_export(path) if i % 20 else read_scores(path, roles=Roles())


@pytest.mark.parametrize(
    "content", ["[]", "{}", "[1]", "[null]", '"x"', "[[", '{"a": ', "[{}]", '{"a": {"b": [1]}}']
)
def test_json_without_records_is_refused(tmp_path, content):
    path = tmp_path / "odd.json"
    path.write_text(content)
    assert error_of(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"id": 1, "human": 2}]'.encode("utf-16"), "is encoded in UTF-16; save it as UTF-8"),
        ('[{"id": 1, "human": 2}]'.encode("utf-16-le"), "is not a text file"),
        (b"", "it holds nothing"),
        (b" \n", "it holds nothing"),
        (b"null", "it holds no object and no list"),
        (b'[{"id": "\xe9"}]', "is not UTF-8"),
        (b'[{"id": 1, "human": 2}, {"id": 2,', "is not whole JSON"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'[{"id": 1, "human": 2, "human": 3}]', "has 'human' twice in one object"),
    ],
)
def test_json_that_cannot_be_read_is_refused_with_the_reason(tmp_path, content, said):
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    assert said in error_of(path)


def test_a_number_beyond_all_doubles_is_infinite_and_not_a_bug(tmp_path):
    path = tmp_path / "odd.json"
    rows = [{"id": i, "human": i % 3, "judge": i % 2} for i in range(9)]
    path.write_text(json.dumps([*rows, {"id": 9, "human": 1, "judge": -(10**400)}]))
    assert "is infinite or beyond 1e12 in 1 row, first -inf in row 10" in error_of(path)


def test_a_text_cut_within_a_character_and_a_deep_field_leave_the_scores(tmp_path):
    path = tmp_path / "odd.json"
    deep = json.loads("[" * 150 + "]" * 150)
    rows = [
        {"id": f"r{i}", "human": i % 3, "judge": i % 2, "x": {"y" * 200: deep}} for i in range(9)
    ]
    whole = json.dumps([*rows, {"id": "r9", "human": 1, "judge": 1, "said": "cut \ud83d"}])
    path.write_text(whole, "utf-8")
    assert "\\ud83d" in whole
    assert read_scores(path, roles=Roles()).facts.used == 10
