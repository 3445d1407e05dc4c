"""Explain: a number in words, for a terminal and a notebook."""

import math
import textwrap
from collections.abc import Callable, Mapping

from msgspec import Struct

from tallymark.catalogue.every import BY_NAME, FAMILIES
from tallymark.catalogue.lookup import aliases_of, better_of, canonical, plain, stems_of
from tallymark.catalogue.row import Range, Row
from tallymark.catalogue.sets import level_of
from tallymark.errors import OptionError
from tallymark.results import split_key

_BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "zero": "0 is best",
    "neither": "neither high nor low is better",
}
_NEEDS = {
    "nominal": "Labels; they need no order.",
    "ordinal": "Scores in an order.",
    "interval": "Scores in an order, with distances between them.",
}
_FREE = {
    "of": "a statistic",
    "gold": "a resolution rule",
    "rule": "a resolution rule",
    "rater": "a rater",
    "name": "as given",
}
"""Values of parameters that are no numbers."""
Appears = Callable[[Row], str]
_WIDTH = 88
_MOST_HINTS = 3


class Explanation(Struct, frozen=True):
    """What there is to know about a number, or which numbers there are: ``facts`` by heading."""

    name: str
    title: str
    facts: Mapping[str, str]

    def __str__(self) -> str:
        """As plain text."""
        return self.to_text(_WIDTH)

    def __repr__(self) -> str:
        """As plain text, which is what a prompt shows."""
        return str(self)

    def to_text(self, width: int) -> str:
        """Return the headings in one column, the facts in another."""
        indent = max(map(len, self.facts)) + 2
        lines = [self.title, ""]
        for heading, words in self.facts.items():
            wrapped = textwrap.wrap(
                words, max(width - indent, 24), break_long_words=False, break_on_hyphens=False
            )
            first, *others = wrapped or [""]
            lines += [heading.ljust(indent) + first, *(" " * indent + line for line in others)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><th style='text-align:left;vertical-align:top'>{escape(heading)}</th>"
            f"<td style='text-align:left'>{escape(words)}</td></tr>"
            for heading, words in self.facts.items()
        )
        return f"<table><caption>{escape(self.title)}</caption>{rows}</table>"


def explain(name: str | None = None, appears: Appears | None = None) -> Explanation:
    """Explain a number by any of its names; without a name, list all numbers by family.

    ``appears`` says in which outputs a number stands.

    >>> print(explain("QWK").title)
    QWK: Cohen's kappa (cohen_kappa[quadratic])
    """
    if name is None:
        return _overview()
    text = canonical(name)
    if text is not None:
        return _of(text, appears)
    for word, meaning in NO_NUMBERS.items():
        if stems_of(word) == stems_of(name):
            return Explanation(word, f"{word}: a word, not a number", {"Means": meaning})
    raise OptionError(f"there is no number {name!r}.{_near(name)} Without a name all are listed")


def _call(row: Row) -> str:
    """An example of a call on arrays, where there is such a function."""
    call, value = row.example
    return f"tm.metrics.{row.name}({call}) is {value}." if call else ""


def _overview() -> Explanation:
    facts = {family: ", ".join(row.name for row in rows) + "." for family, rows in FAMILIES.items()}
    return Explanation(
        "", f"{len(BY_NAME)} numbers. `tallymark explain NAME` tells about one of them.", facts
    )


def _of(text: str, appears: Appears | None) -> Explanation:
    name, inside = split_key(text)
    row = BY_NAME[name]
    variant = row.variant(inside)
    short = variant.short if inside else row.short
    facts = {
        "Reads": row.reading,
        "Beware": row.misreading,
        "Formula": row.formula,
        "Values": f"{row.values or _range(row.bounds(inside))}; {_BETTER[better_of(name, {'of': inside})]}.",
        "Undefined": f"Where {row.undefined}.",
        "Needs": _NEEDS[level_of(text)] if row.value is not None else "",
        "Two points": f"It is {row.on_two_points} there." if row.on_two_points else "",
        "Parameters": _parameters(row),
        "Also called": _also(row, inside),
        "Appears in": appears(row) if appears else "",
        "In files": f"evaluation.json, tables/estimates.csv and frames, as {text}.",
        "In Python": _call(row),
        "Reference": row.reference,
    }
    known = short and short.casefold() not in row.title.casefold()
    title = f"{short}: {row.title}" if known else row.title
    return Explanation(
        text, f"{title} ({text})", {key: words for key, words in facts.items() if words}
    )


def _range(bounds: Range) -> str:
    low, high = bounds
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if math.isinf(high):
        return f"{low:g} or more"
    return f"{high:g} or less" if math.isinf(low) else f"{low:g} to {high:g}"


def _parameters(row: Row) -> str:
    """The parameters in brackets, in their order, with the values they take."""
    parameters = []
    for key in dict.fromkeys([*row.params, *row.choices]):
        choices, default = row.choices.get(key, ()), row.params.get(key)
        words = ", ".join(choices) or _FREE.get(key, "a number")
        usual = f" (by default {default})" if default else ""
        parameters.append(f"{key.rstrip('_')}: {words}{usual}")
    return "; ".join(parameters) + "." if parameters else ""


def _also(row: Row, inside: str) -> str:
    """Other words for the number, with the sources that use them."""
    text = f"{row.name}[{inside}]" if inside else row.name
    aliases = [word for word, of in aliases_of(row).items() if of in (text, row.name) or not inside]
    names = [row.name] if users_of(row.name) else []
    names += [row.short] if users_of(row.short) and row.short not in aliases else []
    return (
        ", ".join(_with_users(word) for word in [*names, *aliases]) + "."
        if aliases or names
        else ""
    )


def _with_users(word: str) -> str:
    users = users_of(word)
    return f"{word} ({'; '.join(users)})" if users else word


def _near(name: str) -> str:
    from difflib import get_close_matches

    words = {plain(word): word for row in BY_NAME.values() for word in (row.name, *aliases_of(row))}
    close = get_close_matches(plain(name), words, n=_MOST_HINTS, cutoff=0.6)
    return f" Near: {', '.join(words[word] for word in close)}." if close else ""


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
_CONFIDENCE = (
    "How sure a system is of each score. Name its column with --confidence NAME=COLUMN; the section "
    '"Selective scoring" then says how well it finds critical errors.'
)
_CRITICAL = (
    "System and gold lie lambda times the range of the scale apart or more (--lambda, by default "
    "0.2). How often it happens is csrate."
)
NO_NUMBERS: dict[str, str] = {
    "confidence": _CONFIDENCE,
    "confidence score": _CONFIDENCE,
    "critical scoring error": _CRITICAL,
    "chance-corrected agreement": "Agreement beyond what chance gives, as a share of what is possible: "
    "the kappas, AC, Brennan-Prediger and alpha, which differ in what they take for chance.",
    "risk-coverage curve": "The rate of critical errors among accepted scores, by the share that is "
    "accepted; the area under it is aurc.",
    "posterior probability": "A confidence: the probability that a system gives to its own score. Name its "
    "column with --confidence NAME=COLUMN.",
    "posterior": "A confidence: the probability that a system gives to its own score. Name its column with "
    '--confidence NAME=COLUMN; the section "Selective scoring" then says how well it finds critical errors.',
    "trust score": "A confidence, from the distances to the nearest responses with the same score and with "
    "another one. Name its column with --confidence NAME=COLUMN.",
    "CSE": f"A critical scoring error. {_CRITICAL}",
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
