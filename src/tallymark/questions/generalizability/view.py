"""Generalizability, as a section: sources of variance, and how many raters are enough."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.questions.generalizability.say import (
    BELOW_ZERO,
    CAPTIONS,
    FEW_RATERS,
    OTHER_RATERS,
    PHI,
    READ_ONCE,
    SEVERITY_OF_OTHERS,
    dealt_in_parts,
    enough,
    of_means,
    own_scales,
    pooled,
    reliability,
    source,
    variances,
)
from tallymark.render.dealt import dealt
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
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import FACETS, place, whole
from tallymark.results import GSTUDY, Estimate, Evaluation, Key, Numbers, Subset

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
        every = [e for e in self.numbers.values() if e.name == _COMPONENT]
        return [e for e in every if e.params["design"] == design]

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
    every = [s for s in evaluation.subsets if s.against == GSTUDY]
    pool = [s for s in every if whole(s)]
    means = [s for column in FACETS for s in every if s.average == column]
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
        for s in every
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
            shown = Rank.PAGE if design == "nested" else rank
            yield replace(_table(study, components), caption=caption, rank=shown)
            yield from _of_facets(study, design, rank)
    said = [*_dealt(study)]
    if said:
        yield Says(tuple(said), rank=rank)
    if not study.over:
        columns = {s.column for s in evaluation.subsets if s.against == GSTUDY}
        mixed = [column for column in ("prompt", "trait") if column in columns]
        yield from (Text(pooled(column), "lesser", rank=rank) for column in mixed[:1])


def _table(study: RaterStudy, components: Sequence[Estimate]) -> Table:
    design = components[0].params["design"]
    names = [source(e, piles=study.piles) for e in components]
    total = sum(max(e.value, 0.0) for e in components if not math.isnan(e.value))
    ranged = design == "crossed" and study.parts
    rows = [
        (name, _variance(e), _share(e, total), *([_range(e, study)] if ranged else []))
        for name, e in zip(names, components, strict=True)
    ]
    titles = [Measure(name) for name in names]
    notes = [*([READ_ONCE] if design == "once" else []), *reasons(titles, [components])]
    notes += [SEVERITY_OF_OTHERS] if design == "once" else []
    return Table(
        id="variance",
        caption="",
        columns=(
            Column("source"),
            Column("variance", key=_COMPONENT, numeric=True),
            Column("share", numeric=True),
            *([Column(f"range over {study.over}s")] if ranged else []),
        ),
        rows=tuple(rows),
        note=" ".join(notes),
    )


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
    known = [max(value, 0.0) for value in values if not math.isnan(value)]
    if not known or max(known) == 0:
        return 0 if known else None
    of_these = _for_these(component) or component
    least, most = (replace(of_these, value=end(known)) for end in (min, max))
    return str(Sentence("{least:value} to {most:value}", least=least, most=most))


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
        at = estimate.params
        if at.get("design") == design and facets in at:
            by_size.setdefault((at["raters"], at[facets]), {})[estimate.name] = estimate
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
    at = evaluation.subsets.index(study.subset)
    curves = [c for c in evaluation.curves if c.subset == at and c.name in (G, PHI)]
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
    said = tuple(enough(study.numbers, study.over, study.parts))
    if said:
        yield Says(said, rank=rank)


def _of_size(numbers: Numbers, raters: int) -> tuple[Estimate | None, ...]:
    every = [numbers.get(Key(name, design="crossed", raters=raters)) for name in (G, PHI, SEM)]
    return (*every[:2], _for_these(every[1]), every[2])


def _for_these(estimate: Estimate | None) -> Estimate | None:
    """The same number with the interval that takes these raters as all there are."""
    if estimate is None or "these_raters_low" not in estimate.parts:
        return estimate
    low, high = (estimate.parts[f"these_raters_{end}"] for end in ("low", "high"))
    return replace(estimate, low=low, high=high)


def _number(number: int) -> Sentence:
    return Sentence("{number}", number=number)
