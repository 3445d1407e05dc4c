"""MLflow: traces with assessments by people, judges and code, also those that others override."""

from collections.abc import Iterator
from typing import Any

from tallymark.sources.judges.ratings import (
    NO_SCORE,
    JudgeFile,
    Rating,
    check_some,
    counted,
    entries,
    entry,
    rating,
    text_at,
)

_INVALID = "marked as invalid"


def is_traces(content: Any) -> bool:
    """Whether JSON is a trace of MLflow, or a list of them."""
    return any(_info(trace) is not None for trace in _traces(content))


def read_traces(source: str, content: Any) -> JudgeFile:
    """Read the assessments; what a person overrides is still the judge's score."""
    traces = [info for trace in _traces(content) if (info := _info(trace)) is not None]
    ratings: list[Rating] = []
    failed: dict[str, str] = {}
    replaced = invalid = 0
    for i, info in enumerate(traces):
        name = text_at(info, "trace_id") or text_at(info, "request_id") or f"trace {i}"
        every = entries(info, "assessments")
        dropped = [*_dropped(every)]
        replaced += len(dropped)
        for assessment in (a for a in every if not any(a is gone for gone in dropped)):
            given = _rating(name, assessment, every)
            if given.person and given.value is None:
                invalid += 1
            else:
                ratings.append(given)
        failed.setdefault(name, "trace without an assessment")
    check_some(source, "a file of MLflow traces", tuple(ratings))
    notes = []
    if replaced:
        notes.append(f"{counted(replaced, 'assessment')} replaced by a later one of the same kind")
    if invalid:
        notes.append(f"{counted(invalid, 'assessment')} of people {_INVALID} or empty")
    people = sum(given.person for given in ratings)
    names = dict.fromkeys(given.name for given in ratings)
    said = (
        f"MLflow: {counted(len(traces), 'trace')}, assessments {', '.join(names)}; "
        f"{people:,} by people, {len(ratings) - people:,} by judges and code"
    )
    return JudgeFile(said=said, ratings=tuple(ratings), notes=tuple(notes), failed=failed)


def _traces(content: Any) -> list[dict[str, Any]]:
    return entries(content) if isinstance(content, list) else entries([content])


def _info(trace: dict[str, Any]) -> dict[str, Any] | None:
    """What a trace says of itself, in a file of traces or in a table of them."""
    info = entry(trace, "info")
    place = info if isinstance(info, dict) else trace
    named = text_at(place, "trace_id") or text_at(place, "request_id")
    listed = isinstance(entry(place, "assessments"), list)
    return place if named and (listed or "trace_location" in place) else None


def _is_person(assessment: Any) -> bool:
    return text_at(assessment, "source", "source_type").upper() == "HUMAN"


def _dropped(every: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Assessments that another by the same kind of rater overrides."""
    for assessment in every:
        for other in _overriding(assessment, every):
            if _is_person(other) == _is_person(assessment):
                yield assessment
                break


def _overriding(assessment: Any, every: list[dict[str, Any]]) -> list[dict[str, Any]]:
    name = text_at(assessment, "assessment_id")
    return [other for other in every if name and text_at(other, "overrides") == name]


def _rating(response: str, assessment: Any, every: list[dict[str, Any]]) -> Rating:
    name = text_at(assessment, "assessment_name") or text_at(assessment, "name")
    rater = text_at(assessment, "source", "source_id")
    person = _is_person(assessment)
    if entry(assessment, "valid") is False and not _overriding(assessment, every):
        return Rating(response, rater, None, person, name, why=_INVALID)
    error = entry(assessment, "feedback", "error")
    if error:
        code = text_at(error, "error_code")
        why = f"{NO_SCORE} ({code[:40]})" if code else NO_SCORE
        return Rating(response, rater, None, person, name, why=why)
    kind = "feedback" if isinstance(entry(assessment, "feedback"), dict) else "expectation"
    return rating(response, rater, entry(assessment, kind, "value"), person=person, name=name)
