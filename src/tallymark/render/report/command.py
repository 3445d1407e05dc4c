"""The options of an evaluation as a command to run again and as a file for --config."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.results import Evaluation
from tallymark.results.ours import as_given

_FLAGS = {
    "humans": "human",
    "systems": "system",
    "confidences": "confidence",
    "repeats": "repeat",
    "groups": "group",
    "statistics": "statistic",
    "cuts": "cut",
    "flags": "flag",
    "references": "reference",
    "prices": "price",
    "runs": "repeat",
}
"""Options that may be given several times are called by one of them on the command line."""
_PEOPLE = (
    "human prompt trait group cluster fold id response rater score scale missing exclude sheet cross "
    "level interval replicates seed"
)
_SYSTEMS = (
    f"{_PEOPLE} gold system system_scale resolve adjudication adjacency exclude_zero flag candidate "
    "min_items statistic lambda trim"
)
_TAKEN = {
    "evaluate": f"{_SYSTEMS} confidence repeat error_variance small_group cut cut_model policy",
    "compare": f"{_SYSTEMS} by predictions confidence",
    "raters": f"{_PEOPLE} batch severity",
    "ceiling": f"{_PEOPLE} gold reference",
    "route": "human gold system confidence prompt group cluster id alpha delta lambda margin method by "
    "family one_per_cluster weigh dev_zero pool probabilities repeat confidence_from seed scale "
    "system_scale resolve missing exclude sheet trim volume price audit double",
}
"""The options of each command; those that others have are not passed on."""
_NAMED = ("systems", "confidences", "repeats", "references")
_RULES = ("first", "sum", "mean", "higher", "lower", "adjudicated")
"""Rules that --resolve takes; a gold column needs none."""
_NAMES = {"route": "route certify"}


def command(evaluation: Evaluation) -> str:
    """The command line that asks for the same; FILE stands for the file of scores."""
    if evaluation.kind not in _TAKEN:
        return f"tallymark {evaluation.kind} CONFIG OUT"
    words = ["tallymark", *_NAMES.get(evaluation.kind, evaluation.kind).split(), "FILE"]
    for flag, value in _given(evaluation):
        if value is True:
            words.append(f"--{flag}")
            continue
        words += [part for text in _texts(value) for part in (f"--{flag}", shlex.quote(text))]
    if evaluation.options.get("prompts"):
        words += ["--config", "options.toml"]
    return _wrapped(words)


def toml(evaluation: Evaluation) -> str:
    """The same options as a file for --config; empty where a command has files of its own."""
    lines = [f"{flag} = {_toml(value)}" for flag, value in _given(evaluation)]
    prompts = evaluation.options.get("prompts")
    for prompt, options in prompts.items() if isinstance(prompts, Mapping) else ():
        lines += ["", f"[prompts.{_quoted(str(prompt))}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in options.items() if value is not None]
    return "\n".join(lines)


def _given(evaluation: Evaluation) -> Iterator[tuple[str, Any]]:
    taken = _TAKEN.get(evaluation.kind, "").split()
    for key, given in _asked(evaluation).items():
        flag = _FLAGS.get(key, key)
        value = _as_given(given) if key in _NAMED else given
        nothing = value is None or value is False or value in ((), [], {}, "")
        if nothing or flag not in taken or (key == "resolve" and value not in _RULES):
            continue
        yield flag.replace("_", "-"), value


def _asked(evaluation: Evaluation) -> dict[str, Any]:
    """The options under the names and in the form that the command knows."""
    asked = dict(evaluation.options)
    if evaluation.verdict is not None:
        asked.setdefault("policy", evaluation.verdict.policy)
    if evaluation.kind == "route":
        asked.pop("confidences", None)
        asked["by"] = "prompt" if asked.get("by_prompt") else None
        asked |= asked.pop("confidence_columns", {})
        if asked.get("method") == "dev_zero":
            asked |= {"method": None, "dev_zero": True}
        if asked.pop("pooled", False):
            asked["pool"] = "POOL"
    return asked


def _as_given(names: Any) -> Any:
    """Names of systems as the user has them, without the mark that told them apart from our words."""
    if isinstance(names, Mapping):
        return {as_given(name): value for name, value in names.items()}
    return [as_given(name) for name in names]


def _texts(value: Any) -> list[str]:
    """What stands behind a flag, once for each time it is given."""
    if isinstance(value, Mapping):
        return [f"{name}={_joined(own)}" for name, own in value.items()]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_text(one) for one in value]
    return [_text(value)]


def _joined(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return _text(value)


def _text(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        own = ", ".join(f"{_quoted(str(name))} = {_toml(one)}" for name, one in value.items())
        return f"{{{own}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_toml, value))}]"
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
