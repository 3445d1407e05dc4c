"""The JSON contract: one schema for every command, strict, undefined numbers null."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from tallymark.errors import DataError
from tallymark.results.records import (
    NAN,
    Curve,
    Data,
    Definition,
    Diagnosis,
    Estimate,
    Evaluation,
    Matrix,
    Subset,
    Table,
)
from tallymark.results.verdicts import Verdict

SCHEMA = 1
"""Version of the contract."""
_LINES = ("x", "y", "low", "high")
_NUMBERS = ("value", "se", "low", "high", "se_analytic")
_COLUMNS = ("subset", "statistic", "score", *_NUMBERS, "n", "method", "why", "parts")


def encode(found: Evaluation) -> str:
    """Write an evaluation as JSON."""
    return msgspec.json.format(msgspec.json.encode(_as_json(found)), indent=1).decode()


def decode(text: str | bytes) -> Evaluation:
    """Read an evaluation from JSON, or say that it is none."""
    try:
        return _of_json(msgspec.json.decode(text))
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError) as problem:
        raise DataError(
            f"not an evaluation.json of schema {SCHEMA}: {problem}. Write it again with "
            "`tallymark evaluate --out`."
        ) from None


def _as_json(found: Evaluation) -> dict[str, Any]:
    """The JSON contract: rows point to their subset and method by index."""
    methods = list(dict.fromkeys(estimate.method for estimate in found.estimates))
    place = {method: i for i, method in enumerate(methods)}
    return {
        "schema": SCHEMA,
        "kind": found.kind,
        "options": dict(found.options),
        "data": asdict(found.data),
        "definitions": {text: asdict(entry) for text, entry in found.definitions.items()},
        "methods": methods,
        "subsets": [asdict(subset) for subset in found.subsets],
        "estimates": {
            "columns": list(_COLUMNS),
            "rows": [_row(estimate, place) for estimate in found.estimates],
        },
        "matrices": [asdict(matrix) for matrix in found.matrices],
        "curves": [asdict(curve) for curve in found.curves],
        "tables": [asdict(table) for table in found.tables],
        "findings": list(found.findings),
        "diagnoses": [asdict(diagnosis) for diagnosis in found.diagnoses],
        "verdict": None if found.verdict is None else asdict(found.verdict),
    }


def _row(found: Estimate, place: Mapping[str, int]) -> list[Any]:
    numbers = [getattr(found, name) for name in _NUMBERS]
    parts = dict(found.parts)
    return [
        found.subset,
        found.text,
        found.score,
        *numbers,
        found.n,
        place[found.method],
        found.why,
        parts,
    ]


def _of_json(raw: Mapping[str, Any]) -> Evaluation:
    if raw["schema"] != SCHEMA:
        raise KeyError(f"schema {raw['schema']}")
    definitions = msgspec.convert(raw["definitions"], dict[str, Definition])
    rows = [
        dict(zip(raw["estimates"]["columns"], row, strict=True)) for row in raw["estimates"]["rows"]
    ]
    placed = [*(row["subset"] for row in rows), *(one["subset"] for one in raw["matrices"])]
    placed += [one["subset"] for one in (*raw["curves"], *raw["tables"])]
    if any(place >= len(raw["subsets"]) for place in placed):
        raise KeyError("a row without its subset")
    return Evaluation(
        kind=raw["kind"],
        options=raw["options"],
        data=msgspec.convert(raw["data"], Data),
        definitions=definitions,
        subsets=msgspec.convert(raw["subsets"], tuple[Subset, ...]),
        estimates=tuple(
            _estimate(row, definitions[row["statistic"]], raw["methods"], raw["options"]["level"])
            for row in rows
        ),
        matrices=msgspec.convert(raw["matrices"], tuple[Matrix, ...]),
        curves=tuple(_curve(one) for one in raw["curves"]),
        tables=msgspec.convert(raw["tables"], tuple[Table, ...]),
        findings=tuple(raw["findings"]),
        diagnoses=tuple(_diagnosis(one) for one in raw["diagnoses"]),
        verdict=None if raw["verdict"] is None else _verdict(raw["verdict"]),
    )


def _estimate(
    row: Mapping[str, Any], of: Definition, methods: Sequence[str], level: float
) -> Estimate:
    numbers = {name: _float(row[name]) for name in _NUMBERS}
    parts = {key: _float(part) for key, part in row["parts"].items()}
    return Estimate(
        name=of.name,
        params=of.params,
        level=level,
        n=row["n"],
        method=methods[row["method"]],
        score=row["score"],
        why=row["why"],
        parts=parts,
        subset=row["subset"],
        **numbers,
    )


def _curve(raw: Mapping[str, Any]) -> Curve:
    lines = {name: tuple(_float(n) for n in raw[name]) for name in _LINES}
    return Curve(**{**raw, **lines})


def _diagnosis(raw: Mapping[str, Any]) -> Diagnosis:
    return Diagnosis(**{**raw, "numbers": {key: _float(n) for key, n in raw["numbers"].items()}})


def _verdict(raw: Mapping[str, Any]) -> Verdict:
    """Read a verdict, whose undefined numbers are null."""
    return msgspec.convert(
        {
            **raw,
            "systems": [
                {**one, "criteria": [_criterion(each) for each in one["criteria"]]}
                for one in raw["systems"]
            ],
        },
        Verdict,
    )


def _criterion(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {**raw, **{key: _float(raw[key]) for key in ("value", "low", "high")}}


def _float(number: float | None) -> float:
    return NAN if number is None else float(number)
