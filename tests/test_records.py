"""Records are dataclasses: what `dataclasses` makes of a class, `tallymark.records` makes too."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from tallymark import records
from tallymark.results import Estimate, Key, Subset, system_called

BOTH = pytest.mark.parametrize("dataclass", [dataclasses.dataclass, records.dataclass])


def plain(dataclass, **options):
    @dataclass(frozen=True, slots=True, **options)
    class Point:
        x: float
        y: float = 2.0
        tags: list[str] = field(default_factory=list, compare=False)
        size: float = field(init=False, repr=False)

        def __post_init__(self):
            object.__setattr__(self, "size", abs(self.x) + abs(self.y))

    return Point


@BOTH
def test_fields_are_taken_by_place_and_by_name_and_have_their_defaults(dataclass):
    point = plain(dataclass)
    assert (point(1).y, point(1, 3).size, point(x=1, tags=["a"]).tags) == (2.0, 4, ["a"])
    assert point(1).tags is not point(1).tags
    with pytest.raises(TypeError, match="x"):
        point()
    with pytest.raises(TypeError, match="z"):
        point(1, z=1)


@BOTH
def test_fields_by_name_alone_are_not_taken_by_place(dataclass):
    point = plain(dataclass, kw_only=True)
    assert point(x=1).y == 2.0
    with pytest.raises(TypeError):
        point(1)


@BOTH
def test_records_are_equal_if_what_is_compared_is(dataclass):
    point = plain(dataclass)
    assert point(1, 2, ["a"]) == point(1, 2, ["b"]) != point(2, 2)
    assert hash(point(1, 2, ["a"])) == hash(point(1, 2, ["b"]))
    assert point(1) != plain(dataclass)(1)
    alone = plain(dataclass, eq=False)
    assert alone(1) != alone(1)


@BOTH
def test_nothing_is_changed_deleted_or_added(dataclass):
    point = plain(dataclass)(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises((FrozenInstanceError, TypeError)):  # Python 3.11's own trips here
        point.z = 2
    assert not hasattr(point, "__dict__")


@BOTH
def test_they_show_their_fields(dataclass):
    assert repr(plain(dataclass)(1)).endswith("Point(x=1, y=2.0, tags=[])")
    assert "object at" in repr(plain(dataclass, repr=False)(1))


@BOTH
def test_they_can_be_replaced_and_told_as_a_dictionary(dataclass):
    point = dataclasses.replace(plain(dataclass)(1), x=5)
    assert dataclasses.asdict(point) == {"x": 5, "y": 2.0, "tags": [], "size": 7.0}


@BOTH
def test_methods_of_their_own_stay(dataclass):
    @dataclass(frozen=True, slots=True)
    class Shy:
        x: float

        def __repr__(self):
            return "..."

        def __hash__(self):
            return 7

    assert (repr(Shy(1)), hash(Shy(1)), Shy(1)) == ("...", 7, Shy(1))


def test_ours_are_copied_and_pickled():
    subset = Subset(id="s", subject=system_called("engine"), n=3)
    known: Any = {"se": 0.1, "low": 0.3, "high": 0.7, "se_analytic": 0.1}
    estimate = Estimate(key=Key("qwk"), value=0.5, level=0.95, n=3, **known)
    for record in (subset, estimate):
        assert copy.deepcopy(record) == record == pickle.loads(pickle.dumps(record))


def test_other_options_are_refused():
    with pytest.raises(TypeError, match="frozen and have slots"):
        records.dataclass(frozen=True, slots=False)
