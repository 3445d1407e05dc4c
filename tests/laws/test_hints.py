"""Hints are followed: what a command advises can be done, and brings what was promised.

Every awkward set is put to every command. Of each sentence that names an option with a value, the
option is added to the call: the call must end well, the sentence must be gone, and agreement must
not have been ruined. An option without a value must be one of that command's.
"""

import csv
import io
import json
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tallymark.cli.main import main
from tallymark.study.again import as_toml
from tests.awkward import SETS, awkward

FLAGS = {
    "humans": "--human", "systems": "--system", "groups": "--group", "statistics": "--statistic",
    "repeats": "--repeat", "confidences": "--confidence",
}  # fmt: skip
PEOPLE = ("humans", "prompt", "trait", "cluster", "scale", "prompts", "weight")
ASKED = {
    "evaluate": (*FLAGS, *PEOPLE, "gold"),
    "raters": PEOPLE,
    "ceiling": PEOPLE,
    "compare": (*PEOPLE, "systems", "gold"),
    "plan raters --reliability .8": ("humans", "prompt", "trait", "scale", "prompts"),
    "plan width --half-width .05": ("humans", "prompt", "trait", "scale", "prompts", "systems"),
    "route certify --alpha .2": ("humans", "systems", "prompt", "scale", "prompts", "confidences"),
}
"""What each command is asked of a set; a guess is made where it is asked nothing."""
SAID = re.compile(r"(?<![\w-])(--[a-z]+(?:-[a-z]+)*)(?: ([\w.*:-]*[\w*]))?")
ELSEWHERE = ("--out", "--full")
"""What every screen ends with; tests/cli follows it."""
DESCRIBED = re.compile(r"^Note: weights: left out")
RUINED = 0.02


class Ended(NamedTuple):
    """How a call ended, and its sentences."""

    code: Any
    said: tuple[str, ...]

    @property
    def qwk(self) -> float:
        """The QWK of the first system."""
        found = re.search(r"^QWK +(-?\.\d+|-?\d\.\d+)", "\n".join(self.said), flags=re.MULTILINE)
        return float(found[1]) if found else float("nan")


def run(args: tuple[str, ...]) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        main([*args])
    text = re.sub(r"\n {2,}(?=\S)", " ", out.getvalue() + err.getvalue())
    lines = [re.split(r"(?<=[.;]) ", line.strip()) for line in text.splitlines()]
    return Ended(end.value.code, tuple(sentence for line in lines for sentence in line))


@cache
def options_of(command: str) -> str:
    return "\n".join(run((*command.split(" --", maxsplit=1)[0].split(), "--help")).said)


def written(name: str, folder: Path) -> Path:
    """A set as a file; a missing score is an empty cell."""
    columns = awkward(name).columns
    path = folder / f"{name}.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            rows.writerow(["" if isinstance(v, float) and np.isnan(v) else v for v in row])
    return path


def asked(name: str, roles: tuple[str, ...], folder: Path) -> list[str]:
    """The roles of a set as options."""
    given: list[str] = []
    for key, value in awkward(name).roles.items():
        if key not in roles:
            continue
        if key == "prompts":
            tables = [[f'[prompts."{p}"]', *_lines(setting)] for p, setting in value.items()]
            path = folder / f"{name}.toml"
            path.write_text("\n".join(line for table in tables for line in table))
            given += ["--config", str(path)]
        elif key in ("repeats", "confidences"):
            of = [
                f"{system}={v if isinstance(v, str) else ','.join(v)}"
                for system, v in value.items()
            ]
            given += [word for text in of for word in (FLAGS[key], text)]
        elif isinstance(value, list):
            given += [word for text in value for word in (FLAGS[key], text)]
        else:
            given += [f"--{key}", str(value)]
    return given


def _lines(setting: dict[str, Any]) -> list[str]:
    return [f"{key} = {as_toml(value)}" for key, value in setting.items()]


def hints(sentence: str, columns: set[str]) -> list[list[str]]:
    """The options that a sentence names with values that can be taken as they stand."""
    named = []
    for flag, value in SAID.findall(sentence):
        concrete = value in columns or re.search(r"\d", value)
        if flag not in ELSEWHERE and value and concrete and not value.isupper():
            named.append([flag, value])
    return named


def tables(sentence: str) -> str:
    """The tables of --config that a sentence writes out."""
    found = re.findall(r'(\[prompts\.[^\]]+\]) (\S+ = "[^"]*")', sentence)
    return "\n".join(line for table in found for line in table)


QUICK = {
    "evaluate": ("one_category", "gold_apart", "sparse"),
    "evaluate, guessed": ("own_scales", "wide_panel_of_prompts", "prompts_far_apart", "sparse"),
    "raters": ("rated_once", "never_twice"),
    "ceiling": ("rated_once", "never_twice"),
    "compare": ("rated_once",),
    "plan raters --reliability .8": ("own_scales", "rated_once", "never_twice"),
    "plan width --half-width .05": ("two_systems", "one_category"),
    "route certify --alpha .2": ("two_systems", "own_scales"),
}
"""Where hints differ; `make slow` follows those of every command on every set."""
CALLS = [
    pytest.param(command, name, marks=() if name in QUICK[command] else pytest.mark.slow)
    for command in QUICK
    for name in SETS
]


@pytest.mark.parametrize(("command", "name"), CALLS)
def test_every_hint_can_be_followed_and_helps(command, name, tmp_path):
    file, columns = written(name, tmp_path), {*awkward(name).columns}
    words = command.removesuffix(", guessed").split()
    extra = asked(name, ASKED.get(command, ()), tmp_path)
    call = (*words[:1], str(file), *words[1:], *extra)
    if words[0] in ("plan", "route"):
        call = (*words[:2], str(file), *words[2:], *extra)
    before = run(call)
    assert before.code in (0, 1, 2, 3), before
    for sentence in before.said:
        if DESCRIBED.match(sentence):
            continue
        for flag, _ in SAID.findall(sentence):
            known = flag in ELSEWHERE or flag in options_of(command.removesuffix(", guessed"))
            assert known, f"{command} has no {flag}: {sentence}"
        for option in hints(sentence, columns):
            after = run((*call, *option))
            assert after.code in (0, 1, 3), (shlex.join(option), after.said[-3:])
            assert sentence not in after.said, shlex.join(option)
            assert not after.qwk < before.qwk - RUINED or option[0] == "--trait", sentence
        if tables(sentence) and "--config" not in call:
            path = tmp_path / "advised.toml"
            path.write_text(tables(sentence))
            after = run((*call, "--config", str(path)))
            assert after.code in (0, 3), (sentence, after.said[-3:])
            assert sentence not in after.said, sentence


RSM = ("rated_once", "tiny_groups", "constant_system", "one_category", "labels_absent")


def configured(name: str, folder: Path, **more: Any) -> Path:
    """A set with ids as RSMTool's configuration names it: one rater at first."""
    columns = awkward(name).columns
    with (folder / "scores.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["ID", *columns])
        for i, row in enumerate(zip(*columns.values(), strict=True)):
            rows.writerow([i, *("" if isinstance(v, float) and np.isnan(v) else v for v in row)])
    fields = {
        "experiment_id": name, "predictions_file": "scores.csv", "id_column": "ID",
        "system_score_column": "engine", "human_score_column": "h1", "trim_min": 0, "trim_max": 5,
    }  # fmt: skip
    path = folder / f"{name}.json"
    path.write_text(json.dumps({**fields, **more}))
    return path


@pytest.mark.parametrize("name", RSM)
def test_hints_of_rsmeval_name_fields_of_its_configuration_and_help(name, tmp_path):
    config, out = configured(name, tmp_path), tmp_path / "out"
    ended = run(("rsmeval", str(config), str(out)))
    assert ended.code == 0, ended.said[-3:]
    page = re.sub(
        r"<(script|style).*?</\1>", "", (out / "report.html").read_text(), flags=re.DOTALL
    )
    shown = [*ended.said, re.sub(r"<[^>]+>", " ", page), (out / "summary.md").read_text()]
    elsewhere = "tallymark evaluate and "
    for text in shown:
        for match in SAID.finditer(text):
            known = match[1] in (*ELSEWHERE, "--config") or match[1] in options_of("rsmeval")
            assert known or text[: match.start()].endswith(elsewhere), text[match.start() :][:80]
    named = " ".join(shown)
    second = "second_human_score_column in the configuration"
    assert second in named
    if "h2" not in awkward(name).columns:
        return
    groups = {"subgroups": ["language"]} if name == "tiny_groups" else {}
    again = configured(name, tmp_path, second_human_score_column="h2", **groups)
    assert run(("rsmeval", str(again), str(out), "-f")).code == 0
    followed = (out / "report.html").read_text()
    assert second not in followed
    assert "agreement between people (name" not in followed
