"""The request: what is asked, one record, checked the same way whoever asks.

The keywords of the commands declare the fields; options, keys of TOML files, Python's keywords, the
JSON and the command to run again come from them.
"""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from types import MappingProxyType
from typing import Any, TypeVar, cast, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace

from tallymark.errors import OptionError, TallymarkError, did_you_mean
from tallymark.study import baselines, keywords, labels, planning, routing
from tallymark.study.exclusive import check_exclusive
from tallymark.study.fields import PROMPTS, SCORES, Field
from tallymark.study.spelling import in_python

COMMANDS: Mapping[str, Any] = {
    "evaluate": keywords.EvaluateKeywords,
    "compare": keywords.CompareKeywords,
    "baseline": baselines.BaselineKeywords,
    "raters": keywords.RatersKeywords,
    "ceiling": keywords.CeilingKeywords,
    "whatif": keywords.WhatifKeywords,
    "tally": keywords.TallyKeywords,
    "labels draw": labels.DrawKeywords,
    "route certify": routing.CertifyKeywords,
    "route apply": routing.ApplyKeywords,
    "route monitor": routing.MonitorKeywords,
    "plan width": planning.WidthKeywords,
    "plan settle": planning.SettleKeywords,
    "plan difference": planning.DifferenceKeywords,
    "plan double-scores": planning.DoubleScoresKeywords,
    "plan raters": planning.PlanRatersKeywords,
    "plan certify": planning.PlanCertifyKeywords,
}
"""The keywords of every command."""
_HOLDERS = (tuple, list, Mapping)
Function = TypeVar("Function", bound=Callable[..., Any])


def _collected() -> tuple[Field, ...]:
    fields: dict[tuple[str, Field], Field] = {}
    for command, asked in COMMANDS.items():
        for name, hint in asked.__annotations__.items():
            field = _declared(hint)
            known = fields.get((name, field), replace(field, name=name))
            fields[name, field] = replace(known, commands=(*known.commands, command))
    return tuple(fields.values())


def _declared(hint: Any) -> Field:
    """The field that an annotation holds."""
    while not hasattr(hint, "__metadata__"):
        (hint,) = get_args(hint)
    field: Field = hint.__metadata__[0]
    return field


FIELDS = _collected()
"""Everything that can be asked; a name may mean another thing in another command."""


@cache
def fields_of(command: str) -> Mapping[str, Field]:
    """The fields of a command by name, in the order of its help page."""
    fields = {field.name: field for field in FIELDS if command in field.commands}
    return MappingProxyType({name: fields[name] for name in COMMANDS[command].__annotations__})


@cache
def _by_option(command: str) -> Mapping[str, str]:
    """The keywords of a command by the names of its options: ``human`` stands for ``humans``."""
    named = {field.key.replace("-", "_"): name for name, field in fields_of(command).items()}
    return MappingProxyType(named)


def python_words(command: str, text: str) -> str:
    """Write a message for who asked from Python: its options as the keywords of the command.

    >>> python_words("evaluate", "name it with --human COLUMN, or declare --scale 1:6")
    'name it with humans=["COLUMN"], or declare scale="1:6"'
    """
    return in_python(text, _by_flag(command))


@cache
def _by_flag(command: str) -> Mapping[str, Field]:
    every = [*FIELDS, *(fields_of(command).values() if command in COMMANDS else ())]
    return MappingProxyType({field.flag: field for field in every if field.flag})


class Request(Struct, frozen=True):
    """What is asked of a command: ``given`` is what was said; every other field has its default.

    >>> Request.of("raters", {"humans": ["a", "b"]}).level
    0.95
    """

    command: str
    given: Mapping[str, Any]

    @classmethod
    def of(cls, command: str, asked: Mapping[str, Any], where: str = "") -> "Request":
        """Check what is asked; None and what is empty leave a field to its default."""
        known, given = fields_of(command), {}
        for asked_as, value in asked.items():
            name = asked_as if asked_as in known else _by_option(command).get(asked_as, "")
            if name not in known:
                hint = did_you_mean(asked_as, known)
                raise TypeError(f"{command} has no keyword {asked_as!r}.{hint}")
            if name != asked_as and name in asked:
                raise TypeError(f"{command} takes {name}= or {asked_as}=, not both")
            if value is not None and not (isinstance(value, _HOLDERS) and not value):
                given[name] = checked(command, name, value, where)
        for name, field in known.items():
            if field.required and name not in given:
                raise TypeError(f"{command} needs the keyword {name!r}")
        check_exclusive(command, given)
        return cls(command, MappingProxyType(given))

    def __getattr__(self, name: str) -> Any:
        """The value of a field, or its default."""
        if name in ("command", "given") or name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Any:
        """The value of a field, or its default."""
        known = fields_of(self.command)
        if name not in known:
            raise AttributeError(f"{self.command} is not asked for {name!r}")
        if name in self.given:
            return self.given[name]
        return known[name].empty

    def some(self, names: "Mapping[str, Any] | tuple[str, ...] | list[str]") -> dict[str, Any]:
        """The values of those names that the command has."""
        known = fields_of(self.command)
        return {name: self[name] for name in names if name in known}

    @property
    def reading(self) -> dict[str, Any]:
        """How scores are read."""
        known = fields_of(self.command)
        return self.some([name for name, field in known.items() if field.section == SCORES])


def checked(command: str, name: str, value: Any, where: str = "") -> Any:
    """Check one value of a command; the options of single prompts one by one."""
    field = fields_of(command)[name]
    values = field.checked(value, where)
    if field.kind is not PROMPTS:
        return values
    return {prompt: _prompt(command, prompt, setting, where) for prompt, setting in values.items()}


def prompt_fields(command: str) -> dict[str, Field]:
    """What may differ from prompt to prompt, by its name in a TOML file."""
    return {field.key: field for field in fields_of(command).values() if field.prompts}


def _prompt(command: str, prompt: str, setting: Any, where: str) -> Any:
    """Check what differs for one prompt; a record of sources passes as it is."""
    named, known = f"prompts.{prompt}", prompt_fields(command)
    if not isinstance(setting, Mapping):
        if hasattr(setting, "lambda_"):
            return setting
        expected = (
            f'a table such as [prompts."{prompt}"]' if where else 'a dict such as {"scale": "0:3"}'
        )
        raise OptionError(f"{named}{where} must be {expected}, got {setting!r}")
    values = {}
    for written, value in setting.items():
        key = written if written in known else written.replace("_", "-")
        if key not in known and key in {field.key for field in fields_of(command).values()}:
            raise OptionError(
                f"{named}{where}: `tallymark {command}` takes one --{key} for all prompts; name it "
                "once, or run the command for each prompt alone"
            )
        if key not in known:
            raise OptionError(
                f"{named}{where} has the unknown key {written!r}; it takes {', '.join(known)}."
                f"{did_you_mean(key, known)}"
            )
        values[key] = known[key].checked_in_prompt(value, where, f"{named}.{key}")
    return values


def takes(command: str) -> Callable[[Function], Function]:
    """Show the fields of a command in the signature and the help of its function.

    What it refuses is said in Python's words; the shell asks the function that is wrapped.
    """

    def decorate(function: Function) -> Function:
        @wraps(function)
        def asked(*args: Any, **keywords: Any) -> Any:
            try:
                return function(*args, **keywords)
            except TallymarkError as error:
                error.args = (python_words(command, str(error)),)
                raise

        lines = [f"    {field.name}: {field.help}" for field in fields_of(command).values()]
        keywords = python_words(command, "\n".join(lines))
        asked.__doc__ = f"{function.__doc__}\nKeywords:\n{keywords}"
        asked.__signature__ = _signature(command, function)  # type: ignore[attr-defined]
        return cast("Function", asked)

    return decorate


def _signature(command: str, function: Callable[..., Any]) -> Signature:
    """The parameters of the function, with the fields of its command between them."""
    declared = signature(function)
    parameters = [p for p in declared.parameters.values() if p.kind != Parameter.VAR_KEYWORD]
    hints = COMMANDS[command].__annotations__
    asked = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.required else field.empty,
            annotation=_plain(hints[field.name]),
        )
        for field in fields_of(command).values()
    ]
    first = [p for p in parameters if p.kind != Parameter.KEYWORD_ONLY]
    last = [p for p in parameters if p.kind == Parameter.KEYWORD_ONLY]
    return Signature([*first, *asked, *last], return_annotation=declared.return_annotation)


def _plain(hint: Any) -> Any:
    """The type in an annotation, without the field."""
    while get_origin(hint) is not None and not hasattr(hint, "__metadata__"):
        (hint,) = get_args(hint)
    inner = get_args(hint)[0]
    return getattr(inner, "__forward_arg__", inner)
