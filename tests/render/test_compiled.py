"""Templates are compiled once, and kept where that is possible."""

import sys

import pytest
from jinja2 import DictLoader, Environment

from tallymark.render.compiled import FOLDER, Compiled


@pytest.fixture
def kept(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return lambda: [*(tmp_path / FOLDER).glob("*")]


def said(folder, text="{{ x }}!"):
    made = Environment(loader=DictLoader({"a": text}), bytecode_cache=Compiled(folder))
    return made.get_template("a").render(x=1)


def test_a_template_is_compiled_once(kept, tmp_path):
    assert said(tmp_path) == "1!"
    (first,) = kept()
    written = first.stat().st_mtime_ns
    assert said(tmp_path) == "1!"
    assert [file.stat().st_mtime_ns for file in kept()] == [written]


def test_a_template_that_changed_is_compiled_anew(kept, tmp_path):
    said(tmp_path)
    assert said(tmp_path, "{{ x }}?") == "1?"
    assert len(kept()) == 1


def test_what_was_cut_short_is_compiled_anew(kept, tmp_path):
    said(tmp_path)
    kept()[0].write_bytes(kept()[0].read_bytes()[:40])
    assert said(tmp_path) == "1!"


def test_a_folder_that_cannot_be_written_to_is_left_alone(kept, tmp_path):
    (tmp_path / FOLDER).write_text("no folder", "utf-8")
    assert said(tmp_path) == "1!"


def test_nothing_is_kept_where_python_keeps_nothing(kept, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert said(tmp_path) == "1!"
    assert not kept()
