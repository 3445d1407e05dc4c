"""Langfuse: the export of scores as JSON, JSON lines or CSV."""

from collections import Counter
from typing import Any

from tallymark.sources.judges.ratings import (
    JudgeFile,
    Rating,
    check_some,
    counted,
    entries,
    rating,
    text_at,
)

_SOURCES = {"ANNOTATION": "", "EVAL": "judge", "API": "api"}
"""Where a score comes from, and what its rater is called where that is no person."""
_NEEDED = {"source", "name", "value"}
_OF = ("traceid", "sessionid", "datasetrunid")


def is_header(names: list[str]) -> bool:
    """Whether a table of these columns is an export of scores."""
    plain = {_plain(name) for name in names}
    return plain >= _NEEDED and not plain.isdisjoint(_OF)


def is_scores(content: Any) -> bool:
    """Whether JSON is an export of scores."""
    rows = _rows(content)[:20]
    return bool(rows) and all(
        is_header([*row, "value"]) and str(row.get("source")) in _SOURCES for row in rows
    )


def read_scores(source: str, content: Any) -> JudgeFile:
    """Read the scores: annotations are of people, evaluations and those of the API of judges."""
    rows = [{_plain(key): value for key, value in row.items()} for row in _rows(content)]
    rows.sort(key=lambda row: text_at(row, "timestamp") or text_at(row, "createdat"))
    other = sum(_is_text(row) or not _response(row) for row in rows)
    ratings = tuple(_rating(row) for row in rows if not _is_text(row) and _response(row))
    check_some(source, "a Langfuse export", ratings)
    kinds = Counter(str(row.get("source")) for row in rows)
    names = dict.fromkeys(given.name for given in ratings)
    notes = [f"{counted(other, 'score')} left out: a text, or of no trace"] if other else []
    if kinds["API"]:
        notes.append(
            f"{counted(kinds['API'], 'score')} came by the API: taken for those of a system. Where "
            "people gave them, name them with --human"
        )
    responses = len({given.response for given in ratings})
    return JudgeFile(
        said=(
            f"Langfuse scores of {counted(responses, 'response')}, {', '.join(names)}: "
            f"{kinds['ANNOTATION']:,} by people, {kinds['EVAL']:,} by judges, {kinds['API']:,} by the API"
        ),
        ratings=ratings,
        notes=tuple(notes),
    )


def _rows(content: Any) -> list[dict[str, Any]]:
    return entries(content) if isinstance(content, list) else entries(content, "data")


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()


def _is_text(row: dict[str, Any]) -> bool:
    return text_at(row, "datatype").upper() in ("TEXT", "CORRECTION")


def _response(row: dict[str, Any]) -> str:
    name = next((text for key in _OF if (text := text_at(row, key))), "")
    part = text_at(row, "observationid")
    return f"{name}/{part}" if part else name


def _rating(row: dict[str, Any]) -> Rating:
    person = row.get("source") == "ANNOTATION"
    author = text_at(row, "authorusername") or text_at(row, "authoruserid") or "person"
    rater = author if person else _SOURCES.get(str(row.get("source")), "api")
    words = text_at(row, "datatype").upper() == "CATEGORICAL" or row.get("value") in (None, "")
    value = row.get("stringvalue") if words else row.get("value")
    return rating(_response(row), rater, value, person=person, name=text_at(row, "name"))
