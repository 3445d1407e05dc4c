"""A configuration of each of RSMTool's commands."""

from typing import Any

from tests.rsmtool.conftest import FIELDS

TOOLS: dict[str, dict[str, Any]] = {
    "rsmeval": {
        **FIELDS, "subgroups": ["grade"], "second_human_score_column": "h2", "description": "x",
        "min_n_per_group": {"grade": 2}, "candidate_column": "who", "min_items_per_candidate": 1,
        "general_sections": ["all"], "exclude_zero_scores": True, "trim_tolerance": 0.4,
        "file_format": "csv", "rater_error_variance": 0.1, "scale_with": "raw",
    },
    "rsmcompare": {
        "comparison_id": "c", "experiment_id_old": "small", "experiment_dir_old": "old",
        "description_old": "a", "experiment_id_new": "small", "experiment_dir_new": "old",
        "description_new": "b", "use_scaled_predictions_old": False, "subgroups": ["grade"],
    },
    "rsmsummarize": {
        "summary_id": "s", "experiment_dirs": ["old", "old"], "experiment_names": ["a", "b"],
        "description": "x", "file_format": "csv",
    },
}  # fmt: skip
