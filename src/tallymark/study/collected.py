"""Collected: what was found on every subset becomes one Evaluation."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict, replace

from tallymark.catalogue import BY_NAME, definitions_of, level_of, range_of
from tallymark.defaults import MANY
from tallymark.inference import Settings
from tallymark.inference.interval import Interval, bounded
from tallymark.results import Data, Estimate, Evaluation, Finding, Subset
from tallymark.scale import View
from tallymark.sources import Scores
from tallymark.sources.advising import PROMPTS_APART
from tallymark.sources.facts import MadeGold
from tallymark.sources.resolution import MEANS
from tallymark.sources.roles import listed, natural
from tallymark.study.asked import Asked
from tallymark.study.measured import SubsetResults
from tallymark.study.parts import FACETS

ALWAYS = ("statistics", "cross")
"""What was asked is in the record when it was; these also when it was not."""
NAMED_RATERS = 12
"""So many raters are named with the number of golds that come from them."""
LEFT_OUT = {
    "evaluate": "variance components, severity, diagnosis, other scales, recalibration, confidence, "
    "F tests of groups",
    "raters": "variance components, severity",
    "ceiling": "ceilings by other models, F-based limits, limits for raters like these",
    "whatif": "other rules of resolution, the table to move on the page",
    "compare": "permutation tests (paired t tests stand in), the confidence table",
}
"""By command."""


def collected(
    scores: Scores,
    settings: Settings,
    asked: Asked,
    results: Sequence[SubsetResults],
    *,
    kind: str = "evaluate",
    findings: Sequence[Finding] = (),
) -> Evaluation:
    """Put what was found into one record, with its definitions and the facts about the data."""
    estimates = [
        replace(_of_near(_in_range(e), scores.facts.near), subset=i)
        for i, f in enumerate(results)
        for e in f.estimates
    ]
    if scores.gold_scale.nominal and kind != "route":  # where an error is any disagreement
        estimates = [e for e in estimates if level_of(e.text) == "nominal"]
    return Evaluation(
        kind=kind,
        options=_options(scores, settings, asked),
        data=_data(
            scores, many=[*unweighted_notes(scores, asked, kind), *_many(results, asked, kind)]
        ),
        definitions=definitions_of(estimates),
        subsets=_numbered_ids(results),
        estimates=tuple(estimates),
        matrices=tuple(replace(m, subset=i) for i, f in enumerate(results) for m in f.matrices),
        curves=tuple(replace(c, subset=i) for i, f in enumerate(results) for c in f.curves),
        tables=tuple(replace(t, subset=i) for i, f in enumerate(results) for t in f.tables),
        findings=(
            *findings,
            *(replace(d, subset=i) for i, f in enumerate(results) for d in f.findings),
        ),
    )


def _of_near(estimate: Estimate, near: str) -> Estimate:
    """The estimate, which says where scores that stand together have no ranks of their own."""
    ranks = estimate.name in BY_NAME and BY_NAME[estimate.name].tallies == ("ranks",)
    if not (near and ranks):
        return estimate
    return replace(estimate, method=f"{estimate.method}, of scores told within {near}")


def _in_range(estimate: Estimate) -> Estimate:
    """The estimate with ends that are possible; questions make formulas that know no range."""
    ends = Interval(estimate.low, estimate.high)
    low, high = bounded(estimate.value, ends, range_of(estimate.key))
    return estimate if (low, high) == ends else replace(estimate, low=low, high=high)


def _options(scores: Scores, settings: Settings, asked: Asked) -> dict[str, Any]:
    roles = {key: value for key, value in asdict(scores.roles).items() if value}
    given = {key: value for key, value in asdict(asked).items() if key in ALWAYS or value}
    if not scores.roles.repeats:
        given.pop("runs")
    return {
        **roles,
        "resolve": scores.resolve,
        **scores.options,
        **{key.rstrip("_"): _listed(value) for key, value in given.items()},
        **asdict(settings),
    }


def _numbered_ids(results: Sequence[SubsetResults]) -> tuple[Subset, ...]:
    """The subsets; where two have one id, for users' names may be our words, a number follows."""
    seen: Counter[str] = Counter()
    subsets = []
    for result in results:
        seen[result.subset.id] += 1
        number = seen[result.subset.id]
        subsets.append(
            result.subset
            if number == 1
            else replace(result.subset, id=f"{result.subset.id}#{number}")
        )
    return tuple(subsets)


_MEANS = ". Numbers of people are means over them; what these numbers hide is of all responses"


def _many(results: Sequence[SubsetResults], asked: Asked, kind: str) -> list[str]:
    """Say where only the leading statistics were computed, and what is given otherwise there."""
    if asked.statistics:  # they were named, and computed everywhere
        return []
    first = [(f.subset.subject, f.subset.against) for f in results][:1]
    same = [f.subset for f in results if (f.subset.subject, f.subset.against) in first]
    counts = Counter(subset.column for subset in same)
    whole = kind == "evaluate"
    return [
        f"{count} values of {column}: each has the leading statistics alone; --statistic adds others"
        f"{_MEANS if whole and column in FACETS else ''}"
        for column, count in counts.items()
        if column and count > MANY
    ]


def _data(scores: Scores, *, many: Sequence[str]) -> Data:
    facts = scores.facts
    return Data(
        read=facts.read,
        used=facts.used,
        exclusions=facts.exclusions,
        scale=str(scores.rater_scale),
        scale_inferred=scores.rater_scale.inferred,
        gold=_gold(scores),
        gold_raters=_gold_raters(scores),
        gold_scale=str(scores.gold_scale),
        view=view_of(scores),
        guesses=facts.guesses,
        weights=facts.weights,
        notes=(*facts.notes, *_notes(scores), *many),
        hash=facts.hash,
    )


def view_of(scores: Scores) -> View:
    """What the scores are, where they are the same in every prompt."""
    views = {scores.gold_scale.view, *(gold.view for _, gold in scores.scales.values())}
    return views.pop() if len(views) == 1 else "ordinal"


def _gold(scores: Scores) -> str:
    if scores.resolve == "none":
        return "none: people alone"
    if scores.resolve == "column":
        return f"column {scores.roles.gold}"
    made = {gold.prompt: _made(gold, scores.humans) for gold in scores.facts.golds}
    if len(set(made.values())) == 1:
        return next(iter(made.values()))
    return "; ".join(text if p is None else f"prompt {p}: {text}" for p, text in made.items())


def _gold_raters(scores: Scores) -> tuple[tuple[str, int], ...]:
    """From whom the golds come that are one rating, in the order of the raters."""
    if scores.resolve in ("none", "column"):
        return ()
    times = Counter[str]()
    for gold in scores.facts.golds:
        times.update(dict(gold.first))
    return tuple((name, times[name]) for name in scores.humans if times[name])


def _from_whom(given: Sequence[tuple[str, int]]) -> str:
    """How many golds come from which rater; those of the last of many raters are added up."""
    named = given if len(given) <= NAMED_RATERS else given[: NAMED_RATERS - 1]
    rest = given[len(named) :]
    (first, number), *others = named
    texts = [f"{first} {number:,} responses", *(f"{name} {count:,}" for name, count in others)]
    if rest:
        texts.append(f"{len(rest)} other raters {sum(count for _, count in rest):,}")
    return ", ".join(texts)


def _made(gold: MadeGold, humans: Sequence[str]) -> str:
    """How the gold of a setting was made, and of what where that is not the same everywhere."""
    (fewest, most), rule = gold.ratings, gold.rule
    if rule == "first" and len(gold.first) > 1:
        return f"first rating present: {_from_whom(gold.first)}"
    if rule == "first":
        return f"first rating: {gold.first[0][0] if gold.first else humans[0]}"
    name = rule.replace("-", " ")
    if rule in MEANS and fewest < most:
        return f"{name} of the ratings present, {fewest} to {most} a response"
    if rule != "adjudicated" and most < len(humans):
        return f"{name} of the {most} ratings of a response"
    return f"{name} of {', '.join(humans)}"


def _notes(scores: Scores) -> list[str]:
    notes = [
        f"{system}: {count} used responses have no score by it"
        for system, count in scores.facts.missing.items()
        if count
    ]
    apart = any(note.startswith(PROMPTS_APART) for note in scores.facts.notes)
    if scores.rater_scale.inferred and not (scores.rater_scale.continuous or apart):
        notes.append("declare --scale: Gwet's AC and Brennan-Prediger depend on its points")
    scales = {p: scores.scales[p][0] for p in sorted(scores.scales, key=natural)}
    if any(scale != scores.rater_scale for scale in scales.values()):
        named = [f"{p} {scale}" for p, scale in scales.items()]
        notes.append(f"prompts on scales of their own: {listed(named)}")
    if scores.gold_scale.nominal:
        notes.append(
            "the labels have no order: weighted kappas, correlations, errors in points, ceilings, "
            "true scores and severity are left out"
        )
    if scores.gold_scale.continuous:
        whose = "the scores are" if scores.resolve == "none" else "the gold is"
        notes.append(
            f"{whose} continuous: statistics of score points are left out; CCC is the "
            "quadratic weighted kappa of such scores"
        )
    return notes


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def unweighted_notes(scores: Scores, asked: Asked, kind: str) -> list[str]:
    """Say what does not use weights; nothing where there are none."""
    if not scores.weighted:
        return []
    alone = kind == "evaluate" and asked.statistics
    left = "" if alone or kind not in LEFT_OUT else f"weights: left out: {LEFT_OUT[kind]}. "
    return [f"{left}Numbers of responses, also in matrices, are not weighted"]
