"""Inspect: logs of evaluations, ``.eval`` or JSON, with scores as judges gave and people edited them."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallymark.errors import DataError
from tallymark.sources.judges.archives import members
from tallymark.sources.judges.contents import parsed
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

LETTERS = {"C": "1", "P": "0.5", "I": "0", "N": "0"}
"""What the letters stand for: correct, partly, incorrect, no answer."""
UNCHANGED = "UNCHANGED"


def is_log(content: Any) -> bool:
    """Whether JSON is a log of Inspect."""
    return isinstance(entry(content, "eval", "task"), str) and "samples" in content


def is_archive(names: Iterable[str]) -> bool:
    """Whether a ZIP file with these members is a log of Inspect."""
    return not {"header.json", "_journal/start.json"}.isdisjoint(names)


def read_archive(path: Path) -> JudgeFile:
    """Read a ``.eval`` file, one sample after the other."""
    samples = (
        _sample(parsed(path.name, _text(path.name, content), f"member {name}"))
        for name, content in members(path, "samples/", ".json")
    )
    return _read(path.name, samples)


def read_log(source: str, content: Any) -> JudgeFile:
    """Read a log that is one JSON object."""
    return _read(source, map(_sample, entries(content, "samples")))


class _Sample(Struct, frozen=True):
    """What is needed of a sample; ``answer`` tells whether two epochs have the same."""

    id: str
    epoch: int
    scores: dict[str, Any]
    answer: bytes
    failed: bool
    input: str
    output: str


def _text(source: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{source} is damaged: a sample is not UTF-8; write it again") from None


def _sample(content: Any) -> _Sample:
    epoch = entry(content, "epoch")
    scores = entry(content, "scores")
    output = entry(content, "output")
    said = entry(output, "completion") or [
        entry(choice, "message", "content") for choice in entries(output, "choices")
    ]
    return _Sample(
        text_at(content, "id"),
        epoch if isinstance(epoch, int) else 1,
        scores if isinstance(scores, dict) else {},
        hashlib.sha256(json.dumps(said).encode()).digest(),
        isinstance(entry(content, "error"), dict),
        _written(entry(content, "input")),
        _written(said),
    )


def _written(said: Any) -> str:
    """What was said, as text: a text, or messages with theirs in lines."""
    if isinstance(said, str):
        return said
    parts = said if isinstance(said, list) else []
    texts = [part if isinstance(part, str) else entry(part, "content") for part in parts]
    texts = [
        text if isinstance(text, str) else text_at(part, "text")
        for part, text in zip(parts, texts, strict=True)
    ]
    return "\n".join(filter(None, texts))


def _read(source: str, several: Iterable[_Sample]) -> JudgeFile:
    samples = [sample for sample in several if sample.id]
    if not samples:
        raise DataError(
            f"{source} is an Inspect log without samples; run it with log_samples=True, or wait for "
            "its end"
        )
    epochs = len({sample.epoch for sample in samples})
    ids = {sample.id for sample in samples}
    answered = [(sample.id, sample.answer) for sample in samples if not sample.failed]
    apart = epochs > 1 and len({*answered}) > len({name for name, _ in answered})
    every: list[Rating] = []
    failed: dict[str, str] = {}
    for sample in samples:
        response = f"{sample.id} epoch {sample.epoch}" if apart else sample.id
        ratings = list(_ratings(sample, response, 0 if apart else sample.epoch))
        every += ratings
        if not any(given.value for given in ratings):
            reason = "sample failed with an error" if sample.failed else "sample without a score"
            failed.setdefault(response, reason)
    numbered = tuple(_with_letters(every))
    check_some(source, "an Inspect log", numbered)
    clusters = {f"{s.id} epoch {s.epoch}": s.id for s in samples} if apart else {}
    return JudgeFile(
        said=_said(ids, epochs, numbered, apart=apart),
        ratings=numbered,
        notes=_corrected(numbered),
        failed=failed,
        letters=LETTERS,
        cluster="sample" if apart else "",
        clusters=clusters,
        beside={
            name: {
                (f"{s.id} epoch {s.epoch}" if apart else s.id): getattr(s, name) or None
                for s in samples
            }
            for name in ("input", "output")
        },
    )


def _ratings(sample: _Sample, response: str, run: int) -> Iterator[Rating]:
    for scorer, score in sample.scores.items():
        if not isinstance(score, dict):
            continue
        history = entries(score, "history")
        edits = history[1:]
        if history and entry(history[0], "provenance") is not None:
            edits = history  # a score that a person added: no judge gave one before
        else:
            original = history[0] if history else score
            why = _why(sample, original)
            yield from _each(response, "", scorer, entry(original, "value"), run, why)
        for edit in edits:
            if entry(edit, "value") not in (None, UNCHANGED):
                author = text_at(edit, "provenance", "author") or "person"
                for given in _each(response, author, scorer, entry(edit, "value"), run):
                    yield replace(given, person=True)


def _each(
    response: str, rater: str, name: str, value: Any, run: int, why: str = ""
) -> Iterator[Rating]:
    """One rating of a value, or one of each value in an object."""
    if not isinstance(value, dict):
        given = rating(response, rater, value, name=name, run=run)
        yield replace(given, why=why) if given.why == NO_SCORE and why else given
        return
    for key, inner in value.items():
        yield rating(response, rater, inner, name=f"{name}.{key}", run=run)


def _why(sample: _Sample, score: Any) -> str:
    """Why a judge gave no score, as the log says it."""
    if sample.failed:
        return "sample failed with an error"
    reason = text_at(score, "reason") or text_at(score, "metadata", "unscored_reason")
    return f"{NO_SCORE} ({reason[:40]})" if reason else NO_SCORE


def _with_letters(ratings: list[Rating]) -> Iterator[Rating]:
    """Write letters as numbers, where a scorer and who edited it gave nothing else."""
    worded: dict[str, set[str]] = {}
    for given in ratings:
        if given.value is not None:
            worded.setdefault(given.name, set()).add(given.value)
    letters = {name for name, values in worded.items() if values <= LETTERS.keys()}
    for given in ratings:
        if given.name in letters and given.value is not None:
            yield replace(given, value=LETTERS[given.value])
        else:
            yield given


def _said(ids: set[str], epochs: int, ratings: tuple[Rating, ...], *, apart: bool) -> str:
    scorers = dict.fromkeys(given.name for given in ratings if not given.person)
    edited = sum(given.person for given in ratings)
    said = f"Inspect log: {counted(len(ids), 'sample')}"
    if epochs > 1:
        said += f", {counted(epochs, 'epoch')}"
        said += " with answers of their own" if apart else " of the same answers, as repeats"
    said += f", scorer{'s' * (len(scorers) > 1)} {', '.join(scorers)}"
    return f"{said}; {counted(edited, 'score')} edited by people"


def _corrected(ratings: tuple[Rating, ...]) -> tuple[str, ...]:
    """Say that people only corrected, where no edit left a score as it was."""
    judged = {(r.response, r.run, r.name): r.value for r in ratings if not r.person}
    edits = [r for r in ratings if r.person and (r.response, r.run, r.name) in judged]
    if len(edits) < 2 or any(judged[r.response, r.run, r.name] == r.value for r in edits):
        return ()
    return (
        (
            "every edit changed the score: where people edit only what they find wrong, agreement on "
            "the edited scores is far below that of the judge. Have people score a random sample"
        ),
    )
