"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tallymark.defaults import LEVEL
from tallymark.results.findings import Finding
from tallymark.results.keys import Comparison, Key, Scorer
from tallymark.results.subsets import Subset
from tallymark.results.verdicts import Verdict

NAN = math.nan
Numbers = Mapping[str, "Estimate"]
"""The estimates of a subset by their key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number, its interval, and what is needed to trust or repeat it.

    ``value`` is NaN when the statistic is undefined, and ``why`` then says the reason; ``why`` is
    also set when the value exists but its interval does not.
    """

    key: Key
    value: float
    se: float = NAN
    low: float = NAN
    high: float = NAN
    level: float = LEVEL
    n: int
    method: str = ""
    score: str = ""
    why: str = ""
    se_analytic: float = NAN
    parts: Mapping[str, float] = field(default_factory=dict)
    subset: int = -1

    @property
    def name(self) -> str:
        """The name of the statistic."""
        return self.key.name

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the statistic."""
        return self.key.params

    @property
    def text(self) -> str:
        """The name with its parameters, ``cohen_kappa[quadratic]``; policies use this form."""
        return self.key.text

    def __float__(self) -> float:
        """The value alone."""
        return self.value


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
class ResultTable:
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
class DesignWeights:
    """Design weights in a column: of ``n`` responses, which are worth as many of equal weight."""

    column: str
    n: int
    total: float
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What was read, what was used, and why the rest was not.

    ``gold_raters`` counts the golds that are one rating, by who gave it.
    """

    read: int
    used: int
    exclusions: tuple[tuple[str, int], ...] = ()
    scale: str
    scale_inferred: bool = False
    gold: str = ""
    gold_raters: tuple[tuple[str, int], ...] = ()
    gold_scale: str = ""
    guesses: tuple[str, ...] = ()
    weights: DesignWeights | None = None
    notes: tuple[str, ...] = ()
    hash: str = ""


@dataclass(frozen=True, kw_only=True)
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
    tables: tuple[ResultTable, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdict: Verdict | None = None

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is to be said before the numbers."""
        return tuple(finding for finding in self.findings if finding.weight == "note")

    @property
    def diagnoses(self) -> tuple[Finding, ...]:
        """What the numbers hide."""
        return tuple(finding for finding in self.findings if finding.weight != "note")

    @cached_property
    def numbers(self) -> tuple[Numbers, ...]:
        """The estimates of every subset by their key.

        Where a statistic was computed on several kinds of score, the first of them counts.
        """
        by_subset: tuple[dict[str, Estimate], ...] = tuple({} for _ in self.subsets)
        for estimate in self.estimates:
            by_subset[estimate.subset].setdefault(estimate.key, estimate)
        return by_subset

    @cached_property
    def _places(self) -> Mapping[Subset, int]:
        places: dict[Subset, int] = {}
        for i, subset in enumerate(self.subsets):
            places.setdefault(subset, i)
        return places

    @cached_property
    def _parts(self) -> Mapping[tuple[object, ...], int]:
        return {subset.where: i for i, subset in reversed([*enumerate(self.subsets)])}

    def of(self, subset: Subset) -> Numbers:
        """Return the estimates of one subset by their key."""
        return self.numbers[self._places[subset]]

    def beside(self, place: int, against: Comparison, subject: Scorer | None = None) -> Numbers:
        """Return what else is known of a subset's part of the data: compared with ``against``.

        Of the same subject, or of another; empty where it was not looked at.
        """
        of = self.subsets[place]
        asked = replace(of, against=against, subject=subject or of.subject).where
        at = self._parts.get(asked)
        return {} if at is None else self.numbers[at]

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
        return [_record(self.subsets[estimate.subset], estimate) for estimate in self.estimates]

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


def _record(subset: Subset, estimate: Estimate) -> dict[str, Any]:
    return {
        "subject": str(subset.subject.kind),
        "system": subset.subject.name,
        "against": str(subset.against.kind),
        "against_name": subset.against.name,
        "prompt": subset.prompt,
        "trait": subset.trait,
        "fold": subset.fold,
        "group_column": subset.group_column,
        "group": subset.group,
        "average": subset.average,
        "fisher_z": subset.fisher_z,
        "statistic": estimate.text,
        "score": estimate.score,
        "value": estimate.value,
        "se": estimate.se,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "n": estimate.n,
        "method": estimate.method,
        "why": estimate.why,
        "se_analytic": estimate.se_analytic,
    }
