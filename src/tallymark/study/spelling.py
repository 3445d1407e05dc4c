"""Options in the words of who asks: messages spell them for the shell; Python reads its keywords."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tallymark.study.fields import (
    JOINED,
    KEPT,
    LISTS,
    NATURAL,
    NUMBER,
    NUMBERED,
    NUMBERS,
    PAIRS,
    SWITCH,
    TABLES,
    TEXTS,
    WHOLE,
    Field,
)

ELSEWHERE = {
    "--out": "to_html()",
    "--report": "to_html()",
    "--full": "to_html()",
    "--config": "keywords",
    "--count-column": "count=",
    "--force": "force=True",
}
"""What Python has in place of options that are no keywords."""
_SHELL = ("tally", "report", "demo", "rsmeval", "rsmcompare", "rsmsummarize")
"""Commands that are no functions: Python reads them as they are typed."""
_QUOTED = r"""(?<![\w'])'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_WORD = r"[^\s()`]+?(?=[.,;:!?)]*(?:\s|$|[)`]))"
_PIECE = re.compile(
    rf"(?P<quoted>{_QUOTED})|`tallymark (?P<command>[a-z]+(?: [a-z]+[a-z-]*)?)[^`]*`|"
    rf"(?<![\w-])(?P<flag>--[a-z]+(?:-[a-z]+)*)(?![\w-])(?: (?P<value>(?!--)(?:{_QUOTED}|{_WORD})))?"
)
_REPEATED = re.compile(r"repeat it for each( column)?")
_BETWEEN = {"and", "or", "with"}


class _Said(NamedTuple):
    """An option of a message, its value if it has one, and where both end."""

    field: Field
    value: str | None
    start: int
    end: int


def in_python(text: str, fields: Mapping[str, Field]) -> str:
    """Write a message for Python: options become the keywords of their ``fields``, by flag.

    What stands in quotation marks is the user's, and stays.
    """
    text = _REPEATED.sub("a list names several", text)
    written, done = "", 0
    for keywords, start, end in _pieces(text, fields):
        written, done = written + text[done:start] + keywords, end
    return written + text[done:]


def _pieces(text: str, fields: Mapping[str, Field]) -> Iterator[tuple[str, int, int]]:
    """Yield what stands for options and commands, and from where to where."""
    run: list[_Said] = []
    for piece in _PIECE.finditer(text):
        flag, field = piece["flag"], fields.get(piece["flag"] or "")
        if run and not (field and text[run[-1].end : piece.start()] == " "):
            yield _joined(run), run[0].start, run[-1].end
            run = []
        if field:
            value = _value(field, piece["value"], text[piece.end() :], listed=bool(run))
            end = piece.end() if value else piece.start() + len(flag)
            run.append(_Said(field, value, piece.start(), end))
        elif piece["command"]:
            if piece["command"].partition(" ")[0] in _SHELL:
                continue
            called = piece["command"].replace(" ", ".").replace("-", "_")
            yield f"`tm.{called}`", *piece.span()
        elif flag in ELSEWHERE:
            yield ELSEWHERE[flag], piece.start(), piece.start() + len(flag)
    if run:
        yield _joined(run), run[0].start, run[-1].end


def _value(field: Field, word: str | None, then: str, *, listed: bool) -> str | None:
    """The word behind an option if it is its value, and not the sentence that goes on.

    The last of some ``listed`` options has one where the message ends with it.
    """
    if word is None or field.kind is SWITCH:
        return None
    of_a_column = "COL" in (field.metavar or "")
    known = not of_a_column and word in re.findall(r"[\w-]+", field.help)
    sure = re.search(r"""[=:\d'"]|\w,\w""", word) or word.isupper()
    goes_on = then.startswith(" --") and word not in _BETWEEN
    return word if sure or known or goes_on or (listed and not then.strip(".")) else None


def _joined(run: list[_Said]) -> str:
    """Keywords beside each other; an option that stands there several times is one list."""
    values: dict[str, list[str]] = {}
    fields = {said.field.name: said.field for said in run}
    for said in run:
        values.setdefault(said.field.name, []).extend([said.value] if said.value else [])
    return ", ".join(_keyword(field, values[name]) for name, field in fields.items())


def _keyword(field: Field, values: list[str]) -> str:
    if not values:
        return f"{field.name}=True" if field.kind is SWITCH else f"{field.name}="
    value: Any = _text(values[0])
    if field.kind in (NUMBER, WHOLE, NATURAL):
        value = values[0]
    elif field.kind in (TEXTS, NUMBERS):
        value = _list(values, quoted=field.kind is TEXTS)
    elif field.kind is JOINED:
        value = _list(values[0].split(","))
    elif field.kind in (PAIRS, LISTS, KEPT, NUMBERED, TABLES):
        value = f"{{{', '.join(_entry(field, value) for value in values)}}}"
    return f"{field.name}={value}"


def _entry(field: Field, value: str) -> str:
    name, _, of = value.rpartition("=") if field.last else value.partition("=")
    if field.kind in (NUMBERED, TABLES):
        return f"{_text(name)}: {of}"
    return f"{_text(name)}: {_list(of.split(',')) if field.kind is not PAIRS else _text(of)}"


def _list(values: list[str], *, quoted: bool = True) -> str:
    return f"[{', '.join(map(_text, values) if quoted else values)}]"


def _text(value: str) -> str:
    return value if value[:1] in "'\"" else f'"{value}"'
