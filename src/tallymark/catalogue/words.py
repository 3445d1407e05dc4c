"""Words: who calls a number what, and words of the field that are no numbers."""

USED_BY: dict[str, tuple[str, ...]] = {
    "RSMTool": (
        "exact_agr", "adj_agr", "kappa", "wtkappa", "corr", "SMD", "DSM", "R2", "RMSE", "PRMSE",
        "OSA", "OSD", "CSD", "h_mean", "h_sd", "variance_of_errors", "prmse_true",
        "difference_of_standardized_means",
    ),
    "Williamson, Xi & Breyer": ("SMD", "degradation"),
    "Doewes et al.": ("QWK", "LWK"),
    "Yannakoudakis & Cummins": ("PA", "S", "AC", "pi"),
    "Funayama et al.": ("CSRate",),
    "Uto": ("theoretical ceiling", "human-like ceiling"),
    "Gwet, irrCAC": ("AC1", "AC2", "gwet", "fleiss", "conger"),
    "R irr": ("kappa2", "kappam.fleiss", "kappam.light", "kripp.alpha"),
    "scikit-learn": (
        "cohen_kappa_score", "accuracy_score", "mean_absolute_error", "mean_squared_error",
        "root_mean_squared_error", "r2_score",
    ),
    "imbalanced-learn": ("macro_averaged_mean_absolute_error",),
    "SciPy": ("pearsonr", "spearmanr", "kendalltau"),
    "SKLL": ("unweighted_kappa", "linear_weighted_kappa", "quadratic_weighted_kappa"),
    "NLTK": ("multi_pi",),
    "statsmodels": ("randolph",),
    "pingouin": ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"),
    "McGraw & Wong": ("ICC(A,1)", "ICC(C,1)", "ICC(A,k)", "ICC(C,k)"),
    "Brennan": ("Phi", "Erho2"),
    "Facets": ("fair-M", "infit MnSq", "outfit MnSq"),
    "torch-uncertainty": ("CovAtxRisk",),
}  # fmt: skip
"""Words of each source; all of them are names or aliases of the catalogue."""
NO_NUMBERS: dict[str, str] = {
    "posterior": "A confidence: the probability that a system gives to its own score. Name its column with "
    '--confidence NAME=COLUMN; the section "Selective scoring" then says how well it finds critical errors.',
    "trust score": "A confidence, from the distances to the nearest responses with the same score and with "
    "another one. Name its column with --confidence NAME=COLUMN.",
    "CSE": "A critical scoring error: system and gold lie lambda times the range of the scale apart or more "
    "(--lambda, by default 0.2). How often it happens is csrate.",
    "gold": "The human score that systems are compared with: a column (--gold), or made of the ratings of people "
    "by a rule (--resolve).",
}
"""What words mean that a source uses and that are not reported as numbers."""


def users_of(word: str) -> tuple[str, ...]:
    """Return the sources that use a word.

    >>> users_of("wtkappa")
    ('RSMTool',)
    """
    return tuple(source for source, words in USED_BY.items() if word in words)
