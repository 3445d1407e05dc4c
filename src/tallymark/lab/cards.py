"""Cards: what each statistic does where a good metric should stay, move or refuse."""

import csv
import json
import math
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import FORMULAS, style_of
from tallymark.defaults import SEED
from tallymark.errors import OptionError, TallymarkError
from tallymark.inference import Settings
from tallymark.lab.contenders import Contender, Function, contender, number_of
from tallymark.lab.experiment import Sweep
from tallymark.lab.runs import experiment_called, values_of
from tallymark.render.latex import section_tables
from tallymark.render.model import Column, Number, Rank, Section, Table, Terms, Text, Value
from tallymark.render.numbers import rounded
from tallymark.render.sentences import Sentence
from tallymark.render.tables import csv_text
from tallymark.signatures import typed
from tallymark.simulation.margins import apportioned, joint
from tallymark.study.estimates import estimate
from tallymark.tally import PairCounts

POPULATION = joint([1, 1, 1, 1], [1, 1, 1.2, 1.2], agreement=0.6)
RESPONSES, SAMPLES, RESAMPLES, LARGE = 200, 100, 200, 100_000


def recorded(name: str) -> float:
    """The lowest recorded coverage with 200 responses; NaN where none is recorded."""
    return _table().get(name, math.nan)


@cache
def _table() -> dict[str, float]:
    """The rows of coverage.csv, which is written from docs/coverage.md."""
    text = files("tallymark.lab").joinpath("coverage.csv").read_text("utf-8")
    return {row["statistic"]: float(row["lowest"]) for row in csv.DictReader(text.splitlines())}


def simulated(entry: Contender, seed: int) -> float:
    """The share of percentile intervals, of resampled responses, that hold the true value."""
    points = np.arange(4.0)
    cells = POPULATION.ravel()
    truth = float(entry.value(PairCounts(apportioned(LARGE, cells).reshape(1, 4, 4), points))[0])
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(RESPONSES, cells, size=SAMPLES)
    covered = 0
    for sample in samples:
        again = rng.multinomial(RESPONSES, sample / RESPONSES, size=RESAMPLES)
        low, high = np.nanquantile(
            entry.value(PairCounts(again.reshape(-1, 4, 4), points)), [0.025, 0.975]
        )
        covered += bool(low <= truth <= high)
    return covered / SAMPLES


Grade = Literal["yes", "partly", "no", ""]
K = 5
POINTS = np.arange(float(K))
REPLICATES = 10
MAJORITY = np.array([10, 60, 20, 10, 0])
"""Gold scores where one dominates, for the scorer that always gives it."""
GAPS = (
    (1, 1, 2),
    (2, 2, 2),
    (3, None, 3),
    (4, 3, None),
    (1, 2, 1),
    (3, 3, 4),
    (2, 3, 2),
    (4, 4, 4),
)
"""Responses of three raters, two of them with a gap."""
DEGENERATE = {
    "all scores the same": [[0, 0, 0], [0, 9, 0], [0, 0, 0]],
    "the system gives one score": [[0, 4, 0], [0, 9, 0], [0, 4, 0]],
    "the gold has one score": [[0, 0, 0], [4, 9, 4], [0, 0, 0]],
    "one response": [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
}


class Property(Struct, frozen=True):
    """A property: its name, what is asked, and up to where the number is a yes and a partly."""

    name: str
    title: str
    asks: str
    yes: float
    partly: float
    more: bool = False

    def grade(self, value: float) -> Grade:
        """Judge a number; ``more`` is better where it says so."""
        if math.isnan(value):
            return ""
        if self.more:
            return "yes" if value >= self.yes else "partly" if value >= self.partly else "no"
        return "yes" if value <= self.yes else "partly" if value <= self.partly else "no"


PROPERTIES = (
    Property("prevalence", "robust to prevalence", "how far it moves as one score comes to dominate (trait-prevalence), as a share of the way from chance to perfect agreement", 0.05, 0.15),
    Property("marginals", "robust to marginals", "how far it moves as the margins of gold and system differ at the same agreement (marginal-homogeneity, set margins), likewise", 0.05, 0.15),
    Property("magnitude", "sensitive to magnitude", "how much it loses as errors become larger and fewer with the same sum (error-magnitude), likewise", 0.1, 0.02, more=True),
    Property("scale", "robust to scale", "how far it moves as 40 points become 3 (scale-binning), likewise", 0.05, 0.15),
    Property("majority", "penalises the majority scorer", "how far from chance towards perfect agreement it puts a scorer that always gives the most common score (60 % of the gold)", 0.05, 0.3),
    Property("closeness", "close to the agreement it corrects", "its mean distance from percent agreement on pass or fail, over all cuts (pass-fail-sweep)", 0.1, 0.25),
    Property("interval", "has an interval that covers", "how often its 95 % interval holds the true value: the lowest of the recorded settings with 200 responses", 0.93, 0.9, more=True),
    Property("missing", "behaves with missing ratings", "1 uses every rating of any number of raters, .5 leaves out responses without both, 0 fails or changes", 1.0, 0.5, more=True),
    Property("degenerate", "defined on degenerate data", "in how many of four degenerate data sets it has a value", 1.0, 0.5, more=True),
)  # fmt: skip
"""After Yannakoudakis & Cummins (2015) up to closeness; the last three are ours."""


class Card(Struct, frozen=True):
    """The numbers and grades of a statistic, in the order of ``PROPERTIES``."""

    name: str
    label: str
    values: tuple[float, ...]

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grade of each property; empty where it does not apply."""
        pairs = zip(PROPERTIES, self.values, strict=True)
        return tuple(property_.grade(value) for property_, value in pairs)

    @property
    def score(self) -> float:
        """Yes counts 1 and partly a half, over the properties that apply."""
        points = [{"yes": 1.0, "partly": 0.5, "no": 0.0}[grade] for grade in self.grades if grade]
        return sum(points) / len(points) if points else math.nan


def cards(statistics: Iterable[str | Function] = (), *, seed: int = SEED) -> list[Card]:
    """Make the cards of these statistics, or of all that measure agreement of two scores.

    >>> [card.grades[0] for card in cards(["qwk", "brennan_prediger[quadratic]"])]
    ['no', 'yes']
    """
    contenders = [contender(statistic) for statistic in statistics]
    graded = [(entry, _card(entry, seed)) for entry in contenders or map(contender, every_text())]
    for entry, card in graded if contenders else ():
        if card is None:
            raise OptionError(
                f"{entry.name} has no card: it does not tell perfect agreement from chance on a scale "
                f"of {K} points"
            )
    return [card for _, card in graded if card is not None]


def every_text() -> list[str]:
    """All statistics of two scores by name, each with every choice of its parameter."""
    texts = []
    for row in FORMULAS:
        inside = [variant.inside for variant in row.variants if variant.inside]
        texts += [f"{row.name}[{word}]" for word in inside] or [row.name]
    return texts


def _card(entry: Contender, seed: int) -> Card | None:
    """Return the card; None where a statistic does not tell perfect agreement from chance."""
    chance, perfect = entry.value(
        PairCounts(np.stack([np.full((K, K), 4), np.diag([20] * K)]), POINTS)
    )
    way = perfect - chance
    if math.isnan(way) or abs(way) < 1e-9:
        return None
    prevalence, marginals, magnitude, bins = (
        _means(entry, _sweep(name, sweep, seed))
        for name, sweep in (
            ("trait-prevalence", "redrawn"),
            ("marginal-homogeneity", "set"),
            ("error-magnitude", "size"),
            ("scale-binning", "bins"),
        )
    )
    return Card(
        entry.name,
        entry.label,
        (
            _spread(prevalence) / abs(way),
            _spread(marginals) / abs(way),
            float(magnitude[0] - magnitude[-1]) / way,
            math.nan if _in_points(entry) else _spread(bins) / abs(way),
            (_majority(entry) - chance) / way,
            _closeness(entry, seed) if abs(perfect - 1) < 1e-9 else math.nan,
            simulated(entry, seed) if entry.function is not None else recorded(entry.name),
            _missing(entry),
            _defined(entry),
        ),
    )


@cache
def _sweep(name: str, sweep: str, seed: int) -> Sweep:
    """A sweep of an experiment, drawn once for all statistics."""
    rng = np.random.default_rng([seed, *name.encode()])
    drawn = experiment_called(name).draw(rng, REPLICATES)
    return next(candidate for candidate in drawn if candidate.name == sweep)


def _means(entry: Contender, sweep: Sweep) -> Floats:
    values = values_of(entry, sweep)
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):  # defined in none
        return np.asarray(np.where(defined, values, 0.0).sum(axis=1) / defined.sum(axis=1))


def _in_points(entry: Contender) -> bool:
    """Whether a statistic is in points of the scale, so that another scale changes it anyway."""
    return entry.function is None and style_of(entry.name) in ("points", "squared")


def _spread(means: Floats) -> float:
    return float(means.max() - means.min())


def _majority(entry: Contender) -> float:
    """The value of the scorer that always gives the most common score."""
    table = np.zeros((K, K), dtype=np.int64)
    table[:, MAJORITY.argmax()] = MAJORITY
    return _value_or_nan(entry, table, POINTS)


def _closeness(entry: Contender, seed: int) -> float:
    sweep = _sweep("pass-fail-sweep", "prevalence", seed)
    distances = np.abs(values_of(entry, sweep) - values_of(contender("percent_agreement"), sweep))
    return float(np.nanmean(distances)) if not np.isnan(distances).all() else math.nan


def _missing(entry: Contender) -> float:
    """What gaps do, by trying: responses of three raters for our statistics, pairs for a function."""
    if entry.function is None:
        try:
            used = estimate(entry.name, GAPS, scale="1:4").n
        except TallymarkError:  # of two scores only: a response without both is left out
            return 0.5
        return 1.0 if used == len(GAPS) else 0.5
    gold = np.array([0.0, 1, 2, 3, 4, 4, 1, 2])
    system = np.array([0.0, 1, 3, 3, 4, 2, np.nan, np.nan])
    try:
        complete = number_of(entry.name, entry.function, gold[:6], system[:6])
        gaps = number_of(entry.name, entry.function, gold, system)
    except OptionError:
        return 0.0
    return 0.5 if math.isclose(complete, gaps, abs_tol=1e-9) else 0.0


def _defined(entry: Contender) -> float:
    values = [
        _value_or_nan(entry, np.array(table), np.arange(3.0)) for table in DEGENERATE.values()
    ]
    return float(np.mean([not math.isnan(value) for value in values]))


def _value_or_nan(entry: Contender, table: Whole, points: Floats) -> float:
    """The value on one table; a function that fails there has none."""
    try:
        return float(entry.value(PairCounts(table[None], points))[0])
    except OptionError:
        return math.nan


INTRO = (
    "What each statistic does where a good metric should stay, move or refuse. Numbers are measured by "
    "the experiments of the lab; a grade says which side of a line they are on. Choose by what your "
    "question needs: no statistic has every property."
)
NOTE = (
    "A dash: the property does not apply (errors in points have no scale of their own), the statistic is "
    "undefined there, or no coverage is recorded. The score counts yes as 1 and partly as a half, over the "
    "properties that apply: a summary, not a ranking."
)
HOW = (
    "This page is written by `tallymark lab properties --out DIR`. `--statistic mypackage:function` "
    "puts a function of two arrays, gold and system, on the same card; `tallymark lab run NAME` shows the "
    "curves of the experiment that a property names."
)


class Properties(Struct, frozen=True):
    """The cards of several statistics."""

    cards: tuple[Card, ...]
    seed: int

    def records(self) -> list[dict[str, Any]]:
        """One dictionary for each statistic: a grade and a number for each property."""
        return [
            {"statistic": card.name, "score": card.score}
            | {
                key: value
                for trait, grade, number in zip(PROPERTIES, card.grades, card.values, strict=True)
                for key, value in ((trait.name, grade), (f"{trait.name}_value", number))
            }
            for card in self.cards
        ]

    def to_json(self) -> str:
        """Strict JSON: what does not apply is null."""
        clean = [
            {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in record.items()}
            for record in self.records()
        ]
        raw = {
            "format": "tallymark lab properties",
            "version": 1,
            "seed": self.seed,
            "cards": clean,
        }
        return json.dumps(raw, indent=1, allow_nan=False)

    def to_csv(self) -> str:
        """One row for each statistic."""
        records = self.records()
        return (
            csv_text([*records[0]], ([*record.values()] for record in records)) if records else ""
        )

    def section(self) -> Section:
        """The cards, for a terminal or any other screen."""
        columns = [Column("statistic"), Column("score", numeric=True)]
        columns += [Column(trait.name) for trait in PROPERTIES]
        table = Table(
            id="properties",
            caption="Properties of statistics",
            columns=tuple(columns),
            rows=tuple(_row(card) for card in self.cards),
            rank=Rank.FIRST,
        )
        questions = tuple((trait.title, f"{trait.asks}.") for trait in PROPERTIES)
        about = [Text(words, rank=Rank.FIRST) for words in (INTRO, NOTE)]
        blocks = (about[0], table, Terms(questions, rank=Rank.FIRST), about[1])
        return Section(id="properties", title="Which metric?", question="", blocks=blocks)

    def to_text(self, width: int = 100) -> str:
        """What a terminal shows."""
        from tallymark.render.layout import plain_text
        from tallymark.render.terminal import section_lines

        return plain_text(section_lines([self.section()], width)).rstrip()

    def to_markdown(self) -> str:
        """The whole page, docs/metrics.md."""
        lines = ["# Which metric?", "", INTRO, "", NOTE, "", HOW, ""]
        lines += [f"- **{trait.title}**: {trait.asks}. {_line(trait)}" for trait in PROPERTIES]
        heads = ["statistic", "score", *(trait.title for trait in PROPERTIES)]
        lines += ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        for card in self.cards:
            cells = [f"`{card.name}`", rounded(card.score, 2, coefficient=True)]
            cells += [_cell(*pair) for pair in zip(card.grades, card.values, strict=True)]
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"

    def files(self) -> dict[str, str]:
        """What ``tallymark lab properties --out`` writes, by name."""
        return {
            "metrics.md": self.to_markdown(),
            "properties.csv": self.to_csv(),
            "properties.json": self.to_json() + "\n",
            "tables/properties.tex": section_tables(self.section()),
        }

    def __repr__(self) -> str:
        """What a terminal shows."""
        return self.to_text()


@typed
def properties(
    statistics: Iterable[str | Function] | str | Function = (), *, seed: int = SEED
) -> Properties:
    """Put statistics to the test, property by property: all of the catalogue, or those given.

    Names of the catalogue, ``"module:function"`` or functions of two arrays, gold and system.

    >>> properties("brennan_prediger[linear]").records()[0]["marginals"]
    'yes'
    """
    listed = [statistics] if isinstance(statistics, str) or callable(statistics) else statistics
    Settings(seed=seed)  # refuses one that none can be
    return Properties(tuple(sorted(cards(listed, seed=seed), key=lambda card: -card.score)), seed)


def _row(card: Card) -> tuple[Value, ...]:
    graded = [
        Sentence("{grade} {value:goal}", grade=grade, value=value) if grade else "-"
        for grade, value in zip(card.grades, card.values, strict=True)
    ]
    return card.name, Number(card.score, "goal"), *graded


def _cell(grade: str, value: float) -> str:
    return f"{grade} {rounded(value, 2, coefficient=True)}" if grade else "–"


def _line(trait: Property) -> str:
    way = "at least" if trait.more else "at most"
    ends = [rounded(end, 2, coefficient=True) for end in (trait.yes, trait.partly)]
    return f"Yes: {way} {ends[0]}; partly: {way} {ends[1]}."
