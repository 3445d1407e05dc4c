"""Two options that exclude each other are refused, whoever says them and at whatever values."""

from typing import Any

import pytest

import tallymark as tm
from tallymark.cli.main import main
from tallymark.errors import OptionError
from tallymark.study.again import as_toml
from tallymark.study.exclusive import EXCLUSIVE
from tallymark.study.fields import JOINED, NUMBER, SWITCH
from tallymark.study.request import COMMANDS, fields_of, python_words

FUNCTIONS: dict[str, Any] = {
    "evaluate": tm.evaluate,
    "compare": tm.compare,
    "raters": tm.raters,
    "whatif": tm.whatif,
    "route certify": tm.route.certify,
    "plan width": tm.plan.width,
    "plan settle": tm.plan.settle,
    "plan difference": tm.plan.difference,
    "plan double-scores": tm.plan.double_scores,
}
PAIRS = [
    (command, pair)
    for command in COMMANDS
    for pair in EXCLUSIVE
    if {pair.first, pair.second} <= {*fields_of(command)} and command.startswith(pair.command)
]
NEEDED: dict[str, dict[str, Any]] = {
    "route certify": {"system": "engine", "alpha": 0.1},
    "plan width": {"half_width": 0.1},
    "plan settle": {"at_least": 0.7},
    "plan double-scores": {"half_width": 0.1, "responses": 500},
}
FILE = "no-such-file.csv"


def values(command, *names):
    """What is said of each: the default where there is one, which must count as said too."""
    given = {}
    for name in names:
        field = fields_of(command)[name]
        sample = {SWITCH: True, NUMBER: 2.0, JOINED: ("a", "b")}.get(field.kind, "sure")
        given[name] = sample if field.default is None else field.default
    return given


def as_options(command, given):
    words = []
    for name, value in given.items():
        field = fields_of(command)[name]
        texts = [] if value is True else field.texts(value)
        words += [field.flag, *texts]
    return words


def as_file(command, given, path):
    keys = {fields_of(command)[name].key: value for name, value in given.items()}
    path.write_text("".join(f"{key} = {as_toml(value)}\n" for key, value in keys.items()))
    return ["--config", str(path)]


def refusal(words, capsys):
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    return " ".join(capsys.readouterr().err.split())


def test_each_pair_belongs_to_a_command():
    assert {pair for _, pair in PAIRS} == {*EXCLUSIVE}
    assert {command for command, _ in PAIRS} <= {*FUNCTIONS}


@pytest.mark.parametrize(("command", "pair"), PAIRS)
def test_a_pair_is_refused_from_the_shell_a_file_and_python(command, pair, tmp_path, capsys):
    both = values(command, pair.first, pair.second)
    needed = NEEDED.get(command, {})
    call = [*command.split(), FILE, *as_options(command, needed)]
    first, second = ({name: value} for name, value in both.items())
    asked = (
        as_options(command, both),
        as_file(command, both, tmp_path / "both.toml"),
        [*as_options(command, first), *as_file(command, second, tmp_path / "one.toml")],
    )
    for words in asked:
        assert pair.why in refusal([*call, *words], capsys), words
    with pytest.raises(OptionError) as error:
        FUNCTIONS[command](FILE, **{**needed, **both})
    assert str(error.value) == python_words(command, pair.why)


@pytest.mark.parametrize(("command", "pair"), PAIRS)
def test_either_alone_is_not_refused_and_a_default_is_not_said(command, pair, capsys):
    needed = NEEDED.get(command, {})
    for name in (pair.first, pair.second):
        words = as_options(command, {**needed, **values(command, name)})
        assert pair.why not in refusal([*command.split(), FILE, *words], capsys)


@pytest.mark.parametrize(
    ("plan", "option"),
    [
        ("width --half-width .1", "--points 6"),
        ("settle --at-least .7", "--shares .5,.5"),
        ("difference", "--values .7,.6"),
        ("difference", "--between .5"),
    ],
)
def test_what_is_assumed_without_a_pilot_is_refused_beside_one(plan, option, capsys):
    said = refusal(["plan", *plan.split(), FILE, *option.split()], capsys)
    assert f"{option.split()[0]} is assumed where there is no pilot" in said


def test_a_rule_for_runs_goes_with_probabilities_of_a_system(tmp_path):
    """In `route` the keyword ``runs`` names columns, here a rule: one excludes, the other does not."""
    columns: dict[str, list[float]] = {"h1": [1, 2, 1, 2] * 10, "engine": [1, 2, 2, 2] * 10}
    columns |= {"p1": [0.5] * 40, "p2": [0.5] * 40}
    evaluation = tm.evaluate(
        columns,
        humans=["h1"],
        systems=["engine"],
        probabilities={"engine": ["p1", "p2"]},
        runs="first",
    )
    assert evaluation["qwk"].n == 40
