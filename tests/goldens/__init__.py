"""Golden numbers: expected values with their source, and the test that claims each of them.

A golden id is the file and the id within it: ``agreement:cohen1960/cohen_kappa/linear``,
``papers:yc.t1_left``, ``selective:curve-20``. ``claims.py`` is a table from patterns of ids to the
one test that checks them. That test takes its cases from the table::

    from tests.goldens import Golden, check, claimed

    @claimed("tests/agreement/test_goldens.py::test_two_raters")
    def test_two_raters(golden: Golden) -> None:
        found = ...                              # from golden.dataset, golden.params
        check({"value": found.value, "se": found.se}, golden)   # extra fields are ignored

``test_claims.py`` fails when an id has no claim, when a claimed test of a finished milestone is
missing, skipped or not parametrised with exactly its ids, and when a pattern matches nothing. So
a new golden, or a milestone added to ``DONE``, cannot be forgotten.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.goldens.claims import claim_of

Tolerance = float | Mapping[str, Any]
"""One number for every field, or numbers by field or family of fields."""

FOLDER = Path(__file__).parent
FILES = ("agreement", "papers", "selective")
_LIST_OF = {"agreement": "cases", "papers": "items", "selective": "cases"}


@dataclass(frozen=True, slots=True)
class Golden:
    """One golden case: what goes in, what must come out, and how close."""

    id: str
    case: Mapping[str, Any]
    dataset: Mapping[str, Any]
    tol: Tolerance

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of an agreement case."""
        params: Mapping[str, Any] = self.case["params"]
        return params

    @property
    def input(self) -> Mapping[str, Any]:
        """The input of a case that carries its own."""
        given: Mapping[str, Any] = self.case["input"]
        return given

    @property
    def expected(self) -> Mapping[str, Any]:
        """The numbers that must come out; None is undefined."""
        expected: Mapping[str, Any] = self.case["expected"]
        return expected


@cache
def goldens() -> Mapping[str, Golden]:
    """Every golden by its id."""
    found: dict[str, Golden] = {}
    for file in FILES:
        content = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
        datasets = content.get("datasets", {})
        for case in content[_LIST_OF[file]]:
            dataset = datasets.get(case.get("dataset"), {})
            tol = case.get("tol", content.get("tolerance"))
            golden = Golden(f"{file}:{case['id']}", case, dataset, tol)
            if golden.id in found:
                raise ValueError(f"golden id {golden.id} occurs twice; ids must be unique")
            found[golden.id] = golden
    return found


def claimed(test: str) -> pytest.MarkDecorator:
    """Parametrise a test with the goldens that the table of claims gives it, as ``golden``."""
    own = [golden for golden in goldens().values() if claim_of(golden.id).test == test]
    if not own:
        raise ValueError(
            f"no golden is claimed by {test}; see the table in tests/goldens/claims.py"
        )
    return pytest.mark.parametrize("golden", own, ids=[golden.id for golden in own])


def check(found: Mapping[str, Any], golden: Golden) -> None:
    """Compare every expected field with the one found, each at its own tolerance."""
    misses = _misses(found, golden.expected, golden.tol)
    assert not misses, f"{golden.id}: " + "; ".join(misses)


def tolerance(tol: Tolerance, field: str, expected: float) -> float:
    """The absolute tolerance of a field: its own, its family's, or the strictest of the case."""
    if not isinstance(tol, Mapping):
        return float(tol)
    if field in tol:
        return float(tol[field])
    if f"{field}_relative" in tol:
        return float(tol[f"{field}_relative"]) * abs(expected)
    families = [name for name in tol if field.startswith(name.removesuffix("_absolute"))]
    if families:
        return float(tol[max(families, key=len)])
    return min(float(value) for value in tol.values() if not isinstance(value, str))


def _misses(
    found: Any, expected: Any, tol: Tolerance, where: str = "", field: str = ""
) -> list[str]:
    """What differs, field by field; an undefined number is NaN or None."""
    if isinstance(expected, Mapping):
        misses = []
        for key, value in expected.items():
            place = f"{where}.{key}" if where else key
            if key in found:
                misses += _misses(found[key], value, tol, place, key)
            else:
                misses.append(f"{place} was not computed")
        return misses
    if isinstance(expected, list):
        if len(found) != len(expected):
            return [f"{where} has {len(found)} values, expected {len(expected)}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [miss for i, (f, e) in pairs for miss in _misses(f, e, tol, f"{where}[{i}]", field)]
    return (
        []
        if _agrees(found, expected, tol, field)
        else [f"{where} is {found!r}, expected {expected!r}"]
    )


def _agrees(found: Any, expected: Any, tol: Tolerance, field: str) -> bool:
    if expected is None or found is None:
        return expected is None and (found is None or bool(math.isnan(found)))
    if isinstance(expected, str | bool):
        return bool(found == expected)
    # a few units in the last place, so that a tolerance of 0 means "equal as floats"
    slack = tolerance(tol, field, expected) + 4 * math.ulp(float(expected))
    return abs(float(found) - expected) <= slack
