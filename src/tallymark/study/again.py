"""Asking again: the options of an evaluation as a command and as a file for --config."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.results import Evaluation
from tallymark.sources.resolution import RULES
from tallymark.study.fields import Field
from tallymark.study.request import COMMANDS, fields_of

_KINDS = {"route": "route certify"}
"""Commands whose evaluations are called otherwise."""


def command(evaluation: Evaluation) -> str:
    """The command line that asks for the same; FILE stands for the file of scores."""
    name = _KINDS.get(evaluation.kind, evaluation.kind)
    if name not in COMMANDS:
        return f"tallymark {name} CONFIG OUT"
    words = ["tallymark", *name.split(), "FILE"]
    for field, value in _given(evaluation):
        if value is True:
            words.append(field.flag)
            continue
        words += [part for text in field.texts(value) for part in (field.flag, shlex.quote(text))]
    if evaluation.options.get("prompts"):
        words += ["--config", "options.toml"]
    return _wrapped(words)


def toml(evaluation: Evaluation) -> str:
    """The same options as a file for --config; empty where a command has files of its own."""
    lines = [f"{field.key} = {as_toml(value)}" for field, value in _given(evaluation)]
    prompts = evaluation.options.get("prompts")
    for prompt, options in prompts.items() if isinstance(prompts, Mapping) else ():
        lines += ["", f"[prompts.{_quoted(str(prompt))}]"]
        lines += [
            f"{key} = {as_toml(value)}" for key, value in options.items() if value is not None
        ]
    return "\n".join(lines)


def _given(evaluation: Evaluation) -> Iterator[tuple[Field, Any]]:
    """The fields of the command that were asked for, with their values."""
    name = _KINDS.get(evaluation.kind, evaluation.kind)
    known = fields_of(name).values() if name in COMMANDS else ()
    fields = {field.recorded: field for field in known if field.flag}
    for key, value in _asked(evaluation).items():
        nothing = value is None or value is False or value in ((), [], {}, "")
        if nothing or key not in fields or (key == "resolve" and value not in RULES):
            continue
        yield fields[key], value


def _asked(evaluation: Evaluation) -> dict[str, Any]:
    """The options under the names and in the form that the command knows."""
    asked = dict(evaluation.options)
    if evaluation.verdict is not None:
        asked.setdefault("policy", evaluation.verdict.policy)
    if asked.get("critical") is not None:
        asked.pop("lambda", None)  # follows from the points and the scale
    if evaluation.kind == "route":
        asked.pop("confidences", None)
        (system,) = asked["systems"]
        asked = {"system" if key == "systems" else key: value for key, value in asked.items()}
        asked["system"] = system
        asked["by"] = "prompt" if asked.get("by_prompt") else None
        asked |= asked.pop("confidence_columns", {})
        if asked.get("method") == "dev_zero":
            asked |= {"method": None, "dev_zero": True}
        if asked.pop("pooled", False):
            asked["pool"] = "POOL"
    return asked


def as_toml(value: Any) -> str:
    """Write a value as TOML does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        entries = ", ".join(
            f"{_quoted(str(name))} = {as_toml(entry)}" for name, entry in value.items()
        )
        return f"{{{entries}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(as_toml, value))}]"
    return repr(value) if isinstance(value, int | float) else _quoted(str(value))


def _quoted(text: str) -> str:
    """A basic string of TOML, which escapes as JSON does."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _wrapped(words: Sequence[str]) -> str:
    """Break a long command before its options, as a shell reads it."""
    text, line = "", ""
    for word in words:
        if line and len(line) + len(word) > 76 and word.startswith("--"):
            text, line = f"{text}{line} \\\n", "    "
        line += f" {word}" if line.strip() else word
    return text + line
