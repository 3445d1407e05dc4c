"""simulate(): raters and systems score a population whose truth is known."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.defaults import SEED
from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.simulation import scoring
from tallymark.simulation.population import Codes, Population, TrueScores, populate
from tallymark.simulation.records import Floats, Group, Prompt, Rater, System


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
        out[:, i] = scoring.rate(rater, people, common, _stream(seed, "rater", i))
    if raters and (ratings is not None or any(rater.share < 1 for rater in raters)):
        out[~scoring.assign(raters, ratings, people.n, _stream(seed, "assignment"))] = np.nan
    return out


def _score_by_systems(
    systems: Sequence[System], people: Population, seed: int
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    common = _common(systems, people, seed)
    scores: dict[str, Floats] = {}
    confidence: dict[str, Floats] = {}
    for i, system in enumerate(systems):
        scores[system.name], sure = scoring.run(system, people, common, _stream(seed, "system", i))
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
        if value < least:
            raise OptionError(f"{name} must be a whole number of {least} or more, got {value}")


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


def _check_distinct(what: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise OptionError(f"{what} need distinct names, got {twice[0]!r} more than once")
