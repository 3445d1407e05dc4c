"""Runs of experiments: tables drawn, every statistic on them, the curves, and what the source says of them."""

import json
import math
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.defaults import SEED
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Settings
from tallymark.lab import experiments
from tallymark.lab.contenders import Contender, Function, contender
from tallymark.lab.experiment import LabExperiment, Ruling, Sweep, Trace, Traces
from tallymark.render.sentences import Sentence, Words, written
from tallymark.render.tables import csv_text
from tallymark.signatures import typed
from tallymark.tally import PairCounts


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
        texts = " on texts of your own" if self.asked else ""
        if self.replicates == 1 and self.experiment.learned:
            return Sentence(f"One run{texts}, seed {{seed:g}}.", seed=self.seed)
        if self.replicates == 1:
            return "Nothing is drawn by chance."
        return Sentence(
            f"Means of {{n}} replicates{texts}, seed {{seed:g}}; brackets and bands hold 95 % of them.",
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
        command = " ".join(filter(None, ["tallymark lab run", self.experiment.name, self.asked]))
        return [
            {
                "source": self.experiment.source,
                "by": "ours" if statement.ours else "source",
                "claim": statement.says,
                "state": ruling.state,
                "verdict": ruling.verdict,
                "evidence": written(ruling.words),
                "command": command,
            }
            for statement, ruling in zip(self.experiment.statements, self.rulings, strict=True)
        ]

    def records(self) -> list[dict[str, Any]]:
        """One dictionary for each point of each curve."""
        titles = {sweep.name: sweep.axis for sweep in self.sweeps}
        records = []
        for (sweep, name), trace in self.traces.by_name.items():
            mean, error, (low, high) = trace.mean, trace.error, trace.band
            for i, values in enumerate(trace.values):
                records.append(
                    {
                        "experiment": self.experiment.name,
                        "sweep": sweep,
                        "x_title": titles[sweep],
                        "x": trace.x[i].item(),
                        "statistic": name,
                        "mean": float(mean[i]),
                        "low": float(low[i]),
                        "high": float(high[i]),
                        "mc_error": float(error[i]),
                        "replicates": values.size,
                        "undefined": int(np.isnan(values).sum()),
                    }
                )
        return records

    def to_csv(self) -> str:
        """The curves as CSV, one row a point."""
        records = self.records()
        return csv_text([*records[0]], ([*record.values()] for record in records))

    def claims_csv(self) -> str:
        """The claims as CSV, one row each."""
        claims = self.claims
        return csv_text([*claims[0]], ([*claim.values()] for claim in claims))

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
        from tallymark.lab.view import page_of
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


def names() -> list[str]:
    """Return the names of the experiments, as ``tallymark lab list`` shows them.

    >>> "trait-prevalence" in names()
    True
    """
    return [*experiments_by_name()]


@cache
def experiments_by_name() -> dict[str, LabExperiment]:
    """The experiments by name, by source: each file of ``lab/experiments`` has those of one source."""
    listed: list[LabExperiment] = [
        experiment
        for module in pkgutil.iter_modules(experiments.__path__)
        for experiment in import_module(f"{experiments.__name__}.{module.name}").EXPERIMENTS
    ]
    ordered = sorted(listed, key=lambda experiment: (experiment.source, experiment.name))
    return {experiment.name: experiment for experiment in ordered}


@typed
def run(
    name: str,
    source: object = None,
    *,
    text: str | None = None,
    humans: Sequence[str] = (),
    prompt: str | None = None,
    cluster: str | None = None,
    scale: str | None = None,
    statistics: Iterable[str | Function] | str | Function = (),
    seed: int = SEED,
    replicates: int | None = None,
) -> LabRun:
    """Run an experiment; the same arguments give the same numbers.

    ``statistics`` join those of the experiment: names of the catalogue, ``"module:function"`` or
    functions of two arrays, gold and system, that return one number. ``replicates`` is how many
    samples are drawn at each place of the axis, by default as many as the experiment says.
    Experiments that train models take a table of your own: its ``text``, the ratings of two
    ``humans``, and where there are any its ``prompt`` and ``cluster`` (the candidate). Replicates
    are then seeds.

    >>> done = run("paradox")
    >>> done.claims[0]["state"]
    'does not hold'
    """
    experiment = experiment_called(name)
    listed = [statistics] if isinstance(statistics, str) or callable(statistics) else statistics
    joining = distinct(map(contender, listed))
    if replicates is not None and replicates < 1:
        raise OptionError(f"replicates must be a whole number of 1 or more, got {replicates}")
    Settings(seed=seed)  # refuses one that none can be
    times = experiment.replicates if replicates is None else replicates
    rng = np.random.default_rng([seed, *name.encode()])
    columns = {"text": text, "humans": humans, "prompt": prompt, "cluster": cluster, "scale": scale}
    sweeps = tuple(_sweeps(experiment, source, columns, rng, times))
    traces = traces_of(experiment, sweeps, [*joining.values()])
    rulings = tuple(statement.check(traces) for statement in experiment.statements)
    table_options = "" if source is None else _asked_again(columns)
    return LabRun(experiment, seed, times, sweeps, traces, tuple(joining), rulings, table_options)


def _sweeps(
    experiment: LabExperiment,
    source: object,
    columns: Mapping[str, Any],
    rng: np.random.Generator,
    times: int,
) -> Sequence[Sweep]:
    """The sweeps of an experiment: of a user's texts, else of what it draws by itself."""
    if source is None and any(columns.values()):
        raise OptionError("name the FILE that these columns are of")
    if experiment.learned is None:
        if source is not None:
            learning = ", ".join(
                name for name, candidate in experiments_by_name().items() if candidate.learned
            )
            raise OptionError(
                f"{experiment.name} draws its own tables and takes no FILE; those that do train "
                f"models: {learning}"
            )
        return experiment.draw(rng, times)
    from tallymark.lab.learned import check_installed, read_lab_texts

    check_installed()
    if source is None:
        return experiment.draw(rng, times)
    return experiment.learned([read_lab_texts(source, **columns)] * times, rng)


def _asked_again(columns: Mapping[str, Any]) -> str:
    """The options that name the columns, as the command asks for them; FILE stands for the table."""
    options = [("--text", columns["text"]), *(("--human", name) for name in columns["humans"])]
    options += [(f"--{key}", columns[key]) for key in ("prompt", "cluster", "scale")]
    return " ".join(["FILE", *(f"{flag} {quote(str(value))}" for flag, value in options if value)])


def distinct(entries: Iterable[Contender]) -> dict[str, Contender]:
    """Statistics by name; functions that share a name are numbered."""
    by_name: dict[str, Contender] = {}
    for entry in entries:
        name, number = entry.name, 2
        while name in by_name and by_name[name].function is not entry.function:
            name, number = f"{entry.name} {number}", number + 1
        by_name[name] = replace(entry, name=name)
    return by_name


def experiment_called(name: str) -> LabExperiment:
    """Return an experiment by its name; a wrong one is refused with the closest."""
    known_names = names()
    if name not in known_names:
        hint = did_you_mean(name, known_names)
        raise OptionError(f"there is no experiment {name!r}.{hint} Known: {', '.join(known_names)}")
    return experiments_by_name()[name]


def traces_of(
    experiment: LabExperiment, sweeps: Sequence[Sweep], joining: Sequence[Contender]
) -> Traces:
    """The numbers that the figures show, and those that join, along their sweeps."""
    by_name = {sweep.name: sweep for sweep in sweeps}
    wanted = [pair for figure in experiment.figures for pair in figure.pairs(sweeps[0].name)]
    wanted += [(sweep.name, entry.name) for entry in joining for sweep in sweeps]
    contenders = {entry.name: entry for entry in joining}
    traces = {}
    for sweep_name, name in dict.fromkeys(wanted):
        sweep = by_name[sweep_name]
        recorded = name in sweep.settings[0].beside
        values = (
            np.stack([setting.beside[name] for setting in sweep.settings])
            if recorded
            else values_of(contenders.get(name) or contender(name), sweep)
        )
        x = np.array([setting.x for setting in sweep.settings])
        traces[sweep_name, name] = Trace(sweep_name, name, x, values)
    return Traces(traces)


def values_of(entry: Contender, sweep: Sweep) -> Floats:
    """A statistic on all tables of a sweep: in one go for those of one scale."""
    tables = [setting.tables for setting in sweep.settings]
    values: list[Floats] = [np.empty(0)] * len(tables)
    by_scale: dict[bytes, list[int]] = {}
    for i, table in enumerate(tables):
        by_scale.setdefault(table.points.tobytes(), []).append(i)
    for places in by_scale.values():
        stacked = np.stack([tables[i].counts.astype(np.int64) for i in places])
        computed = entry.value(PairCounts(stacked, tables[places[0]].points))
        for i, of_setting in zip(places, computed, strict=True):
            values[i] = of_setting
    return np.stack(values)
