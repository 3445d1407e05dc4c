"""Processing: RSMTool's order of steps from the file to the scores that are evaluated.

Rename columns, check ids and subgroups, keep the flags asked for, drop human scores that are no
number or zero, then system scores that are no number, then candidates with too few responses;
rescale, trim, round.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, did_you_mean
from tallymark.rsmtool.configuration import Experiment
from tallymark.rsmtool.tables import Columns, numbers, read_columns, read_noted
from tallymark.tally import trim

Rows = NDArray[np.intp]
RESERVED = ("spkitemid", "sc1", "sc2", "length", "raw", "candidate")
"""Names that RSMTool gives to columns; others of these names become ##name##."""
NO_GROUP = "No info"


class Linear(NamedTuple):
    """How a raw score becomes a scaled one: standardized, then spread as human scores are."""

    mean: float = 0.0
    sd: float = 1.0
    human_mean: float = 0.0
    human_sd: float = 1.0

    def scaled(self, raw: Floats) -> Floats:
        """Return the scaled scores."""
        return (raw - self.mean) / self.sd * self.human_sd + self.human_mean


class Processed(Struct, frozen=True):
    """The responses that are used, their scores, and those that were left out, in RSMTool's names.

    ``scores`` holds every kind of system score; ``second`` is NaN where there is none. ``all``
    are the columns of all responses, ``used`` the rows of those that are evaluated. ``notes`` say
    which of several sheets was read.
    """

    all: Columns
    used: Rows
    flagged: Rows
    excluded: Rows
    human: Floats
    second: Floats | None
    scores: dict[str, Floats]
    linear: Linear
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> NDArray[Any]:
        """Return a column of the responses that are used."""
        return np.asarray(self.all[name][self.used])


def process(experiment: Experiment) -> Processed:
    """Read and process the scores of an experiment."""
    columns, notes = _renamed(experiment)
    _check_ids(columns["spkitemid"], experiment)
    linear = _linear(experiment)
    human, system = numbers(columns["sc1"]), numbers(columns["raw"])
    used = _with_flags(columns, experiment)
    flagged = np.flatnonzero(~used)
    no_human = used & np.isnan(human)
    zero = used & (human == 0) & experiment.exclude_zeros
    used &= ~(no_human | zero)
    _check_left(
        used, experiment, "a human score that is a number" + (" and not zero" * bool(zero.any()))
    )
    no_system = used & np.isnan(system)
    used &= ~no_system
    _check_left(used, experiment, "a system score that is a number")
    few = used & _few(columns, used, experiment)
    used &= ~few
    _check_left(used, experiment, f"a candidate with {experiment.min_items} responses or more")
    rows = np.flatnonzero(used)
    excluded = np.concatenate([np.flatnonzero(m) for m in (no_human, zero, no_system, few)])
    return Processed(
        columns,
        rows,
        flagged,
        excluded,
        human[rows],
        _second(columns, rows, experiment),
        _scores(system[rows], linear, experiment),
        linear,
        notes,
    )


def _renamed(experiment: Experiment) -> tuple[Columns, tuple[str, ...]]:
    texts = {experiment.id_column, *experiment.subgroups}
    texts |= {experiment.candidate} if experiment.candidate else set()
    columns, notes = read_noted(experiment.predictions, texts)
    name, names = experiment.predictions.name, list(columns)
    roles = {
        experiment.id_column: "spkitemid",
        experiment.human: "sc1",
        experiment.second: "sc2",
        experiment.system: "raw",
        experiment.candidate: "candidate",
    }
    _check_known((role for role in roles if role is not None), names, name)
    renamed = {
        roles.get(column) or (f"##{column}##" if column in RESERVED else column): values
        for column, values in columns.items()
    }
    _check_known((*experiment.subgroups, *experiment.flags), list(renamed), name, names)
    for group in experiment.subgroups:
        labels = renamed[group].tolist()
        called = {name: name if name.strip() else NO_GROUP for name in set(labels)}
        renamed[group] = np.array([*map(called.__getitem__, labels)], dtype=object)
    return renamed, notes


def _check_known(
    columns: Iterable[str], existing: list[str], source: str, written: Sequence[str] = ()
) -> None:
    """Refuse a column that is not there; ``written`` are the columns by the names in the file."""
    for column in columns:
        if column not in existing:
            if column in written:
                raise DataError(
                    f"column {column!r} has another role and cannot be a subgroup or flag"
                )
            raise DataError(
                f"{source} has no column {column!r}; it has {', '.join(written or existing)}."
                f"{did_you_mean(column, written or existing)}"
            )


def _check_ids(ids: NDArray[Any], experiment: Experiment) -> None:
    if not ids.size:
        raise DataError(f"{experiment.predictions.name} has a header but no rows")
    names = ids.tolist()
    if len(set(names)) == len(names):
        return
    first = {name: i for i, name in reversed([*enumerate(names)])}
    twice = next(name for i, name in enumerate(names) if first[name] < i)
    raise DataError(
        f"{experiment.predictions.name} has the response {twice!r} of column "
        f"{experiment.id_column!r} more than once; give every response a name of its own"
    )


def _with_flags(columns: Columns, experiment: Experiment) -> NDArray[np.bool_]:
    """Whether each response has the flags asked for; 1, 1.0 and "1" are the same."""
    used = np.ones(columns["spkitemid"].size, dtype=bool)
    for column, allowed in experiment.flags.items():
        wanted = {_comparable(value) for value in allowed}
        used &= np.array([_comparable(value) in wanted for value in columns[column].tolist()])
    flags = "; ".join(f"{column}: {list(values)}" for column, values in experiment.flags.items())
    _check_left(used, experiment, f"the flags asked for ({flags})")
    return used


def _comparable(value: Any) -> float | str:
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)


def _few(columns: Columns, used: NDArray[np.bool_], experiment: Experiment) -> NDArray[np.bool_]:
    """Whether the candidate of each response has too few responses left."""
    if experiment.min_items is None:
        return np.zeros(used.size, dtype=bool)
    _, candidate = np.unique(columns["candidate"].astype(str), return_inverse=True)
    return np.asarray(
        np.bincount(candidate[used], minlength=candidate.max() + 1)[candidate]
        < experiment.min_items
    )


def _check_left(used: NDArray[np.bool_], experiment: Experiment, needed: str) -> None:
    if not used.any():
        raise DataError(
            f"no response of {experiment.predictions.name} is left: none of {used.size} has "
            f"{needed}. Check the columns and filters of the configuration."
        )


def _second(columns: Columns, used: Rows, experiment: Experiment) -> Floats | None:
    """The second human score; zero is missing where zeros are excluded."""
    if experiment.second is None:
        return None
    second = numbers(columns["sc2"])[used]
    return np.where(second == 0, np.nan, second) if experiment.exclude_zeros else second


def _linear(experiment: Experiment) -> Linear:
    if experiment.scale_file is None:
        return Linear()
    columns = read_columns(experiment.scale_file)
    _check_known(("prediction", "sc1"), list(columns), experiment.scale_file.name)
    spread = []
    for name in ("prediction", "sc1"):
        scores = numbers(columns[name])
        scores = scores[~np.isnan(scores)]
        if scores.size < 2 or not scores.std() > 0:
            raise DataError(
                f"column {name!r} of {experiment.scale_file.name} must hold scores that vary; "
                "they set the scale"
            )
        spread += [float(scores.mean()), float(scores.std(ddof=1))]
    return Linear(*spread)


def _scores(raw: Floats, linear: Linear, experiment: Experiment) -> dict[str, Floats]:
    """Every kind of system score; RSMTool rounds halves to the even number."""
    ends = experiment.trim_min, experiment.trim_max
    kinds: dict[str, Floats] = {}
    for kind, scores in (("raw", raw), ("scale", linear.scaled(raw))):
        trimmed = trim(scores, *ends, tolerance=experiment.tolerance)
        kinds |= {kind: scores, f"{kind}_trim": trimmed, f"{kind}_trim_round": np.rint(trimmed)}
    return {kind: kinds[kind] for kind in experiment.score_types}
