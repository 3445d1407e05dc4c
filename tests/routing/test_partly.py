"""Prompts of which some are certified: exit codes, the words, one form of system, shifts of the accepted."""

import json

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tests.routing.conftest import ASKED
from tests.routing.data import PLAIN, responses, terms, write


def with_prompts(good, bad, seed):
    """Prompts of 300 responses each, of which the bad ones have useless scores."""
    rng = np.random.default_rng(seed)
    every = [responses(300, 10 * seed + i) for i in range(good + bad)]
    for i, columns in enumerate(every):
        columns["prompt"] = [f"p{i + 1}"] * 300
        columns["id"] = [f"{i}-{j}" for j in range(300)]
        if i >= good:
            columns["engine"] = rng.integers(1, 7, 300).tolist()
    return {name: [value for columns in every for value in columns[name]] for name in every[0]}


@pytest.mark.parametrize(("good", "bad"), [(2, 0), (1, 1), (0, 2), (2, 9)])
def test_the_exit_code_says_whether_every_prompt_is_certified(run, tmp_path, good, bad):
    file = write(tmp_path / "cal.csv", with_prompts(good, bad, seed=good + 3))
    out = tmp_path / "routing.json"
    asked = ("route", "certify", file, *ASKED, "--prompt", "prompt", "--by", "prompt", "--out", out)
    code, text = run(*asked)
    thresholds = json.loads(out.read_text("utf-8"))["thresholds"]
    assert [each["prompt"] for each in thresholds] == [f"p{i + 1}" for i in range(good + bad)]
    lacking = [each["prompt"] for each in thresholds if not each["certified"]]
    assert (code == 3) == bool(lacking)
    partly = 0 < len(lacking) < len(thresholds)
    said = f"Not certified: {len(lacking)} of {len(thresholds)} prompts ({', '.join(lacking)})"
    assert (said in text) == partly
    assert run(*asked, "--allow-partial")[0] == (3 if len(lacking) == len(thresholds) else 0)


@pytest.mark.parametrize("written", ['"engine"', '["engine"]'])
def test_system_has_one_form_in_the_files_of_all_commands(run, calibration, tmp_path, written):
    config = tmp_path / "all.toml"
    config.write_text(f'system = {written}\nhuman = ["h1"]\nscale = "1:6"\n', "utf-8")
    more = ("--confidence", "sure", "--alpha", ".05", "--lambda", ".4")
    assert run("route", "certify", calibration, "--config", config, *more)[0] == 0
    assert run("evaluate", calibration, "--config", config, "--statistic", "qwk")[0] == 0
    system = json.loads(f"[{written}]")[0]
    columns = responses(300, 1)
    routing = tm.route.certify(columns, **{**PLAIN, "system": system}, **terms()).routing
    assert routing.system == "engine"


def test_two_systems_are_too_many_for_a_routing_file():
    with pytest.raises(OptionError, match="a list that holds one"):
        tm.route.certify(responses(50, 1), **{**PLAIN, "system": ["engine", "other"]}, **terms())


@pytest.mark.parametrize("seed", range(3))
def test_a_shift_is_judged_on_what_is_accepted(seed):
    routing = tm.route.certify(responses(1000, seed), **PLAIN, **terms()).routing
    tau = routing.thresholds[0].tau
    assert tau is not None
    new = responses(1500, seed + 50, ids="N")
    new.pop("h1")
    sure = np.array(new["sure"])
    # those below the threshold are all but sure of nothing now: they are not accepted anyway
    lower = {**new, "sure": np.where(sure > tau, sure, sure / 5).tolist()}
    assert not tm.route.apply(routing, lower).shifts["confidence"].some
    # those above it crowd at its edge
    crowded = {**new, "sure": np.where(sure > tau, tau + (sure - tau) / 20, sure).tolist()}
    assert tm.route.apply(routing, crowded).shifts["confidence"].large
