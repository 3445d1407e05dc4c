"""Ratings: what is read from the file of a tool, one record for each score it holds."""

import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from tallymark.errors import DataError

NO_SCORE = "no score by the judge"


class Rating(Struct, frozen=True):
    """One score of a response; ``name`` says what was scored, such as a metric or a question.

    ``rater`` is empty where the tool names none. A ``value`` of None has a reason, ``why``.
    A ``gold`` is marked as the score that counts, beside the same rating of its rater.
    """

    response: str
    rater: str
    value: str | None
    person: bool = False
    name: str = ""
    run: int = 0
    why: str = ""
    gold: bool = False


class JudgeFile(Struct, frozen=True, kw_only=True):
    """The ratings of a file, what it is in a sentence, and what should be said about it.

    ``unjudged`` is why there is no judge, where the file tells; ``failed`` are responses without any rating, by their reason; ``clusters`` are what responses
    share, under the name ``cluster``; ``beside`` are further columns by response; ``letters`` are what
    the tool writes for numbers.
    """

    said: str
    ratings: tuple[Rating, ...]
    notes: tuple[str, ...] = ()
    unjudged: str = ""
    failed: Mapping[str, str] = field(default_factory=dict)
    cluster: str = ""
    clusters: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)


def written(value: Any) -> tuple[str | None, str]:
    """Write a score as a table would hold it, or say why it is none.

    >>> written(True), written(2.0), written(None), written([1])
    (('1', ''), ('2', ''), (None, 'no score by the judge'), (None, 'a list or an object where a score belongs'))
    """
    if isinstance(value, int | float) and not math.isnan(number := float_of(value)):
        whole = number.is_integer() and abs(number) < 1e15
        return (str(int(number)) if whole else repr(number)), ""
    if isinstance(value, str) and value.strip():
        return value.strip(), ""
    if isinstance(value, list | dict):
        return None, "a list or an object where a score belongs"
    return None, NO_SCORE


def float_of(value: float) -> float:
    """A number as a double; a whole number beyond all doubles is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def number_of(value: str | None) -> float | None:
    """The finite number that a text is; None where it is none."""
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def rating(response: str, rater: str, value: Any, **more: Any) -> Rating:
    """A rating of a value as the file holds it."""
    text, why = written(value)
    return Rating(response, rater, text, **{"why": why, **more})


def entry(record: Any, *path: str) -> Any:
    """What stands at a path of keys; None where it ends before.

    >>> entry({"a": {"b": 1}}, "a", "b"), entry({"a": 2}, "a", "b")
    (1, None)
    """
    for key in path:
        if not isinstance(record, dict):
            return None
        record = record.get(key)
    return record


def entries(record: Any, *path: str) -> list[dict[str, Any]]:
    """The objects of a list that stands at a path; none where there is no list."""
    several = entry(record, *path) if path else record
    return [item for item in several if isinstance(item, dict)] if isinstance(several, list) else []


def text_at(record: Any, *path: str) -> str:
    """The text or whole number at a path, as text; empty where there is neither."""
    value = entry(record, *path)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip() if not isinstance(value, int) or abs(value) < 10**30 else ""


def counted(number: int, thing: str) -> str:
    """A number of things in words.

    >>> counted(1, "epoch"), counted(3, "epoch")
    ('1 epoch', '3 epochs')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def check_some(source: str, tool: str, ratings: tuple[Rating, ...]) -> None:
    """Refuse a file that holds no score at all."""
    if not any(rating.value is not None for rating in ratings):
        whys = sorted({rating.why for rating in ratings if rating.why})
        because = f" ({'; '.join(whys)})" if whys else ""
        raise DataError(f"{source} is {tool} without a single score{because}; score it first")
