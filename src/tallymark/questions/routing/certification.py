"""Certify: labelled responses in, thresholds with their guarantee out, or how many labels lack."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark._version import __version__
from tallymark.arrays import Floats, Whole
from tallymark.defaults import DELTA, LAMBDA, LEVEL, SEED, VOLUME
from tallymark.errors import DataError, OptionError
from tallymark.questions.routing.confidence import Source, check_confidences, check_unrounded
from tallymark.questions.routing.routing_file import (
    Routing,
    ScoreShape,
    Threshold,
    hashed,
    packed,
    threshold_of,
)
from tallymark.scale import Scale
from tallymark.selective.certify import (
    FAMILIES,
    Family,
    Weigh,
    certify_each,
    dev_zero,
    one_per_cluster,
)
from tallymark.selective.conformal import select
from tallymark.selective.cost import Prices
from tallymark.selective.guarantees import METHODS, OF_CLUSTERS, Labelled
from tallymark.selective.monitor import bin_edges, binned
from tallymark.sources import Roles, Scores, read_scores
from tallymark.sources.confidence import read_columns
from tallymark.sources.files import unchanged
from tallymark.sources.places import place_of
from tallymark.sources.roles import natural
from tallymark.study.critical import check_critical, in_points, share_of_range
from tallymark.study.judged import Judged, critical_of, judged, margins
from tallymark.study.parts import lambdas_of
from tallymark.study.request import Request

Flags = NDArray[np.bool_]
Texts = NDArray[np.object_]
BINS = 20
NO_WEIGHTS = "--weight: a certificate rests on responses drawn alike; it does not use weights"
NOT_ALIKE = (
    "a certificate rests on labels that were drawn alike, and those of --human-file have weights: "
    "draw them with `tallymark labels draw` without --by"
)


class RoutingTerms(Struct, frozen=True, kw_only=True):
    """What is to be certified, and at which prices it is weighed.

    ``method`` is one of ``selective.guarantees``. ``margin``: no worse than a second rater is shown if
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
        choices = {"method": (*METHODS,), "family": FAMILIES, "weigh": get_args(Weigh)}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise OptionError(
                    f"--{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}"
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
    used: Flags
    ids: Texts | None

    @property
    def system(self) -> str:
        """The system's column."""
        return self.scores.roles.systems[0]

    @property
    def system_scores(self) -> Floats:
        """The system's score of each response."""
        return self.scores.patterns.scores[f"system:{self.system}"][self.judged.rows]

    @property
    def clustered(self) -> bool:
        """Whether several responses share a cluster."""
        clusters = self.judged.clusters
        return clusters is not None and np.unique(clusters).size < self.judged.counts.size

    @property
    def prompts(self) -> Texts:
        """The prompt of each response, "" where there is none."""
        codes = self.scores.patterns.keys.get("prompt")
        if codes is None:
            return np.full(self.judged.counts.size, "", dtype=object)
        labels = np.array([*self.scores.patterns.labels["prompt"], ""], dtype=object)
        return np.asarray(labels[codes[self.judged.rows]])


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
        confidence = _row_confidence(values, spec, system, scores.gold_scale, terms, reading)
    critical = critical_of(scores, f"system:{system}", terms.lambda_)
    needed = np.zeros(confidence.size, dtype=bool)
    needed[rows[~np.isnan(critical)]] = True
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
    rows: Whole,
    terms: RoutingTerms,
) -> Floats:
    """The confidence of every row, each prompt by its own scale and lambda."""
    if spec.kind != "probabilities":
        raise OptionError(
            "prompts with scales of their own need --confidence or --probabilities, got "
            f"{spec.words}"
        )
    machine = scores.patterns.scores[f"system:{scores.roles.systems[0]}"]
    confidence = np.full(len(values[spec.columns[0]]), np.nan)
    for scale, share, patterns in margins(scores, terms.lambda_):
        columns = {name: values[name][rows[patterns]] for name in spec.columns}
        confidence[rows[patterns]] = spec.confidence(columns, machine[patterns], scale, share)
    return confidence


def _row_confidence(
    values: Mapping[str, Floats],
    spec: Source,
    system: str,
    scale: Scale,
    terms: RoutingTerms,
    reading: Mapping[str, Any],
) -> Floats:
    """The confidence of every row, from the columns as they stand in the table."""
    system_scale = reading.get("system_scale")
    mapped = None if system_scale is None else Scale.of(system_scale)
    columns = spec.on_gold_scale(values, system, mapped, scale)
    check_unrounded(columns[system], scale, spec)
    return spec.confidence(columns, columns[system], scale, terms.lambda_)


def _independent(cases: Judged, terms: RoutingTerms) -> Flags:
    """Which responses the tests may use: all, or one of each cluster."""
    used = np.ones(cases.counts.size, dtype=bool)
    if cases.clusters is None:
        return used
    clusters = np.unique(cases.clusters).size
    if clusters == cases.counts.size:
        return used
    if not terms.one_per_cluster:
        raise DataError(
            f"{cases.n} calibration responses come from {clusters} clusters, such as candidates; "
            "the tests need independent responses. Add --one-per-cluster to certify on one response "
            "of each, drawn at random"
        )
    drawn = one_per_cluster(cases.clusters, cases.confidence, cases.wrong, terms.seed, terms.weigh)
    used[:] = False
    used[drawn] = True
    return used


def accepted_by(thresholds: Sequence[Threshold], confidence: Floats, prompts: Texts) -> Flags:
    """Which responses the thresholds accept, each by that of its prompt."""
    accepted = np.zeros(confidence.shape, dtype=bool)
    for threshold in thresholds:
        of_prompt = threshold.prompt is None or prompts == threshold.prompt
        accepted |= of_prompt & threshold.accepts(confidence)
    return accepted


def accepted_labels(calibration: Calibration, routing: Routing) -> Flags:
    """Which calibration responses are accepted; in a batch, by the calibration taken as one."""
    judged = calibration.judged
    if routing.method == "batch":
        return select(judged.confidence, judged.wrong, judged.confidence, routing.alpha).accepted
    return accepted_by(routing.thresholds, judged.confidence, calibration.prompts)


def routing_of(
    calibration: Calibration,
    terms: RoutingTerms,
    reading: Mapping[str, Any],
    *,
    pool: object = None,
    human_rate: float | None = None,
) -> Routing:
    """Find the thresholds with their guarantee; ``human_rate`` is that between two people."""
    confidences = None if pool is None else _pooled(pool, calibration, terms, reading)
    thresholds = _thresholds(calibration, terms, confidences)
    if terms.weigh == "clusters" and calibration.clustered:
        thresholds = tuple(map(_of_clusters, thresholds))
    scores, roles = calibration.scores, calibration.scores.roles
    judged, used = calibration.judged, calibration.used
    critical = judged.confidence[used & judged.wrong]
    system_scale = reading.get("system_scale")
    mapped = None if system_scale is None else Scale.of(system_scale)
    return Routing(
        program=__version__,
        statement=_statement(thresholds),
        certified=any(threshold.certified for threshold in thresholds),
        system=calibration.system,
        confidence=calibration.source,
        lambda_=terms.lambda_,
        alpha=terms.alpha,
        delta=terms.delta,
        method=terms.method,
        family=terms.family if terms.by_prompt else "",
        thresholds=thresholds,
        scale=str(scores.gold_scale),
        scale_points=scores.gold_scale.points,
        scale_labels=scores.gold_scale.labels,
        continuous=scores.gold_scale.continuous,
        system_scale=None if mapped is None else (mapped.low, mapped.high),
        ranges={p: (gold.low, gold.high, gold.step) for p, (_, gold) in scores.scales.items()},
        by_prompt=terms.by_prompt,
        prompt=roles.prompt,
        prompts=tuple(sorted({*calibration.prompts.tolist()} - {""}, key=natural)),
        id=roles.id,
        humans=scores.humans,
        gold=roles.gold,
        reading=_audit_reading(reading, scores),
        labels=int(used.sum()),
        human_rate=human_rate,
        shapes=_shapes(calibration, thresholds),
        errors_at=tuple(sorted(critical.tolist())) if terms.method == "batch" else (),
        ids="" if calibration.ids is None else packed(calibration.ids.tolist()),
        data=scores.facts.hash,
        seed=terms.seed,
    )


def _pooled(
    pool: object, calibration: Calibration, terms: RoutingTerms, reading: Mapping[str, Any]
) -> Floats:
    """The confidences of unlabelled responses, none of which is in the calibration."""
    spec, id_column = calibration.source, calibration.scores.roles.id
    values, texts = read_columns(
        pool,
        numbers={**spec.asked_as, calibration.system: "asked for as --system"},
        texts={id_column: "the id of the calibration"} if id_column else {},
        missing=reading.get("missing", ()),
        points=spec.worded(calibration.system, calibration.scores.rater_scale),
    )
    if id_column and calibration.ids is not None:
        ids, calibrated = hashed(texts[id_column].tolist()), hashed(calibration.ids.tolist())
        shared = int(np.isin(ids, calibrated).sum())
        if shared:
            raise DataError(
                f"{shared} responses of the pool are in the calibration: thresholds that its own "
                "responses set were not fixed beforehand. Give other responses as --pool"
            )
    if calibration.scores.scales and spec.kind != "column":
        raise OptionError("prompts with scales of their own and a --pool need --confidence")
    scale = calibration.scores.gold_scale
    confidence = _row_confidence(values, spec, calibration.system, scale, terms, reading)
    check_confidences(confidence, np.ones(confidence.size, dtype=bool), spec)
    return confidence


def _of_clusters(threshold: Threshold) -> Threshold:
    """Say what the promise covers where clusters count alike."""
    statement = threshold.statement
    if statement.startswith("Cannot"):
        return threshold
    return replace(threshold, statement=OF_CLUSTERS + statement[0].lower() + statement[1:])


def _thresholds(
    calibration: Calibration, terms: RoutingTerms, pool: Floats | None
) -> tuple[Threshold, ...]:
    """One threshold for all, or one for each prompt."""
    used = calibration.used
    confidence, critical = calibration.judged.confidence[used], calibration.judged.wrong[used]
    grid = _possible(calibration.source) if pool is None else None
    if not terms.by_prompt:
        batch = confidence if pool is None else pool
        labelled = Labelled(
            confidence, critical, terms.alpha, terms.delta, grid=grid, pool=pool, batch=batch
        )
        return (threshold_of(METHODS[terms.method].find(labelled), None),)
    prompts = calibration.prompts[used]
    if (prompts == "").any():
        raise DataError(
            "a threshold for each prompt needs the prompt of every response; name it with --prompt"
        )
    if terms.method == "dev_zero":
        certificates = {}
        for prompt in set(prompts.tolist()):
            rows = prompts == prompt
            certificates[prompt] = dev_zero(confidence[rows], critical[rows], delta=terms.delta)
    else:
        certificates = certify_each(
            confidence, critical, prompts.astype(str), alpha=terms.alpha, delta=terms.delta,
            family=terms.family, grid=grid, pool=pool,
        )  # fmt: skip
    names = sorted(certificates, key=natural)
    return tuple(threshold_of(certificates[prompt], prompt) for prompt in names)


def _possible(source: Source) -> Floats | None:
    """The values a confidence of repeated runs can take, known without looking at any label."""
    runs = len(source.columns)
    if source.how == "pairwise_no_cse":
        pairs = runs * (runs - 1) // 2
        return np.arange(pairs + 1) / pairs
    return np.arange(1, runs + 1) / runs if source.how == "mode_share" else None


def _statement(thresholds: Sequence[Threshold]) -> str:
    """The statement, once; by prompt where prompts differ."""
    prompts: dict[str, list[str]] = {}
    for threshold in thresholds:
        prompts.setdefault(threshold.statement, []).append(str(threshold.prompt))
    if len(prompts) == 1:
        return thresholds[0].statement
    return " ".join(f"{', '.join(names)}: {statement}" for statement, names in prompts.items())


def _audit_reading(reading: Mapping[str, Any], scores: Scores) -> dict[str, Any]:
    """What is needed to read audited responses in the same way."""
    options = {
        name: list(option) if isinstance(option, tuple) else option
        for name in ("adjacency", "adjudication", "missing", "resolve", "trim")
        if (option := reading.get(name))
    }
    by_prompt = {name: {"lambda": value} for name, value in lambdas_of(scores).items()}
    for prompt, (rater, _) in scores.scales.items():
        by_prompt.setdefault(prompt, {})["scale"] = list(rater.points)  # type: ignore[assignment]
    rater = scores.rater_scale
    points = [] if rater.continuous else list(rater.labels or rater.points)
    return {**options, "scale": points, **({"prompts": by_prompt} if by_prompt else {})}


def _shapes(calibration: Calibration, thresholds: Sequence[Threshold]) -> dict[str, ScoreShape]:
    """Distributions of confidence and score, of all calibration responses and of the accepted."""
    confidence = calibration.judged.confidence
    accepted = accepted_by(thresholds, confidence, calibration.prompts)
    shapes = {}
    for name, values in (("confidence", confidence), ("score", calibration.system_scores)):
        edges = bin_edges(values, BINS)
        for part, rows in (("all", np.ones_like(accepted)), ("accepted", accepted)):
            counts = binned(values[rows], edges) if rows.any() else np.zeros(edges.size + 1)
            shapes[f"{name}, {part}"] = ScoreShape(
                edges=tuple(edges.tolist()), counts=tuple(int(n) for n in counts)
            )
    return shapes
