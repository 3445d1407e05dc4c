"""A progress bar on the terminal for what takes longer than a second; nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before anything is shown."""


class _Bar:
    """A bar that appears when its time has come and shows how much is done."""

    def __init__(self, doing: str) -> None:
        self.doing = doing
        self.lock = Lock()
        self.done: tuple[int, int] | None = None
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        with self.lock:
            self.bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.bar.add_task("reading", total=None)
            self.bar.start()
        if self.done is not None:
            self.report(*self.done)

    def report(self, done: int, total: int) -> None:
        with self.lock:
            self.done = done, total
            if self.bar is not None and self.task is not None:
                self.bar.update(self.task, description=self.doing, completed=done, total=total)

    def vanish(self) -> None:
        with self.lock:
            if self.bar is not None:
                self.bar.stop()


@contextmanager
def progress(doing: str = "evaluating") -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function that reports (done, total), or None when nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(doing)
    timer = Timer(PATIENCE, bar.appear)
    timer.daemon = True
    timer.start()
    try:
        yield bar.report
    finally:
        timer.cancel()
        timer.join()
        bar.vanish()
