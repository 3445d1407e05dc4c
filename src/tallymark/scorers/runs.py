"""Runs: what reference scorers gave, under each rule of resolution."""

from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.render.sentences import Words
from tallymark.results import Evaluation
from tallymark.results.cells import csv_of_columns
from tallymark.scorers.out_of_fold import OutOfFold
from tallymark.scorers.predictions import Predictions
from tallymark.scorers.reading import Lesson
from tallymark.scorers.say import FOR_PAGE, by_chance
from tallymark.sources import ExcludedRow
from tallymark.sources.joining import Columns
from tallymark.sources.roles import listed
from tallymark.sources.tables import write_parquet

_CSV, _PARQUET = ".csv", ".parquet"
"""Endings of a file that holds a table alone."""


class BaselineRun(Struct, frozen=True):
    """What was learned under one rule of resolution.

    ``columns`` is the table that evaluate, compare and route read; ``evaluation`` the comparison
    of the user's systems with the reference scorers on it; ``probes`` the probes with their scores,
    which evaluate and compare read as ``probe_scores``; ``notes`` what was left out, and why.
    """

    rule: str
    columns: Columns
    predictions: Predictions
    made: OutOfFold
    lesson: Lesson
    systems: tuple[str, ...]
    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]
    probes: Columns | None = None
    notes: tuple[Words, ...] = ()

    @property
    def confident(self) -> tuple[str, ...]:
        """The scorers that say how sure they are."""
        return tuple(self.predictions.confidences)

    @property
    def labelled(self) -> Evaluation:
        """The comparison, with notes on the reference scorers for who sees it alone."""
        data = self.evaluation.data
        ours = [FOR_PAGE.format(names=listed([*self.predictions.systems]))]
        ours += [str(x).removesuffix(".") for x in (*self.notes, *by_chance(self.evaluation))]
        return replace(self.evaluation, data=replace(data, notes=(*ours, *data.notes)))

    def to_csv(self) -> str:
        """The table as CSV."""
        return csv_of(self.columns)

    def to_file(self, path: Path) -> bytes:
        """The table as the ending of a file asks for it, CSV or Parquet."""
        return contents(self.columns, path.suffix.lower(), self.predictions.numbers)


class Baseline(Struct, frozen=True):
    """What reference scorers reach: one run for each rule of resolution, the first of them ``run``."""

    runs: tuple[BaselineRun, ...]
    guessed: tuple[Words, ...]

    @property
    def notes(self) -> tuple[Words, ...]:
        """What was guessed, and what was left out, each said once."""
        return tuple({str(x): x for run in self.runs for x in (*self.guessed, *run.notes)}.values())

    @property
    def run(self) -> BaselineRun:
        """The first run, for most have one."""
        return self.runs[0]

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the first run."""
        return self.run.evaluation

    @property
    def columns(self) -> Columns:
        """The table of the first run: give it to ``evaluate``, ``compare`` or ``route``."""
        return self.run.columns

    def __repr__(self) -> str:
        """What the comparison found, in a few lines."""
        return repr(self.evaluation)

    def _repr_html_(self) -> str:
        return self.evaluation._repr_html_()


def is_table(path: Path) -> bool:
    """Whether a path names a table alone, and no folder."""
    return path.suffix.lower() in (_CSV, _PARQUET) and not path.is_dir()


def contents(columns: Columns, ending: str, numbers: Collection[str] = ()) -> bytes:
    """A table as a file of this ending, CSV or Parquet; Parquet has these columns as numbers."""
    if ending != _PARQUET:
        return csv_of(columns).encode()
    arrays = {
        name: np.array([np.nan if cell is None else float(cell) for cell in cells])
        if name in numbers
        else np.array(cells, dtype=object)
        for name, cells in columns.items()
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table{_PARQUET}"
        write_parquet(arrays, path)
        return path.read_bytes()


def csv_of(columns: Columns) -> str:
    """Columns as CSV, empty where there is nothing."""
    return csv_of_columns(
        [[name, *(cell or "" for cell in cells)] for name, cells in columns.items()]
    )
