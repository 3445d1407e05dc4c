"""Frames and columns in memory: odd columns do no harm, and what cannot be a score is named."""

import json
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tallymark as tm

N = 40
RNG = np.random.default_rng(20)
H1 = RNG.integers(1, 5, N)
H2 = np.clip(H1 + RNG.integers(-1, 2, N), 1, 4)
ENGINE = np.clip(H1 + RNG.integers(-1, 2, N), 1, 4)
BASE: dict[str, Any] = {"h1": H1, "h2": H2, "engine": ENGINE}
ROLES: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"], "scale": "1:4"}

UNREADABLE = "'(h1|engine)'" if duckdb.__version__ == "1.5.0" else "'engine'"
"""DuckDB 1.5.0 reads no column of a frame that has one it cannot read."""

PANDAS: dict[str, Any] = {
    "intervals": pd.arrays.IntervalArray.from_breaks(range(N + 1)),
    "categories of intervals": pd.cut(np.arange(N), 3),
    "periods": pd.period_range("2020-01", periods=N, freq="M"),
    "sparse": pd.arrays.SparseArray(np.arange(N)),
    "complex": np.arange(N) * 1j,
    "big-endian": np.arange(N).astype(">i8"),
    "big-endian floats": np.arange(N).astype(">f4"),
    "long floats": np.arange(N).astype(np.longdouble),
    "objects": [object()] * N,
    "decimals": [Decimal("1.5")] * N,
    "wide decimals": pd.Series([Decimal("1.5")] * N, dtype=pd.ArrowDtype(pa.decimal256(60, 2))),
    "huge integers": [2**70] * N,
    "lists": [[1, 2]] * N,
    "unsigned": np.full(N, 2**64 - 1, dtype="u8"),
}
POLARS = {
    "objects": pl.Series([object()] * N, dtype=pl.Object),
    "decimals": pl.Series([Decimal("1.5")] * N),
    "lists": pl.Series([[1, 2]] * N),
}
if hasattr(pl, "Int128"):  # newer ones have it
    POLARS["huge integers"] = pl.Series([2**100] * N, dtype=pl.Int128)
ARROW = {
    "wide decimals": pa.array([Decimal("1.5")] * N, pa.decimal256(60, 2)),
    "half floats": pa.array(np.ones(N, "f2")),
    "unions": pa.UnionArray.from_dense(
        pa.array([0] * N, pa.int8()), pa.array(range(N), pa.int32()), [pa.array([1] * N)]
    ),
    "months": pa.array([pa.MonthDayNano([1, 2, 3])] * N),
}
MAPPINGS: dict[str, Any] = {
    "huge integers": [10**400] * N,
    "unsigned": np.full(N, 2**64 - 1, dtype="u8"),
    "complex": np.arange(N) * 1j,
    "big-endian": np.arange(N).astype(">i8"),
    "surrogates": ["\ud800"] * N,
    "objects": [object()] * N,
}


def arrow(**columns):
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def frames():
    """A frame with an odd column that no role names, of every library, and the name of its kind."""
    for kind, values in PANDAS.items():
        yield f"pandas {kind}", pd.DataFrame(BASE).assign(odd=values)
    for kind, series in POLARS.items():
        frame = pl.DataFrame(BASE).with_columns(series.alias("odd"))
        yield f"polars {kind}", frame
        yield f"polars lazy {kind}", frame.lazy()
    for kind, array in ARROW.items():
        yield f"pyarrow {kind}", arrow(**BASE).append_column("odd", array)
    for kind, values in MAPPINGS.items():
        yield f"mapping {kind}", BASE | {"odd": values}


FRAMES = dict(frames())


@pytest.fixture(scope="module")
def expected():
    return tm.evaluate(BASE, **ROLES).to_json()


@pytest.mark.parametrize("kind", FRAMES)
def test_an_odd_column_without_a_role_does_not_matter(kind, expected):
    assert tm.evaluate(FRAMES[kind], **ROLES).to_json() == expected


def without(values, gap, place=3):
    """The values as a list, with a gap at one place."""
    return [gap if i == place else value for i, value in enumerate(values.tolist())]


GAPS: dict[str, Any] = {
    "pandas": pd.DataFrame(BASE | {"engine": without(ENGINE, np.nan)}),
    "pandas NA": pd.DataFrame(BASE | {"engine": pd.array(without(ENGINE, pd.NA), dtype="Int64")}),
    "pandas objects": pd.DataFrame(
        BASE | {"engine": pd.Series(without(ENGINE, pd.NA), dtype=object)}
    ),
    "pandas sparse": pd.DataFrame(BASE).assign(
        engine=pd.arrays.SparseArray(without(ENGINE * 1.0, np.nan))
    ),
    "polars": pl.DataFrame(BASE | {"engine": without(ENGINE, None)}),
    "polars NaN": pl.DataFrame(BASE | {"engine": without(ENGINE * 1.0, np.nan)}),
    "pyarrow": arrow(**BASE | {"engine": without(ENGINE, None)}),
    "pyarrow half floats": arrow(
        **BASE | {"engine": pa.array(np.array(without(ENGINE * 1.0, np.nan), "f2"))}
    ),
    "array": BASE | {"engine": np.array(without(ENGINE * 1.0, np.nan))},
    "masked": BASE | {"engine": np.ma.array(ENGINE, mask=np.arange(N) == 3)},
    "masked objects": BASE | {"engine": np.ma.array(ENGINE.astype(object), mask=np.arange(N) == 3)},
    "list of None": BASE | {"engine": without(ENGINE, None)},
    "list of NaN": BASE | {"engine": without(ENGINE, np.nan)},
    "list of masked": BASE | {"engine": without(ENGINE, np.ma.masked)},
    "list of NA": BASE | {"engine": without(ENGINE, pd.NA)},
    "extension array": BASE | {"engine": pd.array(without(ENGINE, None), dtype="Int64")},
    "decimals": BASE | {"engine": [Decimal(v) for v in without(ENGINE, "NaN")]},
}


@pytest.mark.parametrize("kind", GAPS)
def test_every_mark_of_a_missing_score_is_the_same(kind):
    expected = tm.evaluate(BASE | {"engine": without(ENGINE * 1.0, np.nan)}, **ROLES)
    assert tm.evaluate(GAPS[kind], **ROLES).to_json() == expected.to_json()


BAD: dict[str, Any] = {
    "huge integers": ([10**400] * N, "'engine'.*infinite or beyond 1e12"),
    "huge floats": ([1e308] * N, "'engine'.*infinite or beyond 1e12"),
    "unsigned": (np.full(N, 2**64 - 1, dtype="u8"), "'engine'.*infinite or beyond 1e12"),
    "complex": (np.arange(N) * 1j, "'engine'.*holds text in 40 rows, first '0j'"),
    "surrogates": (["\ud800"] * N, f"column {UNREADABLE} of data frame cannot be read"),
    "short": (ENGINE[:-1], "'engine' has 39 values, others have 40"),
    "two dimensions": (np.ones((N, 2)), r"'engine'.*shape \(40, 2\)"),
    "a number": (3, "column 'engine' must be a list or array of values, got int"),
    "None": (None, "column 'engine' must be a list or array of values, got None"),
    "a word": ("engine", "column 'engine' must be a list or array of values, got str"),
    "a generator that was read": (iter(()), "'engine' has 0 values, others have 40"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_scores_is_refused_by_the_name_of_the_column(kind):
    values, said = BAD[kind]
    with pytest.raises(tm.DataError, match=said):
        tm.evaluate(BASE | {"engine": values}, **ROLES)


@pytest.mark.parametrize("kind", ["intervals", "periods", "complex", "categories of intervals"])
def test_an_odd_column_with_a_role_is_refused_by_its_name(kind):
    frame = pd.DataFrame(BASE).assign(engine=PANDAS[kind])
    with pytest.raises(tm.DataError, match="column 'engine' of data frame holds text in 40 rows"):
        tm.evaluate(frame, **ROLES)


def test_a_column_of_intervals_can_be_a_group():
    group = pd.cut(np.arange(N), 2)
    frame = pd.DataFrame(BASE).assign(age=group)
    found = tm.evaluate(frame, **ROLES, groups=["age"]).to_json()
    assert (
        found == tm.evaluate(BASE | {"age": [*map(str, group)]}, **ROLES, groups=["age"]).to_json()
    )


def test_a_reader_is_read_once_and_says_so_the_second_time():
    reader = arrow(**BASE).to_reader()
    assert tm.evaluate(reader, **ROLES).to_json() == tm.evaluate(BASE, **ROLES).to_json()
    with pytest.raises(
        tm.DataError, match=r"RecordBatchReader gives no rows\. It can be read only once"
    ):
        tm.evaluate(reader, **ROLES)


def booleans(path):
    """The same yes and no of people, a system and a group, in every form."""
    columns = {name: (values > 2).tolist() for name, values in BASE.items()}
    columns["native"] = (np.arange(N) % 2 == 0).tolist()
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    yield "JSON lines", path
    yield "records", records
    yield "lists", columns
    yield "arrays", {name: np.array(values) for name, values in columns.items()}
    yield "pandas", pd.DataFrame(columns)
    yield "pandas objects", pd.DataFrame(columns).astype(object)
    yield "polars", pl.DataFrame(columns)
    yield "pyarrow", arrow(**columns)


@pytest.mark.parametrize("scale", [{}, {"scale": "false,true"}, {"scale": "False,True"}])
def test_booleans_are_the_same_labels_in_every_form(tmp_path, scale):
    roles = ROLES | {"groups": ["native"]}
    del roles["scale"]
    found = {
        kind: json.loads(tm.evaluate(source, **roles, **scale).to_json())
        for kind, source in booleans(tmp_path / "scores.jsonl")
    }
    for kind, one in found.items():
        assert one == found["JSON lines"], kind
