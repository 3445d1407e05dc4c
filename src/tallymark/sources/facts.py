"""Facts: what was read, guessed, excluded and used."""

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tallymark.inference.strata import Strata
from tallymark.results import DesignWeights
from tallymark.scale import Scale
from tallymark.sources.checks import ExcludedRow
from tallymark.sources.responses import ListedResponse
from tallymark.sources.roles import Roles
from tallymark.tally import Patterns
from tallymark.tally.patterns import STRATUM

Layout = Literal["wide", "long", "slots"]


class MadeGold(Struct, frozen=True):
    """How the gold of a setting was made: the rule, and the fewest and most ratings it was made of.

    Of the rule first also who gave the first and the second rating present, and how often;
    ``prompt`` is None for the usual setting.
    """

    prompt: str | None
    rule: str
    ratings: tuple[int, int]
    first: tuple[tuple[str, int], ...] = ()
    second: tuple[tuple[str, int], ...] = ()


class DataFacts(Struct, frozen=True, kw_only=True):
    """What was read: ``read`` responses, of which ``used`` remain after the ``exclusions``.

    ``missing`` counts the used responses that lack a score by each system; ``golds`` says how the
    gold was made; ``near`` how near to each other scores lie that stand together. ``hash``
    is over the sorted tally, the scales and the names, so it is the same for any order of rows.
    """

    name: str
    layout: Layout
    read: int
    used: int
    exclusions: tuple[tuple[str, int], ...] = ()
    guesses: tuple[str, ...] = ()
    weights: DesignWeights | None = None
    notes: tuple[str, ...] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    golds: tuple[MadeGold, ...] = ()
    near: str = ""
    hash: str = ""


class Scores(Struct, frozen=True, kw_only=True):
    """A table of scores as a tally, and what is known about it.

    The patterns are those of the used responses and of those that only lack a gold or a system
    score: these have no gold here, but people are looked at on them too.

    Names in ``patterns.scores``: ``human:RATER``, ``gold``, ``system:NAME`` (trimmed),
    ``raw:NAME`` (the same before trimming, only where trimming changed a score),
    ``confidence:NAME``, ``probabilities:NAME:COLUMN``, ``repeat:NAME:COLUMN``, ``second`` (the second rating, where the first is
    the gold), ``slot:COLUMN`` (slots that name their raters) and, where responses are kept apart, ``row``. Names in ``patterns.keys``: ``prompt``,
    ``trait``, ``cluster``, ``stratum``, ``fold``, ``group:COLUMN`` and, where some slots name their rater and
    others do not, ``rater:COLUMN``.

    ``humans`` are the raters in their order, without prefix: the human columns, or those whom
    slots or a long table name, in natural order unless another was given. ``scales`` holds
    the rater and gold scale of each prompt that has its own setting; ``resolve`` is ``column``
    when a gold column was given, ``none`` when people alone were looked at. ``options`` are those
    of reading, for the record; what is empty was not asked. ``worst`` lists, by system, responses
    with the greatest differences, and some that move its QWK most, where they were asked for.
    """

    patterns: Patterns
    roles: Roles
    humans: tuple[str, ...]
    rater_scale: Scale
    gold_scale: Scale
    scales: Mapping[str, tuple[Scale, Scale]] = field(default_factory=dict)
    resolve: str = "first"
    facts: DataFacts
    excluded: tuple[ExcludedRow, ...] = ()
    worst: Mapping[str, tuple[ListedResponse, ...]] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weighted(self) -> bool:
        """Whether responses have design weights."""
        return self.patterns.weights is not None

    @property
    def strata(self) -> Strata | None:
        """The strata that responses were drawn from: those that people scored, and out of how many."""
        scores = self.patterns.scores
        human = [v for n, v in scores.items() if n == "gold" or n.startswith("human:")]
        return self.strata_of(np.asarray(~np.isnan(human).all(axis=0)))

    def strata_of(self, sampled: NDArray[np.bool_]) -> Strata | None:
        """The strata of the sample of some patterns, all of which have a weight."""
        patterns, weights = self.patterns, self.patterns.weights
        codes = patterns.keys.get(STRATUM)
        if codes is None or weights is None or self.facts.weights is None:
            return None
        counts = np.where(sampled, patterns.counts, 0)
        each = self.facts.weights.total / self.facts.weights.n
        codes, number = codes + 1, len(patterns.labels[STRATUM]) + 1  # the first: of no stratum
        return Strata.of(codes, number, counts, counts * np.where(sampled, weights, 0.0) * each)

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which patterns are of used responses, those that have a gold."""
        return np.asarray(~np.isnan(self.patterns.scores["gold"]))


def tally_hash(patterns: Patterns, scales: Mapping[str, tuple[Scale, Scale]]) -> str:
    """Hash a sorted tally with its scales and column names."""
    digest = hashlib.sha256()
    for prompt, pair in sorted(scales.items()):
        digest.update("\x1f".join([prompt, *(_written(scale) for scale in pair), ""]).encode())
    for name in sorted(patterns.keys):
        digest.update("\x1f".join([name, *patterns.labels[name], ""]).encode())
        digest.update(patterns.keys[name].astype("<i8").tobytes())
    for name in sorted(patterns.scores):
        digest.update(f"{name}\x1f".encode())
        # one NaN for all, and no negative zero
        values = np.where(np.isnan(patterns.scores[name]), np.nan, patterns.scores[name]) + 0.0
        digest.update(values.astype("<f8").tobytes())
    digest.update(patterns.counts.astype("<i8").tobytes())
    return digest.hexdigest()


def _written(scale: Scale) -> str:
    points = " ".join(repr(point) for point in scale.points)
    return f"{points} {scale.continuous} {' '.join(scale.labels)}"
