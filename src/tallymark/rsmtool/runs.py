"""Runs: experiments that RSMTool or Tallymark wrote to a folder, read back."""

from collections.abc import Sequence
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError
from tallymark.rsmtool.columns import Columns, numbers, read_columns
from tallymark.rsmtool.configuration import read_configuration
from tallymark.rsmtool.fields import FORMATS

Floats = NDArray[np.float64]
SCORES = "_pred_processed"
PEOPLE = "_test_human_scores"


class Run(Struct, frozen=True):
    """Scores of one experiment; ``kind`` says which system score is taken: raw or scale.

    ``reads`` are the files they came from.
    """

    name: str
    ids: NDArray[Any]
    human: Floats
    second: Floats | None
    trimmed: Floats
    kind: str
    reads: tuple[Path, ...] = ()


def read_run(
    folder: Path,
    *,
    name: str | None = None,
    experiment: str | None = None,
    scaled: bool | None = None,
) -> Run:
    """Read an experiment's processed scores from its folder or the folder ``output`` in it.

    ``scaled`` tells whether scaled scores are taken; by default they are where they exist.
    """
    path = _scores_file(folder, experiment)
    columns = read_columns(path, {"spkitemid"})
    kind = _kind(columns, path, scaled)
    stem = path.stem.removesuffix(SCORES)
    people = path.with_name(f"{stem}{PEOPLE}{path.suffix}")
    return Run(
        name or stem,
        columns["spkitemid"],
        numbers(columns["sc1"]),
        _second(people, columns["spkitemid"]),
        numbers(columns[f"{kind}_trim"]),
        kind,
        (path, people),
    )


def compared_runs(configuration: Path) -> list[Run]:
    """Read the two experiments that a configuration of rsmcompare names."""
    fields, _ = read_configuration(configuration, "rsmcompare")
    return distinct(
        [
            read_run(
                _folder(str(fields[f"experiment_dir_{age}"]), configuration.parent),
                experiment=str(fields[f"experiment_id_{age}"]),
                scaled=fields[f"use_scaled_predictions_{age}"] or None,
            )
            for age in ("old", "new")
        ]
    )


def summarized_runs(configuration: Path) -> list[Run]:
    """Read the experiments that a configuration of rsmsummarize names."""
    fields, _ = read_configuration(configuration, "rsmsummarize")
    folders = fields["experiment_dirs"]
    names = fields["experiment_names"] or [None] * len(folders)
    if len(names) != len(folders):
        raise OptionError(
            f"experiment_names of {configuration.name} has {len(names)} names for {len(folders)} "
            "folders in experiment_dirs; name each of them"
        )
    return distinct(
        [
            read_run(_folder(folder, configuration.parent), name=name)
            for folder, name in zip(folders, names, strict=True)
        ]
    )


def distinct(runs: Sequence[Run]) -> list[Run]:
    """Number runs of the same name."""
    seen: dict[str, int] = {}
    numbered = []
    for run in runs:
        seen[run.name] = seen.get(run.name, 0) + 1
        again = f" ({seen[run.name]})" if seen[run.name] > 1 else ""
        numbered.append(replace(run, name=run.name + again))
    return numbered


def _folder(name: str, beside: Path) -> Path:
    return Path(name) if Path(name).is_dir() else beside / name


def _scores_file(folder: Path, experiment: str | None) -> Path:
    if not folder.is_dir():
        raise DataError(f"there is no folder {folder}; name the folder of an experiment")
    # a star in a name is a star, not a pattern
    wanted = f"{escape(experiment) if experiment else '*'}{SCORES}"
    paths = [
        path
        for place in (folder / "output", folder)
        for form in FORMATS
        for path in sorted(place.glob(f"{wanted}.{form}"))
    ]
    if not paths:
        what = f"the experiment {experiment!r}" if experiment else "an experiment"
        raise DataError(
            f"{folder} does not hold {what}: there is no file {experiment or '*'}{SCORES}.csv in it or in its folder "
            "output"
        )
    if len(paths) > 1:
        names = ", ".join(path.stem.removesuffix(SCORES) for path in paths)
        raise DataError(
            f"{folder} holds several experiments ({names}); name one in a configuration"
        )
    return paths[0]


def _kind(columns: Columns, path: Path, scaled: bool | None) -> str:
    kinds = [kind for kind in ("scale", "raw") if f"{kind}_trim" in columns]
    if not kinds or not {"spkitemid", "sc1"} <= set(columns):
        raise DataError(
            f"{path.name} is no file of processed scores: it must have the columns spkitemid, sc1 "
            f"and raw_trim or scale_trim, and has {', '.join(columns)}"
        )
    if scaled and "scale" not in kinds:
        raise DataError(
            f"{path.name} has no scaled scores (no column 'scale_trim'); leave out "
            "use_scaled_predictions"
        )
    return kinds[0]


def _second(path: Path, ids: NDArray[Any]) -> Floats | None:
    """The second human score in the order of the ids; None where nobody gave one."""
    if not path.exists():
        return None
    columns = read_columns(path, {"spkitemid"})
    if "sc2" not in columns:
        return None
    given = dict(zip(columns["spkitemid"].tolist(), numbers(columns["sc2"]).tolist(), strict=True))
    return np.array([given.get(name, np.nan) for name in ids.tolist()], dtype=np.float64)
