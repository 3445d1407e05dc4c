"""Whatever the numbers and names are, a figure is sound or says why there is none."""

import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallymark.render.figures.records import Mark, RaterPoint, Series, Whisker
from tallymark.results import Curve, Matrix, ResultTable
from tests.figures.boxes import complaints
from tests.figures.every import figures

NUMBER = st.one_of(
    st.floats(-2, 2),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, -0.0, 1.0, 1e-320, 1e300, -1e12, math.nan, math.inf]),
)
NAME = st.text(max_size=40)
WIDTH = st.sampled_from([280, 300, 480, 680, 1200])
ROW = st.builds(
    Whisker,
    NAME,
    NUMBER,
    NUMBER,
    NUMBER,
    st.sampled_from(["", ".79 [.72, .85]", "-1,234.5 [-2,000.0, 0.1]"]),
    n=st.none() | st.integers(0, 10**9),
    state=st.sampled_from(["", "met", "not met", "undecided", "not computable"]),
    series=st.integers(0, 200),
    section=st.sampled_from(["", "one", "two"]),
    coefficient=st.booleans(),
)
MARK = st.builds(Mark, NUMBER, NAME, st.sampled_from(["limit", "ceiling", "people", "zero"]))
COUNT = st.integers(0, 3) | st.integers(0, 10**9)
QUICK = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def sound(figure):
    if figure.svg:
        assert complaints(figure.svg) == []
    else:
        assert figure.why


@QUICK
@given(st.lists(ROW, max_size=8), st.lists(MARK, max_size=3), WIDTH)
def test_rows(rows, marks, width):
    sound(figures.intervals(rows, marks, title="t", x_title="x", width=width, prefix="f"))
    sound(figures.forest(rows, width=width, prefix="f"))
    sound(figures.ladder(rows[:3], rows[3:], width=width, prefix="f"))
    for row in rows[:1]:
        sound(figures.strip(row, marks, width=width, prefix="f"))


@QUICK
@given(st.lists(st.tuples(ROW, NUMBER, NUMBER), max_size=6), WIDTH)
def test_raters(found, width):
    sound(figures.severity([RaterPoint(*one) for one in found], width=width, prefix="f"))


@st.composite
def matrices(draw):
    rows, columns = draw(st.integers(1, 20)), draw(st.integers(1, 8))
    labels = st.sampled_from(["numbers", "words"])
    names = [str(i) if draw(labels) == "numbers" else draw(NAME) for i in range(max(rows, columns))]
    cells = st.lists(COUNT, min_size=columns, max_size=columns).map(tuple)
    return Matrix(
        name="m",
        subset=0,
        row_title=draw(NAME),
        rows=tuple(names[:rows]),
        column_title=draw(NAME),
        columns=tuple(names[:columns]),
        values=tuple(draw(st.lists(cells, min_size=rows, max_size=rows))),
    )


@QUICK
@given(matrices(), WIDTH)
def test_matrices(matrix, width):
    for draw in (figures.confusion, figures.calibration, figures.distribution):
        sound(draw(matrix, width=width, prefix="f"))


@st.composite
def some_curves(draw):
    size = draw(st.integers(1, 12))
    column = st.lists(NUMBER, min_size=size, max_size=size).map(tuple)
    ends = draw(st.booleans())
    x = draw(column)
    return [
        Curve(
            name=draw(st.sampled_from(["risk", "generalizability"])),
            subset=0,
            x_title=draw(NAME),
            y_title=draw(NAME),
            x=x,
            y=draw(column),
            low=draw(column) if ends else (),
            high=draw(column) if ends else (),
        )
        for _ in range(draw(st.integers(1, 3)))
    ]


@QUICK
@given(some_curves(), st.lists(MARK, max_size=3), NUMBER, WIDTH)
def test_curves(found, marks, limit, width):
    sound(figures.curves(found, width=width, prefix="f"))
    sound(figures.d_study(found, width=width, prefix="f"))
    sound(figures.risk_coverage(*found, limit=limit, width=width, prefix="f"))
    lines = [Series.of(curve, curve.x_title, i) for i, curve in enumerate(found)]
    sound(
        figures.lines(
            lines,
            title="t",
            x_title="x",
            y_title="y",
            marks=marks,
            width=width,
            prefix="f",
        )
    )


@QUICK
@given(st.lists(st.tuples(NAME, *[st.none() | NUMBER] * 6), max_size=6), WIDTH)
def test_ranks(rows, width):
    columns = ("system", "value", "low", "high", "rank", "rank_low", "rank_high")
    table = ResultTable(name="ranking", title="QWK", columns=columns, rows=tuple(rows))
    sound(figures.ranking(table, width=width, prefix="f"))


def test_nothing_at_all_is_said():
    empty = Matrix(
        name="m", subset=0, row_title="a", rows=(), column_title="b", columns=(), values=()
    )
    for draw in (figures.confusion, figures.calibration, figures.distribution):
        assert draw(empty, prefix="f").why
    assert figures.curves([], prefix="f").why
    assert figures.d_study([], prefix="f").why
    assert figures.forest([], prefix="f").why
    assert figures.severity([], prefix="f").why
