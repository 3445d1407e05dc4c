"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.catalogue import find, texts
from tallymark.defaults import MANY_RATERS
from tallymark.inference import Formula, OnUnits, Settings, estimate_all, estimate_each
from tallymark.questions.people.contrasts import (
    Joined,
    Paired,
    PairStatistics,
    Which,
    joined,
    scored,
    with_disattenuated,
)
from tallymark.results import (
    AMONG_PEOPLE,
    OTHERS,
    PEOPLE,
    Comparison,
    Estimate,
    Finding,
    Kind,
    ResultTable,
    Scorer,
    rater_called,
    system_called,
    without_rater,
)
from tallymark.selective.alt_test import AltTest, alt_test
from tallymark.study.average import (
    PartFormulas,
    average_subset,
    averaged,
    averages,
    faceted,
    joint,
    means,
)
from tallymark.study.formulas import formulas_for, of_set
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    home,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.panel import CONTINUOUS, panel_estimates, panel_home, panel_of, panel_units
from tallymark.study.parts import AVERAGED, FACETS, Part, People


def people_agree(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """Yield for each part the agreement of the raters as a panel, then of every two of them."""
    rated = [(part, part.people.distinct()) for part in parts if part.people is not None]
    for (part, people), panel in zip(rated, panel_of(rated, settings), strict=True):
        yield panel._replace(tables=alt_tests(part))
        if not (part.many or part.grouped or len(people.names) > MANY_RATERS):
            yield from _every_two(part, people, settings)


def _every_two(part: Part, people: People, settings: Settings) -> Iterator[SubsetResults]:
    for (name, second), pair in _pairs(part, people):
        yield _on_pair(pair, rater_called(name), second, settings)


def _on_pair(pair: Measured, subject: Scorer, rater: str, settings: Settings) -> SubsetResults:
    """The numbers of a rater or a system against a rater."""
    subset = subset_of(pair.part, subject, n=pair.n, against=Comparison(Kind.RATER, rater))
    estimates = estimate_by_tally(pair.formulas, pair.units, settings, pair.part.label)
    return SubsetResults(subset, estimates, [])


def _pairs(part: Part, people: People) -> Iterator[tuple[tuple[str, str], Measured]]:
    """Every two raters who share responses: their names and what is measured on these."""
    formulas, scores = _pair_formulas(part, people), people.rows.scores
    for first, second in combinations(range(len(people.names)), 2):
        pair = _pair(part, people, scores[:, [first, second]], formulas)
        if pair is not None:
            yield (people.names[second], people.names[first]), pair


def _pair_formulas(part: Part, people: People) -> list[Formula]:
    names = of_set("by_part", people.scale)
    return formulas_for(people.scale, names, lambda_=part.lambda_, critical=part.critical)


def _pair(part: Part, people: People, scores: Floats, formulas: list[Formula]) -> Measured | None:
    """Two columns of scores, on the responses that have both; None where there are none."""
    rows = replace(people.rows, scores=scores).complete()
    if not rows.counts.size:
        return None
    return Measured(part, people.scale, rows, formulas, units_by_tally(formulas, rows))


def _pair_averages(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """The mean over prompts or traits of how every two raters agree within each."""
    for key, over in faceted(parts):
        pairs: dict[tuple[str, str], list[Measured]] = {}
        for part in over:
            if part.people is not None and len(part.people.names) <= MANY_RATERS:
                for names, pair in _pairs(part, part.people.distinct()):
                    pairs.setdefault(names, []).append(pair)
        for (name, second), measured in pairs.items():
            if len(measured) > 1:
                yield from averages(
                    measured, key, rater_called(name), settings,
                    against=Comparison(Kind.RATER, second), scales=(False,),
                )  # fmt: skip


def against_each_rater(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield the system against every single rater, on the responses both scored."""
    people, scales = part.people, part.scales
    if people is None or scales is None or len(people.names) > MANY_RATERS:
        return
    if scales[0].ends != scales[1].ends:
        return
    scores = part.scores.patterns.scores[f"system:{system}"][part.rows]
    formulas = _pair_formulas(part, people)
    for rater, name in enumerate(people.names):
        columns = np.stack([people.rows.scores[:, rater], scores], axis=1)
        pair = _pair(part, people, columns, formulas)
        if pair is not None:
            yield _on_pair(pair, system_called(system), name, settings)


def about_adjudicators(people: People | None) -> list[Finding]:
    """Find the raters who were asked only because the others disagreed."""
    names = [] if people is None else [people.names[rater] for rater in people.adjudicators]
    return [Finding(name="adjudicator", texts={"rater": name}, weight="note") for name in names]


def panel_averages(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """Yield means over prompts, traits or folds of how people agree within each, and every two."""
    for key in AVERAGED:
        over = [part for part in parts if set(part.where) == {key}]
        names = of_set(
            "panel_by_part" if any(part.many for part in over) else "panel",
            parts[0].scores.rater_scale,
        )
        yield from _panel_average(over, key, names, settings)
    yield from _pair_averages(parts, settings)


def panel_without(parts: Sequence[Part], settings: Settings, rater: str) -> Iterator[SubsetResults]:
    """Yield what people agree on without one rater: the mean over traits or prompts, or of all."""
    names = texts("panel_brief")
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        averages = list(_panel_average(over, key, names, settings, without=rater))
        if averages:
            yield from averages
            return
    all_data = parts[0]
    people = None if all_data.people is None else all_data.people.without([rater])
    if people is None or not people.rows.twice.any():
        return
    continuous = people.scale.continuous
    rows = people.distinct().rows
    estimates = panel_estimates(names, rows, settings, all_data.label, continuous=continuous)
    n = int(rows.rated().counts.sum())
    subset = subset_of(all_data, PEOPLE, n=n, against=without_rater(rater))
    yield SubsetResults(subset, estimates, [])


def _panel_average(
    over: Sequence[Part],
    key: str,
    names: Sequence[str],
    settings: Settings,
    *,
    without: str | None = None,
) -> Iterator[SubsetResults]:
    """The mean over parts of what people agree on; nothing unless two have responses rated twice."""
    everyone = [part.people for part in over if part.people is not None]
    everyone = everyone if without is None else [people.without([without]) for people in everyone]
    people = [raters.distinct() for raters in everyone if raters.rows.twice.any()]
    if len(people) < 2:
        return
    estimates = _averages([find(name) for name in names], people, key, settings)
    sizes = [int(raters.rows.counts.sum()) for raters in people]
    against = AMONG_PEOPLE if without is None else without_rater(without)
    subset = average_subset(PEOPLE, against, key, sizes)
    yield SubsetResults(subset, estimates, [])


def _averages(
    formulas: Sequence[Formula], people: Sequence[People], key: str, settings: Settings
) -> list[Estimate]:
    """Estimate averages in the order of the statistics; those of one tally share the resamples."""
    continuous = any(raters.scale.continuous for raters in people)
    homes = {id(formula): _home(formula, people, continuous=continuous) for formula in formulas}
    defined = [f for f in formulas if not continuous or homes[id(f)] in CONTINUOUS]
    estimates: dict[str, Estimate] = {}
    for kind in dict.fromkeys(homes[id(f)] for f in defined):
        of_kind = [f for f in defined if homes[id(f)] == kind]
        units = joint([panel_units(kind, raters.rows, of_kind) for raters in people])
        means_of_kind = [averaged(f, over=key) for f in of_kind]
        stream = stream_of(f"average:{key}")
        for estimate in estimate_all(means_of_kind, units, settings, key=stream):
            estimates[estimate.text] = replace(estimate, score="human")
    return [estimates[f.key] for f in defined]


def _home(formula: Formula, people: Sequence[People], *, continuous: bool) -> str:
    """One kind of tally for all parts: that of unequal numbers of ratings where any needs it."""
    homes = {panel_home(formula, raters.rows, continuous=continuous) for raters in people}
    return "oneway" if "oneway" in homes else homes.pop()


EPSILON = 0.2
"""How much more often a rater may be ahead before the system loses; declared, not tuned."""
COLUMNS = ("system", "rater", "responses", "as close", "p", "wins", "winning rate", "test")
NOTE = (
    f"Score: root mean squared distance; epsilon {EPSILON:g}; ties count for both; Wilcoxon's test "
    "below 30 responses, over clusters where there are some; Benjamini-Yekutieli at 0.05; a winning "
    "rate of .5 passes. It knows no critical errors and changes with score and epsilon: no ground "
    "to accept a system. Calderon, Reichart & Dror (2025), arXiv:2501.10970."
)
MANY_RESPONSES = 20_000
"""Beyond this many responses, the small-sample test is not run."""


def alt_tests(part: Part) -> tuple[ResultTable, ...]:
    """Each system against each of three raters or more, by closeness to the others: secondary."""
    people, scores = part.people, part.scores
    if part.where or scores.weighted or people is None:
        return ()
    if not 3 <= len(people.names) <= MANY_RATERS:
        return ()
    times = scores.patterns.counts[part.rows]
    if times.sum() > MANY_RESPONSES:
        return ()
    ratings, clusters = np.repeat(people.rows.scores, times, axis=0), people.rows.clusters
    clusters = None if clusters is None else np.repeat(clusters, times)
    rows: list[tuple[str | int | float, ...]] = []
    for system in scores.roles.systems:
        scores_of_system = np.repeat(scores.patterns.scores[f"system:{system}"][part.rows], times)
        result = alt_test(scores_of_system, ratings, epsilon=EPSILON, cluster=clusters)
        rows += _alt_test_rows(system, people.names, result)
    if not rows:
        return ()
    title = "Alt-Test: is the system as close to the other raters as a left-out rater? (secondary)"
    return (
        ResultTable(name="alt_test", title=title, columns=COLUMNS, rows=tuple(rows), note=NOTE),
    )


def _alt_test_rows(
    system: str, names: Sequence[str], result: AltTest
) -> Iterator[tuple[str | int | float, ...]]:
    for i, rater in enumerate(result.raters):
        numbers = int(result.n[i]), float(result.advantage_each[i]), float(result.p[i])
        wins = "yes" if result.wins[i] else "no"
        yield (system, names[rater], *numbers, wins, result.winning_rate, result.tests[i])


class PartContrasts(NamedTuple):
    """Contrasts on some responses of one part of the data, by the kind of their tally."""

    n: int
    by_kind: dict[str, PartFormulas]

    @classmethod
    def of(
        cls,
        n: int,
        pairings: Sequence[Paired],
        *,
        counted: Which | None = None,
        disattenuated: bool = False,
    ) -> "PartContrasts":
        """The contrasts of all pairings or of some, maybe with the disattenuated correlation."""
        formulas = [
            with_disattenuated(p) if disattenuated else p.formulas(counted) for p in pairings
        ]
        return cls(n, {p.kind: (f, p.units) for p, f in zip(pairings, formulas, strict=True)})


def compared_with_people(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Does the system agree with people as people agree with each other, on the same responses?

    First against single raters: of every two raters who share responses, their agreement with
    each other and the system's with each of them, on just these responses. Then, with three raters
    or more, left out in turn: system and rater each against the mean of the other raters.

    Of each part of the data that is not one of many, then the means over prompts or traits in which
    responses were rated twice: agreement on all responses together also reflects how prompts and
    traits differ.
    """
    by_part = _of_parts(system, [part for part in parts if not (part.many and part.grouped)])
    few = [(part, against) for part, against in by_part if not part.many]
    yield from _results(system, {place: by_part[place] for place in few}, settings)
    for key, over in faceted(parts):
        for against in (AMONG_PEOPLE, OTHERS):
            contrasts = [by_part[part, against] for part in over if (part, against) in by_part]
            yield from mean_contrasts(system, key, against, contrasts, settings)


def _of_parts(system: str, parts: Sequence[Part]) -> dict[tuple[Part, Comparison], PartContrasts]:
    """The contrasts with single raters, then those with the mean of the others, of each part."""
    wanted: dict[tuple[Part, Comparison], tuple[int, list[PairStatistics]]] = {}
    for part in parts:
        ratings = joined(system, part)
        if ratings is None:
            continue
        formulas = formulas_of(ratings, part)
        pairs = PairStatistics.by_kind(formulas, ratings.rows, ratings.single)
        wanted[part, AMONG_PEOPLE] = responses_of(ratings), pairs
        wide = ratings.beside_others()
        if wide.counts.size:
            moments = [f for f in formulas if home(f) == "moments"]
            pairs = PairStatistics.by_kind(moments, wide, ratings.left_out)
            wanted[part, OTHERS] = int(wide.counts.sum()), pairs
    pairings = iter(Paired.each([pairs for _, requests in wanted.values() for pairs in requests]))
    return {
        (part, against): PartContrasts.of(
            n, [next(pairings) for _ in requests], disattenuated=against == AMONG_PEOPLE
        )
        for (part, against), (n, requests) in wanted.items()
    }


def _results(
    system: str, by_part: Mapping[tuple[Part, Comparison], PartContrasts], settings: Settings
) -> Iterator[SubsetResults]:
    """Estimate the contrasts of some parts, those of one shape in one go."""
    batch = [OnUnits(*on_kind) for c in by_part.values() for on_kind in c.by_kind.values()]
    keys = [stream_of(part.label) for (part, _), c in by_part.items() for _ in c.by_kind]
    estimated = iter(estimate_each(batch, settings, keys=keys))
    for (part, against), contrasts in by_part.items():
        estimates = [e for _ in contrasts.by_kind for e in next(estimated)]
        subset = subset_of(part, system_called(system), n=contrasts.n, against=against)
        yield SubsetResults(subset, [replace(e, score=scored(e)) for e in estimates], [])


def mean_contrasts(
    system: str,
    key: str,
    against: Comparison,
    by_part: Sequence[PartContrasts],
    settings: Settings,
) -> Iterator[SubsetResults]:
    """Yield the means of contrasts over prompts or traits; nothing where fewer than two have them."""
    if len(by_part) < 2:
        return
    shared = [kind for kind in by_part[0].by_kind if all(kind in part.by_kind for part in by_part)]
    estimates = [
        replace(estimate, score=scored(estimate))
        for kind in shared
        for estimate in means([part.by_kind[kind] for part in by_part], key, settings)
    ]
    sizes = [part.n for part in by_part]
    yield SubsetResults(average_subset(system_called(system), against, key, sizes), estimates, [])


def formulas_of(ratings: Joined, part: Part) -> list[Formula]:
    """The statistics in which a system is held beside people."""
    names = of_set("compared", ratings.scale)
    formulas = formulas_for(ratings.scale, names, lambda_=part.lambda_, critical=part.critical)
    return [f for f in formulas if home(f) in ("table", "moments")]


def responses_of(ratings: Joined) -> int:
    """How many responses two people and the system scored."""
    return int(ratings.rows.counts.sum())
