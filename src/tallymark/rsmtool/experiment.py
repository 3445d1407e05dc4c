"""Experiment: what a configuration of rsmeval asks for, checked before anything is read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from tallymark.errors import OptionError
from tallymark.rsmtool.configuration import check_format, check_sections, locate, read_configuration
from tallymark.rsmtool.fields import NOT_OURS, OPTIONAL

Scaling = Literal["none", "asis", "raw", "file"]


class Experiment(Struct, frozen=True, kw_only=True):
    """An evaluation as RSMTool's configuration describes it; ``fields`` are all it says."""

    id: str
    predictions: Path
    system: str
    human: str
    second: str | None
    id_column: str
    trim_min: float
    trim_max: float
    tolerance: float
    scaling: Scaling
    scale_file: Path | None
    exclude_zeros: bool
    error_variance: float | None
    flags: Mapping[str, tuple[Any, ...]]
    candidate: str | None
    min_items: int | None
    subgroups: tuple[str, ...]
    format: str
    fairness: bool
    fields: Mapping[str, Any]
    notes: tuple[str, ...]

    @property
    def main(self) -> str:
        """The score that is reported on: scaled where the configuration speaks of scaling."""
        return "raw" if self.scaling == "none" else "scale"

    @property
    def reads(self) -> tuple[Path, ...]:
        """The files that hold scores."""
        return (self.predictions, *(() if self.scale_file is None else (self.scale_file,)))

    @property
    def score_types(self) -> tuple[str, ...]:
        """The kinds of system score that are evaluated."""
        kinds = {"none": ("raw",), "asis": ("scale",)}.get(self.scaling, ("raw", "scale"))
        return tuple(f"{kind}{end}" for kind in kinds for end in ("", "_trim", "_trim_round"))


def read_experiment(path: Path) -> Experiment:
    """Read a configuration of rsmeval."""
    fields, notes = read_configuration(path, "rsmeval")
    source = path.name
    _check_columns(fields, source)
    check_format(fields, source)
    check_sections(fields["general_sections"] or ["all"], source)
    if not fields["trim_min"] < fields["trim_max"]:
        raise OptionError(
            f"trim_min of {source} must lie below trim_max, got {fields['trim_min']} and "
            f"{fields['trim_max']}"
        )
    fields["min_n_per_group"] = _small_groups(fields, source)
    scaling, scale_file = _scaling(fields["scale_with"], path.parent)
    sections = fields["general_sections"] or ["all"]
    return Experiment(
        id=fields["experiment_id"],
        predictions=locate(str(fields["predictions_file"]), path.parent, "predictions_file"),
        system=fields["system_score_column"],
        human=fields["human_score_column"],
        second=fields["second_human_score_column"],
        id_column=fields["id_column"],
        trim_min=float(fields["trim_min"]),
        trim_max=float(fields["trim_max"]),
        tolerance=float(fields["trim_tolerance"]),
        scaling=scaling,
        scale_file=scale_file,
        exclude_zeros=fields["exclude_zero_scores"],
        error_variance=fields["rater_error_variance"],
        flags=_flags(fields["flag_column"], source),
        candidate=fields["candidate_column"],
        min_items=_min_items(fields, source),
        subgroups=tuple(fields["subgroups"] or ()),
        format=fields["file_format"],
        fairness="all" in sections or "fairness_analyses" in sections,
        fields=fields,
        notes=(*notes, *_left_out(fields, source)),
    )


def _check_columns(fields: Mapping[str, Any], source: str) -> None:
    """Refuse a column that plays two parts, or whose name is no text."""
    seen: dict[str, str] = {}
    for part in (
        "id_column",
        "human_score_column",
        "second_human_score_column",
        "system_score_column",
        "candidate_column",
    ):
        column = fields[part] or OPTIONAL["rsmeval"].get(part)
        if column is None:
            continue
        if not isinstance(column, str):
            raise OptionError(f"{part} of {source} must name a column, got {column!r}")
        if column in seen:
            raise OptionError(
                f"{seen[column]} and {part} of {source} both name {column!r}; name two columns"
            )
        seen[column] = part


def _scaling(given: Any, folder: Path) -> tuple[Scaling, Path | None]:
    if not given:
        return "none", None
    if given in ("asis", "raw"):
        return given, None
    return "file", locate(str(given), folder, "scale_with")


def _flags(given: Any, source: str) -> dict[str, tuple[Any, ...]]:
    if not given:
        return {}
    if not isinstance(given, dict):
        raise OptionError(
            f'flag_column of {source} must say which values are kept, as in {{"flag": [0]}}, '
            f"got {given!r}"
        )
    return {
        column: tuple(values) if isinstance(values, list) else (values,)
        for column, values in given.items()
    }


def _min_items(fields: Mapping[str, Any], source: str) -> int | None:
    given = fields["min_items_per_candidate"]
    if not given:
        return None
    if not fields["candidate_column"]:
        raise OptionError(
            f"min_items_per_candidate of {source} needs candidate_column, the column that names "
            "the candidates"
        )
    try:
        number = int(given)
    except (TypeError, ValueError):
        number = 0
    if number < 1:
        raise OptionError(f"min_items_per_candidate of {source} must be 1 or more, got {given!r}")
    return number


def _small_groups(fields: Mapping[str, Any], source: str) -> dict[str, int] | None:
    """RSMTool's limit below which its report hides groups; here it is only kept on record."""
    given, groups = fields["min_n_per_group"], fields["subgroups"] or []
    if not given:
        return None
    if not isinstance(given, dict):
        return dict.fromkeys(groups, given)
    if sorted(given) != sorted(groups):
        raise OptionError(
            f"min_n_per_group of {source} must name the subgroups ({', '.join(groups)}), "
            f"got {', '.join(given)}"
        )
    return given


def _left_out(fields: Mapping[str, Any], source: str) -> list[str]:
    defaults = OPTIONAL["rsmeval"]
    return [
        f"{field} of {source} is about RSMTool's own report and was not used"
        for field in NOT_OURS
        if fields[field] and fields[field] != defaults[field]
    ]
