"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tallymark.results.verdicts import Verdict

NAN = math.nan
SPELLED_OUT = {("krippendorff_alpha", "weights")}
"""Parameters written with their name, because another of the statistic takes the same words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number, its interval, and what is needed to trust or repeat it.

    ``value`` is NaN when the statistic is undefined, and ``why`` then says the reason; ``why`` is
    also set when the value exists but its interval does not.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    value: float
    se: float = NAN
    low: float = NAN
    high: float = NAN
    level: float = 0.95
    n: int
    method: str = ""
    score: str = ""
    why: str = ""
    se_analytic: float = NAN
    parts: Mapping[str, float] = field(default_factory=dict)
    subset: int = -1

    @property
    def text(self) -> str:
        """The name with its parameters, ``cohen_kappa[quadratic]``; policies use this form."""
        return named(self.name, self.params)

    def __float__(self) -> float:
        """The value alone."""
        return self.value


def named(name: str, params: Mapping[str, Any]) -> str:
    """Write a statistic's name with its parameters.

    >>> named("cohen_kappa", {"weights": "quadratic"})
    'cohen_kappa[quadratic]'
    """
    if not params:
        return name
    return f"{name}[{','.join(_word(name, key, value) for key, value in params.items())}]"


def _word(name: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, int | float) else key
    return f"{key}={value}" if (name, key) in SPELLED_OUT else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a statistic is, for readers of the results."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    title: str
    reading: str
    formula: str
    reference: str = ""
    better: str = "higher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """The responses behind some estimates: which system, against whom, and which part of the data.

    ``average`` names the column over whose values a macro-average was taken, plainly or, when
    ``fisher_z``, on Fisher's z scale.
    """

    id: str
    system: str
    against: str = "gold"
    prompt: str | None = None
    trait: str | None = None
    fold: str | None = None
    group_column: str | None = None
    group: str | None = None
    average: str | None = None
    fisher_z: bool = False
    n: int

    @property
    def column(self) -> str | None:
        """The column by which this subset was taken: prompt, trait, fold or a group column."""
        for key in ("prompt", "trait", "fold"):
            if self.group_column is None and getattr(self, key) is not None:
                return key
        return self.group_column


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """A table of counts of one subset: a confusion matrix, score distributions."""

    name: str
    subset: int
    row_title: str
    rows: tuple[str, ...]
    column_title: str
    columns: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A line of one subset with the ends of its intervals, NaN where there is none."""

    name: str
    subset: int
    x_title: str
    y_title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text and numbers that are no estimates: responses, rankings, prices.

    ``subset`` is -1 where a table is of no single subset.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    subset: int = -1
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Something a coefficient hides, told in words with the numbers that show it.

    ``name`` is that of the check, such as ``kappa_paradox``; ``advice`` what to do about it.
    ``loud`` marks what may turn a decision around; the others are worth knowing.
    """

    name: str
    system: str
    words: str
    advice: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    loud: bool = True
    subset: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What was read, what was used, and why the rest was not."""

    read: int
    used: int
    exclusions: tuple[tuple[str, int], ...] = ()
    scale: str
    scale_inferred: bool = False
    gold: str = ""
    gold_scale: str = ""
    guesses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything an evaluation found; every renderer reads this and nothing else."""

    kind: str
    options: Mapping[str, Any]
    data: Data
    definitions: Mapping[str, Definition]
    subsets: tuple[Subset, ...]
    estimates: tuple[Estimate, ...]
    matrices: tuple[Matrix, ...] = ()
    curves: tuple[Curve, ...] = ()
    tables: tuple[Table, ...] = ()
    findings: tuple[str, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    verdict: Verdict | None = None

    def of(self, subset: int) -> dict[str, Estimate]:
        """Return the estimates of one subset by their text.

        Where a statistic was computed on several kinds of score, the first of them counts.
        """
        found: dict[str, Estimate] = {}
        for estimate in self.estimates:
            if estimate.subset == subset:
                found.setdefault(estimate.text, estimate)
        return found

    def to_json(self) -> str:
        """Write strict JSON: undefined numbers are null, beside their reason."""
        from tallymark.results.json import encode

        return encode(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Evaluation":
        """Read what :meth:`to_json` wrote."""
        from tallymark.results.json import decode

        return decode(text)

    def records(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per estimate, its subset spelled out."""
        return [_record(self.subsets[found.subset], found) for found in self.estimates]

    def to_frame(self) -> Any:
        """Return the estimates as a pandas data frame, one row each."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            from tallymark.errors import OptionError

            raise OptionError(
                "to_frame needs pandas, which is not installed: pip install pandas. "
                "records() gives the same rows without it."
            ) from None
        return pd.DataFrame.from_records(self.records())

    def to_html(self, path: Any = None) -> str:
        """Return the report as one HTML page; write it too when a path is given."""
        from tallymark.analyses.pages import report

        return report(self, path)

    def _repr_html_(self) -> str:
        from tallymark.analyses.notebook import first_screen

        return first_screen(self)


def _record(subset: Subset, found: Estimate) -> dict[str, Any]:
    return {
        "system": subset.system,
        "against": subset.against,
        "prompt": subset.prompt,
        "trait": subset.trait,
        "fold": subset.fold,
        "group_column": subset.group_column,
        "group": subset.group,
        "average": subset.average,
        "fisher_z": subset.fisher_z,
        "statistic": found.text,
        "score": found.score,
        "value": found.value,
        "se": found.se,
        "low": found.low,
        "high": found.high,
        "level": found.level,
        "n": found.n,
        "method": found.method,
        "why": found.why,
        "se_analytic": found.se_analytic,
    }
