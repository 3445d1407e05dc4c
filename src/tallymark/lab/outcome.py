"""What an experiment gave: curves with Monte Carlo bands, and whether the source's claims hold."""

import json
import math
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from msgspec import Struct

from tallymark.defaults import SEED
from tallymark.lab.experiment import LabExperiment, Ruling, Sweep, Traces
from tallymark.render.sentences import Sentence, Words, written
from tallymark.render.tables import csv_text

CURVE = (
    "experiment", "sweep", "x_title", "x", "statistic", "mean", "low", "high", "mc_error",
    "replicates", "undefined",
)  # fmt: skip
CLAIM = ("source", "by", "claim", "state", "verdict", "evidence", "command")


class LabRun(Struct, frozen=True):
    """An experiment that was run: its curves, and a ruling on each statement of the source.

    ``asked`` are the options of a table of the user's own, which it was run on.
    """

    experiment: LabExperiment
    seed: int
    replicates: int
    sweeps: tuple[Sweep, ...]
    traces: Traces
    joining: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    asked: str = ""

    @property
    def command(self) -> str:
        """The command that runs it again."""
        words = ["tallymark lab run", self.experiment.name, *filter(None, [self.asked])]
        words += [f"--statistic {name}" for name in self.joining]
        words += [f"--seed {self.seed}"] if self.seed != SEED else []
        if self.replicates != self.experiment.replicates:
            words.append(f"--replicates {self.replicates}")
        return " ".join(words)

    @property
    def drawn(self) -> Words:
        """How many replicates there are, and what bands mean."""
        whose = " on texts of your own" if self.asked else ""
        if self.replicates == 1 and self.experiment.learned:
            return Sentence(f"One run{whose}, seed {{seed:g}}.", seed=self.seed)
        if self.replicates == 1:
            return "Nothing is drawn by chance."
        return Sentence(
            f"Means of {{n}} replicates{whose}, seed {{seed:g}}; brackets and bands hold 95 % of them.",
            n=self.replicates,
            seed=self.seed,
        )

    @property
    def how(self) -> str:
        """How the tables are drawn, of synthetic texts or of the user's."""
        about = self.experiment
        return about.how if self.asked else " ".join(filter(None, [about.corpus, about.how]))

    @property
    def claims(self) -> list[dict[str, str]]:
        """What the source says, or we beyond it (``by``), whether it holds, and the numbers."""
        source = self.experiment.source
        command = " ".join(filter(None, ["tallymark lab run", self.experiment.name, self.asked]))
        rows = [
            (
                *(source, "ours" if statement.ours else "source", statement.says),
                *(ruling.state, ruling.verdict, written(ruling.words), command),
            )
            for statement, ruling in zip(self.experiment.statements, self.rulings, strict=True)
        ]
        return [dict(zip(CLAIM, row, strict=True)) for row in rows]

    def records(self) -> list[dict[str, Any]]:
        """One dictionary for each point of each curve."""
        return [dict(zip(CURVE, row, strict=True)) for row in self._rows()]

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        titles = {sweep.name: sweep.axis for sweep in self.sweeps}
        for (sweep, name), trace in self.traces.by_name.items():
            low, high = trace.band
            columns = (trace.x, trace.mean, low, high, trace.error)
            lines = zip(*(column.tolist() for column in columns), trace.values, strict=True)
            for x, mean, start, end, error, values in lines:
                gaps = sum(math.isnan(value) for value in values)
                yield (
                    *(self.experiment.name, sweep, titles[sweep], x, name, mean, start, end),
                    *(error, values.size, gaps),
                )

    def to_csv(self) -> str:
        """The curves as CSV, one row a point."""
        return csv_text(CURVE, self._rows())

    def claims_csv(self) -> str:
        """The claims as CSV, one row each."""
        return csv_text(CLAIM, ([*claim.values()] for claim in self.claims))

    def to_json(self) -> str:
        """Strict JSON: undefined numbers are null; the same run gives the same bytes."""
        about = self.experiment
        raw = {
            "format": "tallymark lab",
            "version": 1,
            "experiment": about.name,
            "title": about.title,
            "source": about.source,
            "question": about.question,
            "how": self.how,
            "texts": self.asked,
            "seed": self.seed,
            "replicates": self.replicates,
            "claims": self.claims,
            "curves": [
                {key: _finite(value) for key, value in row.items()} for row in self.records()
            ],
        }
        return json.dumps(raw, indent=1, ensure_ascii=False, allow_nan=False)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The page with the figures; it is written too when a path is given."""
        from tallymark.lab.page import page_of
        from tallymark.render.files import write_whole

        text = page_of(self)
        if path is not None:
            write_whole(Path(path), text)
        return text

    def to_text(self, width: int = 80) -> str:
        """What a terminal shows."""
        from tallymark.lab.view import section
        from tallymark.render.layout import plain_text
        from tallymark.render.terminal import section_lines

        return plain_text(section_lines([section(self)], width)).rstrip()

    def __repr__(self) -> str:
        """What a terminal shows."""
        return self.to_text()


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
