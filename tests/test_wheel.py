"""The built wheel, installed where nothing else of the project is, runs the demo."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.lowest import lowest

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    place = tmp_path_factory.mktemp("wheel")
    made = subprocess.run(
        [sys.executable, "-c", BUILD, str(place)],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    return place / made.stdout.split()[-1]


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A Python with the wheel and what it depends on, and nothing of the repository."""
    place = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "env"], check=True)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    target = Path(asked.stdout.strip())
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    # packages beside ours are taken from where the tests run; a path in such a file reads no other
    there = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    there += [path for path in sys.path if path.endswith("site-packages")]
    (target / "dependencies.pth").write_text("\n".join(dict.fromkeys(there)) + "\n", "utf-8")
    return python, place


def test_the_wheel_runs_the_demo_outside_the_repository(installed):
    python, place = installed
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*words):
        return subprocess.run(
            [python, *words], capture_output=True, text=True, check=False, cwd=place, env=env
        )

    where = run("-c", "import tallymark; print(tallymark.__file__)").stdout
    assert Path(where.strip()).is_relative_to(place)
    ended = run("-m", "tallymark", "demo", "--out", "out")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "engine meets all 6 limits of williamson2012" in ended.stdout
    listed = json.loads((place / "out" / "manifest.json").read_bytes())["files"]
    assert {"report.html", "evaluation.json", "tables/estimates.csv"} <= {*listed}


def test_the_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        read = {name.rpartition("/")[2]: archive.read(name).decode() for name in names
                if ".dist-info/" in name}  # fmt: skip
    assert "# Tallymark" in read["METADATA"]
    assert "tallymark = tallymark.__main__:main" in read["entry_points.txt"]
    assert not [name for name in names if not name.startswith("tallymark")]


def test_every_extra_is_imported_by_something():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*project["optional-dependencies"]} <= {"dev", "docs", "excel", "logs", "spark", "text"}
    for extra in {*project["optional-dependencies"]} - {"dev", "docs"}:
        needed = project["optional-dependencies"][extra][0].partition(">")[0]
        imported = {"scikit-learn": "sklearn"}.get(needed, needed)
        code = [path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")]
        assert any(re.search(rf"(import|from) {imported}\b", text) for text in code), extra


def test_everything_that_is_needed_has_a_lowest_version():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    needed = tomllib.loads(text)["project"]["dependencies"]
    assert {one.partition(">")[0] for one in needed} <= {
        one.partition("=")[0] for one in lowest(text)
    }
