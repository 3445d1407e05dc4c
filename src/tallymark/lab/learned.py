"""Texts to learn from, of a user's table or synthetic ones, and what models make of them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError
from tallymark.lab.samples import Rng, counted
from tallymark.scale import Scale
from tallymark.scorers.encoding import Encoder, Inputs, Material
from tallymark.scorers.fitting import DIGITS, deal, generator, levels
from tallymark.scorers.models import MODELS, FittedScorer, Predicted
from tallymark.simulation import corpus
from tallymark.sources import Roles, read_scores
from tallymark.sources.confidence import read_columns
from tallymark.tally import PairCounts, nearest

FOLDS = 3
SIGNAL = 0.5
FEWEST = 60
"""Responses rated twice that a prompt needs to be learned from."""
MOST_PROMPTS = 12
NEEDS = (
    "this experiment trains models and needs scikit-learn, which is not installed; install it with "
    "pip install 'tallymark[text]'"
)


class GoldScores(NamedTuple):
    """The gold that a rule makes of two ratings, and the points of its scale."""

    scores: Floats
    points: Floats


class LabTexts(Struct, frozen=True, dict=True):
    """Responses of one prompt or several, each with a text and two ratings.

    ``prompt`` is the place of each response among the ``prompts``, ``unit`` its candidate;
    ``points`` are those of the raters' scale.
    """

    texts: tuple[str, ...]
    ratings: Floats
    prompt: Whole
    prompts: tuple[str, ...]
    unit: Whole
    points: Floats

    @cached_property
    def material(self) -> Material:
        """The texts, counted and read."""
        return Material.of(self.texts)

    def of_prompt(self, place: int) -> "LabTexts":
        """The responses to one prompt."""
        rows = np.flatnonzero(self.prompt == place)
        return LabTexts(
            tuple(self.texts[i] for i in rows), self.ratings[rows], np.zeros(rows.size, np.int64),
            (self.prompts[place],), self.unit[rows], self.points,
        )  # fmt: skip

    def each_prompt(self) -> Iterator["LabTexts"]:
        """The responses to each prompt."""
        return (self.of_prompt(place) for place in range(len(self.prompts)))

    def gold(self, rule: str) -> GoldScores:
        """What a rule makes of the two ratings."""
        first, second = self.ratings.T
        fine = np.linspace(2 * self.points[0], 2 * self.points[-1], 2 * self.points.size - 1)
        mean = (first + second) / 2
        by_rule = {
            "first": (first, self.points),
            "higher": (np.maximum(first, second), self.points),
            "mean": (mean, fine / 2),
            "rounded mean": (self.points[nearest(mean, self.points)], self.points),
            "sum": (first + second, fine),
        }
        return GoldScores(*(np.round(values, DIGITS) for values in by_rule[rule]))


def synthetic(size: int, *, prompts: int, words: float, noise: float, rng: Rng) -> LabTexts:
    """Draw a synthetic corpus, whose words say about as much as those of long essays."""
    seed = int(rng.integers(2**31))
    drawn = corpus(size, prompts=prompts, words=words, signal=SIGNAL, noise=noise, seed=seed)
    people = drawn.made.people
    return LabTexts(
        tuple(drawn.text.tolist()), drawn.made.ratings, people.keys["prompt"],
        people.labels["prompt"], people.candidate, np.array(people.scale.points),
    )  # fmt: skip


def read_lab_texts(
    source: object,
    *,
    text: str | None,
    humans: Sequence[str],
    prompt: str | None = None,
    cluster: str | None = None,
    scale: "Scale | str | None" = None,
) -> LabTexts:
    """Read texts and two ratings of each from a table; responses that lack one are left out."""
    if text is None or len(humans) != 2:
        raise OptionError(
            "a table of your own needs --text COL and two --human COL, the ratings of two people; "
            f"got {len(humans)} of them{'' if text else ' and no text'}"
        )
    roles = Roles(humans=tuple(humans), prompt=prompt, cluster=cluster)
    scores = read_scores(source, roles=roles, people_only=True, numbered=True, scale=scale)
    if scores.rater_scale.continuous or scores.rater_scale.labels:
        raise DataError("the experiment needs ratings on points; declare them with --scale")
    _, written = read_columns(source, numbers={}, texts={text: "asked for as --text"})
    patterns = scores.patterns
    rows = patterns.scores["row"].astype(np.int64) - 1
    texts = written[text][rows]
    ratings = np.stack([patterns.scores[f"human:{name}"] for name in humans], axis=1)
    codes, names = np.zeros(rows.size, np.int64), [""]
    if prompt is not None:  # one that is only guessed would be learned by without a word
        codes, names = patterns.keys["prompt"], [*patterns.labels["prompt"]]
    units = patterns.keys.get("cluster", np.full(rows.size, -1))
    units = np.where(units < 0, units.max(initial=-1) + 1 + np.arange(rows.size), units)
    used = ~np.isnan(ratings).any(axis=1) & (texts != "") & (codes >= 0)
    sizes = np.bincount(codes[used], minlength=len(names))
    largest = np.argsort(-sizes, kind="stable")[:MOST_PROMPTS]
    largest = np.sort(largest[sizes[largest] >= FEWEST])
    if not largest.size:
        raise DataError(
            f"no prompt has {FEWEST} responses with a text and two ratings; the largest has "
            f"{sizes.max(initial=0)}. Leave --prompt out to learn from all together"
        )
    used &= np.isin(codes, largest)
    return LabTexts(
        tuple(texts[used].tolist()), ratings[used], np.searchsorted(largest, codes[used]),
        tuple(names[i] for i in largest), units[used], np.array(scores.rater_scale.points),
    )  # fmt: skip


def check_installed() -> None:
    """Refuse where scikit-learn is absent, before anything is read."""
    if find_spec("sklearn") is None:
        raise OptionError(NEEDS)


def fit(model: str, inputs: Inputs, gold: Floats, points: Floats, seed: int) -> FittedScorer:
    """Fit a model with its first setting, the one that small parts get."""
    return MODELS[model].fit(inputs, gold, points, MODELS[model].candidates[0], seed)


def out_of_fold(
    responses: LabTexts, golds: Mapping[str, GoldScores], models: Sequence[str], seed: int
) -> dict[tuple[str, str], Floats]:
    """The scores that models give responses they never saw, by gold and model.

    What is read of a response is learned once for all golds; candidates stay in one fold.
    """
    from threadpoolctl import threadpool_limits

    first = next(iter(golds.values())).scores
    fold_of = deal(
        levels(first), np.zeros(first.size, np.int64), responses.unit, FOLDS, generator(seed, "lab")
    )
    predictions = {(rule, model): np.empty(first.size) for rule in golds for model in models}
    with threadpool_limits(1):
        for fold in range(FOLDS):
            train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            encoder = Encoder.fit(responses.material, train, seed)
            old, new = encoder.of(responses.material, train), encoder.of(responses.material, test)
            for (rule, model), scores in predictions.items():
                gold = golds[rule]
                scores[test] = fit(model, old, gold.scores[train], gold.points, seed)(new).scores
    return predictions


def held_out(
    responses: LabTexts, gold: GoldScores, train: Whole, test: Whole, model: str, seed: int
) -> tuple[Predicted, Predicted]:
    """What a model gives its training responses, and others."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        encoder = Encoder.fit(responses.material, train, seed)
        old, new = encoder.of(responses.material, train), encoder.of(responses.material, test)
        scorer = fit(model, old, gold.scores[train], gold.points, seed)
        return scorer(old), scorer(new)


def table_of(gold: Floats, system: Floats, points: Floats) -> PairCounts:
    """Count gold and system, each at its nearest point: a table of one replicate."""
    scores: Any = [nearest(np.clip(s, points[0], points[-1]), points)[None] for s in (gold, system)]
    return counted(scores[0], scores[1], points)


def stacked(tables: Sequence[PairCounts]) -> PairCounts:
    """The tables of several replicates as one."""
    return PairCounts(np.concatenate([table.counts for table in tables]), tables[0].points)
