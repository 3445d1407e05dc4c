"""Options of the commands, in the sections of their help pages: fields, and where output goes."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tallymark.study.fields import (
    EMPTY,
    JOINED,
    JOINED_NUMBERS,
    KEPT,
    LISTS,
    NATURAL,
    NUMBER,
    NUMBERED,
    NUMBERS,
    PAIRS,
    SWITCH,
    TABLE,
    TEXT,
    VERDICT,
    WHOLE,
    Field,
    FieldKind,
)
from tallymark.study.request import fields_of

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Option(click.Option):
    """An option that belongs to a section of the help page."""

    def __init__(self, *args: Any, section: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.section = section

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Refuse an empty text, which is what a variable of the shell gives that nobody set."""
        texts = value if isinstance(value, list | tuple) else (value,)
        if any(isinstance(text, str) and not text.strip() for text in texts):
            raise click.BadParameter(f"{EMPTY}.", ctx, self)
        return super().process_value(ctx, value)


class AskedOption(Option):
    """The option of a field: where it was not said, the request has the default.

    So that an option that excludes another is known from its default, even at the same value.
    """

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        """What was said, on the command line or in a file; None where nothing was."""
        value, source = super().consume_value(ctx, opts)
        unsaid = (
            source is ParameterSource.DEFAULT and not self.required
        )  # click refuses these itself
        return (None if unsaid else value), source


class _Path(click.Path):
    """A path that names something: not the folder one stands in because a variable was empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty path, and one that no system has."""
        if not os.fspath(value):
            self.fail("is empty; name a file or folder.", param, ctx)
        if "\0" in str(value):
            self.fail(f"no path has a null character, got {value!r}.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


class Command(click.Command):
    """A command whose help page lists its options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list of options per section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                section = getattr(parameter, "section", OUTPUT)
                sections.setdefault(section, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def option(section: str, names: str, metavar: str | None, text: str, **settings: Any) -> Decorator:
    """Declare an option of a section; ``names`` are its flag and, if it differs, its parameter."""
    settings = {"cls": Option, **settings}
    return click.option(*names.split(), section=section, metavar=metavar, help=text, **settings)


def together(options: Sequence[Decorator]) -> Decorator:
    """Apply several options, the first of them first on the help page."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def asked(command: str) -> Decorator:
    """Declare the options of a command: its fields, in their order."""
    return together([_of(field) for field in fields_of(command).values() if field.flag])


def _of(field: Field) -> Decorator:
    """Declare the option of a field."""
    given: dict[str, Any] = {"multiple": field.kind.several, "required": field.required}
    if field.kind is SWITCH:
        given = {"is_flag": True}
    elif field.kind is TABLE:
        given["type"] = PATH
    elif field.kind in (NUMBER, NUMBERS):
        given["type"] = float
    elif field.kind is WHOLE:
        given["type"] = int
    elif field.kind is NATURAL:
        given["type"] = click.IntRange(0)
    elif field.choices and field.kind is TEXT:
        given["type"] = click.Choice(field.choices)
    if field.kind in _READ:
        given["callback"] = partial(_READ[field.kind], field)
    if field.default is not None:
        given |= {"default": field.default, "show_default": field.shown}
    names = " ".join(filter(None, (field.flag, field.also, field.name)))
    metavar = "INTEGER" if field.kind is NATURAL else field.metavar
    return option(field.section, names, metavar, field.help, cls=AskedOption, **given)


def _pairs(
    field: Field, ctx: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> dict[str, Any] | None:
    """Read NAME=COL; a name, such as that of a system, may hold the sign too."""
    values: dict[str, Any] = {}
    for text in given:
        name, _, value = text.rpartition("=") if field.last else text.partition("=")
        if not (name and value):
            raise click.BadParameter(f"expected {field.metavar}, got {text!r}.", ctx, parameter)
        if name in values:
            raise click.BadParameter(f"{name!r} is given more than once.", ctx, parameter)
        if field.choices and name not in field.choices:
            known = ", ".join(field.choices)
            raise click.BadParameter(f"{name!r} is none of {known}.", ctx, parameter)
        values[name] = _value(field, ctx, parameter, text, value)
    return values or None


def _value(
    field: Field, ctx: click.Context, parameter: click.Parameter, text: str, value: str
) -> Any:
    """What stands behind the sign: columns, values between commas, or a number."""
    if field.kind is KEPT:
        return value.split(",")
    if field.kind is not NUMBERED:
        return value
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(
            f"expected {field.metavar}, got {text!r}.", ctx, parameter
        ) from None


def _joined(
    field: Field, ctx: click.Context, parameter: click.Parameter, given: str | None
) -> tuple[Any, ...] | None:
    """Read texts or numbers between commas."""
    texts = tuple(text.strip() for text in given.split(",")) if given is not None else ()
    if not all(texts):
        raise click.BadParameter(f"expected {field.metavar}, got {given!r}.", ctx, parameter)
    if field.kind is JOINED or given is None:
        return texts or None
    try:
        return tuple(float(text) for text in texts)
    except ValueError:
        raise click.BadParameter(f"expected numbers, got {given!r}.", ctx, parameter) from None


_READ: dict[FieldKind, Callable[..., Any]] = {
    PAIRS: _pairs,
    LISTS: _pairs,
    KEPT: _pairs,
    NUMBERED: _pairs,
    JOINED: _joined,
    JOINED_NUMBERS: _joined,
}
"""How options are read that hold more than one text or number."""


def note(ctx: click.Context, parameter: click.Parameter, given: bool) -> bool:
    """Remember for the end of the command what is no option of the analysis."""
    if isinstance(ctx.obj, dict):
        ctx.obj[str(parameter.name)] = given
    return given


def refused(flag: str, why: str, **settings: Any) -> Decorator:
    """Say why an option of other commands is none here."""

    def refuse(_: click.Context, __: click.Parameter, given: Any) -> None:
        from tallymark.errors import OptionError

        if given:
            raise OptionError(why)

    settings = {"cls": Option, **settings}
    return click.option(flag, hidden=True, expose_value=False, callback=refuse, **settings)


OUTPUT = "Output"
OUT = "Write report.html, evaluation.json, exclusions.csv and tables/*.csv there."
GATE = "Exit with 1 if the policy is not met, with 3 if these data do not settle it."
SUMMARY = "Write the verdict and the leading numbers there as Markdown."

verdict_options = together(
    [
        option(VERDICT, "--gate", None, GATE, is_flag=True),
        option(VERDICT, "--summary", "FILE", SUMMARY, type=PATH),
    ]
)
"""What follows from a verdict."""
debug_option = option(
    OUTPUT,
    "--debug",
    None,
    "Show a traceback when Tallymark itself fails.",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=note,
)
force_option = option(
    OUTPUT,
    "--force",
    None,
    "Replace files that Tallymark did not write. Nothing that the command reads is replaced.",
    is_flag=True,
    expose_value=False,
    callback=note,
)
open_option = option(
    OUTPUT,
    "--open",
    None,
    "Show the report in the browser; without this, nothing is opened.",
    is_flag=True,
    expose_value=False,
    callback=note,
)
json_option = option(
    OUTPUT, "--json as_json", None, "Print the JSON and nothing else.", is_flag=True
)
output_options = together(
    [
        option(OUTPUT, "--out", "DIR", OUT, type=PATH),
        force_option,
        open_option,
        json_option,
        debug_option,
    ]
)
