"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import find, texts
from tallymark.defaults import MANY_RATERS
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.results import (
    AMONG_PEOPLE,
    PEOPLE,
    Comparison,
    Estimate,
    Finding,
    Kind,
    ResultTable,
    rater_called,
    system_called,
    without_rater,
)
from tallymark.selective.alt_test import AltTest, alt_test
from tallymark.study.average import average_subset, averaged, averages, faceted, joint
from tallymark.study.formulas import formulas_for, of_set
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.panel import (
    CONTINUOUS,
    panel_estimates,
    panel_home,
    panel_of,
    panel_units,
)
from tallymark.study.parts import AVERAGED, FACETS, Part, People

Floats = NDArray[np.float64]


def people_agree(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """Yield for each part the agreement of the raters as a panel, then of every two of them."""
    rated = [(part, part.people.distinct()) for part in parts if part.people is not None]
    for (part, people), panel in zip(rated, panel_of(rated, settings), strict=True):
        yield panel._replace(tables=alt_tests(part))
        if not (part.many or part.grouped or len(people.names) > MANY_RATERS):
            yield from _every_two(part, people, settings)


def _every_two(part: Part, people: People, settings: Settings) -> Iterator[SubsetResults]:
    for (name, other), pair in _pairs(part, people):
        against = Comparison(Kind.RATER, other)
        subset = subset_of(part, rater_called(name), n=pair.n, against=against)
        estimates = estimate_by_tally(pair.formulas, pair.units, settings, part.label)
        yield SubsetResults(subset, estimates, [])


def _pairs(part: Part, people: People) -> Iterator[tuple[tuple[str, str], Measured]]:
    """Every two raters who share responses: their names and what is measured on these."""
    rated = people.rows.rated()
    formulas = formulas_for(
        people.scale, of_set("by_part", people.scale), lambda_=part.lambda_, critical=part.critical
    )
    for first, second in combinations(range(len(people.names)), 2):
        pair = replace(rated, scores=rated.scores[:, [first, second]]).complete()
        if pair.counts.size:
            names = people.names[second], people.names[first]
            units = units_by_tally(formulas, pair)
            yield names, Measured(part, people.scale, pair, formulas, units)


def _pair_averages(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """The mean over prompts or traits of how every two raters agree within each."""
    for key, over in faceted(parts):
        pairs: dict[tuple[str, str], list[Measured]] = {}
        for part in over:
            if part.people is not None and len(part.people.names) <= MANY_RATERS:
                for names, pair in _pairs(part, part.people.distinct()):
                    pairs.setdefault(names, []).append(pair)
        for (name, other), each in pairs.items():
            if len(each) > 1:
                yield from averages(
                    each, key, rater_called(name), settings,
                    against=Comparison(Kind.RATER, other), scales=(False,),
                )  # fmt: skip


def against_each_rater(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield the system against every single rater, on the responses both scored."""
    people, scales = part.people, part.scales
    if people is None or scales is None or len(people.names) > MANY_RATERS:
        return
    if scales[0].ends != scales[1].ends:
        return
    given = part.scores.patterns.scores[f"system:{system}"][part.rows]
    formulas = formulas_for(
        people.scale, of_set("by_part", people.scale), lambda_=part.lambda_, critical=part.critical
    )
    for rater, name in enumerate(people.names):
        both = np.stack([people.rows.scores[:, rater], given], axis=1)
        pair = replace(people.rows, scores=both).complete()
        if pair.counts.size:
            units = units_by_tally(formulas, pair)
            estimates = estimate_by_tally(formulas, units, settings, part.label)
            against = Comparison(Kind.RATER, name)
            subset = subset_of(
                part, system_called(system), n=int(pair.counts.sum()), against=against
            )
            yield SubsetResults(subset, estimates, [])


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
    whole = parts[0]
    people = None if whole.people is None else whole.people.without([rater])
    if people is None or not people.rows.twice.any():
        return
    continuous = people.scale.continuous
    rows = people.distinct().rows
    estimates = panel_estimates(names, rows, settings, whole.label, continuous=continuous)
    n = int(rows.rated().counts.sum())
    subset = subset_of(whole, PEOPLE, n=n, against=without_rater(rater))
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
    kept = [f for f in formulas if not continuous or homes[id(f)] in CONTINUOUS]
    estimates: dict[str, Estimate] = {}
    for kind in dict.fromkeys(homes[id(f)] for f in kept):
        of_kind = [f for f in kept if homes[id(f)] == kind]
        units = joint([panel_units(kind, raters.rows, of_kind) for raters in people])
        here = [averaged(f, over=key) for f in of_kind]
        for estimate in estimate_all(here, units, settings, key=stream_of(f"average:{key}")):
            estimates[estimate.text] = replace(estimate, score="human")
    return [estimates[f.key] for f in kept]


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
        given = np.repeat(scores.patterns.scores[f"system:{system}"][part.rows], times)
        result = alt_test(given, ratings, epsilon=EPSILON, cluster=clusters)
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
