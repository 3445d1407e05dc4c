"""Memory and disk: a limit is kept, what is above it goes to a folder that is gone afterwards."""

import subprocess
import tempfile
from typing import Any

import duckdb
import pytest

import tallymark as tm
from tallymark.cli.main import main
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError

ASKED: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "statistics": ["pearson"]}


@pytest.fixture
def spill(tmp_path, monkeypatch):
    """The folder that takes what does not fit, empty."""
    folder = tmp_path / "spill"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A million responses that all differ."""
    path = tmp_path_factory.mktemp("many") / "many.parquet"
    noise = "1 + 5 * ((hash(i) % 1000000) / 1e6) AS h1, 1 + 5 * ((hash(i + 7) % 1000000) / 1e6) AS engine"
    duckdb.sql(f"COPY (SELECT {noise} FROM range(1000000) t(i)) TO '{path}'")
    return path


def test_a_limit_changes_no_number():
    plain = tm.evaluate(SCORES, statistics=["qwk"])
    assert (
        tm.evaluate(SCORES, statistics=["qwk"], memory_limit="200MB").to_json() == plain.to_json()
    )


def test_what_is_above_the_limit_goes_to_the_disk_and_nothing_is_left(many, spill):
    found = tm.evaluate(many, **ASKED, memory_limit="64MB")
    assert found.data.read == 1_000_000
    assert not any(spill.iterdir())


@pytest.mark.parametrize("size", ["lots", "500", "-1GB", "1MB", "", "12 XB", "1e3MB"])
def test_a_limit_is_a_size(size):
    with pytest.raises(OptionError, match="memory_limit"):
        tm.evaluate(SCORES, memory_limit=size or "MB")


def test_too_little_memory_is_said_with_the_limit(many, spill):
    with pytest.raises(DataError, match=r"many.parquet needs more memory than .* MiB, the most"):
        tm.evaluate(many, **ASKED, memory_limit="16MB")
    assert not any(spill.iterdir())


def limited(monkeypatch, size: str) -> None:
    """Let the database take so much of the disk."""
    connected = duckdb.connect

    def connect(*args, **how):
        connection = connected(*args, **how)
        connection.execute(f"SET max_temp_directory_size = '{size}'")
        return connection

    import _duckdb

    monkeypatch.setattr(_duckdb, "connect", connect)


def test_a_full_disk_is_said_and_no_half_file_stays(many, spill, tmp_path, monkeypatch, capsys):
    limited(monkeypatch, "1MB")
    out = tmp_path / "report"
    named = ["--human", "h1", "--system", "engine", "--memory-limit", "24MB"]
    with pytest.raises(SystemExit) as end:
        main(["evaluate", str(many), *named, "--out", str(out)])
    assert end.value.code == 2
    assert "needs more room on the disk" in capsys.readouterr().err
    assert not out.exists()
    assert not any(spill.iterdir())


def test_a_full_disk_of_its_own(many, tmp_path, monkeypatch):
    small = tmp_path / "small"
    small.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be made here")
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(small))
        with pytest.raises(DataError, match=r"needs more room on the disk than .*small has"):
            tm.evaluate(many, **ASKED, memory_limit="24MB")
        assert not any(small.iterdir())
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_it_is_said_where_too_many_rows_differ(many):
    found = tm.evaluate(many, **ASKED)
    assert any("differ, too many to tally" in note for note in found.data.notes)
