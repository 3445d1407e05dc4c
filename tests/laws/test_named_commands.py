"""Commands that a screen, a page or an error names exist and, run on the same scores, bring what is said."""

import ast
import csv
import json
import re
from pathlib import Path

import click
import numpy as np
import pytest

import tallymark
from tallymark.cli.main import tallymark as program
from tests.awkward import awkward
from tests.laws.test_hints import run, written
from tests.routing.data import responses, write

SOURCE = Path(tallymark.__file__).parent
NAMED = re.compile(r"(?<![\w.\"-])tallymark ((?:[a-z]+)(?: [a-z]+(?:-[a-z]+)*)?)(?![\w:])")
NO_COMMAND = ("tallymark routing", "tallymark lab", "tallymark output", "tallymark beside")
"""What files of ours say they are; columns of ours stand in quotation marks."""


def texts():
    """Yield every text of the program but docstrings, with its file."""
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        bare = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in bare:
                yield path.name, node.value


def known(words):
    """Whether a command, or a command of a group, has that name."""
    context = click.Context(program)
    command = (
        program.get_command(context, words[0])
        if words[0] in program.list_commands(context)
        else None
    )
    if isinstance(command, click.Group) and len(words) > 1:
        return words[1] in command.commands
    return command is not None


def test_every_command_that_is_named_exists():
    named = {
        (file, words)
        for file, text in texts()
        if not text.startswith(NO_COMMAND)
        for words in NAMED.findall(text)
    }
    assert len(named) > 20
    assert not [pair for pair in named if not known(pair[1].split())]


def said(ended):
    return " ".join(ended.said)


def test_people_alone_are_looked_at_by_the_command_that_an_error_names(tmp_path):
    columns, _ = awkward("two_systems")
    people = write(tmp_path / "people.csv", {name: columns[name].tolist() for name in ("h1", "h2")})
    rows = [(i, who, columns[who][i]) for i in range(len(columns["h1"])) for who in ("h1", "h2")]
    ratings = tmp_path / "ratings.csv"
    with ratings.open("w", newline="") as file:
        csv.writer(file).writerows([("essay", "rater", "score"), *rows])
    shape = ("--response", "essay", "--rater", "rater", "--score", "score")
    for file, options in ((people, ()), (ratings, shape)):
        ended = run(("evaluate", str(file), *options))
        assert (ended.code, "use `tallymark raters`" in said(ended)) == (2, True)
        assert run(("raters", str(file), *options)).code == 0


def test_the_shape_of_a_long_table_that_an_error_offers_can_be_copied(tmp_path):
    columns, _ = awkward("two_systems")
    rows = [
        (i, who, columns[who][i])
        for i in range(len(columns["h1"]))
        for who in ("h1", "h2", "engine")
    ]
    file = tmp_path / "ratings.csv"
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows([("rid", "who", "score"), *rows])
    ended = run(("evaluate", str(file)))
    offered = re.search(r"--response \S+ --rater \S+ --score \w+(?: --system \w+)?", said(ended))
    assert ended.code == 2
    assert offered, said(ended)
    after = run(("evaluate", str(file), *offered[0].split()))
    assert after.code == 0, said(after)


def test_systems_are_compared_by_the_command_that_their_page_names(tmp_path):
    file, out = written("two_systems", tmp_path), tmp_path / "report"
    options = ("--human", "h1", "--human", "h2", "--system", "engine", "--system", "lenient")
    assert run(("evaluate", str(file), *options, "--out", str(out))).code == 0
    assert "tallymark compare with the same options" in (out / "report.html").read_text("utf-8")
    after = run(("compare", str(file), *options))
    assert after.code == 0
    assert "not tell" in said(after) or "p " in said(after)


def test_a_threshold_is_certified_by_the_command_that_an_evaluation_names(tmp_path):
    file = write(tmp_path / "sure.csv", responses(600, 3))
    options = ("--human", "h1", "--system", "engine", "--scale", "1:6", "--lambda", ".4")
    named = run(("evaluate", str(file), *options, "--confidence", "engine=sure", "--full"))
    assert "tallymark route certify" in said(named)
    after = run(("route", "certify", str(file), *options, "--confidence", "sure", "--alpha", ".1"))
    assert after.code == 0
    assert "With probability" in said(after)


def test_labels_that_a_plan_names_certify_as_often_as_it_says():
    """Searched thresholds at the planned number of labels, at the rate that the plan assumes."""
    from tallymark.selective.certify import certify

    ended = run(("plan", "certify", "--alpha", ".05"))
    found = re.search(r"about ([\d,]+) labels make it 80 %", said(ended))
    assert found
    n, rng = int(found[1].replace(",", "")), np.random.default_rng(1)
    certified = [
        certify(rng.random(n), rng.random(n) < 0.0125, alpha=0.05, delta=0.05).certified
        for _ in range(200)
    ]
    assert np.mean(certified) > 0.8 - 3 * np.sqrt(0.8 * 0.2 / 200)


SYSTEM = ("--system", "engine")
PLANS = (
    ("settle --at-least .5", "name a pilot file", SYSTEM),
    ("width --half-width .05", "name a pilot file", SYSTEM),
    ("double-scores --responses 500 --half-width .1", "a pilot file with double scores", SYSTEM),
    ("raters --reliability .9", "a pilot file with two ratings", ()),
)


@pytest.mark.parametrize(("plan", "asks", "roles"), PLANS)
def test_a_plan_is_made_from_the_pilot_that_an_error_asks_for(plan, asks, roles, tmp_path):
    without = run(("plan", *plan.split()))
    assert (without.code, asks in said(without)) == (2, True), said(without)
    file, people = str(written("two_systems", tmp_path)), ("--human", "h1", "--human", "h2")
    kind, *options = plan.split()
    after = run(("plan", kind, file, *options, *people, *roles))
    assert after.code == 0, said(after)


def test_two_systems_are_told_apart_by_the_plan_that_an_error_asks_for(tmp_path):
    without = run(("plan", "difference"))
    assert "name a pilot file with two systems, or the two values" in said(without)
    file, systems = str(written("two_systems", tmp_path)), awkward("two_systems").roles["systems"]
    named = [word for system in systems[:2] for word in ("--system", system)]
    assert run(("plan", "difference", file, "--human", "h1", *named)).code == 0
    assert run(("plan", "difference", "--values", ".7,.6")).code == 0


def test_variances_are_named_where_prompts_on_other_scales_have_no_mean(tmp_path):
    file, config = str(written("own_scales", tmp_path)), tmp_path / "scales.toml"
    prompts = awkward("own_scales").roles["prompts"]
    scales = [f"[prompts.{p}]\nscale = {json.dumps(s['scale'])}" for p, s in prompts.items()]
    config.write_text("\n".join(scales))
    call = ("plan", "double-scores", file, "--responses", "500", "--half-width", ".1")
    roles = (
        "--human",
        "h1",
        "--human",
        "h2",
        *SYSTEM,
        "--prompt",
        "essay",
        "--config",
        str(config),
    )
    refused = run((*call, *roles))
    assert "name --value, --true-variance and --error-variance" in said(refused)
    values = ("--value", ".8", "--true-variance", "1", "--error-variance", ".3")
    assert run((*call, *roles, *values)).code == 0


def test_an_alarm_of_the_command_that_a_certificate_names_asks_for_another(tmp_path):
    """It is silent on responses as those that were certified, and sounds where many are off."""
    roles = ("--human", "h1", "--system", "engine", "--confidence", "sure", "--scale", "1:6")
    how = ("--lambda", ".4", "--alpha", ".1", "--out", str(tmp_path / "routing.json"))
    labelled = write(tmp_path / "labelled.csv", responses(600, 3))
    ended = run(("route", "certify", str(labelled), *roles, *how))
    assert (ended.code, "an alarm of tallymark route monitor" in said(ended)) == (0, True)
    alike = responses(400, 4)
    alike["id"] = [f"new {name}" for name in alike["id"]]
    worse = {**alike, "h1": [7 - score for score in alike["h1"]]}
    for columns, code in ((alike, 0), (worse, 1)):
        file = write(tmp_path / f"ends_{code}.csv", columns)
        given, out = (str(tmp_path / "routing.json"), str(file)), str(tmp_path / f"out_{code}.csv")
        assert run(("route", "apply", *given, "--out", out)).code == 0
        watched = run(("route", "monitor", *given))
        assert watched.code == code, said(watched)
