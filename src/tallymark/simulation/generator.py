"""simulate(): raters and systems score a population whose truth is known."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.defaults import SEED
from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.signatures import typed
from tallymark.simulation.margins import apportioned, check_whole, checked_shares
from tallymark.simulation.population import (
    Codes,
    Group,
    Population,
    Prompt,
    Rater,
    System,
    TrueScores,
    populate,
)
from tallymark.tally import nearest, trim

Rng = np.random.Generator


def rate(rater: Rater, people: Population, common: Floats, rng: Rng) -> Floats:
    """Score every response as this rater would; ``common`` is the error raters share."""
    truth = people.ability if rater.thresholds else people.truth
    level = _expected(rater, truth, people) - rater.severity - rater.drift * people.time
    level += _error(rater, people, common, rng)
    if rater.thresholds:
        return _rasch(level - people.mean, rater, people, rng)
    if rater.margin:
        return _with_margin(level, rater, people, rng)
    return _on_scale(level, people, rounded=rater.rounded)


def run(system: System, people: Population, common: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Score every response: responses x runs, and the confidence (NaN where there is none)."""
    level = _expected(system, people.truth, people) + system.bias + system.drift * people.time
    level += _error(system, people, common, rng)
    even = rng.random(people.n) if callable(system.slips) else np.full(people.n, math.nan)
    scores = np.empty((people.n, system.repeats))
    for i in range(system.repeats):
        moved = level + _noise(system.jitter, people.n, rng)
        if system.margin:
            score = _with_margin(moved, system, people, rng)
        else:
            score = _on_scale(moved, people, rounded=system.rounded)
        scores[:, i] = _slip(score, even, system, people, rng)
    confidence = even
    if system.confidence is not None:
        confidence = _confidence(scores[:, 0] - people.truth, system.confidence, rng)
    if system.share < 1:
        missing = rng.random(people.n) >= system.share
        scores[missing], confidence[missing] = math.nan, math.nan
    return scores, confidence


def assign(raters: Sequence[Rater], ratings: int | None, n: int, rng: Rng) -> NDArray[np.bool_]:
    """Return who scores what: responses x raters.

    Without ``ratings`` each rater scores a response with the chance ``share``; with it, that many
    raters are drawn for each response, with chances proportional to ``share``.
    """
    share = np.array([rater.share for rater in raters])
    if ratings is None:
        # one row per rater, so that a rater added at the end changes nothing for the others
        return (rng.random((share.size, n)) < share[:, None]).T
    if not 1 <= ratings <= np.count_nonzero(share):
        raise OptionError(
            f"ratings per response must lie between 1 and the {np.count_nonzero(share)} raters "
            f"whose share is above 0, got {ratings}"
        )
    with np.errstate(divide="ignore"):  # a rater with share 0 never arrives
        arrival = rng.standard_exponential((n, share.size)) / share
    chosen = np.argpartition(arrival, ratings - 1, axis=1)[:, :ratings]
    assigned = np.zeros((n, share.size), dtype=bool)
    np.put_along_axis(assigned, chosen, True, axis=1)
    return assigned


def _expected(scorer: Rater | System, truth: Floats, people: Population) -> Floats:
    level = people.mean + (1 - scorer.compression) * (truth - people.mean)
    return level + people.shifted(scorer.shift) if scorer.shift else level


def _error(scorer: Rater | System, people: Population, common: Floats, rng: Rng) -> Floats:
    error = _noise(scorer.noise * math.sqrt(1 - scorer.shared), people.n, rng)
    if scorer.shared:
        error = error + scorer.noise * math.sqrt(scorer.shared) * common
    if scorer.halo:
        candidates = int(people.candidate.max()) + 1
        error = error + _noise(scorer.halo, candidates, rng)[people.candidate]
    return error


def _noise(sd: float, n: int, rng: Rng) -> Floats:
    return sd * rng.standard_normal(n) if sd else np.zeros(n)


def _on_scale(scores: Floats, people: Population, *, rounded: bool) -> Floats:
    scale = people.scale
    if scale.continuous or not rounded:
        return trim(scores, scale.low, scale.high, step=scale.step)
    points = np.asarray(scale.points)
    return points[nearest(scores, points)]


def _with_margin(level: Floats, scorer: Rater | System, people: Population, rng: Rng) -> Floats:
    """Give the lowest levels the lowest point, and so on, each point its share of the responses."""
    points = np.asarray(people.scale.points)
    if people.scale.continuous or not scorer.rounded:
        raise OptionError(f"{scorer.name}: margin needs scores on the points of a scale")
    counts = apportioned(
        people.n, checked_shares(scorer.margin, points.size, f"{scorer.name}: margin")
    )
    scores = np.empty(people.n)
    shuffled = rng.permutation(people.n)  # chance decides between equal levels
    scores[shuffled[np.argsort(level[shuffled], kind="stable")]] = np.repeat(points, counts)
    return scores


def _rasch(theta: Floats, rater: Rater, people: Population, rng: Rng) -> Floats:
    """Draw from the rating-scale model: P(k) is proportional to exp(k theta - sum of tau to k)."""
    points = np.asarray(people.scale.points)
    if people.scale.continuous or len(rater.thresholds) != points.size - 1:
        raise OptionError(
            f"{rater.name}: {len(rater.thresholds)} thresholds need a scale of "
            f"{len(rater.thresholds) + 1} points, got the scale {people.scale}"
        )
    steps = np.arange(points.size)
    thresholds = np.concatenate([[0.0], np.cumsum(rater.thresholds)])
    # the largest of logits plus Gumbel noise falls on k with the softmax probability of k
    logits = theta[:, None] * steps - thresholds + rng.gumbel(size=(theta.size, points.size))
    scores: Floats = points[logits.argmax(axis=1)]
    return scores


def _slip(scores: Floats, even: Floats, system: System, people: Population, rng: Rng) -> Floats:
    """Move some scores by ``slip_size`` up or down, only where that stays on the scale.

    A share is met exactly; a function gives the chance of a slip at the confidence ``even``.
    """
    if system.slips == 0:
        return scores
    size, scale = system.slip_size, people.scale
    draw = rng.random((2, scores.size))
    draw[0, scores + size > scale.high + 1e-9] = math.inf
    draw[1, scores - size < scale.low - 1e-9] = math.inf
    order = draw.min(axis=0)
    if callable(system.slips):
        slips = rng.random(scores.size) < system.slips(even)
    else:
        slips = np.zeros(scores.size, dtype=bool)
        wanted = round(system.slips * scores.size)
        slips[np.argsort(order, kind="stable")[:wanted]] = True
    if np.isinf(order[slips]).any():
        raise OptionError(
            f"{system.name}: too few scores can move by slip_size {size:g} on the scale {scale}; "
            "lower slips or slip_size"
        )
    moved = scores + np.where(draw[0] < draw[1], size, -size) * slips
    return _on_scale(moved, people, rounded=system.rounded)


def _confidence(error: Floats, quality: float, rng: Rng) -> Floats:
    """Blend the size of the error with chance of the same size; 1 is sure."""
    size = float(np.sqrt(np.mean(error**2))) or 1.0
    doubt = np.abs(error) / size
    luck = np.abs(rng.standard_normal(error.size))
    return 1 / (1 + quality * doubt + (1 - quality) * luck)


class Simulated(Struct, frozen=True):
    """Scores and the truth behind them.

    ``ratings`` is responses x raters; ``scores[system]`` responses x runs; ``confidence[system]``
    one value per response. NaN is missing. ``candidate`` and ``batch`` are kept when asked for.
    """

    people: Population
    raters: tuple[Rater, ...]
    systems: tuple[System, ...]
    ratings: Floats
    scores: Mapping[str, Floats]
    confidence: Mapping[str, Floats]
    candidate: Codes | None
    batch: Codes | None
    seed: int

    @property
    def truth(self) -> Floats:
        """The true score of each response."""
        return self.people.truth

    def columns(self) -> dict[str, NDArray[Any]]:
        """What a file would hold, one row per response; the truth is not in it."""
        out: dict[str, NDArray[Any]] = {"response": np.arange(1, self.people.n + 1)}
        if self.candidate is not None:
            out["candidate"] = self.candidate + 1
        for column in sorted(self.people.keys, key=lambda name: name != "prompt"):
            out[column] = np.array(self.people.labels[column])[self.people.keys[column]]
        if self.batch is not None:
            out["batch"] = self.batch + 1
        out |= {rater.name: self.ratings[:, i] for i, rater in enumerate(self.raters)}
        for system in self.systems:
            out |= {run: self.scores[system.name][:, i] for i, run in enumerate(system.runs)}
            if system.name in self.confidence:
                out[f"{system.name}_confidence"] = self.confidence[system.name]
        return out


@typed
def simulate(  # noqa: PLR0913  (one keyword for each thing that can be asked for)
    n: int,
    *,
    scale: Scale | str | Iterable[object],
    raters: Sequence[Rater] = (),
    systems: Sequence[System] = (),
    prompts: Sequence[Prompt] = (),
    groups: Mapping[str, Sequence[Group]] | None = None,
    candidates: int | None = None,
    consistency: float = 0.7,
    mean: float | None = None,
    sd: float | None = None,
    shares: Sequence[float] | None = None,
    round_true: bool = False,
    ratings: int | None = None,
    batches: int | None = None,
    seed: int = SEED,
) -> Simulated:
    """Make n scored responses whose truth is known; the same arguments give the same scores.

    True scores are normal with ``mean`` (default: the middle of the scale) and ``sd`` (default: a
    quarter of its range), moved by prompts and groups, then cut off at the ends of the scale;
    ``round_true`` puts them on its points, and ``shares`` (one number per point) gives the points
    those frequencies instead. Several responses of one of ``candidates`` correlate by
    ``consistency`` and share their groups. ``ratings`` raters are drawn for each response, or each
    rater scores with the chance ``share``. ``batches`` cuts the responses, in order, into equal
    parts, along which raters and systems may drift. A rater or system added at the end of its
    list leaves the scores of the others as they are.

    >>> made = simulate(4, scale="1:6", raters=[Rater("h1", noise=0.5)], seed=7)
    >>> list(made.columns())
    ['response', 'h1']
    >>> bool(abs(made.truth - made.ratings[:, 0]).max() < 2)
    True
    """
    points = Scale.of(scale)
    writers = n if candidates is None else candidates
    _check(n, writers, batches, seed)
    _check_names(raters, systems, prompts, groups or {})
    middle = (points.low + points.high) / 2 if mean is None else mean
    spread = (points.high - points.low) / 4 if sd is None else sd
    true_scores = TrueScores(points, middle, spread, consistency, shares, round_true)
    people = populate(
        n, true_scores, prompts, groups or {}, min(writers, n), _stream(seed, "population")
    )
    scores, confidence = _score_by_systems(systems, people, seed)
    return Simulated(
        people,
        tuple(raters),
        tuple(systems),
        _score_by_raters(raters, ratings, people, seed),
        scores,
        confidence,
        people.candidate if candidates is not None else None,
        np.arange(n) * batches // n if batches is not None else None,
        seed,
    )


def _score_by_raters(
    raters: Sequence[Rater], ratings: int | None, people: Population, seed: int
) -> Floats:
    out = np.empty((people.n, len(raters)), order="F")
    common = _common(raters, people, seed)
    for i, rater in enumerate(raters):
        out[:, i] = rate(rater, people, common, _stream(seed, "rater", i))
    if raters and (ratings is not None or any(rater.share < 1 for rater in raters)):
        out[~assign(raters, ratings, people.n, _stream(seed, "assignment"))] = np.nan
    return out


def _score_by_systems(
    systems: Sequence[System], people: Population, seed: int
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    common = _common(systems, people, seed)
    scores: dict[str, Floats] = {}
    confidence: dict[str, Floats] = {}
    for i, system in enumerate(systems):
        scores[system.name], sure = run(system, people, common, _stream(seed, "system", i))
        if system.confidence is not None or callable(system.slips):
            confidence[system.name] = sure
    return scores, confidence


def _common(scorers: Sequence[Rater] | Sequence[System], people: Population, seed: int) -> Floats:
    """The error that scorers with ``shared`` have in common: the same for raters and systems."""
    if not any(scorer.shared for scorer in scorers):
        return np.zeros(people.n)
    return _stream(seed, "common").standard_normal(people.n)


STREAMS = ("population", "common", "assignment", "rater", "system")


def _stream(seed: int, part: str, index: int = 0) -> np.random.Generator:
    """Independent random numbers for each part, so that parts do not disturb each other."""
    return np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=(STREAMS.index(part), index))
    )


def _check(n: int, candidates: int, batches: int | None, seed: int) -> None:
    for name, value, least in (
        ("n", n, 1),
        ("candidates", candidates, 1),
        ("batches", 1 if batches is None else batches, 1),
        ("seed", seed, 0),
    ):
        check_whole(name, value, least)


def _check_names(
    raters: Sequence[Rater],
    systems: Sequence[System],
    prompts: Sequence[Prompt],
    groups: Mapping[str, Sequence[Group]],
) -> None:
    columns = ["response", "candidate", "prompt", "batch", *groups]
    columns += [rater.name for rater in raters]
    for system in systems:
        columns += [*system.runs, f"{system.name}_confidence"]
    _check_distinct("columns", columns)
    _check_distinct("prompts", [prompt.name for prompt in prompts])
    for column, members in groups.items():
        _check_distinct(f"groups of {column}", [group.name for group in members])
        shares = [group.share for group in members]
        if not shares or min(shares) < 0 or sum(shares) <= 0:
            raise OptionError(f"{column}: shares must be 0 or more and not all 0, got {shares}")


def _check_distinct(kind: str, names: Sequence[str]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise OptionError(f"{kind} need distinct names, got {repeated[0]!r} more than once")
