"""In CI a skipped test is a failure, unless its reason is on the list."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LISTED = """
import pytest

@pytest.mark.picky
def test_it():
    pytest.skip("shared data not present: essays.csv")
"""
UNLISTED = """
import pytest

def test_it():
    pytest.skip("not today")
"""
WHOLE_FILE = """
import pytest

pytest.skip("never", allow_module_level=True)
"""


@pytest.fixture
def suite(tmp_path):
    """A folder with this suite's settings; its tests are run in a process of their own."""
    for name in ("conftest.py", "allowed_skips.txt"):
        shutil.copy(TESTS / name, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = picky\n", "utf-8")

    def run(*options, **environment):
        clean = {key: value for key, value in os.environ.items() if key != "CI"}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options],
            cwd=tmp_path,
            env={**clean, "TALLYMARK_REQUIRE": "", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_outside_ci_every_skip_passes(suite, tmp_path):
    (tmp_path / "test_unlisted.py").write_text(UNLISTED, "utf-8")
    assert suite().returncode == 0


@pytest.mark.parametrize("workers", ["0", "1"])
def test_in_ci_only_listed_reasons_pass(suite, tmp_path, workers):
    (tmp_path / "test_listed.py").write_text(LISTED, "utf-8")
    (tmp_path / "test_unlisted.py").write_text(UNLISTED, "utf-8")
    (tmp_path / "test_whole_file.py").write_text(WHOLE_FILE, "utf-8")
    done = suite("-n", workers, CI="true")
    assert done.returncode == 1
    assert "test_unlisted.py::test_it: not today" in done.stdout
    assert "test_whole_file.py: never" in done.stdout
    assert "test_listed.py" not in done.stdout


def test_a_required_marker_is_not_skipped_for_any_reason(suite, tmp_path):
    (tmp_path / "test_listed.py").write_text(LISTED, "utf-8")
    assert suite(CI="true").returncode == 0
    done = suite(TALLYMARK_REQUIRE="picky,")
    assert done.returncode == 1
    assert "test_listed.py::test_it: shared data not present" in done.stdout
