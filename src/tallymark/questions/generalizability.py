"""Generalizability: where the variance of ratings comes from, and how many raters are enough."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.reliability import generalizability as g
from tallymark.render.grids import reasons
from tallymark.render.model import (
    Block,
    Column,
    Drawing,
    Entry,
    Grid,
    Measure,
    Number,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
    table_by,
)
from tallymark.render.raters import dealt, raters_needed
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import place, whole
from tallymark.results import GSTUDY, PEOPLE, Curve, Estimate, Evaluation, Key, Numbers, Subset
from tallymark.sources import Scores
from tallymark.study.average import average_subset, joint
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.models import assignment_estimates
from tallymark.study.parts import FACETS, Part, People, pooled, without_needs
from tallymark.study.raters_needed import (
    COEFFICIENTS,
    LONGEST,
    ONCE,
    RATERS,
    T_INTERVAL,
    TARGETS,
    at,
    crossed_units,
    for_others,
    mean_over,
    needed,
    needed_in,
    rated_rows,
    read_once,
    unknown_raters,
)
from tallymark.study.units import Rows, summed
from tallymark.tally.crossed import CrossedSums, FacetSums

TABLE = (1, 2, 3, 4, 6, 8, 10)
"""Numbers of raters in the D-study."""
ONCE_PARTS = ("rater", "residual")
IN_POINTS = ("variance_component", "sem_relative", "sem_absolute")
"""What has no mean over scales that differ."""


def gstudy(scores: Scores, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield variance components and coefficients of the raters on a part of the data."""
    people = part.people
    if people is None or part.many or any(key.startswith("group:") for key in part.where):
        return
    rows = rated_rows(people)
    if not rows.counts.size:
        return
    estimates, curves = _of_raters(rows, settings, stream_of(part.label))
    if pooled(scores, part):
        estimates = without_needs(estimates)
    if not part.where:
        estimates += with_prompts(scores, people, settings)
    subset = subset_of(part, PEOPLE, n=int(rows.counts.sum()), against=GSTUDY)
    yield SubsetResults(subset, [replace(e, score="human") for e in estimates], [], tuple(curves))


def _of_raters(rows: Rows, settings: Settings, key: int) -> tuple[list[Estimate], list[Curve]]:
    """Raters crossed with responses, then as if they were unknown; or responses read once."""
    if not rows.twice.any():
        values = CrossedSums.rows(rows.scores - float(np.nanmean(rows.scores)))
        formulas = [for_others(component("once", name), complete=True) for name in ONCE_PARTS]
        return estimate_all(formulas, summed(rows, values, read_once), settings, key=key), []
    units, assignment = crossed_units(rows)
    estimates, curves = crossed(units, settings, key)
    estimates += assignment_estimates(assignment, rows, settings)
    formulas = _formulas("nested", ("response", "residual"))
    nested = estimate_all(formulas, unknown_raters(rows), settings, key=key)
    return [*estimates, *nested], curves


_ERRORS = ("sem_relative", "sem_absolute")


_ABSOLUTE = {"dependability", "sem_absolute"}


def _formulas(design: str, components: Sequence[str]) -> list[Formula]:
    formulas = [for_others(component(design, name), complete=True) for name in components]
    # without known raters severity cannot be set aside
    reported = _ABSOLUTE if design == "nested" else {*COEFFICIENTS, *_ERRORS}
    for raters in TABLE:
        for name in (*COEFFICIENTS, *_ERRORS):
            formulas += [at(name, design, raters)] if name in reported else []
    for name in COEFFICIENTS:
        formulas += [needed(design, name, target) for target in TARGETS if name in reported]
    return formulas


def crossed(
    units: Units[Any], settings: Settings, key: int, *, over: str | None = None
) -> tuple[list[Estimate], list[Curve]]:
    """Components, coefficients and their curves along the number of raters, in one resampling.

    ``over`` says what units of several parts are averaged over.
    """
    formulas = _formulas("crossed", g.Components._fields)
    along = [at(name, "crossed", n) for name in COEFFICIENTS for n in RATERS.tolist()]
    by_key = {formula.key: formula for formula in (*formulas, *along)}
    if over is not None:
        by_key = {text: mean_over(formula, over) for text, formula in by_key.items()}
    estimates = dict(
        zip(by_key, estimate_all([*by_key.values()], units, settings, key=key), strict=True)
    )
    points = [estimates[formula.key] for formula in along]
    starts = range(0, len(points), LONGEST)
    curves = [_curve(points[i : i + LONGEST]) for i in starts]
    return [estimates[formula.key] for formula in formulas], curves


def _curve(points: Sequence[Estimate]) -> Curve:
    name = points[0].name
    return Curve(
        name=name,
        subset=-1,
        x_title="raters",
        y_title=name,
        x=tuple(float(e.params["raters"]) for e in points),
        y=tuple(e.value for e in points),
        low=tuple(e.low for e in points),
        high=tuple(e.high for e in points),
    )


def gstudy_averages(
    scores: Scores, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the mean over prompts or traits of components and coefficients within each."""
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        people = [part.people for part in over]
        rows = [rated_rows(raters) for raters in people if raters is not None]
        rows = [of_part for of_part in rows if of_part.twice.any()]
        if len(rows) < 2:
            continue
        label = f"average:{key}"
        units = joint([crossed_units(of_part)[0] for of_part in rows])
        estimates, curves = crossed(units, settings, stream_of(label), over=key)
        if any(pooled(scores, part) for part in over):
            estimates = without_needs(estimates)
        if len({raters.scale for raters in people if raters is not None}) > 1:
            estimates = [e for e in estimates if e.name not in IN_POINTS]
        sizes = [int(of_part.counts.sum()) for of_part in rows]
        subset = average_subset(PEOPLE, GSTUDY, key, sizes)
        estimates = [replace(estimate, score="human") for estimate in estimates]
        yield SubsetResults(subset, estimates, [], tuple(curves))


def component(design: str, name: str, facet: str = "prompt") -> Formula:
    """One component; what candidates and raters are crossed with is a prompt or a trait."""
    source_name = name.replace("_", " x ").replace("prompt", facet)
    return Formula(
        name="variance_component",
        params={"design": design, "of": source_name},
        value=lambda parts: getattr(parts, name),
        undefined=ONCE,
        **T_INTERVAL,
    )


FEW_CANDIDATES = 10


class _Cube(NamedTuple):
    """Scores of candidates by raters by prompts or traits; are raters the same throughout?"""

    scores: NDArray[np.float64]
    one_panel: bool
    facet: str


def with_prompts(scores: Scores, people: People, settings: Settings) -> list[Estimate]:
    """Components of candidates, raters and prompts, where every candidate answered every prompt.

    Of one prompt, traits take the place of prompts, in the names of what is reported too.
    """
    cube = _cube(scores, people)
    if cube is None:
        return []
    n, raters, prompts = cube.scores.shape
    solve = g.candidates_raters_prompts if cube.one_panel else g.raters_within_prompts
    facets = f"{cube.facet}s"
    design = facets if cube.one_panel else f"raters within {facets}"
    values = FacetSums.rows(cube.scores - cube.scores.mean())
    candidates = np.arange(n)
    flat = Rows(
        cube.scores.reshape(n, -1), np.ones_like(candidates), people.rows.points, candidates
    )
    units = summed(flat, values, lambda sums: solve(FacetSums(sums, raters, prompts)))
    names = (
        g.Facets._fields
        if cube.one_panel
        else ("candidate", "prompt", "candidate_prompt", "rater_prompt", "residual")
    )
    formulas = [component(design, name, cube.facet) for name in names]
    sizes = dict.fromkeys([(1, 1), (2, 1), (1, prompts), (2, prompts), (raters, prompts)])
    for r, t in sizes:
        formulas += [
            Formula(
                name=name,
                params={"design": design, "raters": r, facets: t},
                value=partial(g.of_facets, raters=r, prompts=t, absolute=name == "dependability"),
                undefined="candidates do not differ more than their scores do",
            )
            for name in COEFFICIENTS
        ]
    return estimate_all(formulas, units, settings, key=stream_of("candidates"))


def _cube(scores: Scores, people: People) -> _Cube | None:
    """Find the candidates (clusters) with one response to every prompt, or one for every trait."""
    keys, rows = scores.patterns.keys, people.rows
    facet = next((k for k in ("prompt", "trait") if np.unique(keys.get(k, [])).size > 1), None)
    if facet is None or "cluster" not in keys or (keys["cluster"] < 0).any():
        return None
    prompts, prompt = np.unique(keys[facet], return_inverse=True)
    candidates, candidate = np.unique(keys["cluster"], return_inverse=True)
    cell = candidate * prompts.size + prompt
    single = np.bincount(cell, weights=rows.counts, minlength=candidates.size * prompts.size) == 1
    complete = single.reshape(candidates.size, prompts.size).all(axis=1)
    used = np.flatnonzero(complete[candidate])
    if not used.size:
        return None
    panels = [~np.isnan(rows.scores[used[prompt[used] == p]]) for p in range(prompts.size)]
    readers = [np.flatnonzero(panel.all(axis=0)) for panel in panels]
    sizes = {panel.size for panel in readers}
    one_panel = all(np.array_equal(panel, readers[0]) for panel in readers)
    distinct = np.unique(np.concatenate(readers)).size == sum(panel.size for panel in readers)
    fair = len(sizes) == 1 and min(sizes) >= 2 and (one_panel or distinct)
    if not fair or int(complete.sum()) < FEW_CANDIDATES:
        return None
    order = used[np.lexsort([prompt[used], candidate[used]])].reshape(-1, prompts.size)
    cube = np.stack([rows.scores[order[:, p]][:, readers[p]] for p in range(prompts.size)], axis=2)
    return _Cube(cube, one_panel, facet)


SOURCES = {
    "response": "responses",
    "rater": "raters' severity",
    "candidate": "candidates",
    "candidate x rater": "candidates x raters",
    "residual": "neither",
    **{
        f"{beside}{facet}": f"{besides}{facet}s"
        for facet in FACETS
        for beside, besides in {
            "": "",
            "candidate x ": "candidates x ",
            "rater x ": "raters x ",
        }.items()
    },
}
AS_DEALT = "responses as dealt"
READ_ONCE = "Every response was read once: responses and errors cannot be told apart."
OTHER_RATERS = "Intervals are for other raters like these; of G for these."
FEW_RATERS = "Few raters say little about others, so they are wide however much is rated."
SEVERITY_OF_OTHERS = "The interval of severity is for other raters like these."
BELOW_ZERO = "0 (estimated below 0)"
CAPTIONS = {
    "crossed": "Sources of variance, in squared points",
    "once": "Sources of variance, in squared points",
    "nested": "The same, as if every response had raters of its own",
    **{f"{facet}s": f"The same, with {facet}s as a source of their own" for facet in FACETS},
    **{
        f"raters within {facet}s": f"The same, with {facet}s as a source, each with raters of its own"
        for facet in FACETS
    },
}
"""By design."""
PHI = "dependability"


def source(component: Estimate, *, piles: bool) -> str:
    """Name a source; who was given which responses is part of the responses' variance."""
    name, design = str(component.params["of"]), component.params["design"]
    if name == "response" and piles:
        return AS_DEALT
    return "responses and errors" if (design, name) == ("once", "residual") else SOURCES[name]


def variances(design: str, over: str | None, n: int) -> Sentence:
    """Say what a table of variances is of."""
    if design not in ("crossed", "once"):
        return Sentence(CAPTIONS[design])
    mean = f", mean over {over}s" if over else ""
    return Sentence(f"{CAPTIONS[design]}{mean}: {{n:responses}}", n=n)


def of_means(facets: str) -> str:
    """Say what coefficients are of."""
    return f"Reliability of means over raters and {facets}"


def own_scales(over: str | None) -> str:
    """Say why there is no table of variances."""
    return f"No table of variances: they are in score points, and each {over} has its own scale."


def pooled_words(column: str) -> str:
    """Say what else is in the variance of responses."""
    return f"Pooled over {column}s: the responses' share also holds differences between {column}s."


def dealt_in_parts(piles: int, parts: int, column: str) -> Sentence:
    """Say in how many parts raters may have been given better or worse responses."""
    return Sentence(
        f"In {{piles}} of {{parts}} {column}s responses may not be dealt at random: severity and error "
        "come from within responses.",
        piles=piles,
        parts=parts,
    )


def reliability(over: str | None) -> str:
    """Say what the reliabilities are of."""
    mean = f", mean over {over}s" if over else ""
    return f"How many raters? Reliability of the mean of so many ratings{mean}"


def enough(
    numbers: Numbers, over: str | None, parts: Sequence[tuple[str, Numbers]]
) -> Iterator[Sentence]:
    """Say how many raters reach which dependability, and what holds if raters were unknown."""
    yield from raters_needed(dict(needed_in(numbers)), over, parts)
    unknown = numbers.get(Key(PHI, design="nested", raters=1))
    if unknown is not None and not math.isnan(unknown.value):
        yield Sentence(
            "If every response had raters of its own: Phi of one rating {phi}.", phi=unknown
        )


G = "generalizability"
SEM = "sem_absolute"
MANY_DF = 9
"""With more degrees of freedom, ten raters and more, it need not be said that raters are few."""
_MEASURES = {
    G: Measure("G", "for ranking responses that the same raters scored", G),
    PHI: Measure("Phi", "for the score as it stands", PHI),
    "these": Measure("Phi, these raters", "", PHI),
    SEM: Measure("SEM", "its standard error in score points", SEM),
}
_SIZES = (1, 2, 3, 4, 6, 10)
"""Numbers of raters in the table."""
_COMPONENT = "variance_component"


class RaterStudy(NamedTuple):
    """The G-study to show: its numbers, and those of each part that it is a mean over."""

    subset: Subset
    numbers: Numbers
    parts: tuple[tuple[str, Numbers], ...]

    @property
    def over(self) -> str | None:
        """What it is a mean over."""
        return self.subset.average

    def components(self, design: str) -> list[Estimate]:
        """The variances of a design."""
        components = [e for e in self.numbers.values() if e.name == _COMPONENT]
        return [e for e in components if e.params["design"] == design]

    @property
    def piles(self) -> bool:
        """Whether raters may have been given better or worse responses."""
        return any(map(_in_piles, [self.numbers, *(numbers for _, numbers in self.parts)]))


def section(evaluation: Evaluation) -> Section:
    """Show sources of variance and the number of raters; of systems, on the page alone."""
    rank = Rank.FULL if evaluation.kind == "raters" else Rank.PAGE
    return Section(
        id="generalizability",
        title="Number of raters",
        question="Where do differences between ratings come from, and how many raters are enough?",
        blocks=tuple(_blocks(evaluation, rank)),
        takes="two ratings of some responses: a second --human column.",
        titled=False,
    )


def _blocks(evaluation: Evaluation, rank: Rank) -> Iterator[Block]:
    study = _study(evaluation)
    if study is not None:
        yield from _variances(evaluation, study, rank)
        yield from _enough(evaluation, study, rank)


def _study(evaluation: Evaluation) -> RaterStudy | None:
    """The mean over traits or prompts where there are several, else all responses."""
    studies = [s for s in evaluation.subsets if s.against == GSTUDY]
    pool = [s for s in studies if whole(s)]
    means = [s for column in FACETS for s in studies if s.average == column]
    if not [*means, *pool]:
        return None
    subset = [*means, *pool][0]
    # designs in which prompts or traits are a source of their own are of all responses
    facets = {
        key: estimate
        for subset in pool
        for key, estimate in evaluation.of(subset).items()
        if str(estimate.params.get("design", "")).endswith(tuple(f"{facet}s" for facet in FACETS))
    }
    parts = tuple(
        (", ".join(place(s).values()), evaluation.of(s))
        for s in studies
        if subset.average and [*place(s)] == [subset.average]
    )
    return RaterStudy(subset, {**evaluation.of(subset), **facets}, parts)


def _variances(evaluation: Evaluation, study: RaterStudy, rank: Rank) -> Iterator[Block]:
    if not any(e.name == _COMPONENT for e in study.numbers.values()):
        yield Text(own_scales(study.over), "lesser", rank=rank)
    for design in CAPTIONS:
        components = study.components(design)
        if components:
            caption = variances(design, study.over, study.subset.n)
            rank_of_table = Rank.PAGE if design == "nested" else rank
            yield replace(_table(study, components), caption=caption, rank=rank_of_table)
            yield from _of_facets(study, design, rank)
    sentences = [*_dealt(study)]
    if sentences:
        yield Says(tuple(sentences), rank=rank)
    if not study.over:
        columns = {s.column for s in evaluation.subsets if s.against == GSTUDY}
        mixed = [column for column in ("prompt", "trait") if column in columns]
        yield from (Text(pooled_words(column), "lesser", rank=rank) for column in mixed[:1])


def _table(study: RaterStudy, components: Sequence[Estimate]) -> Table:
    design = components[0].params["design"]
    names = [source(e, piles=study.piles) for e in components]
    total = sum(max(e.value, 0.0) for e in components if not math.isnan(e.value))
    columns: list[tuple[Column, Callable[[Estimate], Value]]] = [
        (Column("source"), lambda e: source(e, piles=study.piles)),
        (Column("variance", key=_COMPONENT, numeric=True), _variance),
        (Column("share", numeric=True), lambda e: _share(e, total)),
    ]
    if design == "crossed" and study.parts:
        columns.append((Column(f"range over {study.over}s"), lambda e: _range(e, study)))
    once = design == "once"
    note = reasons([Measure(name) for name in names], [components])
    note = [*([READ_ONCE] if once else []), *note, *([SEVERITY_OF_OTHERS] if once else [])]
    return table_by("variance", "", components, *columns, note=" ".join(note))


def _variance(component: Estimate) -> Value:
    """A component below 0 is shown as 0, and marked."""
    return BELOW_ZERO if component.value < 0 else component


def _share(component: Estimate, total: float) -> Value:
    if math.isnan(component.value) or total <= 0:
        return None
    return Number(max(component.value, 0.0) / total, "percent")


def _range(component: Estimate, study: RaterStudy) -> Value:
    """The least and the most of the parts."""
    values = [
        numbers[component.text].value for _, numbers in study.parts if component.text in numbers
    ]
    defined = [max(value, 0.0) for value in values if not math.isnan(value)]
    if not defined or max(defined) == 0:
        return 0 if defined else None
    of_these = _for_these(component) or component
    least, greatest = (replace(of_these, value=end(defined)) for end in (min, max))
    return str(Sentence("{least:value} to {most:value}", least=least, most=greatest))


def _dealt(study: RaterStudy) -> Iterator[Sentence]:
    """Say which responses tell of raters; of a mean, in how many parts."""
    test = study.numbers.get("random_assignment")
    error = study.numbers.get(Key(_COMPONENT, design="crossed", of="residual"))
    if test is not None and not (error is not None and math.isnan(error.value)):
        yield dealt(test, "severity and error")
    elif study.over and (piles := sum(_in_piles(numbers) for _, numbers in study.parts)):
        yield dealt_in_parts(piles, len(study.parts), study.over)


def _in_piles(numbers: Numbers) -> bool:
    return "random_assignment" in numbers and not numbers["random_assignment"].parts["random"]


def _of_facets(study: RaterStudy, design: str, rank: Rank) -> Iterator[Grid]:
    """Coefficients of means over raters and prompts or traits."""
    by_size: dict[tuple[int, int], dict[str, Estimate]] = {}
    facets = design.rsplit(maxsplit=1)[-1]
    for estimate in study.numbers.values():
        params = estimate.params
        if params.get("design") == design and facets in params:
            by_size.setdefault((params["raters"], params[facets]), {})[estimate.name] = estimate
    if by_size:
        yield Grid(
            id="facets",
            caption=of_means(facets),
            names=("raters", facets),
            measures=tuple(_MEASURES[name] for name in (G, PHI)),
            entries=tuple(
                Entry(tuple(map(_number, size)), (coefficients.get(G), coefficients.get(PHI)))
                for size, coefficients in by_size.items()
            ),
            rank=rank,
        )


def _enough(evaluation: Evaluation, study: RaterStudy, rank: Rank) -> Iterator[Block]:
    """The D-study: reliability of the mean of this many ratings."""
    if Key(PHI, design="crossed", raters=1) not in study.numbers:
        return
    index = evaluation.subsets.index(study.subset)
    curves = [c for c in evaluation.curves if c.subset == index and c.name in (G, PHI)]
    if curves:
        caption = "Reliability by the number of raters"
        yield Drawing("lines.d_study", (curves,), caption, small=True)
    few = study.numbers[Key(PHI, design="crossed", raters=1)].parts.get("rater_df", 0) < MANY_DF
    yield Grid(
        id="study",
        caption=reliability(study.over),
        names=("raters",),
        measures=tuple(_MEASURES.values()),
        entries=tuple(Entry((_number(n),), _of_size(study.numbers, n)) for n in _SIZES),
        note=" ".join([OTHER_RATERS, *([FEW_RATERS] if few else [])]),
        rank=rank,
    )
    sentences = tuple(enough(study.numbers, study.over, study.parts))
    if sentences:
        yield Says(sentences, rank=rank)


def _of_size(numbers: Numbers, raters: int) -> tuple[Estimate | None, ...]:
    estimates = [numbers.get(Key(name, design="crossed", raters=raters)) for name in (G, PHI, SEM)]
    return (*estimates[:2], _for_these(estimates[1]), estimates[2])


def _for_these(estimate: Estimate | None) -> Estimate | None:
    """The same number with the interval that takes these raters as all there are."""
    if estimate is None or "these_raters_low" not in estimate.parts:
        return estimate
    low, high = (estimate.parts[f"these_raters_{end}"] for end in ("low", "high"))
    return replace(estimate, low=low, high=high)


def _number(number: int) -> Sentence:
    return Sentence("{number}", number=number)
