"""Cache: what a fold learned is kept under a hash of all that it learned from."""

import hashlib
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark._version import __version__
from tallymark.scorers.fitting import FoldTask

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


class Cache(Struct, frozen=True):
    """A folder of results, or none; a run that was broken off goes on where it was."""

    folder: Path | None

    def each(
        self, tasks: Sequence[FoldTask], workers: int, progress: Progress | None = None
    ) -> Generator[Mapping[str, Floats], None, None]:
        """Yield the result of every task in order: from the folder, else worked out and kept."""
        names = [None if self.folder is None else f"{task_hash(task)}.npz" for task in tasks]
        kept = [self._read(name) for name in names]
        left = [task for task, known in zip(tasks, kept, strict=True) if known is None]
        with closing(_run(left, workers)) as made:
            for done, (name, known) in enumerate(zip(names, kept, strict=True)):
                if progress is not None:
                    progress(done, len(tasks))
                result = known if known is not None else next(made)
                if known is None:
                    self._write(name, result)
                yield result
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
        waiting = deque(pool.submit(_of, _counted(task)) for task in tasks[:ahead])
        for i in range(len(tasks)):
            yield waiting.popleft().result()
            waiting.extend(pool.submit(_of, _counted(task)) for task in tasks[i + ahead :][:1])
    finally:  # also where the run is broken off: no worker is left behind
        pool.shutdown(kill_workers=True)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process; the one that started the workers ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _counted(task: FoldTask) -> FoldTask:
    """The task with its texts counted: once for all folds, not by each worker."""
    _ = task.material.readings
    return task


def _of(task: FoldTask) -> dict[str, Floats]:
    return task.run()


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
