"""The reference of the public Python names, written from their docstrings."""

import inspect
import re
from collections.abc import Iterator
from textwrap import wrap
from types import ModuleType
from typing import Any

import tallymark as tm

HEAD = """\
# Python names

Every public name, from its docstring; `tm` is `tallymark`. [From Python](python.md) shows them in use.
This page is written from the code."""


def public_names() -> dict[str, Any]:
    """Every public name and what it is: those of the package, then those of its modules."""
    own = {f"tm.{name}": getattr(tm, name) for name in dir(tm)}
    names = {name: thing for name, thing in own.items() if not isinstance(thing, ModuleType)}
    for name, module in own.items():
        if isinstance(module, ModuleType):
            names[name] = module
            names |= {f"{name}.{member}": getattr(module, member) for member in dir(module)}
    return names


def api_page() -> str:
    """Every public name under a heading of its own."""
    lines = [HEAD, "## tm"]
    for name, thing in public_names().items():
        if isinstance(thing, ModuleType):
            lines += [f"## {name}", markdown(inspect.getdoc(thing) or "")]
        else:
            lines += [f"### {name.replace('__', ESCAPED)}", *_described(name, thing)]
    return "\n\n".join(line for line in lines if line) + "\n"


def _described(name: str, thing: Any) -> Iterator[str]:
    if inspect.isroutine(thing) or inspect.isclass(thing):
        yield f"```\n{_call(name, thing)}\n```" if _own_signature(thing) else ""
        yield markdown(inspect.getdoc(thing) or "")
    else:
        yield CONSTANTS[name]
    if inspect.isclass(thing):
        yield "\n".join(_members(thing))


ESCAPED = r"\_\_"
LONGEST = 30
"""Characters of a default that a call shows."""
CONSTANTS = {
    "tm.CATALOGUE": "The `Row` of every number Tallymark reports; [Statistics](statistics.md) is written from it.",
    "tm.__version__": "The version, a text.",
}


def _own_signature(thing: Any) -> bool:
    return not (inspect.isclass(thing) and issubclass(thing, Exception))


def _call(name: str, thing: Any) -> str:
    """How it is called, without types; keywords that the docstring lists are not repeated."""
    listed = re.findall(
        r"^ +(\w+): ", (inspect.getdoc(thing) or "").partition("Keywords:")[2], re.MULTILINE
    )
    shown: list[str] = []
    star = False
    for one in inspect.signature(thing).parameters.values():
        if one.name in listed:
            continue
        if one.kind is one.KEYWORD_ONLY and not star:
            shown, star = [*shown, "*"], True
        shown.append(_parameter(one))
    call = f"{name}({', '.join([*shown, *(['**keywords'] if listed else [])])})"
    return "\n".join(wrap(call, 88, subsequent_indent="    ", break_long_words=False))


def _parameter(one: inspect.Parameter) -> str:
    mark = "**" if one.kind is one.VAR_KEYWORD else ""
    if one.default is one.empty:
        return mark + one.name
    default = repr(one.default)
    return f"{one.name}={'...' if default.startswith('<') or len(default) > LONGEST else default}"


def _members(thing: type) -> Iterator[str]:
    """The public methods and properties that say what they do; fields stand in the call."""
    for name, member in vars(thing).items():
        value = getattr(member, "__func__", member)
        said = inspect.getdoc(value)
        called = inspect.isfunction(value)
        if name.startswith("_") or not said or not (called or isinstance(value, property)):
            continue
        first = " ".join(said.split("\n\n")[0].split())
        yield f"- `{name}{'()' if called else ''}`: {_inline(first)}"


def markdown(said: str) -> str:
    """A docstring as Markdown: examples and formulas become blocks, keywords a list."""
    text, _, keywords = said.partition("Keywords:\n")
    parts = [
        _paragraph(part) for part in re.split(r"\n\s*\n", inspect.cleandoc(text)) if part.strip()
    ]
    options = re.findall(r"^ +(\w+): (.*)$", keywords, re.MULTILINE)
    parts += ["\n".join(f"- `{name}`: {_inline(help_)}" for name, help_ in options)]
    return "\n\n".join(part for part in parts if part)


def _paragraph(part: str) -> str:
    if part.lstrip().startswith(">>>"):
        return f"```pycon\n{inspect.cleandoc(part)}\n```"
    if part.startswith("    "):
        return f"```\n{inspect.cleandoc(part)}\n```"
    return _inline(inspect.cleandoc(part))


def _inline(text: str) -> str:
    """Code in Markdown's way; what looks like markup elsewhere is text."""
    marked = re.sub(r":\w+:`~?([^`]+)`|``(.+?)``", lambda found: f"`{found[1] or found[2]}`", text)
    pieces = re.split(r"(`[^`]+`)", marked)
    plain = [re.sub(r"(?<!\w)([*_<])(?=\S)", r"\\\1", piece) for piece in pieces[::2]]
    pieces[::2] = [re.sub(r"^\\\* ", "* ", piece) for piece in plain]
    return "".join(pieces)
