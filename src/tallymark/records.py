"""Records: frozen dataclasses with slots, made without compiling anything.

`dataclasses` writes six methods of a class as text and compiles them, at every start of a program.
Here they are functions that know the fields. To `fields`, `replace`, `asdict`, ``match``, `copy`,
`pickle` and type checkers a record is a dataclass like any other; a method of its own stays. What
needs a ``__dict__`` (`cached_property`) or changes stays a plain dataclass.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T], /) -> type[T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = ..., eq: bool = ...) -> Callable[[type[T]], type[T]]: ...
def record(cls: type | None = None, /, *, kw_only: bool = False, eq: bool = True) -> Any:
    """Make a class a record; the options are those of `dataclasses.dataclass`."""

    def made(cls: type) -> Any:
        made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
        for name, method in (_SHARED | (_compared(made) if eq else {})).items():
            if vars(cls).get(name) is None:  # beside an __eq__ Python sets __hash__ to None
                setattr(made, name, method)
        made.__init__ = _init(made)
        return made

    return made if cls is None else made(cls)


def _init(cls: Any) -> Callable[..., None]:
    known = fields(cls)
    usual = {slot.name: slot.default for slot in known if slot.default is not MISSING}
    makers = {slot.name: slot.default_factory for slot in known if callable(slot.default_factory)}
    places = tuple(slot.name for slot in known if slot.init and not slot.kw_only)
    asked = {slot.name for slot in known if slot.init}
    names = [slot.name for slot in known if slot.name in {*asked, *usual, *makers}]
    setters = [(name, getattr(cls, name).__set__) for name in names]
    count, more = len(setters), hasattr(cls, "__post_init__")

    def __init__(self: Any, /, *values: Any, **named: Any) -> None:  # noqa: N807
        given = {**dict(zip(places, values, strict=False)), **named} if values else named
        right = len(given) == len(values) + len(named) and asked.issuperset(given)
        if len(given) != count:
            made = {name: maker() for name, maker in makers.items() if name not in given}
            given = {**usual, **made, **given}
        if not right or len(given) != count:
            inspect.signature(cls).bind(*values, **named)  # raises, and says what is wrong
        for name, put in setters:
            put(self, given[name])
        if more:
            self.__post_init__()

    return __init__


def _compared(cls: Any) -> dict[str, Any]:
    names = [slot.name for slot in fields(cls) if slot.compare]
    values: Any = lambda self: tuple(getattr(self, name) for name in names)  # noqa: E731
    values = attrgetter(*names) if len(names) > 1 else values  # of one name it gives no tuple

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        same = other.__class__ is self.__class__
        return values(self) == values(other) if same else NotImplemented

    return {"__eq__": __eq__, "__hash__": lambda self: hash(values(self))}


def _repr(self: Any) -> str:
    shown = (f"{slot.name}={getattr(self, slot.name)!r}" for slot in fields(self) if slot.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _set(_: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _restore(self: object, state: tuple[None, dict[str, Any]]) -> None:
    for name, value in state[1].items():
        object.__setattr__(self, name, value)


class _Signature:
    """How a record is called: what `dataclasses` would make of it, when it is asked for."""

    def __get__(self, _: object, cls: type) -> inspect.Signature:
        same: Any = dataclass(type(cls.__name__, (cls,), {"__doc__": "the same"}))
        called = inspect.signature(same.__init__)
        return called.replace(parameters=[*called.parameters.values()][1:])


_SHARED = {
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _set,
    "__setstate__": _restore,
    "__signature__": _Signature(),
}
