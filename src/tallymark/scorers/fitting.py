"""Fitting: how responses are divided into folds, what one fold learns, and where that is kept."""

import hashlib
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from msgspec import Struct, field

from tallymark._version import __version__
from tallymark.arrays import Floats, Whole
from tallymark.scorers.encoding import Encoder, Inputs, Material
from tallymark.scorers.models import MODELS, FittedScorer, Model, Predicted, constant
from tallymark.selective.trust import trust_score

FOLDS = 5
DIGITS = 10
"""Decimals of a gold: .1 + .2 is the point .3."""
_LEVELS = 6
"""Different scores that are dealt out one by one; more are put together."""


def generator(seed: int, *labels: str) -> np.random.Generator:
    """Random numbers of a part of the data, whatever other parts there are."""
    digest = hashlib.sha256("\x1f".join([str(seed), *labels]).encode("utf-8", "surrogatepass"))
    return np.random.default_rng(int.from_bytes(digest.digest()[:8], "little"))


def levels(gold: Floats) -> Whole:
    """Scores as whole numbers; where they are many, in groups of about the same size."""
    values, codes = np.unique(gold, return_inverse=True)
    if values.size <= _LEVELS:
        return codes
    ends = np.quantile(gold, np.linspace(0, 1, _LEVELS + 1)[1:-1])
    return np.searchsorted(ends, gold, side="right")


def as_they_come(units: Whole) -> Whole:
    """Number units in the order in which they first occur.

    >>> as_they_come(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, unit = np.unique(units, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[unit]


def deal(
    strata: Whole, parts: Whole, units: Whole, folds: int, random: np.random.Generator
) -> Whole:
    """Deal responses to folds: a unit in one of them, each stratum and part over all.

    Large units come first, then those of rare strata; each goes to the fold that has least of its
    strata, then of its parts, then of all.
    """
    unit = as_they_come(units)
    sizes = np.bincount(unit)
    order = random.permutation(sizes.size)
    rarest = np.full(sizes.size, strata.size)
    np.minimum.at(rarest, unit, np.bincount(strata)[strata])
    order = order[np.lexsort((rarest[order], -sizes[order]))]
    members = np.split(np.argsort(unit, kind="stable"), np.cumsum(sizes)[:-1])
    of_stratum = np.zeros((folds, int(strata.max(initial=0)) + 1))
    of_part = np.zeros((folds, int(parts.max(initial=0)) + 1))
    fold_of = np.zeros(strata.size, np.int64)
    for number in order:
        rows = members[number]
        crowding = of_stratum[:, strata[rows]].sum(axis=1), of_part[:, parts[rows]].sum(axis=1)
        fold = int(np.lexsort((of_part.sum(axis=1), crowding[1], crowding[0]))[0])
        fold_of[rows] = fold
        np.add.at(of_stratum[fold], strata[rows], 1)
        np.add.at(of_part[fold], parts[rows], 1)
    return fold_of


ENOUGH = 40
"""Training responses from which on candidates are tried; with fewer the first is taken."""
_INNER = 4
_LEAST = 1e-6


class FoldTask(Struct, frozen=True):
    """What one fold of one part is to learn, and whom it scores.

    ``material`` holds the responses of the part, and behind them the texts of ``probes``: for each
    probe the place of the text that stands for each response of ``test``, or -1. ``points`` are those of
    the scale, empty on a continuous one, where classifiers are left out.
    """

    material: Material
    gold: Floats
    units: Whole
    points: Floats
    train: Whole
    test: Whole
    models: tuple[str, ...]
    seed: int
    label: str = ""
    probes: Mapping[str, Whole] = field(default_factory=dict)

    def run(self) -> dict[str, Floats]:
        """Fit every model and score the held-out responses.

        Keys: the model; ``MODEL:probabilities``, ``MODEL:vectors`` and ``MODEL:trust`` of
        classifiers; ``MODEL@PROBE``.
        """
        import sklearn.ensemble  # noqa: F401  # threads are limited of what is loaded already
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):  # small matrices are faster so, and sums have one order
            fitted = fit_models(self)
            encoder = fitted.encoder
            new, old = (encoder.of(self.material, rows) for rows in (self.test, self.train))
            probes = {
                probe: encoder.of(self.material, places[places >= 0])
                for probe, places in self.probes.items()
                if (places >= 0).any()
            }
            results: dict[str, Floats] = {}
            for name, scorer in fitted.scorers.items():
                results |= self._of_model(name, scorer, new, old)
                for probe, inputs in probes.items():
                    results[f"{name}@{probe}"] = self._of_probe(scorer, inputs, probe)
        return results

    def _of_probe(self, scorer: FittedScorer, inputs: Inputs, probe: str) -> Floats:
        """Probabilities of classifiers, else scores, of the held-out responses that have a probe."""
        scores, probabilities, _ = scorer(inputs)
        predictions = self._within(scores) if probabilities is None else probabilities
        column = np.full((self.test.size, *predictions.shape[1:]), np.nan)
        column[self.probes[probe] >= 0] = predictions
        return column

    def _of_model(
        self, name: str, scorer: FittedScorer, new: Inputs, old: Inputs
    ) -> dict[str, Floats]:
        predicted = scorer(new)
        results = {name: self._within(predicted.scores)}
        if predicted.probabilities is not None and predicted.vectors is not None:
            train_vectors = np.asarray(scorer(old).vectors)
            trust = trust_score(
                train_vectors, self.gold[self.train], predicted.vectors, predicted.scores
            )
            results[f"{name}:probabilities"] = predicted.probabilities
            results[f"{name}:trust"] = trust.share
            if name == VECTORS_OF:
                results[f"{name}:vectors"] = predicted.vectors
        return results

    def _within(self, scores: Floats) -> Floats:
        """Scores within the scale, or within the training scores."""
        ends = self.points if self.points.size else self.gold[self.train]
        return np.clip(scores, ends.min(), ends.max())


VECTORS_OF = "neural"
"""The model whose hidden layer is kept as the vector of a response."""


class FittedModels(Struct, frozen=True):
    """What a fold learned: how to read a response, and how to score it."""

    encoder: Encoder
    scorers: Mapping[str, FittedScorer]

    def score(self, model: str, material: Material, rows: Whole) -> Predicted:
        """Score texts, seen or not."""
        return self.scorers[model](self.encoder.of(material, rows))


def fit_models(task: FoldTask) -> FittedModels:
    """Fit the models of a task on its training responses, each with the candidate chosen there."""
    gold, seed, points = task.gold[task.train], task.seed, task.points
    encoder = Encoder.fit(task.material, task.train, seed)
    inputs = encoder.of(task.material, task.train)
    chosen = _choices(task, points)
    scorers = {
        name: MODELS[name].fit(inputs, gold, points, value, seed)
        if np.ptp(gold) > 0 or not MODELS[name].classifies
        else constant(gold, points)
        for name, value in chosen.items()
    }
    return FittedModels(encoder, scorers)


def _choices(task: FoldTask, points: Floats) -> dict[str, float]:
    """The setting of each model, chosen on one inner split of the training responses."""
    chosen = {
        name: MODELS[name].candidates[0]
        for name in task.models
        if task.points.size or not MODELS[name].classifies
    }
    gold = task.gold[task.train]
    open_ = [name for name in chosen if len(MODELS[name].candidates) > 1]
    if gold.size < ENOUGH or not open_:
        return chosen
    strata, one_part = levels(gold), np.zeros(gold.size, np.int64)
    random = generator(task.seed, task.label, "inner")
    valid = deal(strata, one_part, task.units[task.train], _INNER, random) == 0
    if np.ptp(gold[~valid]) == 0 or not valid.any():
        return chosen
    inside, outside = task.train[~valid], task.train[valid]
    encoder = Encoder.fit(task.material, inside, task.seed)
    old, new = (encoder.of(task.material, rows) for rows in (inside, outside))
    for name in open_:
        model = MODELS[name]
        chosen[name] = _best(model, old, gold[~valid], new, gold[valid], points, task.seed)
    return chosen


def _best(
    model: Model,
    old: Inputs,
    old_gold: Floats,
    new: Inputs,
    new_gold: Floats,
    points: Floats,
    seed: int,
) -> float:
    losses = []
    for value in model.candidates:
        predicted = model.fit(old, old_gold, points, value, seed)(new)
        if predicted.probabilities is None:
            losses.append(float(((predicted.scores - new_gold) ** 2).mean()))
        else:
            true = predicted.probabilities[
                np.arange(new_gold.size), np.searchsorted(points, new_gold)
            ]
            losses.append(float(-np.log(np.maximum(true, _LEAST)).mean()))
    return model.candidates[int(np.argmin(losses))]


def random_models(models: Sequence[str]) -> tuple[str, ...]:
    """Those that seeds make a difference to."""
    return tuple(name for name in models if MODELS[name].drawn)


Progress = Callable[[int, int], None]


class Cache(Struct, frozen=True):
    """A folder of results, or none; a run that was broken off goes on where it was."""

    folder: Path | None

    def each(
        self, tasks: Sequence[FoldTask], workers: int, progress: Progress | None = None
    ) -> Generator[Mapping[str, Floats], None, None]:
        """Yield the result of every task in order: from the folder, else worked out and kept."""
        names = [None if self.folder is None else f"{task_hash(task)}.npz" for task in tasks]
        stored = [self._read(name) for name in names]
        left = [task for task, result in zip(tasks, stored, strict=True) if result is None]
        with closing(_run(left, workers)) as computed:
            for done, (name, result) in enumerate(zip(names, stored, strict=True)):
                if progress is not None:
                    progress(done, len(tasks))
                if result is not None:
                    yield result
                    continue
                fresh = next(computed)
                self._write(name, fresh)
                yield fresh
        if progress is not None:
            progress(len(tasks), len(tasks))

    def _read(self, name: str | None) -> dict[str, Floats] | None:
        if self.folder is None or name is None:
            return None
        try:
            with np.load(self.folder / name, allow_pickle=False) as stored:
                return {key: stored[key] for key in stored.files}
        except (OSError, ValueError, EOFError, KeyError, BadZipFile):
            return None

    def _write(self, name: str | None, result: Mapping[str, Floats]) -> None:
        if self.folder is None or name is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f".{name}.{os.getpid()}"
        with part.open("wb") as stream:
            np.savez(stream, **dict(result))  # type: ignore[arg-type]
        part.replace(self.folder / name)


def _run(tasks: Sequence[FoldTask], workers: int) -> Generator[dict[str, Floats], None, None]:
    """Work tasks out, several at a time where there are workers; the order stays."""
    if workers < 2 or len(tasks) < 2:
        for task in tasks:
            yield task.run()
        return
    from joblib.externals.loky import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers, initializer=_leave_interrupts)
    try:
        ahead = 2 * workers
        waiting = deque(pool.submit(FoldTask.run, _counted(task)) for task in tasks[:ahead])
        for i in range(len(tasks)):
            yield waiting.popleft().result()
            waiting.extend(
                pool.submit(FoldTask.run, _counted(task)) for task in tasks[i + ahead :][:1]
            )
    finally:  # also where the run is broken off: no worker is left behind
        pool.shutdown(kill_workers=True)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process; the one that started the workers ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _counted(task: FoldTask) -> FoldTask:
    """The task with its texts counted: once for all folds, not by each worker."""
    _ = task.material.readings
    return task


def task_hash(task: FoldTask) -> str:
    """Hash everything that a result depends on: the texts, scores, folds, models, seed and versions."""
    import sklearn

    digest = hashlib.sha256()
    versions = (__version__, np.__version__, sklearn.__version__)
    for text in (*versions, task.label, str(task.seed), *task.models, *task.probes):
        digest.update(f"{text}\x1f".encode("utf-8", "surrogatepass"))
    material = task.material
    for texts in (material.texts, material.prompt_texts, material.references):
        digest.update(f"{None if texts is None else len(texts)}\x1f".encode())
        for text in texts or ():
            digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    arrays = [task.gold, task.units, task.points, task.train, task.test, *task.probes.values()]
    if material.vectors is not None:
        arrays.append(material.vectors)
    for array in arrays:
        digest.update(f"{array.shape}{array.dtype}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
