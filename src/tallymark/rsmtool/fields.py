"""Fields: what RSMTool's configuration files may hold, and what each leaves unsaid."""

from typing import Any, Literal

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
        "general_sections",
        "custom_sections",
        "subgroups",
        "section_order",
        "experiment_dirs",
        "experiment_names",
    }
)
BOOLEANS = frozenset(
    {
        "exclude_zero_scores",
        "use_scaled_predictions_old",
        "use_scaled_predictions_new",
        "use_thumbnails",
        "use_wandb",
    }
)
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
    "data_description",
    "data_description_by_group",
    "consistency",
    "evaluation",
    "true_score_evaluation",
    "evaluation_by_group",
    "fairness_analyses",
    "intermediate_file_paths",
    "sysinfo",
)
"""The sections of RSMTool's report on an evaluation."""
NOT_OURS = ("custom_sections", "section_order", "use_thumbnails", "use_wandb")
"""Fields about RSMTool's report that nothing here depends on."""

ELSEWHERE = frozenset(
    {
        "background_kmeans_size",
        "feature_subset",
        "feature_subset_file",
        "features",
        "flag_column_test",
        "folds",
        "folds_file",
        "form_level_scores",
        "length_column",
        "num_features_to_display",
        "predict_expected_scores",
        "sample_ids",
        "sample_range",
        "sample_size",
        "select_transformations",
        "show_auto_cohorts",
        "sign",
        "skll_fixed_parameters",
        "skll_grid_search_jobs",
        "skll_objective",
        "standardize_features",
        "test_label_column",
        "train_label_column",
        "truncate_outliers",
        "use_scaled_predictions",
        "use_truncation_thresholds",
    }
)
"""Optional fields of RSMTool's other tools, which it drops without a word."""
