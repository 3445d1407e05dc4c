"""Files of ours and configurations that somebody edited: a sentence and exit code 2, never a bug."""

import json
import random

import pytest

from tests.fuzz.configurations import TOOLS
from tests.fuzz.mutated import as_text, changed
from tests.report import cases
from tests.rsmtool.conftest import SCORES

MADE = ("verdict", "panel", "hostile", "one_row")


@pytest.fixture(scope="module")
def evaluations():
    return [json.loads(getattr(cases, name)().to_json()) for name in MADE]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to stand in, of which nothing else may be touched."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")
    return tmp_path


def check(ended, seed, codes=(0, 2)):
    assert ended.code in codes, (seed, ended.err)
    assert "Traceback" not in ended.err, seed
    if ended.code == 2:
        assert ended.err.startswith("tallymark: "), seed
        assert ended.err.count("\n") == 1, (seed, ended.err)


def damage_evaluations(seeds, run, place, evaluations):
    for seed in seeds:
        rng = random.Random(seed)
        (place / "e.json").write_bytes(as_text(changed(rng.choice(evaluations), rng), rng))
        check(run("report", "e.json", "--out", "r.html"), seed)


def test_an_edited_evaluation_is_shown_or_refused(run, place, evaluations):
    damage_evaluations(range(80), run, place, evaluations)


@pytest.mark.slow
def test_many_edited_evaluations_are_shown_or_refused(run, place, evaluations):
    damage_evaluations(range(1000, 2500), run, place, evaluations)


def damage_configurations(seeds, run, place):
    (place / "old.json").write_text(json.dumps(TOOLS["rsmeval"]), "utf-8")
    assert run("rsmeval", "old.json", "old").code == 0
    for seed in seeds:
        rng = random.Random(seed)
        tool = rng.choice([*TOOLS])
        (place / "c.json").write_bytes(as_text(changed(TOOLS[tool], rng), rng))
        check(run(tool, "c.json", "o", *(["--force"] if tool == "rsmeval" else [])), seed)
        assert {path.name for path in place.iterdir()} <= {
            "scores.csv",
            "old.json",
            "old",
            "c.json",
            "o",
        }, seed


def test_an_edited_configuration_is_run_or_refused(run, place):
    damage_configurations(range(60), run, place)


@pytest.mark.slow
def test_many_edited_configurations_are_run_or_refused(run, place):
    damage_configurations(range(1000, 2000), run, place)


def certified(run, place):
    """Two routing files and responses to route."""
    rng = random.Random(1)
    for name, n, first in (("cal.csv", 400, 0), ("new.csv", 60, 1000)):
        lines = ["id,h1,engine,conf,prompt"]
        for i in range(n):
            gold, sure = rng.randint(1, 4), rng.random()
            given = gold if sure > 0.3 else rng.randint(1, 4)
            lines.append(f"R{first + i},{gold},{given},{sure:.4f},{'ab'[i % 2]}")
        (place / name).write_text("\n".join(lines) + "\n", "utf-8")
    words = ("route certify cal.csv --human h1 --system engine --confidence conf --prompt prompt "
             "--id id --alpha .1 --scale 1:4 --out r.json")  # fmt: skip
    found = []
    for more in ("", " --by prompt", " --method batch"):
        assert run(*(words + more).split()).code == 0
        found.append(json.loads((place / "r.json").read_bytes()))
    return found


def damage_routings(seeds, run, place):
    from tallymark.questions.routing.routing_file import _digest

    files = certified(run, place)
    for seed in seeds:
        rng = random.Random(seed)
        raw = changed(rng.choice(files), rng)
        if rng.random() < 0.9:  # whoever edits the file may write a new digest
            raw.pop("digest", None)
            raw["digest"] = _digest(raw)
        (place / "c.json").write_bytes(as_text(raw, rng))
        check(run("route", "apply", "c.json", "new.csv", "--out", "d.csv"), seed)
        check(run("route", "monitor", "c.json", "new.csv"), seed, (0, 1, 2))


def test_an_edited_routing_file_is_used_or_refused(run, place):
    damage_routings(range(60), run, place)


@pytest.mark.slow
def test_many_edited_routing_files_are_used_or_refused(run, place):
    damage_routings(range(1000, 1600), run, place)


DEEP = {"json": "[" * 100_000, "toml": "x = " + "[" * 100_000}


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "scores.csv", "--config", "deep.toml"),
        ("evaluate", "scores.csv", "--policy", "deep.toml"),
        ("report", "deep.json"),
        ("route", "apply", "deep.json", "scores.csv", "--out", "d.csv"),
        ("rsmeval", "deep.json", "o"),
        ("rsmcompare", "deep.json"),
        ("rsmsummarize", "deep.json"),
    ],
)
def test_what_is_nested_deeply_is_refused(run, place, words):
    for kind, text in DEEP.items():
        (place / f"deep.{kind}").write_text(text, "utf-8")
    ended = run(*words)
    check(ended, 0)
    assert ended.code == 2
    assert "nested too deeply" in ended.err


def test_a_star_in_the_name_of_an_experiment_is_no_pattern(run, place):
    (place / "old.json").write_text(json.dumps(TOOLS["rsmeval"]), "utf-8")
    assert run("rsmeval", "old.json", "old").code == 0
    for name in ("*", "smal?", "[s]mall", "sm*"):
        config = {**TOOLS["rsmcompare"], "experiment_id_old": name}
        (place / "c.json").write_text(json.dumps(config), "utf-8")
        ended = run("rsmcompare", "c.json")
        assert ended.code == 2
        assert f"does not hold the experiment {name!r}" in ended.err
