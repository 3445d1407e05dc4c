"""Calibration: labelled responses one by one, with their confidence, and what is asked of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.defaults import DELTA, LAMBDA, LEVEL, SEED, VOLUME
from tallymark.errors import DataError, OptionError
from tallymark.questions.routing.artifact import Threshold
from tallymark.questions.routing.source import Source, check_confidences, check_unrounded
from tallymark.scale import Scale
from tallymark.selective.certify import FAMILIES, Family
from tallymark.selective.clusters import Weigh, one_per_cluster
from tallymark.selective.cost import Prices
from tallymark.selective.methods import METHODS
from tallymark.sources import Roles, Scores, read_scores
from tallymark.sources.confidence import read_columns
from tallymark.sources.files import unchanged
from tallymark.sources.places import place_of
from tallymark.sources.scoring import map_system
from tallymark.study.critical import check_critical, in_points, share_of_range
from tallymark.study.judged import Judged, critical_of, judged, margins
from tallymark.study.request import Request

Floats = NDArray[np.float64]
WEIGHTS: tuple[Weigh, ...] = ("responses", "clusters")


NO_WEIGHTS = "--weight: a certificate rests on responses drawn alike; it does not use weights"
NOT_ALIKE = (
    "a certificate rests on labels that were drawn alike, and those of --human-file have weights: "
    "draw them with `tallymark labels draw` without --by"
)


class RoutingTerms(Struct, frozen=True, kw_only=True):
    """What is to be certified, and at which prices it is weighed.

    ``method`` is one of ``selective.methods``. ``margin``: no worse than a second rater is shown if
    the rate of critical errors is surely less than this above the rater's. ``by_prompt`` gives each
    prompt its own threshold. ``one_per_cluster`` certifies on one response of each cluster, so that
    responses count alike, or clusters (``weigh``). Method dev_zero needs no ``alpha``. ``audit``
    is the share of accepted responses that people read all the same; ``double`` that people score
    twice where no machine does.
    """

    alpha: float = 0.0
    delta: float = DELTA
    lambda_: float = LAMBDA
    critical: float | None = None
    margin: float | None = None
    method: str = "ltt"
    by_prompt: bool = False
    family: Family = "bonferroni"
    one_per_cluster: bool = False
    weigh: Weigh = "responses"
    volume: int = VOLUME
    audit: float = 0.0
    double: bool = False
    prices: Prices = field(default_factory=Prices)
    level: float = LEVEL
    seed: int = SEED

    @classmethod
    def of(cls, request: Request) -> "RoutingTerms":
        """The terms that a request asks for."""
        check_critical(request)
        if request.alpha is None and not request.dev_zero:
            raise OptionError("name --alpha, the rate of critical errors to certify, such as .05")
        renamed = {
            "alpha": request.alpha or 0.0,
            "method": "dev_zero" if request.dev_zero else request.method,
            "by_prompt": request.by == "prompt",
            "prices": Prices(**(request.prices or {})),
        }
        if request.categories is not None:  # labels without an order: every disagreement counts
            renamed["critical"] = 1.0
        return cls(**{**request.some(cls.__struct_fields__), **renamed})

    def on(self, scale: Scale) -> "RoutingTerms":
        """The terms with the share of the range that critical points are on a scale."""
        if self.critical is None:
            return self
        return replace(self, lambda_=share_of_range(self.critical, scale))

    def __post_init__(self) -> None:
        for name, known in (("method", (*METHODS,)), ("family", FAMILIES), ("weigh", WEIGHTS)):
            if getattr(self, name) not in known:
                raise OptionError(
                    f"--{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}"
                )
        if not 0 < self.lambda_ <= 1:
            raise OptionError(f"lambda must lie above 0 and at most at 1, got {self.lambda_:g}")
        if self.margin is not None and not 0 < self.margin < 1:
            raise OptionError(f"--margin must lie above 0 and below 1, got {self.margin:g}")
        if self.volume < 1:
            raise OptionError(f"--volume must be 1 response or more, got {self.volume}")
        if self.family != "bonferroni" and not self.by_prompt:
            raise OptionError(f"--family {self.family} goes with --by prompt")
        if self.weigh == "clusters" and not self.one_per_cluster:
            raise OptionError("--weigh clusters goes with --one-per-cluster")
        if self.by_prompt and not METHODS[self.method].by_prompt:
            raise OptionError("a threshold for each prompt is certified by --method ltt alone")


class Calibration(NamedTuple):
    """The labelled responses as they were read, with confidence and critical errors."""

    scores: Scores
    source: Source
    judged: Judged
    used: NDArray[np.bool_]
    ids: NDArray[np.object_] | None

    @property
    def system(self) -> str:
        """The system's column."""
        return self.scores.roles.systems[0]

    @property
    def clustered(self) -> bool:
        """Whether several responses share a cluster."""
        clusters = self.judged.clusters
        return clusters is not None and np.unique(clusters).size < self.judged.counts.size

    @property
    def prompts(self) -> NDArray[np.object_]:
        """The prompt of each response, "" where there is none."""
        return prompts_of(self.scores)[self.judged.rows]


def calibration_of(
    source: object,
    spec: Source,
    terms: RoutingTerms,
    system: str,
    roles: Roles,
    reading: Mapping[str, Any],
    range_: Scale | None = None,
) -> Calibration:
    """Read labelled responses one by one, with their confidence.

    ``range_`` is the continuous scale by which errors are critical, where it was declared before.
    """
    if roles.weight is not None or roles.count is not None:
        raise OptionError(NO_WEIGHTS)
    confidences = {system: spec.columns[0]} if spec.kind == "column" else {}
    roles = replace(roles, systems=(system,), confidences=confidences)
    with unchanged(source):
        scores = read_scores(source, roles=roles, numbered=True, **reading)
        if scores.weighted:
            raise OptionError(NOT_ALIKE)
        ids = {scores.roles.id: "asked for as --id"} if scores.roles.id else {}
        values, texts = read_columns(
            source,
            numbers={**spec.asked_as, system: "asked for as --system"},
            texts=ids,
            missing=reading.get("missing", ()),
            place=place_of(reading),
            where=reading.get("where"),
            points=spec.worded(system, scores.rater_scale),
        )
    if range_ is not None:
        scores = replace(scores, gold_scale=range_)
    scores, terms = in_points(scores, terms.critical), terms.on(scores.gold_scale)
    rows = scores.patterns.scores["row"].astype(np.int64) - 1
    if scores.scales and spec.kind != "column":
        confidence = _by_prompt(values, spec, scores, rows, terms)
    else:
        confidence = row_confidence(values, spec, system, scores.gold_scale, terms, reading)
    wrong = critical_of(scores, f"system:{system}", terms.lambda_)
    needed = np.zeros(confidence.size, dtype=bool)
    needed[rows[~np.isnan(wrong)]] = True
    check_confidences(confidence, needed, spec)
    cases = judged(scores, system, confidence[rows], terms.lambda_)
    if cases is None:
        raise DataError("no response has a gold score and a system score on a scale of two points")
    used = _independent(cases, terms)
    ids_of_cases = None if not ids else texts[str(scores.roles.id)][rows[cases.rows]]
    return Calibration(scores, spec, cases, used, ids_of_cases)


def _by_prompt(
    values: Mapping[str, Floats],
    spec: Source,
    scores: Scores,
    rows: NDArray[np.int64],
    terms: RoutingTerms,
) -> Floats:
    """The confidence of every row, each prompt by its own scale and lambda."""
    if spec.kind != "probabilities":
        raise OptionError(
            "prompts with scales of their own need --confidence or --probabilities, got "
            f"{spec.words}"
        )
    given = scores.patterns.scores[f"system:{scores.roles.systems[0]}"]
    confidence = np.full(len(values[spec.columns[0]]), np.nan)
    for scale, share, here in margins(scores, terms.lambda_):
        columns = {name: values[name][rows[here]] for name in spec.columns}
        confidence[rows[here]] = spec.confidence(columns, given[here], scale, share)
    return confidence


def row_confidence(
    values: Mapping[str, Floats],
    spec: Source,
    system: str,
    scale: Scale,
    terms: RoutingTerms,
    reading: Mapping[str, Any],
) -> Floats:
    """The confidence of every row, from the columns as they stand in the table."""
    given, columns = values[system], dict(values)
    if reading.get("system_scale") is not None:
        system_scale = Scale.of(reading["system_scale"])
        given = map_system(given, system_scale, scale)
        if spec.kind == "runs":
            columns |= {
                name: map_system(values[name], system_scale, scale) for name in spec.columns
            }
    check_unrounded(given, scale, spec)
    return spec.confidence(columns, given, scale, terms.lambda_)


def prompts_of(scores: Scores) -> NDArray[np.object_]:
    """The prompt of every pattern, "" where there is none."""
    codes = scores.patterns.keys.get("prompt")
    if codes is None:
        return np.full(scores.patterns.counts.size, "", dtype=object)
    labels = np.array([*scores.patterns.labels["prompt"], ""], dtype=object)
    return np.asarray(labels[codes])


def _independent(cases: Judged, terms: RoutingTerms) -> NDArray[np.bool_]:
    """Which responses the tests may use: all, or one of each cluster."""
    every = np.ones(cases.counts.size, dtype=bool)
    if cases.clusters is None:
        return every
    clusters = np.unique(cases.clusters).size
    if clusters == cases.counts.size:
        return every
    if not terms.one_per_cluster:
        raise DataError(
            f"{cases.n} calibration responses come from {clusters} clusters, such as candidates; "
            "the tests need independent responses. Add --one-per-cluster to certify on one response "
            "of each, drawn at random"
        )
    chosen = one_per_cluster(cases.clusters, cases.confidence, cases.wrong, terms.seed, terms.weigh)
    every[:] = False
    every[chosen] = True
    return every


def accepted_by(
    thresholds: Sequence[Threshold], confidence: Floats, prompts: NDArray[np.object_]
) -> NDArray[np.bool_]:
    """Which responses the thresholds accept, each by that of its prompt."""
    chosen = np.zeros(confidence.shape, dtype=bool)
    for threshold in thresholds:
        here = np.ones_like(chosen) if threshold.prompt is None else prompts == threshold.prompt
        chosen |= here & threshold.accepts(confidence)
    return chosen
