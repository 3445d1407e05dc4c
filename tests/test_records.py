"""What `dataclasses` makes of a class, `record` makes too: each law is asked of both."""

import copy
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, astuple, dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from tallymark.records import record
from tallymark.results import Subset, system_called

Made = Callable[..., Any]
BOTH = pytest.mark.parametrize("made", [partial(dataclass, frozen=True, slots=True), record])
T = TypeVar("T")


def point(made: Made, **options: bool) -> Any:
    class Point:
        """A place."""

        x: float
        y: float = 2.0
        tags: list[str] = field(default_factory=list, compare=False)
        size: float = field(init=False, repr=False, compare=False)
        kept: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)
        fixed: int = field(init=False, default=7, repr=False)
        kind: ClassVar[str] = "point"

        def __post_init__(self):
            object.__setattr__(self, "size", abs(self.x) + abs(self.y))

    return made(**options)(Point)


@record
class Whole(Generic[T]):
    value: T
    name: str = ""


@record(kw_only=True)
class Longer(Whole[int]):
    name: str = "longer"
    unit: str


@BOTH
def test_fields_are_taken_by_place_and_by_name_and_have_their_defaults(made):
    of = point(made)
    assert (of(1).y, of(1, 3).size, of(x=1, tags=["a"]).tags, of(1, y=3).y) == (2.0, 4, ["a"], 3)
    assert (of(1).fixed, of(1).kept, of(1).kind) == (7, {}, "point")
    assert of(1).tags is not of(1).tags
    assert of(1).kept is not of(1).kept


@BOTH
@pytest.mark.parametrize(
    ("values", "named", "wrong"),
    [
        ((), {}, "x"),
        ((), {"y": 1}, "x"),
        ((), {"y": 1, "tags": [], "z": 1}, "argument"),
        ((1,), {"z": 1}, "z"),
        ((1, 2), {"x": 1}, "x"),
        ((1, 2, [], 4), {}, "positional"),
        ((1,), {"size": 3}, "size"),
        ((1,), {"kept": {}}, "kept"),
        ((1, 2), {"tags": [], "kept": {}, "fixed": 1}, "kept"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(made, values, named, wrong):
    with pytest.raises(TypeError, match=wrong):
        point(made)(*values, **named)


@BOTH
def test_fields_by_name_alone_are_not_taken_by_place(made):
    assert point(made, kw_only=True)(x=1).y == 2.0
    with pytest.raises(TypeError, match="positional"):
        point(made, kw_only=True)(1)


@BOTH
def test_records_of_a_class_are_equal_if_what_is_compared_is(made):
    of = point(made)
    assert of(1, 2, ["a"]) == of(1, 2, ["b"]) != of(2, 2)
    assert hash(of(1, 2, ["a"])) == hash(of(1, 2, ["b"]))
    assert len({of(1), of(1), of(2)}) == 2
    assert of(1) != point(made)(1)
    assert of(1) != (1, 2.0, 7)
    alone = point(made, eq=False)
    assert alone(1) != alone(1)
    assert len({alone(1), alone(1)}) == 2


@BOTH
def test_one_field_or_none_is_compared_too(made):
    class One:
        x: float

    class Empty:
        pass

    one, empty = made()(One), made()(Empty)
    nan = float("nan")
    assert one(nan) == one(nan) != one(1)
    assert hash(one(1)) == hash(one(1))
    assert empty() == empty()
    assert hash(empty()) == hash(empty())


@BOTH
def test_what_cannot_be_hashed_is_not(made):
    class Listed:
        x: list[int]

    one = made()(Listed)([1])
    assert one == replace(one, x=[1])
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@BOTH
def test_nothing_is_changed_deleted_or_added(made):
    one = point(made)(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    with pytest.raises((FrozenInstanceError, TypeError)):  # Python 3.11's own trips here
        one.z = 2
    assert not hasattr(one, "__dict__")


@BOTH
def test_a_record_shows_its_fields_and_how_it_is_called(made):
    assert repr(point(made)(1)).endswith("Point(x=1, y=2.0, tags=[])")
    assert str(inspect.signature(point(made))) == (
        "(x: float, y: float = 2.0, tags: list[str] = <factory>) -> None"
    )
    assert inspect.getdoc(point(made)) == "A place."


@BOTH
def test_what_works_on_dataclasses_works(made):
    one = replace(point(made)(1), x=5)
    assert asdict(one) == {"x": 5, "y": 2.0, "tags": [], "size": 7.0, "kept": {}, "fixed": 7}
    assert astuple(one) == (5, 2.0, [], 7.0, {}, 7)
    assert [each.name for each in fields(one)] == ["x", "y", "tags", "size", "kept", "fixed"]
    with pytest.raises((TypeError, ValueError), match="size"):
        replace(one, size=3)
    match one:
        case object(x=5, y=y):
            assert y == 2.0
    assert type(one).__match_args__ == ("x", "y", "tags")


@BOTH
def test_methods_of_their_own_stay(made):
    class Shy:
        x: float

        def __repr__(self):
            return "..."

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 7

    of = made()(Shy)
    assert (repr(of(1)), hash(of(1)), of(1)) == ("...", 7, of(2))


def test_a_record_inherits_and_may_be_generic():
    assert repr(Whole[int](3)) == "Whole(value=3, name='')"
    longer = Longer(3, unit="m")
    assert (longer.value, longer.name, longer.unit) == (3, "longer", "m")
    assert longer != Whole(3, "longer")
    assert replace(longer, value=4) == Longer(4, unit="m")
    match longer:
        case Whole(value):
            assert value == 3
    with pytest.raises(TypeError, match="unit"):
        Longer(3)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "one",
    [
        Whole([1]),
        Longer(3, unit="m"),
        Subset(id="s", subject=system_called("engine"), n=3),
    ],
    ids=["generic", "inheriting", "subset"],
)
def test_records_are_copied_and_pickled(one):
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == one
        assert type(again) is type(one)
        with pytest.raises(FrozenInstanceError):
            again.name = "other"


def test_a_record_compiles_nothing():
    code = (
        "import builtins, dataclasses, tallymark.records as records\n"
        "def never(*_): raise AssertionError\n"
        "builtins.exec = never\n"
        "@records.record\n"
        "class Whole:\n    x: int = 1\n"
        "assert Whole(2) != Whole()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
