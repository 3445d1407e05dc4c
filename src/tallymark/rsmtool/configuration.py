"""Configuration: RSMTool's JSON read, completed with its defaults and checked."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tallymark.errors import TOO_LONG, OptionError, did_you_mean
from tallymark.rsmtool.fields import (
    BOOLEANS,
    ELSEWHERE,
    FORMATS,
    ID_FIELD,
    LISTS,
    NUMBERS,
    OPTIONAL,
    REQUIRED,
    SECTIONS,
    TEXTS,
    Tool,
)

LONGEST_ID = 200
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_EXAMPLES = {"trim_min": "1", "trim_max": "6", "experiment_dirs": '["run1", "run2"]'}


def read_configuration(path: Path, tool: Tool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return every field of a configuration file, and what should be said about it."""
    given = _converted(_parsed(path), path.name)
    for field, meaning in REQUIRED[tool].items():
        if given.get(field) is None:
            example = _EXAMPLES.get(field, '"..."')
            raise OptionError(
                f'{path.name} lacks {field!r}, {meaning}; add "{field}": {example} to it'
            )
    known = {**REQUIRED[tool], **OPTIONAL[tool]}
    others = {field for fields in OPTIONAL.values() for field in fields} | ELSEWHERE
    notes = []
    for field in given:
        if field in known:
            continue
        if field not in others:
            raise OptionError(
                f"{path.name} has the unknown field {field!r}.{did_you_mean(field, known)} "
                f"Remove it; docs/rsmtool.md lists the fields of {tool}."
            )
        notes.append(f"{field} of {path.name} belongs to another RSM tool and was not used")
    fields = {field: value for field, value in given.items() if field in known}
    # a field that is null counts as left out
    fields |= {field: value for field, value in OPTIONAL[tool].items() if fields.get(field) is None}
    _check_id(str(fields[ID_FIELD[tool]]), ID_FIELD[tool], path.name)
    return fields, tuple(notes)


def locate(name: str, folder: Path, field: str) -> Path:
    """Find a file as it is named, else beside the configuration, as RSMTool looks for it."""
    beside = folder / name
    for path in (Path(name), beside):
        if path.exists():
            return path
    raise OptionError(f"there is no file {name!r}, named as {field}; looked also for {beside}")


def check_sections(sections: list[str], source: str) -> None:
    """Refuse sections that RSMTool's report does not have."""
    for section in sections:
        if section not in (*SECTIONS, "all"):
            raise OptionError(
                f"general_sections of {source} names {section!r}, which is no section of rsmeval."
                f"{did_you_mean(section, SECTIONS)} The sections are {', '.join(SECTIONS)}."
            )


def check_format(fields: Mapping[str, Any], source: str) -> None:
    """Refuse a file format that RSMTool does not write."""
    if fields["file_format"] not in FORMATS:
        raise OptionError(
            f"file_format of {source} must be {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, "
            f"got {fields['file_format']!r}"
        )


def _parsed(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise OptionError(f"there is no configuration {path}; name a JSON file")
    if path.is_dir() or path.suffix.lower() != ".json":
        raise OptionError(f"the configuration must be a .json file, got {path}")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise OptionError(f"{path.name} is not UTF-8; save it as UTF-8") from None
    # blanks keep the place of what follows, for the line and column of an error
    plain = _COMMENT.sub(lambda m: m[1] or re.sub(r"[^\n]", " ", m[0]), text)
    try:
        fields = json.loads(plain)
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise OptionError(f"{path.name} holds half a character (\\ud800 to \\udfff)") from None
    except RecursionError:
        raise OptionError(f"{path.name} is nested too deeply to be a configuration") from None
    except json.JSONDecodeError as problem:
        raise OptionError(
            f"{path.name} is not valid JSON in line {problem.lineno}, column {problem.colno}: "
            f"{problem.msg}. Fields are separated by commas, with none after the last."
        ) from None
    except ValueError:
        raise OptionError(f"{path.name} {TOO_LONG}") from None
    if not isinstance(fields, dict):
        raise OptionError(f'{path.name} must hold an object {{"experiment_id": ...}}')
    return fields


def _converted(given: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Read lists written with commas, and booleans and numbers written as text."""
    converted: dict[str, Any] = {}
    for field, value in given.items():
        if value is None:
            converted[field] = None
        elif field in LISTS:
            converted[field] = _listed(field, value, source)
        elif field in BOOLEANS:
            converted[field] = _boolean(field, value, source)
        elif field in NUMBERS:
            converted[field] = _number(field, value, source)
        else:
            converted[field] = _text(field, value, source) if field in TEXTS else value
    return converted


def _listed(field: str, value: Any, source: str) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return value
    raise OptionError(f"{field} of {source} must be a list of texts, got {value!r}")


def _text(field: str, value: Any, source: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise OptionError(f"{field} of {source} must be text, got {str(value)[:80]}")
    return str(value)


def _boolean(field: str, value: Any, source: str) -> bool:
    word = str(value).strip().casefold()
    if word not in ("true", "false"):
        raise OptionError(f"{field} of {source} must be true or false, got {value!r}")
    return word == "true"


def _number(field: str, value: Any, source: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise OptionError(f"{field} of {source} must be a number, got {value!r}")
    return value if isinstance(value, int | float) else number


def _check_id(name: str, field: str, source: str) -> None:
    if len(name) > LONGEST_ID:
        raise OptionError(
            f"{field} of {source} has {len(name)} characters; it must have {LONGEST_ID} at most"
        )
    if not name or re.search(r"[\s/\\]", name) or not name.isprintable():
        raise OptionError(
            f"{field} of {source} must be a word without spaces and slashes, got {name!r}"
        )
