"""Signatures: what a public function is given fits its annotations, or an error says what it needs."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from inspect import signature
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from tallymark.errors import OptionError, did_you_mean

P = ParamSpec("P")
T = TypeVar("T")
_WORDS: dict[Any, str] = {
    int: "a whole number", float: "a number", str: "a string", bool: "True or False",
}  # fmt: skip


def typed(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse arguments that do not fit the annotations; their number and names are Python's matter."""
    parameters = signature(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        check_types(function, parameters.bind(*args, **kwargs).arguments)
        return function(*args, **kwargs)

    return call


def check_types(annotated: Any, values: Mapping[str, Any], owner: str = "") -> None:
    """Refuse values that do not fit the annotations of a function or a record."""
    hints = _hints(annotated)
    for name, value in values.items():
        if name in hints and not _fits(value, hints[name]):
            choices = [word for word in _choices(hints[name]) if isinstance(word, str)]
            hint = did_you_mean(value, choices) if isinstance(value, str) else ""
            shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]} …"
            raise OptionError(f"{owner}{name} must be {_words(hints[name])}, got {shown}.{hint}")


@lru_cache(maxsize=64)
def _hints(annotated: Any) -> dict[str, Any]:
    return get_type_hints(annotated)


def _fits(value: Any, hint: Any) -> bool:
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return any(_fits(value, one) for one in inside)
    if kind is Literal:
        return isinstance(value, str | int) and value in inside
    if kind is Callable or hint is Callable:
        return callable(value)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
        return all(_fits(k, inside[0]) and _fits(v, inside[1]) for k, v in pairs)
    if isinstance(kind, type) and issubclass(kind, Iterable) and kind.__module__ != "numpy":
        several = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
        return several and all(_fits(one, inside[0]) for one in _items(value, inside[0]))
    if isinstance(kind, type) and kind.__module__ == "numpy":
        return hasattr(value, "__len__") and not isinstance(value, str | bytes | Mapping)
    if hint in (int, float):
        number = Integral if hint is int else Real
        return isinstance(value, number) and not isinstance(value, bool)
    if hint in (str, bool, NoneType):
        return isinstance(value, hint) or (hint is bool and type(value).__name__ == "bool")
    return not _is_record(hint) or isinstance(value, hint)


def _items(values: Any, hint: Any) -> Iterable[Any]:
    """The items of a list; arrays, frames and what is read once are checked where they are used."""
    sized = isinstance(values, list | tuple) or (_is_record(hint) and hasattr(values, "__len__"))
    return values if sized else ()


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and hint.__module__.startswith("tallymark.")


def _choices(hint: Any) -> list[Any]:
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [choice for one in get_args(hint) for choice in _choices(one)]


def _words(hint: Any) -> str:
    """What a type is called in a message."""
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        named = [_words(one) for one in inside if one is not NoneType]
        return " or ".join(dict.fromkeys(named))
    if kind is Literal:
        return " or ".join(map(repr, inside))
    if kind is Callable:
        return "a function"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return f"a dict of {_words(inside[1])} by name"
    if isinstance(kind, type) and issubclass(kind, Iterable) and kind.__module__ != "numpy":
        return "a list" if inside[0] in (Any, object) else f"a list, each {_words(inside[0])}"
    return _WORDS.get(hint) or (hint.__name__ if _is_record(hint) else "an array")
