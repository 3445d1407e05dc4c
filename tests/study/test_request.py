"""Every field is asked for in the same way by option, TOML, Python, JSON and the command again."""

import inspect
import shlex
from typing import Any, get_args

import click
import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.errors import OptionError
from tallymark.sources import PromptOptions, Roles, read_scores
from tallymark.study import fields as kinds
from tallymark.study.again import as_toml
from tallymark.study.again import command as again
from tallymark.study.reading import noted, read, reading_of
from tallymark.study.request import COMMANDS, FIELDS, Request, fields_of, python_words
from tests.report import cases

SAMPLES: dict[kinds.FieldKind, Any] = {
    kinds.TEXT: "it's a name",
    kinds.TEXTS: ("a b", "--c"),
    kinds.JOINED: ("p1", "p 2"),
    kinds.PAIRS: {"t=0": "sure"},
    kinds.LISTS: {"engine": ("run 1", "run2")},
    kinds.KEPT: {"flag": ["0", "1"]},
    kinds.NUMBERED: {"human": 0.5},
    kinds.SWITCH: True,
    kinds.NUMBER: 0.123456789,
    kinds.WHOLE: 7,
    kinds.NATURAL: 7,
    kinds.NUMBERS: (2.0, 3.5),
    kinds.JOINED_NUMBERS: (0.25, 0.75),
    kinds.SCALE: "1:6",
    kinds.TRIM: "range",
    kinds.TABLES: ("new=b.csv",),
    kinds.NAME_OR_FILE: "llm-judge",
}
FUNCTIONS: dict[str, Any] = {
    "evaluate": tm.evaluate,
    "compare": tm.compare,
    "raters": tm.raters,
    "ceiling": tm.ceiling,
    "route certify": tm.route.certify,
    "route apply": tm.route.apply,
    "route monitor": tm.route.monitor,
    "plan width": tm.plan.width,
    "plan settle": tm.plan.settle,
    "plan difference": tm.plan.difference,
    "plan double-scores": tm.plan.double_scores,
    "plan raters": tm.plan.raters,
    "plan certify": tm.plan.certify,
}
EVERY = [(name, field) for name in COMMANDS for field in fields_of(name).values() if field.flag]


def ident(value):
    return value if isinstance(value, str) else value.flag


def sample(field):
    if field.kind is kinds.PAIRS and not field.last:  # the first = divides: texts may hold it
        return {"3.8": "a = b"}
    if field.kind is kinds.TEXT and field.choices:
        return field.choices[0]
    if field.kind is kinds.JOINED and field.choices:
        return field.choices[:2]
    return SAMPLES.get(field.kind, "x.csv")


def parsed(name, words, given):
    """What a command would ask for, with these words."""
    found: Any = tallymark
    for word in name.split():
        found = found.get_command(click.Context(tallymark), word)
    arguments = ["x.csv"] * len([p for p in found.params if isinstance(p, click.Argument)])
    needed = [
        word
        for p in found.params
        if isinstance(p, click.Option) and p.required and p.name != given.name
        for word in (p.opts[0], "1")
    ]
    asked = [*arguments, *needed, *words]
    with found.make_context(name, asked, obj={}, **tallymark.context_settings) as context:
        return {key: context.params.get(key) for key in fields_of(name)}


def same(field, one, other):
    """Runs of a system may still stand between commas."""
    if field.kind is kinds.LISTS:
        one, other = ({k: ",".join(v) for k, v in value.items()} for value in (one, other))
    return (str(one) if field.kind is kinds.TABLE else one) == other


@pytest.mark.parametrize(("name", "field"), EVERY, ids=ident)
def test_an_option_asks_for_what_the_keyword_asks(name, field):
    value = sample(field)
    words = [f"{field.flag}={text}" for text in field.texts(value)]
    found = parsed(name, [field.flag] if value is True else words, given=field)[field.name]
    assert same(field, field.checked(found), field.checked(value))


@pytest.mark.parametrize(
    ("name", "field"),
    [
        one
        for one in EVERY
        if one[0] in ("evaluate", "compare", "raters", "ceiling", "route certify")
    ],
    ids=ident,
)
def test_a_file_of_options_asks_for_the_same(name, field, tmp_path):
    value = sample(field)
    path = tmp_path / "options.toml"
    path.write_text(f"{field.key} = {as_toml(value)}", "utf-8")
    found = parsed(name, ["--config", str(path)], given=field)[field.name]
    assert same(field, field.checked(found), field.checked(value))


@pytest.mark.parametrize(("name", "field"), [one for one in EVERY if " " not in one[0]], ids=ident)
def test_the_json_has_its_name_and_the_command_asks_for_it_again(name, field):
    value = "sum" if field.name == "resolve" else sample(field)
    options = {field.recorded: value}
    evaluation = replace(cases.one_row(), kind=name, options=options, verdict=None)
    words = shlex.split(again(evaluation).replace("\\\n", " "))[3:]
    assert words[0] == field.flag
    pairs = zip(words[::2], words[1::2], strict=True) if value is not True else ()
    given = [f"{flag}={text}" for flag, text in pairs] or words
    found = parsed(name, given, given=field)[field.name]
    assert same(field, field.checked(found), field.checked(value))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_knows_every_field_and_its_default(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    for field in fields_of(name).values():
        default = parameters[field.name].default
        assert default is (inspect.Parameter.empty if field.required else default)
        assert field.required or default == field.empty
        assert f"{field.name}: {python_words(name, field.help)}" in str(FUNCTIONS[name].__doc__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_keyword_that_does_not_exist_is_refused_with_a_near_one(name):
    field = next(iter(fields_of(name).values()))
    wrong: dict[str, Any] = {f"{field.name}x": 1}
    kinds_of = [p.kind for p in inspect.signature(FUNCTIONS[name]).parameters.values()]
    arguments = [None] * kinds_of.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    with pytest.raises(TypeError, match=f"has no keyword .* Did you mean '{field.name}'"):
        FUNCTIONS[name](*arguments, **wrong)


def test_a_name_has_one_field_in_a_command():
    for name in COMMANDS:
        flags = [field.flag for field in fields_of(name).values() if field.flag]
        assert len({*flags}) == len(flags)
    assert {field.web for field in FIELDS} <= {"form", "upload", None}
    assert all(field.help and field.section for field in FIELDS)


def test_the_kind_of_a_field_is_that_of_its_annotation():
    """What mypy and editors are told is what is checked."""
    texts = {"str": kinds.TEXT, "float": kinds.NUMBER, "int": kinds.WHOLE, "bool": kinds.SWITCH}
    for asked in COMMANDS.values():
        for hint in asked.__annotations__.values():
            own = hint if hasattr(hint, "__metadata__") else get_args(hint)[0]  # Required
            told = str(get_args(own)[0]).replace("<class '", "").removesuffix("'>")
            expected = texts.get(told.removesuffix(" | None"))
            kind = own.__metadata__[0].kind
            assert expected in (None, kinds.WHOLE if kind is kinds.NATURAL else kind)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"level": "high"}, "level must be a number, got 'high'"),
        ({"replicates": 2.5}, "replicates must be a whole number, got 2.5"),
        ({"cross": 1}, "cross must be True or False, got 1"),
        ({"humans": [1.5]}, r"humans must be a string or a list of strings, got \[1.5\]"),
        ({"prompts": {"b": {"scal": "0:12"}}}, "prompts.b has the unknown key 'scal'.*'scale'"),
        ({"prompts": {"b": 1}}, "prompts.b must be a dict"),
    ],
)
def test_python_is_told_what_is_wrong_in_its_own_words(asked, message):
    with pytest.raises(OptionError, match=message):
        Request.of("evaluate", asked)


@pytest.mark.parametrize(
    ("command", "asked", "message"),
    [
        (
            "evaluate",
            {"humans": np.arange(3.0)},
            "the name of a column, not its values, got 3 values",
        ),
        (
            "evaluate",
            {"repeats": ["a", "b"]},
            r'a dict such as \{"engine": \["column", "column"\]\}',
        ),
        ("route certify", {"system": "a", "prices": {"humans": 1}}, "Did you mean 'human'"),
        ("route certify", {"system": "a", "by": "promt"}, "by must be one of prompt, got 'promt'"),
    ],
)
def test_python_is_told_what_it_can_name(command, asked, message):
    with pytest.raises(OptionError, match=message):
        Request.of(command, asked)


def test_columns_of_a_frame_without_names_are_named_by_their_numbers():
    frame = pd.DataFrame([[1, 1], [2, 2], [3, 2], [4, 4]] * 5)
    by_number: dict[str, Any] = {"humans": 0, "systems": [1]}
    named = tm.evaluate(frame, humans=["0"], systems=["1"])
    assert tm.evaluate(frame, **by_number).to_json() == named.to_json()


def test_numbers_and_arrays_of_numpy_are_taken():
    asked = {
        "level": np.float64(0.9),
        "seed": np.int64(3),
        "cuts": np.array([1, 2]),
        "cross": np.True_,
    }
    request = Request.of("evaluate", asked)
    assert (request.level, request.seed, request.cuts, request.cross) == (0.9, 3, (1.0, 2.0), True)


def test_what_is_empty_or_none_is_left_to_its_default():
    request = Request.of("evaluate", {"humans": (), "level": None, "confidences": {}})
    assert (request.humans, request.level, request.confidences) == ((), 0.95, None)
    assert dict(request.given) == {}


def test_options_of_a_prompt_may_be_a_mapping_or_a_record():
    columns = {"h1": [1, 9], "engine": [1, 8], "prompt": ["a", "b"]}
    roles = {"humans": ["h1"], "systems": ["engine"], "prompt": "prompt", "scale": "1:6"}
    own = {"b": {"scale": "0:12", "lambda": 0.3}}
    found = read(columns, Request.of("evaluate", {**roles, "prompts": own}))
    assert str(found.scales["b"][0]) == "0:12"
    assert found.options["prompts"]["b"]["lambda"] == 0.3
    record = {"b": PromptOptions(scale="0:12", lambda_=0.3)}
    other = Request.of("evaluate", {**roles, "prompts": record})
    assert reading_of(other)["prompts"] == record


def test_what_was_asked_of_the_statistics_is_in_the_record():
    request = Request.of("evaluate", {"cuts": [2], "level": 0.9, "seed": 0})
    empty = replace(cases.one_row(), options={"level": 0.9})
    assert noted(empty, request).options == {"level": 0.9, "cuts": [2.0]}


def test_every_option_of_reading_is_one_of_the_sources():
    taken = {*inspect.signature(read_scores).parameters}
    for name in ("evaluate", "compare", "raters", "ceiling", "route certify"):
        assert {*Request.of(name, {"system": "s"} if "route" in name else {}).reading} <= taken
    roles = {*inspect.signature(Roles).parameters}
    known = {f.name for f in FIELDS if f.section in (kinds.COLUMNS, kinds.LONG)}
    assert roles - {"probed"} <= known  # named by the file of probes
