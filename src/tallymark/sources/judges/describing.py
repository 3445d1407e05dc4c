"""Describing: what stands in JSON that no tool is known for, and how to map it."""

import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

from tallymark.sources import words
from tallymark.sources.judges.contents import DEEPEST
from tallymark.sources.judges.records import Columns, records_of
from tallymark.sources.roles import listed

_MOST_LISTS = 4
_MOST_FIELDS = 8
_FEW_RATERS = 50
_PEOPLE = re.compile(
    rf"{words.HUMAN.pattern}|{words.GOLD.pattern}|target|expected|(human|user|expert|gold|manual).*|annotations?|ui"
)
_JUDGES = re.compile(
    rf"{words.SYSTEM.pattern}|(judge|eval|llm|auto|metric|online|scorer|service|runnable).*|.*(judge|output)"
)
_KIND = re.compile(r"(.*_)?(source|kind|type|by|creator|author)")
_TRAIT = re.compile(rf"{words.TRAIT.pattern}|(.*_)?(name|metric|question|evaluator|scorer)")
_TIME = re.compile(r"(.*_)?(at|time|timestamp|date)")
_ASIDE = re.compile(
    r"threshold|order|index|.*(duration|time|cost|tokens?|latency|count|seed)|flaky|success|strict_?mode|epoch"
)
"""Numbers that stand beside scores and are none."""


class _Records(NamedTuple):
    """A list of records: where it is, and what its records hold."""

    path: str
    columns: Columns

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))


def what_is_in(source: str, content: Any) -> str:
    """Say which lists of records there are, what they hold, and the options that read one of them."""
    paths = sorted({*_paths(content, "", 0)}, key=lambda path: (path.count("."), path))
    several = [_Records(path, records_of(source, content, path)) for path in paths[:_MOST_LISTS]]
    several = [each for each in several if each.columns]
    text = f"{source} is JSON that no importer recognises"
    if not several:
        return f"{text}, and it holds no list of objects; a record for each score is needed"
    shown = "; ".join(map(_shown, several))
    options = next((options for each in several if (options := _mapping(each))), "")
    example = options or (
        f"--records {several[0].path} --id FIELD --human FIELD --system FIELD, where a record is a "
        "response, or --response FIELD --rater FIELD --score FIELD, where it is a rating"
    )
    return f"{text}. It holds {shown}. To map it, add {example}"


def _paths(value: Any, here: str, depth: int) -> Iterator[str]:
    """The paths of lists of objects, and of objects that are alike under one key each."""
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if key and "." not in key:
                yield from _paths(item, f"{here}.{key}" if here else key, depth + 1)
        keys = [frozenset(item) for item in value.values() if isinstance(item, dict)]
        if len(keys) == len(value) > 1 == len({*keys}):
            yield f"{here}.*" if here else "*"
    elif isinstance(value, list):
        objects = [item for item in value if isinstance(item, dict)]
        if objects:
            yield here or "."
            yield from _paths(objects[0], here, depth + 1)


def _kind(values: list[str | None]) -> str:
    """What a column holds."""
    given = [value for value in values if value is not None]
    kinds = {"true or false" if v in ("true", "false") else _number_or_text(v) for v in given}
    return kinds.pop() if len(kinds) == 1 else "text" if kinds else "empty"


def _number_or_text(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return "text"
    return "number"


def _shown(each: _Records) -> str:
    fields = []
    for name, values in each.columns.items():
        filled = sum(value is not None for value in values)
        some = f" in {filled:,}" if filled < each.rows else ""
        fields.append(f"{name[:60]} ({_kind(values)}{some})")
    return f"{each.rows:,} records at {each.path} with {listed(fields, _MOST_FIELDS)}"


def _mapping(each: _Records) -> str:
    """Options that read the records; empty where they do not look like scores."""
    columns = each.columns
    scores = [n for n in columns if _kind(columns[n]) != "text" and _distinct(each, n) > 1]
    ids = [n for n in columns if _distinct(each, n) == each.rows and n not in scores]
    ids += [n for n in scores if _distinct(each, n) == each.rows and _fits(words.IDENTIFIER, n)]
    scores = [n for n in scores if n not in ids and not _is_aside(n)]
    human = next((n for n in scores if _fits(_PEOPLE, n)), None)
    others = [n for n in scores if n != human]
    system = next((n for n in others if _fits(_JUDGES, n)), None)
    system = system or next((n for n in others if _fits(words.SCORE, n)), None)
    if human and system:
        name = next((n for n in ids if _fits(words.IDENTIFIER, n)), next(iter(ids), None))
        chosen = {"--records": each.path, "--id": name, "--human": human, "--system": system}
        return _written(chosen)
    return _long(each, scores)


def _fits(pattern: re.Pattern[str], name: str) -> bool:
    """Whether a part of a path is named so."""
    return any(pattern.fullmatch(words.plain(part)) for part in name.split("."))


def _is_aside(name: str) -> bool:
    last = words.plain(name.rpartition(".")[2])
    return words.names_a_key(last) or _ASIDE.fullmatch(last) is not None


def _long(each: _Records, scores: list[str]) -> str:
    """Options for one record per rating: raters are few, responses recur with other raters."""
    filled = {n: sum(value is not None for value in each.columns[n]) for n in scores}
    scores = [n for n in scores if filled[n] == max(filled.values())]
    score = next((n for n in scores if _fits(words.SCORE, n)), next(iter(scores), None))
    texts = [n for n in each.columns if n != score and None not in each.columns[n]]
    recurring = [n for n in texts if 1 < _distinct(each, n) < each.rows]
    raters = [n for n in recurring if _distinct(each, n) <= _FEW_RATERS]
    raters.sort(key=lambda n: (_likeness(each, n), _distinct(each, n)))
    responses = [n for n in recurring if not _TIME.fullmatch(words.plain(n))]
    responses.sort(key=lambda n: not _fits(words.IDENTIFIER, n))
    for rater in raters if score else ():
        judges, people = _sides(each, rater)
        values = {value for value in each.columns[rater] if value}
        if len(values) > 2 and not judges:
            continue
        system = judges[0] if judges else next((v for v in sorted(values) if v not in people), "")
        for response in responses:
            trait = _told_apart(each, [response, rater], recurring)
            if _distinct(each, response) > len(values) and trait is not None:
                keys = {"--response": response, "--trait": trait, "--rater": rater}
                return _written(
                    {"--records": each.path, **keys, "--score": score, "--system": system}
                )
    return ""


def _told_apart(each: _Records, keys: list[str], recurring: list[str]) -> str | None:
    """The column of traits without which ratings of a rater repeat; empty where they do not."""
    traits = [n for n in recurring if n not in keys and _TRAIT.fullmatch(words.plain(n))]
    for trait in ("", *traits):
        columns = [each.columns[name] for name in (*keys, trait) if name]
        if len({*zip(*columns, strict=True)}) == each.rows:
            return trait
    return None


def _sides(each: _Records, rater: str) -> tuple[list[str], list[str]]:
    """The values of a column that are named like judges, and those named like people."""
    values = sorted({value for value in each.columns[rater] if value})
    judges = [value for value in values if _fits(_JUDGES, value)]
    return judges, [value for value in values if _fits(_PEOPLE, value)]


def _likeness(each: _Records, name: str) -> int:
    """0 where a column holds both people and judges, 1 where it is named like the rater's, else 2."""
    if all(_sides(each, name)):
        return 0
    return 1 if _fits(words.RATER, name) or _fits(_KIND, name) else 2


def _distinct(each: _Records, name: str) -> int:
    return len({value for value in each.columns[name] if value is not None})


def _written(options: dict[str, str | None]) -> str:
    return " ".join(f"{flag} {shlex.quote(value)}" for flag, value in options.items() if value)
