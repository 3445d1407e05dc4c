"""Label Studio: tasks as JSON, with annotations by people and predictions by models."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tallymark.sources.judges.ratings import (
    JudgeFile,
    Rating,
    check_some,
    counted,
    entries,
    entry,
    rating,
    text_at,
)

_VALUES = ("rating", "choices", "number")
"""The kinds of results that are scores."""
_OTHER, _SEVERAL = "result of another kind", "result with several choices"
_UNJUDGED = (
    "it holds only the ids of predictions. Export them whole: POST /api/projects/ID/exports/ with "
    '{"serialization_options": {"predictions": {"only_id": false}}}'
)


def is_tasks(content: Any) -> bool:
    """Whether JSON is an export of tasks, or what the server lists of them."""
    return any(
        isinstance(task.get("annotations"), list) and isinstance(task.get("data"), dict)
        for task in _tasks(content)
    )


def read_tasks(source: str, content: Any) -> JudgeFile:
    """Read ratings, numbers and single choices; an annotation that was cancelled is counted."""
    tasks = _tasks(content)
    ratings: list[Rating] = []
    failed: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for i, task in enumerate(tasks):
        name = text_at(task, "id") or f"task {i}"
        failed.setdefault(name, "task without a prediction")
        for annotation in entries(task, "annotations"):
            if entry(annotation, "was_cancelled") is True:
                seen["skipped annotation"] += 1
                continue
            given = [*_ratings(name, _person(annotation), annotation, seen, person=True)]
            ratings += given
            if entry(annotation, "ground_truth") is True:
                ratings += [replace(each, gold=True) for each in given]
        for prediction in entries(task, "predictions"):
            model = text_at(prediction, "model_version") or "prediction"
            ratings += _ratings(name, model, prediction, seen)
    check_some(source, "a Label Studio export", tuple(ratings))
    people = len({given.rater for given in ratings if given.person})
    models = dict.fromkeys(given.rater for given in ratings if not given.person)
    names = dict.fromkeys(given.name for given in ratings)
    said = (
        f"Label Studio: {counted(len(tasks), 'task')}, {', '.join(names)} by "
        f"{counted(people, 'annotator')}"
    )
    return JudgeFile(
        said=f"{said}; predictions of {', '.join(models)}" if models else said,
        ratings=tuple(ratings),
        notes=tuple(f"left out: {what} ({n:,})" for what, n in sorted(seen.items())),
        failed=failed,
        unjudged=_UNJUDGED if any(isinstance(p, int) for p in _predictions(tasks)) else "",
    )


def _tasks(content: Any) -> list[dict[str, Any]]:
    return entries(content) if isinstance(content, list) else entries(content, "tasks")


def _predictions(tasks: list[dict[str, Any]]) -> Iterator[Any]:
    for task in tasks:
        several = entry(task, "predictions")
        yield from several if isinstance(several, list) else ()


def _person(annotation: Any) -> str:
    by = entry(annotation, "completed_by")
    if isinstance(by, dict):
        return text_at(by, "email") or text_at(by, "id") or "annotator"
    return f"annotator {text_at(annotation, 'completed_by')}".strip()


def _ratings(
    response: str, rater: str, given: Any, seen: Counter[str], *, person: bool = False
) -> Iterator[Rating]:
    for result in entries(given, "result"):
        kind = next((kind for kind in _VALUES if entry(result, "value", kind) is not None), None)
        value = entry(result, "value", kind) if kind else None
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else value
        if kind is None or isinstance(value, list):
            seen[_OTHER if kind is None else _SEVERAL] += 1
            continue
        name = text_at(result, "from_name")
        yield rating(response, rater, value, person=person, name=name)
