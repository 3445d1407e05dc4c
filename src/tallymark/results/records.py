"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.results.estimates import Estimate
from tallymark.results.findings import Finding
from tallymark.results.frames import RECORD, Library, frame_of, record_of
from tallymark.results.keys import Comparison, Scorer
from tallymark.results.subsets import Subset
from tallymark.results.verdicts import Verdict
from tallymark.scale import View

Numbers = Mapping[str, Estimate]
"""The estimates of a subset by their key."""


class Definition(Struct, frozen=True, kw_only=True):
    """What a statistic is, for readers of the results."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    title: str
    reading: str
    formula: str
    reference: str = ""
    better: str = "higher"


class Matrix(Struct, frozen=True, kw_only=True):
    """A table of counts of one subset: a confusion matrix, score distributions."""

    name: str
    subset: int
    row_title: str
    rows: tuple[str, ...]
    column_title: str
    columns: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]


class Curve(Struct, frozen=True, kw_only=True):
    """A line of one subset with the ends of its intervals, NaN where there is none."""

    name: str
    subset: int
    x_title: str
    y_title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


class ResultTable(Struct, frozen=True, kw_only=True):
    """Rows of text and numbers that are no estimates: responses, rankings, prices.

    ``subset`` is -1 where a table is of no single subset.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    subset: int = -1
    note: str = ""

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the rows as a frame of pandas or polars."""
        return frame_of(self.records(), self.columns, library)

    def __repr__(self) -> str:
        """The name, and the first rows as a terminal shows them."""
        from tallymark.analyses.display import table_lines

        return table_lines(self)

    def _repr_html_(self) -> str:
        from tallymark.analyses.display import table_html

        return table_html(self)


class DesignWeights(Struct, frozen=True, kw_only=True):
    """Design weights in a column: of ``n`` responses, which are worth as many of equal weight."""

    column: str
    n: int
    total: float
    worth: float


class Data(Struct, frozen=True, kw_only=True):
    """What was read, what was used, and why the rest was not.

    ``gold_raters`` counts the golds that are one rating, by who gave it; ``view`` is the kind of scores.
    """

    read: int
    used: int
    exclusions: tuple[tuple[str, int], ...] = ()
    scale: str
    scale_inferred: bool = False
    gold: str = ""
    gold_raters: tuple[tuple[str, int], ...] = ()
    gold_scale: str = ""
    view: View = "ordinal"
    guesses: tuple[str, ...] = ()
    weights: DesignWeights | None = None
    notes: tuple[str, ...] = ()
    hash: str = ""


class SubsetNumbers(NamedTuple):
    """A subset and its estimates by key; the fields of the subset are its own."""

    subset: Subset
    numbers: Numbers

    def __getattr__(self, name: str) -> Any:
        """A field of the subset."""
        return getattr(self.subset, name)


class Evaluation(Struct, frozen=True, kw_only=True, dict=True):
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
    def by_where(self) -> Mapping[tuple[object, ...], int]:
        """The place of each subset by what is compared, and on which part of the data."""
        return {subset.where: i for i, subset in reversed([*enumerate(self.subsets)])}

    def of(self, subset: Subset) -> Numbers:
        """Return the estimates of one subset by their key."""
        return self.numbers[self._places[subset]]

    def where(self, **fields: Any) -> list[SubsetNumbers]:
        """Return the subsets with these fields, each with its numbers, in their order.

        Fields are those of a subset, such as ``subject``, ``against``, ``prompt`` or ``average``.
        """
        every = map(SubsetNumbers, self.subsets, self.numbers)
        return [
            found
            for found in every
            if all(getattr(found.subset, name) == value for name, value in fields.items())
        ]

    def beside(self, place: int, against: Comparison, subject: Scorer | None = None) -> Numbers:
        """Return what else is known of the part of a subset's subject, or another's; may be empty."""
        of = self.subsets[place]
        asked = replace(of, against=against, subject=subject or of.subject).where
        at = self.by_where.get(asked)
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
        return [record_of(self.subsets[estimate.subset], estimate) for estimate in self.estimates]

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the estimates as a frame of pandas or polars, one row each."""
        return frame_of(self.records(), RECORD, library)

    def __getitem__(self, name: "str | tuple[str, str]") -> Estimate:
        """A number by any of its names: ``["qwk"]``, ``["qwk", "engine"]``; see :meth:`number`."""
        from tallymark.analyses.looking_up import by_name

        return by_name(self, name)

    def __contains__(self, name: object) -> bool:
        """Whether there is a number of that name."""
        from tallymark.analyses.looking_up import has

        return has(self, name)

    __iter__ = None  # what can be looked up is not what can be gone through

    def number(self, name: str, *, of: str | None = None, **where: str) -> Estimate:
        """Return one number with its interval: of the only system, or ``of`` one that is named.

        It is the number of the headline: of all responses, or the mean over prompts or traits.
        ``where`` names a part of the data by ``prompt``, ``trait``, ``fold`` or ``group``, and by
        ``against`` what a system is compared with: gold, people, true scores, a rater.
        """
        from tallymark.analyses.looking_up import number

        return number(self, name, of, where)

    def table(self, name: str = "") -> ResultTable:
        """Return a table by its name among those that ``--out`` writes to tables/.

        Without a name the error lists them.
        """
        from tallymark.analyses.looking_up import table

        return table(self, name)

    def to_html(self, path: Any = None) -> str:
        """Return the report as one HTML page; write it too when a path is given."""
        from tallymark.analyses.pages import report

        return report(self, path)

    def __repr__(self) -> str:
        """What was read, the headline numbers and the verdict, in a few lines."""
        from tallymark.analyses.display import summary_lines

        return summary_lines(self)

    def _repr_html_(self) -> str:
        from tallymark.analyses.display import first_screen

        return first_screen(self)
