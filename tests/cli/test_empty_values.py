"""An empty text, which is what an unset variable of the shell gives, is no value of any option."""

import click
import pytest

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.errors import OptionError
from tallymark.study.fields import NAME_OR_FILE, TABLE, TABLES
from tallymark.study.request import FIELDS, checked

REQUIRED = {
    "route certify": ["--alpha", ".2", "--system", "engine"],
    "baseline": ["--text", "id"],
    "route apply": ["--out", "decisions.csv"],
    "labels draw": ["-n", "5", "--out", "sheet.csv"],
    "lab run": ["qwk"],
    "explain": ["qwk"],
}
"""What a command cannot do without, besides its files."""


def commands(group=tallymark, path=()):
    """Every command with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


CALLS = [
    (words, parameter)
    for words, command in commands()
    for parameter in command.params
    if isinstance(parameter, click.Option) and not parameter.is_flag
]
SEEDS = [(words, option) for words, option in CALLS if option.name == "seed"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def named(call):
    return f"{' '.join(call[0])} {call[1].opts[0]}"


def ended(run, scores, words, *extra):
    """How a command ends that is given its files, what it needs, and one option more."""
    command = dict(commands())[words]
    files = [
        scores
        for argument in command.params
        if isinstance(argument, click.Argument) and argument.name != "name"
    ]
    return run(*words, *files, *REQUIRED.get(" ".join(words), ()), *extra)


@pytest.mark.parametrize("call", CALLS, ids=named)
def test_an_empty_text_is_refused_by_every_option_of_every_command(call, run, scores):
    words, option = call
    end = ended(run, scores, words, option.opts[0], "")
    assert end.code == 2, end.err
    assert option.opts[0] in end.err
    assert end.err.count("\n") <= 2
    assert end.out == ""


@pytest.mark.parametrize("call", [c for c in CALLS if c[1].type.name == "text"], ids=named)
def test_an_empty_part_of_an_option_is_no_bug(call, run, scores):
    words, option = call
    for text in (",", "h1,"):
        assert ended(run, scores, words, option.opts[0], text).code in (0, 1, 2, 3)


@pytest.mark.parametrize("call", SEEDS, ids=named)
def test_a_negative_seed_is_refused_by_every_command(call, run, scores):
    words, option = call
    end = ended(run, scores, words, option.opts[0], "-1")
    assert end.code == 2, end.err
    assert option.opts[0] in end.err
    assert end.err.count("\n") <= 2


def test_every_seed_is_tried():
    assert {("labels", "draw"), ("lab", "run"), ("lab", "properties")} <= {w for w, _ in SEEDS}


@pytest.mark.parametrize(
    ("command", "field"),
    [(c, f) for f in FIELDS for c in f.commands if f.kind not in (TABLE, TABLES, NAME_OR_FILE)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_an_empty_text_is_refused_as_every_keyword_of_python(command, field):
    with pytest.raises(OptionError) as error:
        checked(command, field.name, "")
    assert field.name in str(error.value)


def test_what_python_is_refused_says_what_to_do():
    with pytest.raises(OptionError) as error:
        tm.evaluate({"h1": [1], "engine": [1]}, groups=["a", " "])
    assert str(error.value) == ("groups is empty; give it a value, or leave it out, got ['a', ' ']")
