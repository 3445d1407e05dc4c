"""What a confidence is worth, as a section: curves, numbers, the surest scores, parts of the data."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, member, texts
from tallymark.defaults import LAMBDA
from tallymark.questions.confidence import say
from tallymark.questions.confidence.runs import AVERAGE
from tallymark.questions.confidence.slider import curves_of, slider
from tallymark.render.drawing import MOST_FIGURES
from tallymark.render.model import (
    Block,
    Cell,
    Column,
    Drawing,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.records import given_table, whose
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import asked_alone, place, system_against, whole
from tallymark.results import CONFIDENCE, Estimate, Evaluation, Key, Numbers, Subset, split_key

SUREST = "most_confident"
SURE = "how sure a system was of each score: --confidence NAME=COL, or --probabilities."
_FULL = ("auroc_cse", "coverage_at", "brier", "rps")
_AT_ONE = {
    "accepted": ("accepted", "share of the part's scores that is accepted"),
    "accepted_csrate": ("critical errors", "share of those that is critically wrong"),
}
_COVERAGE = {
    "max": ("coverage at CSRate {rate}", "largest share that can be accepted"),
    "prefix": (
        "steady coverage at CSRate {rate}",
        "the same, if every stricter threshold keeps it too",
    ),
}
LEAST_AXIS = 0.05
"""The axis of critical errors reaches at least so far."""
_CALIBRATION = "reliability"
_BY_LAMBDA = "critical_errors_by_lambda"
RISK_RUNS = "risk_coverage_runs"
_PANELS = {RISK_RUNS: "critical errors", "rmse_coverage_runs": "RMSE, points"}
"""Curves over runs, each in a panel for each prompt, with the title of its axis."""


def section(evaluation: Evaluation) -> Section:
    """Show which scores may stand without a person looking at them."""
    return Section(
        id="selective",
        title="Selective scoring",
        question="Which scores may stand without a person looking at them?",
        blocks=tuple(_blocks(evaluation)),
        needs="" if _given(evaluation) else SURE,
        takes=SURE,
    )


def _given(evaluation: Evaluation) -> bool:
    """Whether any confidence was given, or nothing of the kind was asked for."""
    roles = ("confidences", "probabilities", "repeats")
    return asked_alone(evaluation) or any(evaluation.options.get(role) for role in roles)


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    curves = curves_of(evaluation)
    subsets = system_against(evaluation, CONFIDENCE)
    if curves:
        yield Text(say.ABOUT, rank=Rank.PAGE)
    if subsets:
        share, points = evaluation.options.get("lambda", LAMBDA), evaluation.options.get("critical")
        yield Text(say.critical(float(share), points))
    yield from _beside_people(evaluation)
    for curve in curves[evaluation.kind == "route" : MOST_FIGURES]:  # there it leads the page
        yield slider(evaluation, curve)
    if subsets:
        yield _numbers(evaluation, subsets)
        yield from (
            table for subset in subsets[:MOST_FIGURES] for table in _surest(evaluation, subset)
        )
    yield from _parts(evaluation)
    repeated = _repeated(evaluation, subsets)[:MOST_FIGURES]
    for subset in repeated:
        yield from (panel for name in _PANELS for panel in _panels(evaluation, subset, name))
    yield from _tables(evaluation, subsets[:MOST_FIGURES], repeated)


def _repeated(evaluation: Evaluation, subsets: Sequence[Subset]) -> list[Subset]:
    """Systems with several runs, each of which is a system too; all where none has."""
    repeats = evaluation.options.get("repeats") or {}
    return [subset for subset in subsets if subset.system in repeats] or [*subsets]


def _panels(evaluation: Evaluation, subset: Subset, name: str) -> Iterator[Heading | Drawing]:
    """A panel for each prompt, else one: the runs of a system; critical errors share an axis."""
    curves = [
        (evaluation.subsets[curve.subset], curve)
        for curve in evaluation.curves
        if curve.name == name and evaluation.subsets[curve.subset].subject == subset.subject
    ]
    shown = [(here, curve) for here, curve in curves if not whole(here)] or curves
    highest = [max(curve.high or curve.y) for _, curve in shown]
    if name == RISK_RUNS and shown:
        highest = [max(LEAST_AXIS, *highest)] * len(shown)
    if len(shown) > 1:
        yield Heading(whose(subset, shown[0][1].y_title), rank=Rank.PAGE)
    for (here, curve), high in zip(shown, highest, strict=True):
        yield Drawing(
            "lines.curves",
            ([replace(curve, y_title=_PANELS[name])],),
            whose(here, _PANELS[name] if len(shown) > 1 else curve.y_title),
            small=True,
            options={"y_domain": (0.0, high or 1.0)},  # 0 throughout: nothing is off
        )


def chart(evaluation: Evaluation) -> Iterator[Block]:
    """The curve of the first system, with its slider."""
    yield from (slider(evaluation, curve) for curve in curves_of(evaluation)[:1])


def _beside_people(evaluation: Evaluation) -> Iterator[Says]:
    """How often two people lie a critical error apart, where some response was scored by two."""
    gap = [estimate for estimate in evaluation.estimates if estimate.name == "human_gap"]
    share = float(evaluation.options.get("lambda", LAMBDA))
    tables = [table for table in evaluation.tables if table.name == _BY_LAMBDA]
    rows = [row for table in tables for row in table.rows if row[0] == share]
    if gap and rows:
        value, low, high = (float(cell or 0) for cell in rows[0][1:4])
        people = Estimate(key=Key("human_csrate"), value=value, low=low, high=high, n=0)
        yield Says((say.between_people(share, people, gap[0]),))


def _numbers(evaluation: Evaluation, subsets: Sequence[Subset]) -> Grid:
    """The numbers of every system whose confidence is known."""
    numbers = [evaluation.of(subset) for subset in subsets]
    every = list(dict.fromkeys(e.key for numbers_of in numbers for e in numbers_of.values()))
    measures = {key: measure for key in every if (measure := _measure(key)) is not None}
    keys = sorted(measures, key=lambda key: (measures[key].rank, key.name != SUREST))
    return Grid(
        id="selective",
        caption="How well confidence tells good scores from bad ones",
        names=("system",),
        measures=tuple(measures[key] for key in keys),
        entries=tuple(
            Entry((subset.system,), tuple(numbers_of.get(key) for key in keys), subset.n)
            for subset, numbers_of in zip(subsets, numbers, strict=True)
        ),
    )


def _measure(key: Key) -> Measure | None:
    """How a number is shown; of the surest scores only their critical errors are among these."""
    params, row = dict(key.params), BY_NAME[key.name]
    if key.name == SUREST:
        if not _is_csrate(params["of"]):
            return None
        title = Sentence("CSRate, surest {share:percent}", share=float(params["share"]))
        return Measure(str(title), "", key.name, Rank.FULL)
    if key.name == "coverage_at":
        template, gloss = _COVERAGE[str(params["kind"])]
        rank = Rank.FULL if params["kind"] == "max" else Rank.PAGE
        return Measure(str(Sentence(template, rate=float(params["rate"]))), gloss, key.name, rank)
    title = Sentence("{title}", title=row.short or row.title)
    if "share" in params:
        title = Sentence("{title}, {threshold}", title=title, threshold=say.NEAREST_HALF)
    elif "of" in params:
        title = Sentence("{title}, {of}", title=title, of=str(params["of"]))
    gloss = row.gloss or row.reading.partition(".")[0].partition(";")[0]
    gloss = gloss if gloss[:2].isupper() else f"{gloss[:1].lower()}{gloss[1:]}"
    rank = Rank.FULL if key.name in _FULL else Rank.PAGE
    return Measure(str(title), gloss, key.name, rank)


def _is_csrate(of: object) -> bool:
    return split_key(str(of))[0] == "csrate"


def _surest(evaluation: Evaluation, subset: Subset) -> Iterator[Table]:
    """How good the surest scores are: one column for each share of them."""
    surest = [e for e in evaluation.of(subset).values() if e.name == SUREST]
    shares = sorted({float(e.params["share"]) for e in surest})
    by_place = {(e.params["of"], float(e.params["share"])): e for e in surest}
    shown = [of for of in dict.fromkeys(e.params["of"] for e in surest) if _leads(of)]
    rows: list[tuple[Value, ...]] = [
        (
            Cell("CSRate" if _is_csrate(of) else member(str(of)).heading, key=str(of)),
            *(by_place.get((of, share)) for share in shares),
        )
        for of in shown
    ]
    titles = [str(Sentence("surest {share:percent}", share=share)) for share in shares]
    if not rows:
        return
    yield Table(
        id="surest",
        caption=Sentence("{system}: agreement of its surest scores", system=subset.system),
        columns=(Column("statistic"), *(Column(title, numeric=True) for title in titles)),
        rows=tuple(rows),
        folded=True,
        rank=Rank.PAGE,
    )


def _leads(of: Key) -> bool:
    """Whether a statistic is among those that are shown; every one is in the JSON."""
    return str(of) in texts("by_part") or _is_csrate(of)


def _parts(evaluation: Evaluation) -> Iterator[Table]:
    """Coverage and critical errors of each prompt and group, at one threshold for all."""
    parts = [s for s in evaluation.subsets if s.against == CONFIDENCE and not whole(s)]
    if not parts or evaluation.kind == "route":
        return  # a routing file has a threshold of its own
    several = len({subset.subject for subset in parts}) > 1
    rows: list[tuple[Value, ...]] = [
        (
            ", ".join(place(subset).values()),
            *([subset.system] if several else []),
            Responses(subset.n),
            *(_first(evaluation.of(subset), name) for name in _AT_ONE),
        )
        for subset in parts
    ]
    names = ("part", "system") if several else ("part",)
    yield Table(
        id="coverage",
        caption=say.one_threshold(_taken(evaluation)),
        columns=(
            *map(Column, names),
            Column("responses", numeric=True),
            *(Column(title, gloss, key, True) for key, (title, gloss) in _AT_ONE.items()),
        ),
        rows=tuple(rows),
        names=len(names),
    )


def _taken(evaluation: Evaluation) -> dict[str, Estimate]:
    """The share of all responses that each system's threshold accepts."""
    every = {
        subset.system: _first(evaluation.of(subset), "accepted")
        for subset in system_against(evaluation, CONFIDENCE)
    }
    return {system: share for system, share in every.items() if share is not None}


def _first(numbers: Numbers, name: str) -> Estimate | None:
    return next((e for e in numbers.values() if e.name == name), None)


_OF_SYSTEM = {
    _CALIBRATION: ("accepted", ("above", "up to", "mean confidence", "right")),
    "dev_test": ("", ("threshold", "accepted", "CSRate")),
    "surest_qwk_by_prompt": ("cohen_kappa", ("",)),
    "surest_csrate_by_prompt": ("csrate", ("",)),
}
"""Tables of one system: the statistic in them, and how the columns begin whose fractions are shares."""


def _tables(
    evaluation: Evaluation, shown: Sequence[Subset], repeated: Sequence[Subset]
) -> Iterator[Table]:
    """Critical errors by lambda; calibration of the first systems; development and test over runs."""
    for table in evaluation.tables:
        subset = evaluation.subsets[table.subset] if table.subset >= 0 else None
        systems = shown if table.name == _CALIBRATION else repeated
        if table.name == _BY_LAMBDA:
            keys = dict.fromkeys(table.columns, "csrate")
            yield replace(given_table(table, table.title, rank=Rank.PAGE, keys=keys), folded=True)
        elif subset is not None and subset in systems and table.name in _OF_SYSTEM:
            caption = Sentence("{system}: {title}", system=subset.system, title=table.title)
            statistic, names = _OF_SYSTEM[table.name]
            shares = [name for name in table.columns if name.startswith(names)]
            made = given_table(
                table,
                caption,
                rank=Rank.PAGE if table.name == _CALIBRATION else Rank.FULL,
                keys=dict.fromkeys(shares, statistic),
                styles=dict.fromkeys(shares, "share"),
            )
            yield replace(made, below=int(table.rows[-1][0] == AVERAGE), folded=True)
