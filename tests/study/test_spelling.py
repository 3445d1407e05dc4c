"""Who asks from Python reads its keywords; the shell reads options."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import tallymark as tm
from tallymark.cli.main import COMMANDS as SHELL
from tallymark.errors import TallymarkError
from tallymark.study.request import COMMANDS, python_words
from tallymark.study.spelling import in_python

ROOT = Path(tm.__file__).parent
OPTION = re.compile(r"(?<![\w'-])--[a-z]")
OF_THE_SHELL = ("cli/", "analyses/files.py", "render/files.py", "render/figures/")
"""What only the command line calls, and what draws."""
WIDE = {"h1": [1, 2, 3, 4] * 5, "h2": [1, 2, 3, 3] * 5, "engine": [1, 2, 4, 4] * 5}


def messages():
    """Yield every text of the program that spells an option; docstrings are for developers."""
    for path in sorted(ROOT.rglob("*.py")):
        place = str(path.relative_to(ROOT))
        if place.startswith(OF_THE_SHELL):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            text = getattr(node, "value", None)
            if isinstance(text, str) and OPTION.search(text) and id(node) not in said:
                yield pytest.param(text, id=f"{place}:{node.lineno}")  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [*messages()])
def test_every_message_can_be_said_in_python(text):
    assert not OPTION.search(python_words("evaluate", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name it with --human COLUMN (a, b)", 'name it with humans=["COLUMN"] (a, b)'),
        ("--human h1 --human h2", 'humans=["h1", "h2"]'),
        ("Name a second one with --human.", "Name a second one with humans=."),
        ("--response id --rater who --human N", 'response="id", rater="who", humans=["N"]'),
        ("widen --scale, or --exclude off-scale.", 'widen scale=, or exclude=["off-scale"].'),
        ("--missing 'n/a' reads it", "missing=['n/a'] reads it"),
        ("--confidence NAME=COL", 'confidences={"NAME": "COL"}'),
        ("--repeat a=b=RUN1,RUN2", 'repeats={"a=b": ["RUN1", "RUN2"]}'),
        ("--cut 4 and --lambda .4", "cuts=[4] and lambda_=.4"),
        ("--candidate and --min-items go", "candidate= and min_items= go"),
        ("add --one-per-cluster to it", "add one_per_cluster=True to it"),
        ("use `tallymark plan double-scores`", "use `tm.plan.double_scores`"),
        ("A rater; repeat it for each.", "A rater; a list names several."),
        ("column '--human' of --nothing", "column '--human' of --nothing"),
        ("the raters' scores: --scale, the system's: --gold", "the raters' scores: scale=, the system's: gold="),
    ],
)  # fmt: skip
def test_options_become_keywords_with_their_values(text, expected):
    assert python_words("evaluate", text) == expected


def test_an_option_of_two_commands_becomes_the_keyword_of_the_one_that_is_asked():
    assert python_words("ceiling", "--reference NAME=VALUE") == 'references={"NAME": VALUE}'
    assert python_words("evaluate", "--reference FILE") == 'reference="FILE"'


def test_an_option_is_the_keyword_of_the_command_that_was_asked():
    assert python_words("route certify", "--repeat COL,COL") == 'runs=["COL", "COL"]'
    assert python_words("route certify", "--confidence COL") == 'confidence="COL"'


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tm.evaluate({"a": [1, 2], "b": [1, 2]}), r'name it with humans=\["COLUMN"\]'),
        (lambda: tm.evaluate(WIDE, humans="h9"), "asked for as humans="),
        (lambda: tm.evaluate(WIDE, humans="h1", systems="engine", scale="1:3"), "widen scale="),
        (
            lambda: tm.evaluate({"h1": ["x", 1], "engine": [1, 2]}, humans="h1"),
            r'exclude=\["text"\]',
        ),
        (lambda: tm.raters({"h1": [1, 2], "engine": [1, 2]}, humans="h1"), "with humans="),
        (lambda: tm.ceiling(WIDE, humans="h1"), "Name a second one with humans="),
        (lambda: tm.compare(WIDE, systems="engine"), "Name them with systems="),
        (lambda: tm.plan.raters(reliability=0.9), "or single="),
        (lambda: tm.plan.double_scores({"a": [1]}, half_width=0.1, responses=9), r"humans=\["),
        (lambda: tm.route.certify(WIDE, system="engine"), "name alpha="),
        (lambda: tm.route.certify(WIDE, system="engine", alpha=0.1), 'confidence="COL"'),
    ],
)
def test_errors_from_python_name_its_keywords(call, message):
    with pytest.raises(TallymarkError, match=message) as refused:
        call()
    assert not OPTION.search(str(refused.value))


def test_every_function_of_a_command_says_errors_in_python():
    functions: list[Any] = [tm.evaluate, tm.compare, tm.baseline, tm.raters, tm.ceiling, tm.whatif]
    functions += [getattr(tm.plan, name) for name in tm.plan.__all__]
    functions += [tm.route.certify, tm.route.apply, tm.route.monitor, tm.labels.draw]
    assert len(functions) == len({*COMMANDS} - {"tally"})  # which writes a file and no answer
    for function in functions:
        assert function.__wrapped__
        assert not OPTION.search(function.__doc__)


def test_the_name_of_an_option_is_taken_for_its_keyword():
    by_keyword: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"]}
    by_option: dict[str, Any] = {"human": "h1", "system": "engine"}
    assert tm.evaluate(WIDE, **by_option).to_json() == tm.evaluate(WIDE, **by_keyword).to_json()
    with pytest.raises(TypeError, match="evaluate takes humans= or human=, not both"):
        tm.evaluate(WIDE, **by_option, **by_keyword)


@pytest.mark.parametrize("command", SHELL)
def test_commands_that_are_no_functions_stay_commands(command):
    said = in_python(f"see `tallymark {command} FILE`", {})
    there = command in tm.__all__
    assert said == (f"see `tm.{command}`" if there else f"see `tallymark {command} FILE`")
