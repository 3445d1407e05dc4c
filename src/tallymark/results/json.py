"""The JSON contract: one schema for every command, strict, undefined numbers null."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tallymark.errors import DataError
from tallymark.results.cells import escaped_json
from tallymark.results.estimates import NAN, Estimate
from tallymark.results.findings import Finding
from tallymark.results.keys import Key
from tallymark.results.records import (
    Curve,
    Data,
    Definition,
    Evaluation,
    Matrix,
    ResultTable,
)
from tallymark.results.subsets import Subset
from tallymark.results.verdicts import Verdict

SCHEMA = 3
"""Version of the contract."""
_LINES = ("x", "y", "low", "high")
_NUMBERS = ("value", "se", "low", "high", "se_analytic")
_HELD = ("value", "low", "high", "planned", "ceiling", "ceiling_high")
_COLUMNS = ("subset", "statistic", "score", *_NUMBERS, "n", "method", "why", "parts")


def encode(evaluation: Evaluation) -> str:
    """Write an evaluation as JSON."""
    text = msgspec.json.encode(_as_json(evaluation), enc_hook=str)
    return escaped_json(msgspec.json.format(text, indent=1).decode())


def decode(text: str | bytes) -> Evaluation:
    """Read an evaluation from JSON, or say that it is none."""
    try:
        return _of_json(msgspec.json.decode(text))
    except RecursionError:
        problem: object = "it is nested too deeply"
    except (
        msgspec.MsgspecError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError
    ) as error:  # fmt: skip
        problem = error  # every way in which a document can fail to be one of ours
    raise DataError(
        f"not an evaluation.json of schema {SCHEMA}: {problem}. Evaluate the scores again."
    )


def _as_json(evaluation: Evaluation) -> dict[str, Any]:
    """The JSON contract: rows point to their subset and method by index."""
    methods = list(dict.fromkeys(estimate.method for estimate in evaluation.estimates))
    place = {method: i for i, method in enumerate(methods)}
    return {
        "schema": SCHEMA,
        "kind": evaluation.kind,
        "options": dict(evaluation.options),
        "data": evaluation.data,
        "definitions": dict(evaluation.definitions),
        "methods": methods,
        "subsets": evaluation.subsets,
        "estimates": {
            "columns": list(_COLUMNS),
            "rows": [_row(estimate, place) for estimate in evaluation.estimates],
        },
        "matrices": evaluation.matrices,
        "curves": evaluation.curves,
        "tables": evaluation.tables,
        "findings": evaluation.findings,
        "verdict": evaluation.verdict,
    }


def _row(estimate: Estimate, place: Mapping[str, int]) -> list[Any]:
    numbers = [getattr(estimate, name) for name in _NUMBERS]
    parts = dict(estimate.parts)
    return [
        estimate.subset,
        estimate.text,
        estimate.score,
        *numbers,
        estimate.n,
        place[estimate.method],
        estimate.why,
        parts,
    ]


def _of_json(raw: Mapping[str, Any]) -> Evaluation:
    if raw["schema"] != SCHEMA:
        raise ValueError(f"it has schema {str(raw['schema'])[:40]}")
    definitions = msgspec.convert(raw["definitions"], dict[str, Definition])
    keys = {text: Key(of.name, **of.params) for text, of in definitions.items()}
    methods = msgspec.convert(raw["methods"], list[str])
    level = msgspec.convert(raw["options"]["level"], float)
    rows = [
        dict(zip(raw["estimates"]["columns"], row, strict=True)) for row in raw["estimates"]["rows"]
    ]
    _check_places(raw, rows)
    return Evaluation(
        kind=msgspec.convert(raw["kind"], str),
        options=msgspec.convert(raw["options"], dict[str, Any]),
        data=msgspec.convert(raw["data"], Data),
        definitions=definitions,
        subsets=msgspec.convert(raw["subsets"], tuple[Subset, ...]),
        estimates=tuple(_estimate(row, keys[row["statistic"]], methods, level) for row in rows),
        matrices=tuple(_matrix(matrix) for matrix in raw["matrices"]),
        curves=tuple(_curve(curve) for curve in raw["curves"]),
        tables=tuple(_table(table) for table in raw["tables"]),
        findings=tuple(_finding(finding) for finding in raw["findings"]),
        verdict=None if raw["verdict"] is None else _verdict(raw["verdict"]),
    )


def _check_places(raw: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what points to a subset, method or row that is not there; -1 is of no subset."""
    verdict = raw["verdict"] or {"systems": ()}
    criteria = [
        criterion for judgement in verdict["systems"] for criterion in judgement["criteria"]
    ]
    held = [
        place
        for criterion in criteria
        for key in ("rows", "few", "few_clusters")
        for place in criterion[key]
    ]
    held += [
        criterion["decided_by"] for criterion in criteria if criterion["decided_by"] is not None
    ]
    held += [part["row"] for criterion in criteria for part in criterion.get("parts", ())]
    small = [
        criterion["small_part"] for criterion in criteria if criterion["small_part"] is not None
    ]
    placed = [*(row["subset"] for row in rows), *(matrix["subset"] for matrix in raw["matrices"])]
    placed += [*(curve["subset"] for curve in raw["curves"]), *small]
    loose = [entry["subset"] for entry in (*raw["tables"], *raw["findings"])]
    for places, least, most, name in (
        (placed, 0, len(raw["subsets"]), "subsets"),
        (loose, -1, len(raw["subsets"]), "subsets"),
        ([row["method"] for row in rows], 0, len(raw["methods"]), "methods"),
        (held, 0, len(rows), "estimates"),
    ):
        for place in msgspec.convert(places, list[int]):
            if not least <= place < most:
                raise ValueError(f"a row points to number {place}, of {most} {name}")


def _estimate(row: Mapping[str, Any], key: Key, methods: Sequence[str], level: float) -> Estimate:
    numbers = {name: _float(row[name]) for name in _NUMBERS}
    parts = {key: _float(part) for key, part in row["parts"].items()}
    return Estimate(
        key=key,
        level=level,
        n=msgspec.convert(row["n"], int),
        method=methods[row["method"]],
        parts=parts,
        subset=row["subset"],
        score=msgspec.convert(row["score"], str),
        why=msgspec.convert(row["why"], str),
        **numbers,
    )


def _curve(raw: Mapping[str, Any]) -> Curve:
    lines = {name: tuple(_float(n) for n in raw[name]) for name in _LINES}
    if any(len(line) not in (0, len(lines["x"])) for line in lines.values()):
        raise ValueError("a curve whose lines differ in length")
    return msgspec.convert({**raw, **lines}, Curve)


def _matrix(raw: Mapping[str, Any]) -> Matrix:
    matrix = msgspec.convert(raw, Matrix)
    if [len(row) for row in matrix.values] != [len(matrix.columns)] * len(matrix.rows):
        raise ValueError(f"the matrix {matrix.name} has not a count for each row and column")
    return matrix


def _table(raw: Mapping[str, Any]) -> ResultTable:
    table = msgspec.convert(raw, ResultTable)
    if any(len(row) != len(table.columns) for row in table.rows):
        raise ValueError(f"a row of the table {table.name} that has not a cell for each column")
    return table


def _finding(raw: Mapping[str, Any]) -> Finding:
    numbers = {key: _float(n) for key, n in raw["numbers"].items()}
    return msgspec.convert({**raw, "numbers": numbers}, Finding)


def _verdict(raw: Mapping[str, Any]) -> Verdict:
    """Read a verdict, whose undefined numbers are null."""
    return msgspec.convert(
        {
            **raw,
            "systems": [
                {**judgement, "criteria": [_criterion(each) for each in judgement["criteria"]]}
                for judgement in raw["systems"]
            ],
        },
        Verdict,
    )


def _criterion(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {**raw, **{key: _float(raw[key]) for key in _HELD}}


def _float(number: Any) -> float:
    if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
        raise TypeError(f"expected a number, got {str(number)[:40]!r}")
    return NAN if number is None else float(number)
