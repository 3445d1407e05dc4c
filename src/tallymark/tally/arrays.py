"""Arrays: scores as they come from Python, checked once, missing ones as NaN.

Messages name a score as Python does: ``y_pred[3]``, ``ratings[0, 2]``.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError, ScaleError, did_you_mean
from tallymark.scale import GREATEST, HALF_STEP, Scale, trim_steps
from tallymark.tally.rounding import nearest, trim

ScaleLike = Scale | str | Iterable[object]
RatingsLike = ArrayLike | Sequence[Sequence[object]]
"""Responses x raters; nested lists may hold None and words."""
Missing = Literal["raise", "drop"]
"""What becomes of a response that lacks a score the statistic needs."""
NAMES = ("y_true", "y_pred")
RULES: tuple[Missing, ...] = ("raise", "drop")
QUARTERS = 4000
"""Scores that are so few quarters of a point are counted, not sorted."""
TOLERANCE = 1e-6
"""In steps: a score so near to a point is on it."""


def unmasked(values: NDArray[Any]) -> NDArray[Any]:
    """The array itself, or a masked one with NaN, else None, where it is masked.

    >>> unmasked(np.ma.array([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    numbers = values.dtype.kind in "iuf"
    filled = np.asarray(values.data).astype(np.float64 if numbers else object)
    filled[np.ma.getmaskarray(values)] = np.nan if numbers else None
    return filled


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, NaN, masked, or the marks of pandas.

    >>> [is_missing(value) for value in (None, float("nan"), np.ma.masked, 0, "", np.float64(2))]
    [True, True, True, False, False, False]
    """
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in {"NAType", "NaTType"}


def sequence(scores: Any, name: str, scale: Scale | None = None) -> Floats:
    """One score a response as numbers, words as the points of the scale, missing ones as NaN."""
    values = _array(scores, name)
    if values.ndim != 1:
        flat = values.ndim > 1 and max(values.shape) == values.size
        hint = f" Did you mean {name}.ravel()?" if flat else " Give a list or an array."
        raise DataError(f"{name} must be one number a response, got shape {values.shape}.{hint}")
    return _numbers(values, name, scale)


def matrix(
    ratings: Any, name: str = "ratings", scale: Scale | None = None, *, one: bool = False
) -> Floats:
    """Responses x raters as numbers, words as the points of the scale, missing ones as NaN.

    The scores of ``one`` rater may be a sequence.

    >>> matrix([[1, None], [2, 3]]).tolist()
    [[1.0, nan], [2.0, 3.0]]
    """
    values = _array(ratings, name)
    values = values[:, None] if one and values.ndim == 1 else values
    if values.ndim != 2:
        raise DataError(
            f"{name} must be responses x raters, one row a response, got shape {values.shape}; "
            "give two sequences, or a table of two dimensions"
        )
    return _numbers(values, name, scale)


def pair(
    first: Any,
    second: Any,
    *,
    scale: Scale | None = None,
    missing: Missing = "raise",
    beyond: str | float = HALF_STEP,
    names: tuple[str, str] = NAMES,
) -> tuple[Floats, Floats]:
    """The two scores of each response; both are NaN of one that lacks either.

    On a declared scale the second is trimmed to its ends.

    >>> [scores.tolist() for scores in pair([1, 2, None], [1.5, 2, 3], missing="drop")]
    [[1.0, 2.0, nan], [1.5, 2.0, nan]]
    """
    a, b = sequence(first, names[0], scale), sequence(second, names[1], scale)
    check_lengths(a.size, names[0], **{names[1]: b.size})
    if scale is not None:
        a, b = on_scale(a, scale, names[0]), trimmed(b, scale, beyond)
    lacking = check_missing(missing, **{names[0]: a, names[1]: b})
    if lacking.any():
        a, b = np.where(lacking, np.nan, a), np.where(lacking, np.nan, b)
    return a, b


def present(first: Floats, *others: Floats) -> tuple[Floats, ...]:
    """The scores of the responses that have all of them."""
    lacking = np.isnan(first)
    for name in others:
        lacking |= np.isnan(name)
    columns = (first, *others)
    return tuple(column[~lacking] for column in columns) if lacking.any() else columns


def check_lengths(size: int, name: str, **sizes: int) -> None:
    """Refuse columns of several lengths."""
    for other, length in sizes.items():
        if length != size:
            raise DataError(f"{name} and {other} must be of one length, got {size} and {length}")


def check_missing(missing: str, **columns: Floats) -> NDArray[np.bool_]:
    """The responses that lack a score, which are refused unless they are to be dropped."""
    if str(missing) not in RULES:
        hint = did_you_mean(str(missing), RULES)
        raise OptionError(f"missing= takes 'raise' or 'drop', got {missing!r}.{hint}")
    gaps = {name: np.isnan(column) for name, column in columns.items()}
    lacking = np.logical_or.reduce([*gaps.values()])
    if missing == "raise" and lacking.any():
        place = int(lacking.argmax())
        name = next(name for name, gap in gaps.items() if gap[place])
        raise DataError(
            f"{name}[{place}] is missing; {lacking.sum():,} of {lacking.size:,} responses lack a score. Fill "
            "them in, or pass missing='drop' to leave these responses out"
        )
    return np.asarray(lacking)


def on_scale(scores: Floats, scale: Scale, name: str) -> Floats:
    """Refuse scores that are not on a declared scale."""
    if scale.continuous:
        off = (scores < scale.low) | (scores > scale.high)
    else:
        points = np.asarray(scale.points)
        nearest_points = points[nearest(scores, points)]
        off = np.abs(nearest_points - scores) > TOLERANCE * (scale.step or 1.0)
    if off.any():
        places = np.argwhere(off)
        more = f" ({len(places):,} scores in all)" if len(places) > 1 else ""
        raise ScaleError(
            f"{_place(name, places[0])} is {scores[tuple(places[0])]:g}, which is not on the scale {scale}{more}; "
            "correct the score or widen the scale"
        )
    return scores


def trimmed(scores: Floats, scale: Scale, beyond: str | float = HALF_STEP) -> Floats:
    """Scores of a system, trimmed beyond the ends of a declared scale."""
    return trim(scores, *scale.ends, step=scale.step, tolerance=trim_steps(beyond))


def declared(scale: ScaleLike | None) -> Scale | None:
    """The scale that was declared, None where none was."""
    return None if scale is None else Scale.of(scale)


def seen_scale(*raters: Floats) -> Scale:
    """The scale that scores show. Fractions of the second of two do not refine the first's points.

    >>> str(seen_scale(np.array([1.0, 4]), np.array([1.0, 3]))), str(
    ...     seen_scale(np.array([1.0, 2, 4]), np.array([1.2, 2.5, 3.9]))
    ... )
    ('1:4', '1:4')
    """
    scale = _seen(raters)
    if len(raters) != 2:
        return scale
    gold = _seen(raters[:1])
    stepless = gold.continuous or gold.step == 0
    finer = scale.continuous or (
        not stepless and scale.step < min(gold.step, 1.0) * (1 - TOLERANCE)
    )
    return gold if finer else scale


def _seen(raters: Sequence[Floats]) -> Scale:
    distinct = [
        _distinct(scores[~gaps] if (gaps := np.isnan(scores)).any() else scores)
        for scores in raters
    ]
    values = np.concatenate(distinct)
    return Scale.infer(np.unique(values).tolist()) if values.size else Scale((0.0,), inferred=True)


def _distinct(values: Floats) -> Floats:
    if not values.size:
        return values
    low = values.min()
    quarters = (values - low) * 4
    if quarters.max() <= QUARTERS and (quarters == np.floor(quarters)).all():
        return np.asarray(low + np.flatnonzero(np.bincount(quarters.astype(np.int64))) / 4)
    return np.unique(values)


def _array(scores: Any, name: str) -> NDArray[Any]:
    """The array behind what was given; a list that holds what is no number stays one of objects."""
    if isinstance(scores, np.ndarray):
        return unmasked(scores)
    kinds = set(map(type, scores)) if isinstance(scores, list | tuple) else set()
    if any(issubclass(kind, np.ma.MaskedArray) for kind in kinds):
        scores = [_unmasked_row(row) for row in scores]
    if kinds and kinds <= {list, tuple}:
        kinds = {kind for row in scores for kind in set(map(type, row))}
    try:
        array = (
            np.asarray(scores) if all(map(_is_number, kinds)) else np.array(scores, dtype=object)
        )
    except (ValueError, TypeError, OverflowError):
        array = None
    if array is None or (array.dtype == object and any(map(_is_row, array.flat))):
        raise DataError(
            f"{name} cannot be read: the rows differ in length. Give each response as many scores, and "
            "None where one is missing"
        )
    return unmasked(array)


def _unmasked_row(row: Any) -> Any:
    if row is np.ma.masked:
        return None
    return unmasked(row) if isinstance(row, np.ma.MaskedArray) else row


def _is_row(value: object) -> bool:
    return isinstance(value, list | tuple | np.ndarray) and value is not np.ma.masked


def _is_number(kind: type) -> bool:
    """Whether NumPy makes numbers of a list of them, and loses nothing."""
    return issubclass(kind, int | float | np.number) and kind is not bool


def _numbers(values: NDArray[Any], name: str, scale: Scale | None) -> Floats:
    """An array of any type as numbers within the range that formulas can take."""
    words = scale is not None and bool(scale.labels)
    if words or values.dtype.kind not in "biuf":
        if values.dtype.kind not in "biufOUST":
            raise DataError(
                f"{name} must hold numbers, got {values.dtype}. Give one number a score"
            )
        values = _each(values.astype(object), name, scale if words else None)
    scores = values.astype(np.float64, copy=False)
    if scores.size and not np.abs(scores).max() <= GREATEST:  # NaN, too, is not within it
        place = np.argwhere(np.abs(scores) > GREATEST)
        if place.size:
            value = scores[tuple(place[0])]
            what = "infinite" if np.isinf(value) else f"{value:g}, beyond {GREATEST:g}"
            raise DataError(
                f"{_place(name, place[0])} is {what}. Correct it, or give None where it is missing"
            )
    return scores


def _each(values: NDArray[Any], name: str, scale: Scale | None) -> Floats:
    """Objects as numbers, one after the other; truths alone are 1 and 0."""
    scores = np.empty(values.shape)
    truths = {type(value) in (bool, np.bool_) for value in values.flat if not is_missing(value)}
    for place, value in np.ndenumerate(values):
        if is_missing(value):
            scores[place] = np.nan
        elif scale is not None:
            scores[place] = _point(value, scale, _place(name, place))
        elif type(value) in (bool, np.bool_) and len(truths) > 1:
            raise DataError(
                f"{_place(name, place)} is {value}, a truth among numbers; write it as 1 or 0"
            )
        else:
            scores[place] = _number(value, _place(name, place))
    return scores


def _number(value: object, where: str) -> float:
    if not isinstance(value, str | bytes):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:
            return np.inf
        except (TypeError, ValueError):
            pass
    raise DataError(
        f"{where} is {_shown(value)}, which is not a number. If scores are words, list them in ascending "
        "order as scale=[...]"
    )


def _point(value: object, scale: Scale, where: str) -> float:
    """The point of a word, read as the words of a file are: two labels may be 0 and 1 as well."""
    words = scale.words
    text = str(value).strip()
    small = text.lower() if all(word == word.lower() for word in words) else text
    if small in words:
        return words[small]
    if {*words.values()} == {0.0, 1.0} and not isinstance(value, str | bytes):
        number = _number(value, where)
        return 1 - number if scale.turned else number
    raise ScaleError(
        f"{where} is {_shown(value)}, which is not on the scale {scale}.{did_you_mean(text, scale.names)}"
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _place(name: str, place: Iterable[int]) -> str:
    return f"{name}[{', '.join(str(int(i)) for i in place)}]"
