"""Faults of size: minutes, so they run with ``make slow``."""

import os
import shutil
import signal
import subprocess
import sys
import time

import duckdb
import pytest

pytestmark = pytest.mark.slow
GIGABYTE = 1_000_000_000
NAMED = ["--human", "h1", "--system", "engine", "--statistic", "qwk"]


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A CSV of two gigabytes, gone afterwards."""
    folder = tmp_path_factory.mktemp("large")
    if shutil.disk_usage(folder).free < 6 * GIGABYTE:
        pytest.skip("no room for a file of two gigabytes")
    path = folder / "large.csv"
    scores = "1 + i % 4 AS h1, 1 + i // 3 % 4 AS engine, repeat('text ', 50) || i AS essay"
    duckdb.sql(f"COPY (SELECT {scores} FROM range(7800000) t(i)) TO '{path}'")
    yield path
    path.unlink()


def run(*arguments, **how):
    command = [sys.executable, "-m", "tallymark", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def test_one_bad_row_at_the_end_of_two_gigabytes_is_named(large, tmp_path):
    assert large.stat().st_size > 2 * GIGABYTE
    whole = large.stat().st_size
    with large.open("a") as stream:
        stream.write("2,3\n")
    ended = run("evaluate", str(large), *NAMED, "--out", str(tmp_path / "report"))
    os.truncate(large, whole)
    assert ended.returncode == 2
    assert "row 7800001 (line 7800002) has 2 fields, the header has 3" in ended.stderr
    assert not (tmp_path / "report").exists()


def test_two_gigabytes_that_grow_while_they_are_read_are_refused(large):
    whole = large.stat().st_size
    child = subprocess.Popen(
        [sys.executable, "-m", "tallymark", "evaluate", str(large), *NAMED],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(2)
    with large.open("a") as stream:
        stream.write("2,3,more\n")
    _, said = child.communicate()
    os.truncate(large, whole)
    assert child.returncode == 2
    assert "large.csv changed while it was read" in said


ENDED = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]


@pytest.mark.parametrize(("number", "code"), ENDED)
def test_a_long_scan_that_is_ended_leaves_nothing(large, tmp_path, number, code):
    """It ends within a second or two, as long as a busy machine takes."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tallymark", "evaluate", str(large), *NAMED, "--out", str(tmp_path / "r")],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(2)
    child.send_signal(number)
    assert child.wait(timeout=30) == code
    assert not any(tmp_path.iterdir())


def test_what_was_put_on_the_disk_goes_when_a_scheduler_ends_the_run(tmp_path):
    rows, spill = tmp_path / "rows.parquet", tmp_path / "spill"
    spill.mkdir()
    scores = "'c' || i AS who, 1 + i % 4 AS h1, 1 + i // 3 % 4 AS engine"
    duckdb.sql(f"COPY (SELECT {scores} FROM range(10000000) t(i)) TO '{rows}'")
    limited = ["--cluster", "who", "--memory-limit", "200MB"]
    child = subprocess.Popen(
        [sys.executable, "-m", "tallymark", "evaluate", str(rows), *NAMED, *limited],
        env={**os.environ, "TMPDIR": str(spill)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while not any(spill.glob("*/*")):
        assert child.poll() is None
        time.sleep(0.1)
    child.terminate()
    assert child.wait(timeout=60) == 143
    assert not any(spill.iterdir())
    rows.unlink()
