"""promptfoo: results as JSON; the judge is in the components, which a person's rating leaves alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tallymark.errors import DataError
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

_ERROR = 2
"""The reason of failure of a result that has no answer: an error of the provider."""
_COLUMNS = {"Grader Reason", "Named Scores", "Status"}


def is_export(content: Any) -> bool:
    """Whether JSON holds results of promptfoo, in an export or line by line."""
    if isinstance(content, list):
        return any({"gradingResult", "testIdx"} <= result.keys() for result in entries(content))
    return any("gradingResult" in each or "testIdx" in each for each in _results(content))


def check_table(source: str, header: Sequence[str]) -> None:
    """Refuse the CSV export, in which a person's rating stands where the judge's was."""
    if _COLUMNS.issubset(header):
        raise DataError(
            f"{source} is promptfoo's CSV export, in which a person's rating has replaced the score of "
            "the judge. Export JSON instead: promptfoo export eval ID -o results.json"
        )


def read_export(source: str, content: Any) -> JudgeFile:
    """Read the components of every result; pass and fail, or scores where people gave others."""
    results = _results(content)
    by_result = [(_name(result, i), result) for i, result in enumerate(results)]
    scored = any(
        entry(component, "score") not in (0, 1, None)
        for result in results
        for component in entries(result, "gradingResult", "componentResults")
        if _is_person(component)
    )
    ratings = tuple(
        given
        for name, result in by_result
        for given in _ratings(name, result, "score" if scored else "pass")
    )
    check_some(source, "a promptfoo export", ratings)
    tests = {name: text_at(result, "testIdx") or name for name, result in by_result}
    failed = {name: _why(result) for name, result in by_result if not _components(result)}
    several = len({*tests.values()}) < len(tests)
    return JudgeFile(
        said=_said(len(results), len({*tests.values()}), ratings, scored=scored),
        ratings=ratings,
        failed=failed,
        cluster="test" if several else "",
        clusters=tests if several else {},
        beside={
            "provider": {name: text_at(result, "provider", "id") for name, result in by_result},
            "prompt_label": {
                name: text_at(result, "prompt", "label") for name, result in by_result
            },
            "input": {name: text_at(result, "prompt", "raw") for name, result in by_result},
            "output": {name: text_at(result, "response", "output") for name, result in by_result},
        },
    )


def _results(content: Any) -> list[dict[str, Any]]:
    return entries(content) if isinstance(content, list) else entries(content, "results", "results")


def _name(result: Any, i: int) -> str:
    return text_at(result, "id") or f"result {i}"


def _label(component: Any) -> str:
    """The metric of an assertion or of a set of them, else the kind of it."""
    made = ("assertion",), ("metadata", "assertionSet")
    named = (text_at(component, *at, key) for key in ("metric", "type") for at in made)
    return next(filter(None, named), "assertion")


def _is_person(component: Any) -> bool:
    return text_at(component, "assertion", "type") == "human"


def _components(result: Any) -> list[dict[str, Any]]:
    """The judges among the components of a result."""
    every = entries(result, "gradingResult", "componentResults")
    return [component for component in every if not _is_person(component)]


def _ratings(name: str, result: Any, field: str) -> Iterator[Rating]:
    seen: Counter[str] = Counter()
    for component in _components(result):
        label = _label(component)
        seen[label] += 1
        label += f" {seen[label]}" if seen[label] > 1 else ""
        if entry(component, "metadata", "graderError"):
            yield Rating(name, "", None, name=label, why=f"{NO_SCORE} (error of the grader)")
        else:
            yield rating(name, "", _value(component, field), name=label)
    for component in entries(result, "gradingResult", "componentResults"):
        if _is_person(component):
            yield rating(name, "person", _value(component, field), person=True)


def _value(component: Any, field: str) -> Any:
    """A score, or the word for whether it passed."""
    value = entry(component, field)
    return ("pass" if value else "fail") if isinstance(value, bool) else value


def _why(result: Any) -> str:
    failed = entry(result, "failureReason") == _ERROR or entry(result, "response", "error")
    return "provider failed with an error" if failed else "no assertion"


def _said(results: int, tests: int, ratings: tuple[Rating, ...], *, scored: bool) -> str:
    judges = dict.fromkeys(given.name for given in ratings if not given.person)
    people = sum(given.person for given in ratings)
    return (
        f"promptfoo results: {counted(results, 'output')} of {counted(tests, 'test')}, "
        f"{'scores' if scored else 'pass or fail'} of {', '.join(judges)}; {people:,} rated by a person"
    )
