"""Records: dataclasses that are made in a third of the time.

Every run makes some two hundred classes of records, and `dataclasses` compiles six methods for
each of them, which is a sixth of a short run. Here ``__init__`` alone is compiled; the methods that
can ask which fields there are, are written once. To `fields`, `replace`, `asdict` and type checkers
they are dataclasses like any other.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        *,
        frozen: bool,
        slots: bool,
        kw_only: bool = False,
        repr: bool = True,  # noqa: A002 - the name it has in dataclasses
        eq: bool = True,
    ) -> Callable[[type], type]:
        """Make a class a frozen record with slots; options are those of `dataclasses`."""
        if not (frozen and slots):
            raise TypeError("records are frozen and have slots; take dataclasses.dataclass")
        plain = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)

        def made(cls: type) -> type:
            written = vars(cls)
            record = plain(cls)
            known = dataclasses.fields(record)
            methods = _METHODS | {"__init__": _init(record, known)}
            methods |= {"__repr__": _repr} if repr else {}
            methods |= (
                _compared(tuple(field.name for field in known if field.compare)) if eq else {}
            )
            for name, method in methods.items():
                if name not in written or name == "__init__":
                    setattr(record, name, method)
            return record

        return made


def _init(record: type, known: tuple[Field[Any], ...]) -> Any:
    """Compile what takes the fields, checks their number and puts them in their slots."""
    names: dict[str, Any] = {"put": object.__setattr__, "MISSING": MISSING}
    by_place: list[str] = []
    by_name, body = ["*"], list[str]()
    for field in known:
        value = name = field.name
        if field.default is not MISSING or field.default_factory is not MISSING:
            names[f"{name}_"] = field.default
            names[f"{name}_made"] = field.default_factory
        if field.init:
            usual = f"={name}_" if f"{name}_" in names else ""
            (by_name if field.kw_only else by_place).append(f"{name}{usual}")
        if field.default_factory is not MISSING:
            made = f"{name}_made()"
            value = f"{made} if {name} is MISSING else {name}" if field.init else made
        if field.init or field.default_factory is not MISSING:
            body.append(f"put(self, {name!r}, {value})")
    body += ["self.__post_init__()"] if hasattr(record, "__post_init__") else []
    takes = ", ".join(["self", *by_place, *(by_name if len(by_name) > 1 else [])])
    lines = "\n  ".join([f"def __init__({takes}):", *(body or ["pass"])])
    exec(lines, names)  # noqa: S102 - as dataclasses do
    init = names["__init__"]
    init.__qualname__ = f"{record.__qualname__}.__init__"
    return init


def _compared(names: tuple[str, ...]) -> dict[str, Any]:
    """Records of one class are equal if their fields are."""
    if len(names) > 1:
        values: Callable[[Any], Any] = attrgetter(*names)
    else:
        values = lambda record: tuple(getattr(record, name) for name in names)  # noqa: E731

    def equal(self: Any, other: object) -> Any:
        same = other.__class__ is self.__class__
        return values(self) == values(other) if same else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _repr(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _set(self: object, name: str, value: object) -> NoReturn:  # noqa: ARG001 - Python's signature
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: object, name: str) -> NoReturn:  # noqa: ARG001 - Python's signature
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_METHODS: dict[str, Any] = {
    "__setattr__": _set,
    "__delattr__": _delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}
