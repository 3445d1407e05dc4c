"""routing.json: a threshold with its guarantee, small and readable; accidents to it are found."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypedDict

import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.defaults import SEED
from tallymark.errors import DataError
from tallymark.questions.routing.confidence import TRUST, Source, TrainedVectors
from tallymark.render.layout import paragraph, plain_text
from tallymark.results.cells import escaped_json, inert, original
from tallymark.scale import Scale
from tallymark.selective.guarantees import Certificate

FORMAT = "tallymark routing"
VERSION = 1
Rule = Literal[">=", ">", "all", "none", "batch"]
TRIGGERS = (
    "a new prompt, rubric or scale",
    "another version of the system, its prompt or its confidence",
    "candidates, languages or conditions unlike those of the calibration",
    "an alarm of `tallymark route monitor`",
    "a year without new calibration labels",
)


AS_CERTIFIED = ("certified", "statement", "n", "k", "total", "needed", "grid", "tied")
"""What a threshold takes over from its certificate as it is."""


class Threshold(Struct, frozen=True, kw_only=True):
    """What is accepted of one prompt, or of all (``prompt`` None), and what was seen there.

    ``rule`` stands between a confidence and ``tau``; "all" and "none" need no tau, "batch" finds
    it in the batch itself.
    """

    prompt: str | None
    rule: Rule
    tau: float | None
    certified: bool
    statement: str
    n: int
    k: int
    total: int
    coverage: float
    upper: float | None
    delta_each: float | None
    needed: int
    grid: str = ""
    tied: bool = False

    def accepts(self, confidence: Floats) -> NDArray[np.bool_]:
        """Which confidences are accepted; none by a rule that only a batch decides."""
        if self.rule == "all":
            return np.ones(confidence.shape, dtype=bool)
        if self.tau is None or self.rule not in (">=", ">"):
            return np.zeros(confidence.shape, dtype=bool)
        return np.asarray(confidence >= self.tau if self.rule == ">=" else confidence > self.tau)


def threshold_of(certificate: Certificate, prompt: str | None) -> Threshold:
    """Write a certificate down; minus infinity is "all", no threshold "none"."""
    usable = certificate.certified or (
        certificate.method == "dev_zero" and not math.isnan(certificate.tau)
    )
    rule: Rule = certificate.rule if usable else "none"  # type: ignore[assignment]
    if certificate.accepts_all:
        rule = "all"
    if certificate.method == "batch" and certificate.certified:
        rule = "batch"
    return Threshold(
        prompt=prompt,
        rule=rule,
        tau=_finite(certificate.tau) if rule in (">=", ">") else None,
        coverage=certificate.coverage if usable else 0.0,
        upper=_finite(certificate.upper),
        delta_each=_finite(certificate.delta_each),
        **{name: getattr(certificate, name) for name in AS_CERTIFIED},
    )


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


class ReadingTerms(TypedDict, total=False):
    """How audited responses are read, as the calibration was."""

    resolve: str
    adjudication: str
    adjacency: float
    missing: list[str]
    trim: str | float
    scale: list[float | str]
    prompts: dict[str, dict[str, float | list[float]]]


class ScoreShape(Struct, frozen=True, kw_only=True):
    """A distribution: inner edges of bins, and the responses in each."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


class Routing(Struct, frozen=True, kw_only=True):
    """Everything that is needed to route new responses, and to watch whether it still holds.

    ``ids`` are the first eight bytes of the SHA-256 of each calibration id, sorted, base64: they
    refuse a response that is in the calibration without storing who it was. ``errors_at`` are the
    confidences of critical errors, which only method "batch" needs. ``ranges`` are lowest and
    highest point and step of prompts with a scale of their own. ``trained`` are the vectors that trust
    scores are measured from, where they are the confidence. ``program`` is the version of Tallymark
    that wrote it.
    """

    program: str
    statement: str
    certified: bool
    system: str
    confidence: Source
    lambda_: float
    alpha: float
    delta: float
    method: str
    family: str
    thresholds: tuple[Threshold, ...]
    scale: str
    scale_points: tuple[float, ...]
    continuous: bool
    scale_labels: tuple[str, ...] = ()
    system_scale: tuple[float, float] | None = None
    ranges: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    by_prompt: bool = False
    prompt: str | None = None
    prompts: tuple[str, ...] = ()
    id: str | None = None
    humans: tuple[str, ...] = ()
    gold: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    labels: int = 0
    human_rate: float | None = None
    shapes: Mapping[str, ScoreShape] = field(default_factory=dict)
    errors_at: tuple[float, ...] = ()
    ids: str = ""
    trained: TrainedVectors | None = None
    data: str = ""
    seed: int = SEED
    triggers: tuple[str, ...] = TRIGGERS

    @property
    def range_(self) -> Scale:
        """The gold's scale."""
        return Scale(self.scale_points, self.scale_labels, self.continuous)

    def holds(self, *, partly: bool) -> bool:
        """Whether every prompt, or ``partly`` any, is certified."""
        return self.certified if partly else all(t.certified for t in self.thresholds)

    def __repr__(self) -> str:
        """The promise, and the system it is about."""
        return plain_text(paragraph(f"Routing of {self.system}: {self.statement}", 88, indent="  "))

    def to_json(self) -> str:
        """Write it readably, with a digest over everything else, against accidents only."""
        raw = {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(self)}
        raw["lambda"] = raw.pop("lambda_")
        text = json.dumps({**raw, "digest": _digest(raw)}, indent=1, ensure_ascii=False)
        # lists of plain values on one line; a line break never stands inside a JSON text
        return re.sub(r"\[\n\s*([^][{}]*?)\n\s*\]", _on_one_line, escaped_json(text)) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, name: str = "the routing file") -> "Routing":
        """Read what :meth:`to_json` wrote; refuse anything else, and anything changed since."""
        remedy = "write it again with `tallymark route certify`"
        try:
            raw = json.loads(text)
        except RecursionError:
            raise DataError(f"{name} is nested too deeply; {remedy}") from None
        except (ValueError, UnicodeDecodeError) as problem:
            raise DataError(f"{name} is no JSON ({problem}); {remedy}") from None
        if not isinstance(raw, dict) or raw.get("format") != FORMAT:
            raise DataError(f'{name} is no routing file: "format" is not "{FORMAT}"; {remedy}')
        if raw.get("version") != VERSION:
            raise DataError(
                f"{name} is of version {raw.get('version')!r}, this program reads {VERSION}; {remedy}"
            )
        if raw.pop("digest", None) != _digest(raw):
            raise DataError(f"{name} is not as it was written: its digest does not match; {remedy}")
        fields = {key: value for key, value in raw.items() if key not in ("format", "version")}
        fields["lambda_"] = fields.pop("lambda", None)
        try:
            routing = msgspec.convert(fields, cls, strict=True)
            _check(routing)
            return routing
        except (msgspec.MsgspecError, OverflowError, ValueError) as problem:
            raise DataError(f"{name} is no routing file: {problem}; {remedy}") from None

    @classmethod
    def read(cls, path: Path) -> "Routing":
        """Read a routing file."""
        try:
            text = path.read_bytes()
        except OSError as problem:
            raise DataError(f"cannot read {path}: {problem.strerror}") from None
        return cls.from_json(text, path.name)


def _check(routing: Routing) -> None:
    """Refuse what no calibration can have written, whatever its digest says."""
    points, ends = routing.scale_points, routing.system_scale or (0.0, 1.0)
    trained, columns = routing.trained, routing.confidence.columns
    msgspec.convert(routing.reading, ReadingTerms)
    sound = {
        "reading": set(routing.reading) <= set(ReadingTerms.__annotations__),
        "scale_points": len(points) > 1 and all(a < b for a, b in pairwise(points)),
        "system_scale": ends[0] < ends[1],
        "lambda": 0 < routing.lambda_ <= 1,
        "confidence": len(columns) > 0,
        "trained": trained is None or (trained.sound and columns == (TRUST,)),
        "shapes": all(len(s.counts) == len(s.edges) + 1 for s in routing.shapes.values()),
        "thresholds": all(
            threshold.tau is not None or threshold.rule not in (">=", ">")
            for threshold in routing.thresholds
        ),
        "ids": len(base64.b64decode(routing.ids, validate=True)) % 8 == 0,
    }
    for name, holds in sound.items():
        if not holds:
            raise ValueError(f"{name} cannot be what `route certify` wrote")


def _on_one_line(match: re.Match[str]) -> str:
    return "[" + re.sub(r"\s*\n\s*", " ", match[1]) + "]"


def _digest(raw: Mapping[str, Any]) -> str:
    canonical = json.dumps(raw, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def hashed(ids: Iterable[str]) -> NDArray[np.uint64]:
    """Eight bytes of the SHA-256 of each id, sorted; ids without text are left out.

    A table that keeps numbers as decimals writes 12 as 12.0: both are one id. So are =x and '=x,
    as decisions.csv writes it.
    """
    digests = []
    for text in ids:
        cell = original(text) if inert(original(text)) == text else text
        if cell.endswith(".0") and cell[:-2].isdigit():
            cell = cell[:-2]
        if cell:
            digests.append(hashlib.sha256(cell.encode()).digest()[:8])
    return np.sort(np.frombuffer(b"".join(digests), dtype=">u8").astype(np.uint64))


def packed(ids: Iterable[str]) -> str:
    """Hashes of ids as text."""
    return base64.b64encode(hashed(ids).astype(">u8").tobytes()).decode()


def unpacked(text: str) -> NDArray[np.uint64]:
    """What :func:`packed` wrote."""
    return np.frombuffer(base64.b64decode(text), dtype=">u8").astype(np.uint64)
