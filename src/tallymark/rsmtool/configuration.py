"""Configuration: RSMTool's JSON read, completed with its defaults, checked, and the experiment it describes."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from tallymark.errors import TOO_LONG, OptionError, did_you_mean

Tool = Literal["rsmeval", "rsmcompare", "rsmsummarize"]

REQUIRED: dict[Tool, dict[str, str]] = {
    "rsmeval": {
        "experiment_id": "the name that all files start with",
        "predictions_file": "the file with human and system scores",
        "system_score_column": "the column of system scores",
        "trim_min": "the lowest score point",
        "trim_max": "the highest score point",
    },
    "rsmcompare": {
        "comparison_id": "the name of the comparison",
        "experiment_id_old": "the name that the old experiment's files start with",
        "experiment_dir_old": "the folder of the old experiment",
        "experiment_id_new": "the name that the new experiment's files start with",
        "experiment_dir_new": "the folder of the new experiment",
        "description_old": "a sentence about the old experiment",
        "description_new": "a sentence about the new experiment",
    },
    "rsmsummarize": {
        "summary_id": "the name of the summary",
        "experiment_dirs": "the folders of the experiments",
    },
}
"""What a configuration must say, and what it means."""

_REPORT: dict[str, Any] = {
    "use_thumbnails": False,
    "general_sections": ["all"],
    "custom_sections": None,
    "section_order": None,
    "use_wandb": False,
    "wandb_project": None,
    "wandb_entity": None,
}
OPTIONAL: dict[Tool, dict[str, Any]] = {
    "rsmeval": {
        "description": "",
        "id_column": "spkitemid",
        "human_score_column": "sc1",
        "second_human_score_column": None,
        "file_format": "csv",
        "flag_column": None,
        "exclude_zero_scores": True,
        "scale_with": None,
        "trim_tolerance": 0.4998,
        "rater_error_variance": None,
        "subgroups": [],
        "min_n_per_group": None,
        "candidate_column": None,
        "min_items_per_candidate": None,
        **_REPORT,
    },
    "rsmcompare": {
        "use_scaled_predictions_old": False,
        "use_scaled_predictions_new": False,
        "subgroups": [],
        **_REPORT,
    },
    "rsmsummarize": {
        "description": "",
        "experiment_names": None,
        "file_format": "csv",
        "subgroups": [],
        **_REPORT,
    },
}
"""What a configuration may say, with RSMTool's default."""

ID_FIELD: dict[Tool, str] = {
    "rsmeval": "experiment_id",
    "rsmcompare": "comparison_id",
    "rsmsummarize": "summary_id",
}
LISTS = frozenset(
    {
        "general_sections", "custom_sections", "subgroups", "section_order", "experiment_dirs",
        "experiment_names",
    }
)  # fmt: skip
BOOLEANS = frozenset(
    {
        "exclude_zero_scores", "use_scaled_predictions_old", "use_scaled_predictions_new",
        "use_thumbnails", "use_wandb",
    }
)  # fmt: skip
NUMBERS = frozenset({"trim_min", "trim_max", "trim_tolerance", "rater_error_variance"})
_SHAPED = frozenset({"flag_column", "min_n_per_group", "min_items_per_candidate"})
TEXTS = frozenset(
    field
    for fields in (*REQUIRED.values(), *OPTIONAL.values())
    for field in fields
    if field not in LISTS | BOOLEANS | NUMBERS | _SHAPED
)
FORMATS = ("csv", "tsv", "xlsx")
SECTIONS = (
    "data_description", "data_description_by_group", "consistency", "evaluation",
    "true_score_evaluation", "evaluation_by_group", "fairness_analyses",
    "intermediate_file_paths", "sysinfo",
)  # fmt: skip
"""The sections of RSMTool's report on an evaluation."""
NOT_OURS = ("custom_sections", "section_order", "use_thumbnails", "use_wandb")
"""Fields about RSMTool's report that nothing here depends on."""

ELSEWHERE = frozenset(
    {
        "background_kmeans_size", "feature_subset", "feature_subset_file", "features",
        "flag_column_test", "folds", "folds_file", "form_level_scores", "length_column",
        "num_features_to_display", "predict_expected_scores", "sample_ids", "sample_range",
        "sample_size", "select_transformations", "show_auto_cohorts", "sign",
        "skll_fixed_parameters", "skll_grid_search_jobs", "skll_objective", "standardize_features",
        "test_label_column", "train_label_column", "truncate_outliers", "use_scaled_predictions",
        "use_truncation_thresholds",
    }
)  # fmt: skip
"""Optional fields of RSMTool's other tools, which it drops without a word."""


LONGEST_ID = 200
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_EXAMPLES = {"trim_min": "1", "trim_max": "6", "experiment_dirs": '["run1", "run2"]'}


def read_configuration(path: Path, tool: Tool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return every field of a configuration file, and what should be said about it."""
    written = _converted(_parsed(path), path.name)
    for field, meaning in REQUIRED[tool].items():
        if written.get(field) is None:
            example = _EXAMPLES.get(field, '"..."')
            raise OptionError(
                f'{path.name} lacks {field!r}, {meaning}; add "{field}": {example} to it'
            )
    fields_of_tool = {**REQUIRED[tool], **OPTIONAL[tool]}
    fields_elsewhere = {field for fields in OPTIONAL.values() for field in fields} | ELSEWHERE
    notes = []
    for field in written:
        if field in fields_of_tool:
            continue
        if field not in fields_elsewhere:
            raise OptionError(
                f"{path.name} has the unknown field {field!r}.{did_you_mean(field, fields_of_tool)} "
                f"Remove it; docs/rsmtool.md lists the fields of {tool}."
            )
        notes.append(f"{field} of {path.name} belongs to another RSM tool and was not used")
    fields = {field: value for field, value in written.items() if field in fields_of_tool}
    # a field that is null counts as left out
    fields |= {field: value for field, value in OPTIONAL[tool].items() if fields.get(field) is None}
    _check_id(str(fields[ID_FIELD[tool]]), ID_FIELD[tool], path.name)
    return fields, tuple(notes)


def locate(name: str, folder: Path, field: str) -> Path:
    """Find a file as it is named, else beside the configuration, as RSMTool looks for it."""
    in_folder = folder / name
    for path in (Path(name), in_folder):
        if path.exists():
            return path
    raise OptionError(f"there is no file {name!r}, named as {field}; looked also for {in_folder}")


def check_sections(sections: list[str], source: str) -> None:
    """Refuse sections that RSMTool's report does not have."""
    for section in sections:
        if section not in (*SECTIONS, "all"):
            raise OptionError(
                f"general_sections of {source} names {section!r}, which is no section of rsmeval."
                f"{did_you_mean(section, SECTIONS)} The sections are {', '.join(SECTIONS)}."
            )


def check_format(fields: Mapping[str, Any], source: str) -> None:
    """Refuse a file format that RSMTool does not write."""
    if fields["file_format"] not in FORMATS:
        raise OptionError(
            f"file_format of {source} must be {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, "
            f"got {fields['file_format']!r}"
        )


def _parsed(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise OptionError(f"there is no configuration {path}; name a JSON file")
    if path.is_dir() or path.suffix.lower() != ".json":
        raise OptionError(f"the configuration must be a .json file, got {path}")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise OptionError(f"{path.name} is not UTF-8; save it as UTF-8") from None
    # blanks keep the place of what follows, for the line and column of an error
    uncommented = _COMMENT.sub(lambda m: m[1] or re.sub(r"[^\n]", " ", m[0]), text)
    try:
        fields = json.loads(uncommented)
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise OptionError(f"{path.name} holds half a character (\\ud800 to \\udfff)") from None
    except RecursionError:
        raise OptionError(f"{path.name} is nested too deeply to be a configuration") from None
    except json.JSONDecodeError as problem:
        raise OptionError(
            f"{path.name} is not valid JSON in line {problem.lineno}, column {problem.colno}: "
            f"{problem.msg}. Fields are separated by commas, with none after the last."
        ) from None
    except ValueError:
        raise OptionError(f"{path.name} {TOO_LONG}") from None
    if not isinstance(fields, dict):
        raise OptionError(f'{path.name} must hold an object {{"experiment_id": ...}}')
    return fields


def _converted(written: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Read lists written with commas, and booleans and numbers written as text."""
    converted: dict[str, Any] = {}
    for field, value in written.items():
        if value is None:
            converted[field] = None
        elif field in LISTS:
            converted[field] = _listed(field, value, source)
        elif field in BOOLEANS:
            converted[field] = _boolean(field, value, source)
        elif field in NUMBERS:
            converted[field] = _number(field, value, source)
        else:
            converted[field] = _text(field, value, source) if field in TEXTS else value
    return converted


def _listed(field: str, value: Any, source: str) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return value
    raise OptionError(f"{field} of {source} must be a list of texts, got {value!r}")


def _text(field: str, value: Any, source: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise OptionError(f"{field} of {source} must be text, got {str(value)[:80]}")
    return str(value)


def _boolean(field: str, value: Any, source: str) -> bool:
    word = str(value).strip().casefold()
    if word not in ("true", "false"):
        raise OptionError(f"{field} of {source} must be true or false, got {value!r}")
    return word == "true"


def _number(field: str, value: Any, source: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise OptionError(f"{field} of {source} must be a number, got {value!r}")
    return value if isinstance(value, int | float) else number


def _check_id(name: str, field: str, source: str) -> None:
    if len(name) > LONGEST_ID:
        raise OptionError(
            f"{field} of {source} has {len(name)} characters; it must have {LONGEST_ID} at most"
        )
    if not name or re.search(r"[\s/\\]", name) or not name.isprintable():
        raise OptionError(
            f"{field} of {source} must be a word without spaces and slashes, got {name!r}"
        )


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
    scale_with = fields["scale_with"]
    scaling: Any = "none"
    if scale_with:
        scaling = scale_with if scale_with in ("asis", "raw") else "file"
    sections = fields["general_sections"] or ["all"]
    not_used = [
        f"{field} of {source} is about RSMTool's own report and was not used"
        for field in NOT_OURS
        if fields[field] and fields[field] != OPTIONAL["rsmeval"][field]
    ]
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
        scale_file=locate(str(scale_with), path.parent, "scale_with")
        if scaling == "file"
        else None,
        exclude_zeros=fields["exclude_zero_scores"],
        error_variance=fields["rater_error_variance"],
        flags=_flags(fields["flag_column"], source),
        candidate=fields["candidate_column"],
        min_items=_min_items(fields, source),
        subgroups=tuple(fields["subgroups"] or ()),
        format=fields["file_format"],
        fairness="all" in sections or "fairness_analyses" in sections,
        fields=fields,
        notes=(*notes, *not_used),
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


def _flags(flag_column: Any, source: str) -> dict[str, tuple[Any, ...]]:
    if not flag_column:
        return {}
    if not isinstance(flag_column, dict):
        raise OptionError(
            f'flag_column of {source} must say which values are kept, as in {{"flag": [0]}}, '
            f"got {flag_column!r}"
        )
    return {
        column: tuple(values) if isinstance(values, list) else (values,)
        for column, values in flag_column.items()
    }


def _min_items(fields: Mapping[str, Any], source: str) -> int | None:
    minimum = fields["min_items_per_candidate"]
    if not minimum:
        return None
    if not fields["candidate_column"]:
        raise OptionError(
            f"min_items_per_candidate of {source} needs candidate_column, the column that names "
            "the candidates"
        )
    try:
        number = int(minimum)
    except (TypeError, ValueError):
        number = 0
    if number < 1:
        raise OptionError(f"min_items_per_candidate of {source} must be 1 or more, got {minimum!r}")
    return number


def _small_groups(fields: Mapping[str, Any], source: str) -> dict[str, int] | None:
    """RSMTool's limit below which its report hides groups; here it is only kept on record."""
    sizes, groups = fields["min_n_per_group"], fields["subgroups"] or []
    if not sizes:
        return None
    if not isinstance(sizes, dict):
        return dict.fromkeys(groups, sizes)
    if sorted(sizes) != sorted(groups):
        raise OptionError(
            f"min_n_per_group of {source} must name the subgroups ({', '.join(groups)}), "
            f"got {', '.join(sizes)}"
        )
    return sizes
