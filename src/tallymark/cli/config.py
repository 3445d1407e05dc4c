"""Options from a TOML file, under the names they have on the command line, which wins over it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tallymark.cli.options import OUTPUT, PATH, option
from tallymark.errors import TOO_LONG, OptionError, did_you_mean
from tallymark.scale import TRIM_RULES

ONLY_TYPED = frozenset({"config", "debug", "help", "open"})
"""Options that a file cannot hold."""
PROMPT_KEYS = {"scale": "scale", "resolve": "text", "trim": "trim", "lambda": "number"}
"""What may differ for a prompt; where people are looked at alone, only the scale."""
_EXPECTED = {
    "text": "text in quotes",
    "texts": "text in quotes or a list of them",
    "pairs": 'a table such as {engine = "column"}',
    "switch": "true or false",
    "whole number": "a whole number",
    "number": "a number",
    "numbers": "a list of numbers",
    "scale": 'text such as "1:6" or a list of points',
    "trim": "half-step, range, none or a number of steps",
}


CONFIG = "tallymark.config"
"""Where a command keeps which file its options came from."""


def _load(ctx: click.Context, _: click.Parameter, path: Path | None) -> dict[str, dict[str, Any]]:
    """Make the file's options the defaults of the command; return those of single prompts."""
    if path is None:
        return {}
    ctx.meta[CONFIG] = [path]
    found = _read(path)
    prompts = found.pop("prompts", {})
    ctx.default_map = _defaults(found, ctx.command, path)
    alone = not {"system", "systems"} & {parameter.name for parameter in ctx.command.params}
    known = {"scale": PROMPT_KEYS["scale"]} if alone else PROMPT_KEYS
    return _prompts(prompts, known, path)


config_option = option(
    OUTPUT,
    "--config prompts",
    "FILE",
    "Options in a TOML file, also for single prompts; the command line wins.",
    type=PATH,
    is_eager=True,
    callback=_load,
)


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


def _defaults(found: Mapping[str, Any], command: click.Command, path: Path) -> dict[str, Any]:
    """Check each key and value against the options of the command."""
    known = {
        flag.removeprefix("--"): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for flag in parameter.opts
        if flag.removeprefix("--") not in ONLY_TYPED
    }
    defaults: dict[str, Any] = {}
    for key, value in found.items():
        parameter = known.get(key.replace("_", "-"))
        if parameter is None:
            raise OptionError(
                f"{path} has the unknown key {key!r}.{did_you_mean(key, [*known, 'prompts'])} "
                f"The keys are prompts and the options of `tallymark {command.name}`."
            )
        defaults[str(parameter.name)] = _checked(value, _kind(parameter), key, path)
    return defaults


def _kind(parameter: click.Option) -> str:
    if parameter.multiple:
        if parameter.type.name == "float":
            return "numbers"
        return "pairs" if parameter.callback is not None else "texts"
    if parameter.is_flag:
        return "switch"
    if parameter.name in ("scale", "system_scale"):
        return "scale"
    return {"integer": "whole number", "float": "number"}.get(parameter.type.name, "text")


def _prompts(found: Any, known: Mapping[str, str], path: Path) -> dict[str, dict[str, Any]]:
    """Check the tables of single prompts."""
    if not isinstance(found, dict):
        raise OptionError(f'prompts in {path} must be tables such as [prompts."essay 1"]')
    checked: dict[str, dict[str, Any]] = {}
    for prompt, options in found.items():
        where = f"prompts.{prompt}"
        if not isinstance(options, dict):
            raise OptionError(f'{where} in {path} must be a table such as [prompts."{prompt}"]')
        checked[prompt] = {}
        for key, value in options.items():
            if key not in known:
                raise OptionError(
                    f"{where} in {path} has the unknown key {key!r}; it takes "
                    f"{', '.join(known)}.{did_you_mean(key, known)}"
                )
            checked[prompt][key] = _checked(value, known[key], f"{where}.{key}", path)
    return checked


def _checked(value: Any, kind: str, key: str, path: Path) -> Any:
    """Return the value as the command line would have it, or say what was expected."""
    if kind == "texts" and isinstance(value, str):
        value = [value]
    if not _fits(value, kind):
        raise OptionError(f"{key} in {path} must be {_EXPECTED[kind]}, got {value!r}")
    if kind == "scale" and isinstance(value, list):
        return ",".join(str(point) for point in value)
    if kind == "pairs":
        return [
            f"{name}={','.join(columns) if isinstance(columns, list) else columns}"
            for name, columns in value.items()
        ]
    return value


def _fits(value: Any, kind: str) -> bool:
    if kind == "trim" and not isinstance(value, str):
        kind = "number"
    if kind == "pairs":
        return isinstance(value, dict) and all(
            _fits(each, "text or texts") for each in value.values()
        )
    if kind in ("texts", "text or texts") and isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    if kind == "scale" and isinstance(value, list):
        return all(isinstance(each, str | int | float) for each in value)
    if kind == "numbers":
        return isinstance(value, list) and all(_fits(each, "number") for each in value)
    if kind in ("whole number", "number", "switch"):
        wanted: Any = {"whole number": int, "number": (int, float), "switch": bool}[kind]
        return isinstance(value, wanted) and isinstance(value, bool) == (kind == "switch")
    return isinstance(value, str) and (kind != "trim" or value in TRIM_RULES)
