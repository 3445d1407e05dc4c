"""Options from a TOML file, under the names they have on the command line, which wins over it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    Decorator,
    asked,
    option,
    output_options,
    together,
)
from tallymark.errors import TOO_LONG, OptionError, did_you_mean
from tallymark.study.fields import NATURAL, NUMBER, NUMBERS, SWITCH, TEXT, TYPED, WHOLE, Field
from tallymark.study.request import checked, fields_of

ONLY_TYPED = frozenset({"config", "debug", "force", "help", "open"})
"""Options that a file cannot hold."""
CONFIG = "tallymark.config"
"""Where a command keeps which file its options came from."""


def _load(
    command: str, ctx: click.Context, _: click.Parameter, path: Path | None
) -> dict[str, dict[str, Any]]:
    """Make the file's options the defaults of the command; return those of single prompts."""
    if path is None:
        return {}
    ctx.meta[CONFIG] = [path]
    contents = _read(path)
    prompts = contents.pop("prompts", {})
    _check_dots([dotted for dotted, v in _nested(prompts) if isinstance(v, dict)], "prompts", path)
    ctx.default_map = _defaults(contents, command, ctx.command, path)
    return dict(checked(command, "prompts", prompts, f" in {path}"))


def config_option(command: str) -> Decorator:
    """Declare the option of a command that reads others from a file."""
    text = "Options in a TOML file, also for single prompts; the command line wins."
    load = partial(_load, command)
    return option(OUTPUT, "--config prompts", "FILE", text, type=PATH, is_eager=True, callback=load)


def reading(
    command: str, examples: str, *more: Decorator
) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command that reads FILE: its fields, a file of options, and where output goes."""
    file = click.argument("file", metavar="FILE", type=PATH)
    options = together([file, asked(command), *more, config_option(command), output_options])
    return lambda run: click.command(cls=Command, epilog=examples)(options(run))


def _read(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise OptionError(f"cannot read --config {path}: {problem.strerror}") from None
    except RecursionError:
        raise OptionError(f"--config {path} is nested too deeply to be options") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise OptionError(f"--config {path} is not valid TOML: {problem}") from None
    except ValueError:
        raise OptionError(f"--config {path} {TOO_LONG}") from None


def _defaults(
    contents: Mapping[str, Any], command: str, options: click.Command, path: Path
) -> dict[str, Any]:
    """Check each key and value against the fields of the command, and its other options."""
    known = {field.key: field for field in fields_of(command).values() if field.flag}
    others = {
        flag.removeprefix("--"): option
        for option in options.params
        if isinstance(option, click.Option)
        for flag in option.opts
    }
    others = {key: option for key, option in others.items() if key not in {*known, *ONLY_TYPED}}
    defaults: dict[str, Any] = {}
    for key, value in contents.items():
        name = key.replace("_", "-")
        if name in known:
            defaults[known[name].name] = _typed(known[name], value, key, path)
        elif name in others:
            defaults[str(others[name].name)] = _output(others[name], value, key, path)
        else:
            hint = did_you_mean(key, [*known, *others, "prompts"])
            raise OptionError(
                f"{path} has the unknown key {key!r}.{hint} "
                f"The keys are prompts and the options of `tallymark {command}`."
            )
    return defaults


def _typed(field: Field, value: Any, key: str, path: Path) -> Any:
    """Return the value as the command line would have it, or say what was expected."""
    _check_dots([dotted for dotted, _ in _nested(value)], key, path)
    typed = replace(field, kind=TYPED.get(field.kind, field.kind))
    checked_value = typed.checked(value, f" in {path}", key=key)
    if field.kind in (SWITCH, NUMBER, WHOLE, NATURAL, NUMBERS):
        return checked_value
    texts = field.texts(checked_value)
    return texts if field.kind.several else texts[0]


def _nested(table: Any) -> Iterator[tuple[str, Any]]:
    """Yield what stands in the tables of a table, under both names with a dot between them."""
    for name, inner in table.items() if isinstance(table, dict) else ():
        for key, value in inner.items() if isinstance(inner, dict) else ():
            yield f"{name}.{key}", value


def _check_dots(dotted: Sequence[str], key: str, path: Path) -> None:
    """Say of a name with a dot, which TOML takes for a table in a table, that it needs quotes."""
    if dotted:
        raise OptionError(
            f"{key} in {path}: a name with a dot stands in quotes there; write "
            f'"{dotted[0]}" in place of {dotted[0]}'
        )


def _output(option: click.Option, value: Any, key: str, path: Path) -> Any:
    """Check an option that says where output goes."""
    kind = SWITCH if option.is_flag else TEXT
    return Field(kind, f"--{key}", None, "", OUTPUT).checked(value, f" in {path}", key=key)
