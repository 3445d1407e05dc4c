"""Out of fold: every response scored by models that never saw it, part by part, and what that costs."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError
from tallymark.scorers.encoding import Material
from tallymark.scorers.fitting import (
    ENOUGH,
    FOLDS,
    VECTORS_OF,
    Cache,
    FoldTask,
    as_they_come,
    deal,
    generator,
    levels,
    random_models,
)
from tallymark.scorers.models import MODELS

Hashes = NDArray[np.uint64]
Progress = Callable[[int, int], None]
FEWEST = 10
"""Responses, or candidates, that a part needs to be divided into folds."""


class Sample(Struct, frozen=True, kw_only=True):
    """Responses to learn from: texts, gold, and the part (prompt, trait) of each.

    ``points`` are those of the gold's scale by part; empty where it is continuous. ``units`` are
    candidates, who stay in one fold. ``prompts`` are the prompts alone. ``probes`` are other texts
    in the place of responses: by name, and by the place of the response. ``names`` and ``whole``
    are hashes of who a response is by and of all that its row holds: they order responses.
    """

    texts: Sequence[str]
    gold: Floats
    parts: NDArray[np.object_]
    points: Mapping[str, Floats]
    units: Whole
    prompt_texts: Sequence[str] | None = None
    references: Sequence[str] | None = None
    vectors: Floats | None = None
    prompts: NDArray[np.object_] | None = None
    names: Hashes | None = None
    whole: Hashes | None = None
    probes: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


class OutOfFold(Struct, frozen=True):
    """What models give that never saw the response; NaN, and fold -1, where a part was not learned.

    ``small`` parts have few responses, those of ``flat`` ones have all the same gold.
    ``scores``, ``trust``: responses x seeds, by model; ``probabilities``: by model, responses x
    seeds x points of the response's own scale, 0 beyond its last; ``vectors``: the hidden layer of
    the neural classifier, of the first seed. ``probed``: by model and probe, of classifiers the
    probabilities, else the scores.
    """

    fold: Whole
    scores: Mapping[str, Floats]
    probabilities: Mapping[str, Floats]
    trust: Mapping[str, Floats]
    vectors: Floats | None
    probed: Mapping[tuple[str, str], Floats]
    small: Mapping[str, int]
    flat: tuple[str, ...]


def predict_out_of_fold(
    sample: Sample,
    models: Sequence[str] = tuple(MODELS),
    *,
    seed: int,
    seeds: int = 1,
    folds: int = FOLDS,
    cache: Path | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> OutOfFold:
    """Score every response by models fitted on the other folds of its part."""
    parts = parts_of(sample)
    fold_of = _folds_of(sample, parts.learned, folds, seed)
    collected = _Collected(sample, fold_of, parts, seeds)
    tasks = [*_tasks(sample, parts.learned, fold_of, tuple(models), seed, seeds)]
    learned = Cache(cache).each([task for *_, task in tasks], workers, progress)
    with closing(learned) as results:
        for (rows, run, task), result in zip(tasks, results, strict=True):
            collected.add(rows[task.test], run, result)
    return collected.done()


class Parts(NamedTuple):
    """The responses of each part that can be learned from, in their canonical order.

    ``small`` are the candidates of parts that have too few; in ``flat`` ones all golds are the same.
    """

    learned: Mapping[str, Whole]
    small: Mapping[str, int]
    flat: tuple[str, ...]


def parts_of(sample: Sample) -> Parts:
    """Find the parts that can be learned from; none is the user's mistake."""
    order = canonical(sample)
    rows_of = {label: order[sample.parts[order] == label] for label in sorted({*sample.parts})}
    candidates = {label: np.unique(sample.units[rows]).size for label, rows in rows_of.items()}
    small = {label: size for label, size in candidates.items() if size < FEWEST}
    flat = [x for x, rows in rows_of.items() if x not in small and not np.ptp(sample.gold[rows])]
    learned = {label: rows for label, rows in rows_of.items() if label not in (*small, *flat)}
    if not learned:
        note = f"; in {len(flat)} of them all have the same gold" if flat else ""
        raise DataError(
            f"no prompt has responses by {FEWEST} candidates with different scores: the largest of "
            f"{len(rows_of)} has {max(candidates.values())}{note}. Reference scorers learn from each "
            "prompt's own responses: add responses"
        )
    return Parts(learned, small, tuple(flat))


def canonical(sample: Sample) -> Whole:
    """The responses in an order that is their own, whatever their rows: of names, texts and scores.

    With names a text may change without moving its response to another fold. What else a row holds
    decides between responses that are equal in these.
    """
    vectors = None if sample.vectors is None else hashes(v.tobytes() for v in sample.vectors)
    texts = hashes(text.encode("utf-8", "surrogatepass") for text in sample.texts)
    keys = vectors, sample.whole, sample.gold, texts, sample.names
    return np.lexsort([key for key in keys if key is not None])


def hashes(contents: Iterable[bytes]) -> Hashes:
    """A number for each content, the same in every run."""
    digests = (hashlib.blake2b(content, digest_size=8).digest() for content in contents)
    return np.frombuffer(b"".join(digests), "<u8")


def _folds_of(sample: Sample, parts: Mapping[str, Whole], folds: int, seed: int) -> Whole:
    """The fold of every response; -1 in parts that are too small.

    Parts are dealt together where they share candidates, so that others do not change with them.
    """
    fold_of = np.full(sample.gold.size, -1)
    for labels in _sharing(sample.units, parts):
        places = [parts[label] for label in labels]
        rows = np.concatenate(places)
        part = np.repeat(np.arange(len(places)), [place.size for place in places])
        strata = np.concatenate([levels(sample.gold[place]) for place in places])
        _, cell = np.unique(np.stack([part, strata]), axis=1, return_inverse=True)
        random = generator(seed, "folds", labels[0])
        numbers = random.permutation(folds)  # else what is left over would all be in the first
        fold_of[rows] = numbers[deal(cell.ravel(), part, sample.units[rows], folds, random)]
    return fold_of


def seen_elsewhere(sample: Sample, fold: Whole) -> int:
    """How many responses have a text that stands in another fold of their part too."""
    keys = [
        (p, " ".join(t.split()).casefold()) for p, t in zip(sample.parts, sample.texts, strict=True)
    ]
    folds: dict[tuple[str, str], set[int]] = {}
    for key, place in zip(keys, fold.tolist(), strict=True):
        folds.setdefault(key, set()).add(place)
    return sum(bool(key[1]) and len(folds[key]) > 1 for key in keys)


def _sharing(units: Whole, parts: Mapping[str, Whole]) -> list[list[str]]:
    """The labels of parts, those that share candidates together."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    part = np.repeat(np.arange(len(parts)), [rows.size for rows in parts.values()])
    unit = as_they_come(units[np.concatenate([*parts.values()])]) + len(parts)
    size = int(unit.max()) + 1
    links = coo_array((np.ones(part.size, np.int8), (part, unit)), shape=(size, size))
    group = connected_components(links, directed=False)[1][: len(parts)]
    labels = np.array([*parts], dtype=object)
    return [labels[group == number].tolist() for number in np.unique(group)]


def _tasks(
    sample: Sample,
    parts: Mapping[str, Whole],
    fold_of: Whole,
    models: tuple[str, ...],
    seed: int,
    seeds: int,
) -> Iterator[tuple[Whole, int, FoldTask]]:
    """One task for each fold of each part and each seed; after the first, of what seeds change."""
    for label, rows in parts.items():
        material, places = _material(sample, rows)
        points, units = sample.points[label], as_they_come(sample.units[rows])
        for fold in np.unique(fold_of[rows]).tolist():
            test = np.flatnonzero(fold_of[rows] == fold)
            train = np.flatnonzero(fold_of[rows] != fold)
            probes = {name: place[test] for name, place in places.items()}
            for run in range(seeds):
                chosen = models if run == 0 else random_models(models)
                if chosen and train.size:
                    task = FoldTask(
                        material, sample.gold[rows], units, points, train, test,
                        chosen, seed + run, f"{label}\x1f{fold}", probes,
                    )  # fmt: skip
                    yield rows, run, task


def _material(sample: Sample, rows: Whole) -> tuple[Material, dict[str, Whole]]:
    """The responses of a part and, behind them, their probes, with the place of each; -1: none."""
    texts, responses, places = [sample.texts[i] for i in rows], [*rows.tolist()], {}
    for name, probes in sample.probes.items():
        place = np.full(rows.size, -1)
        for i, response in enumerate(rows.tolist()):
            if response in probes:
                place[i] = len(texts)
                texts.append(probes[response])
                responses.append(response)
        places[name] = place

    def picked(column: Sequence[str] | None) -> list[str] | None:
        return None if column is None else [column[i] for i in responses]

    vectors = None if sample.vectors is None else sample.vectors[rows]
    material = Material.of(texts, picked(sample.prompt_texts), picked(sample.references), vectors)
    return material, places


class _Collected:
    """Results as they come, put where they belong."""

    def __init__(
        self,
        sample: Sample,
        dealt: Whole,
        parts: Parts,
        seeds: int,
    ) -> None:
        self.n, self.seeds, self.dealt, self.parts = sample.gold.size, seeds, dealt, parts
        self.points = max((points.size for points in sample.points.values()), default=0)
        self.every: dict[str, Floats] = {}

    def add(self, rows: Whole, run: int, results: Mapping[str, Floats]) -> None:
        for key, values in results.items():
            if key not in self.every:
                width = values.shape[-1] if key.endswith(":vectors") else self.points
                shape = () if values.ndim == 1 else (width,)
                self.every[key] = np.full((self.n, self.seeds, *shape), np.nan)
            target = self.every[key]
            if values.ndim == 1:
                target[rows, run] = values
            else:
                target[rows, run] = 0.0
                target[rows, run, : values.shape[1]] = values

    def done(self) -> OutOfFold:
        def ending(mark: str) -> dict[str, Floats]:
            return {k.removesuffix(mark): v for k, v in self.every.items() if k.endswith(mark)}

        probed = {k: v for k, v in self.every.items() if "@" in k}
        scores = {k: v for k, v in self.every.items() if k in MODELS}
        vectors = self.every.get(f"{VECTORS_OF}:vectors")
        return OutOfFold(
            self.dealt,
            {name: _drawn(name, values) for name, values in scores.items()},
            {name: _drawn(name, values) for name, values in ending(":probabilities").items()},
            {name: _drawn(name, values) for name, values in ending(":trust").items()},
            None if vectors is None else vectors[:, 0],
            {
                (model, probe): _drawn(model, values)
                for (model, _, probe), values in ((k.partition("@"), v) for k, v in probed.items())
            },
            self.parts.small,
            self.parts.flat,
        )


def _drawn(name: str, values: Floats) -> Floats:
    """The runs of a model: of those that no seed changes there is one."""
    return values if MODELS[name].drawn else values[:, :1]


MOST_WORKERS = 4
"""More at a time would need more memory than they save time."""
WORTH = 20.0
"""Seconds from which on several processes are worth starting."""
_START, _RESPONSE, _SIGN = 0.01, 6e-5, 2.6e-7
"""Seconds to fit what is read of responses: per fold, per response, and per character."""
_COUNT = 7e-7
"""Seconds to count the words of texts, per character, once for all folds."""


class FitsToCome(Struct, frozen=True):
    """Models to fit, candidates counted, and the seconds that takes on one core, roughly.

    ``parts`` are prompts, or traits of them, that are learned from under each of the ``rules``.
    """

    fits: int
    parts: int
    seconds: float
    rules: int = 1

    def workers(self) -> int:
        """How many processes share the work."""
        if self.seconds < WORTH:
            return 1
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return min(cores or 1, MOST_WORKERS)


def work_of(samples: Sequence[Sample], models: Sequence[str], seeds: int) -> FitsToCome:
    """Count the fits of all parts and folds, and estimate their time."""
    fits, parts, seconds = 0, 0, 0.0
    for sample in samples:
        signs = np.array([len(text) for text in sample.texts])
        learned = parts_of(sample).learned
        parts = max(parts, len(learned))
        for rows in learned.values():
            share = (FOLDS - 1) / FOLDS
            n, size = rows.size * share, float(signs[rows].sum()) * share
            seconds += _COUNT * size
            for run in range(seeds):
                chosen = models if run == 0 else random_models(models)
                times, took = _of_fold(chosen, n, size)
                fits += FOLDS * times
                seconds += FOLDS * took
    return FitsToCome(fits, parts, seconds, len(samples))


def _of_fold(models: Sequence[str], n: float, size: float) -> tuple[int, float]:
    """Fits and seconds of one fold that learns from ``n`` responses of ``size`` characters together."""
    inner = n >= ENOUGH
    seconds = (1 + inner) * (_START + _RESPONSE * n + _SIGN * size) if models else 0.0
    fits = 0
    for name in models:
        model = MODELS[name]
        times = 1 + inner * len(model.candidates) * (len(model.candidates) > 1)
        fits += times
        seconds += times * (model.seconds[0] + model.seconds[1] * n)
    return fits, seconds
