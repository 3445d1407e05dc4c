"""Runs: what the score of a system is that scored every response several times.

By ``first``, ``mean`` and ``majority`` each response has one score. By ``each`` every run is a
system, and a number is the mean over runs.
"""

from collections.abc import Sequence
from math import isnan, nan

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.errors import OptionError
from tallymark.results import Estimate
from tallymark.sources import Scores
from tallymark.study.measured import SubsetResults
from tallymark.study.shared import RunsRule
from tallymark.tally import Patterns

P_VALUES = ("p", "p_adjusted", "p_holm")


def with_rule(scores: Scores, rule: RunsRule) -> Scores:
    """The scores with one score by each repeated system, and a note that says which.

    By ``each`` it is that of the first run, and :func:`scores_by_run` has the others. A system
    whose own column is none of its runs keeps it then.
    """
    if rule == "mean" and scores.gold_scale.nominal and scores.roles.repeats:
        raise OptionError("--runs mean needs scores in an order; take each, first or majority")
    for system, columns in scores.roles.repeats.items():
        if rule == "each" and system not in columns:
            scores = _noted(scores, _OWN.format(system=system, runs=len(columns)))
            continue
        runs = [scores.patterns.scores[name] for name in _names(scores, system)]
        made = {"mean": _mean, "majority": _majority}.get(rule, _first)(np.array(runs))
        scores = _scored(scores, system, made)
        words = _WORDS[rule].format(system=system, runs=len(columns), first=columns[0])
        scores = _noted(scores, words)
    return scores


_OWN = "{system}: its own column is scored; its {runs} runs show how steady it is"
_WORDS = {
    "each": "{system} ran {runs} times: each number is the mean over its runs (--runs each); tables, "
    "curves and findings show run 1 ({first})",
    "first": "{system} ran {runs} times: its scores are those of run 1, {first} (--runs first)",
    "mean": "{system}: mean of {runs} runs (--runs mean), which is another system than one run",
    "majority": "{system}: majority of {runs} runs, where they tie the earliest of the tied (--runs "
    "majority), which is another system than one run",
}


def scores_by_run(scores: Scores, system: str, rule: RunsRule) -> list[Scores]:
    """The scores with each run of a system in its place; none where it has one score.

    How sure the system was belongs to the run in its own column.
    """
    roles = scores.roles
    columns = roles.repeats.get(system, ())
    if rule != "each" or system not in columns:
        return []
    confidences = {name: of for name, of in roles.confidences.items() if name != system}
    probabilities = {name: of for name, of in roles.probabilities.items() if name != system}
    unsure = replace(roles, confidences=confidences, probabilities=probabilities)
    runs = zip(columns, _names(scores, system), strict=True)
    made = (
        (column, _scored(scores, system, scores.patterns.scores[name])) for column, name in runs
    )
    return [run if column == system else replace(run, roles=unsure) for column, run in made]


def _names(scores: Scores, system: str) -> list[str]:
    return scores.roles.scores_of("--repeat", system)


def _noted(scores: Scores, words: str) -> Scores:
    facts = replace(scores.facts, notes=(*scores.facts.notes, words))
    return replace(scores, facts=facts)


def _scored(scores: Scores, system: str, values: Floats) -> Scores:
    """The scores with these of a system; those as they were before trimming go."""
    name, patterns = f"system:{system}", scores.patterns
    if np.array_equal(patterns.scores[name], values, equal_nan=True):
        return scores
    kept = {key: v for key, v in patterns.scores.items() if key != f"raw:{system}"}
    lacking = int(patterns.counts[np.isnan(values) & scores.used].sum())
    facts = replace(scores.facts, missing={**scores.facts.missing, system: lacking})
    worst = {key: rows for key, rows in scores.worst.items() if key != system}
    made = replace(patterns, scores={**kept, name: values})
    return replace(scores, patterns=made, facts=facts, worst=worst)


def _first(runs: Floats) -> Floats:
    return np.asarray(runs[0])


def _mean(runs: Floats) -> Floats:
    """The mean of the runs that have a score."""
    given = ~np.isnan(runs)
    number = given.sum(axis=0)
    mean = np.where(given, runs, 0.0).sum(axis=0) / np.maximum(number, 1)
    return np.asarray(np.where(number > 0, mean, nan))


def _majority(runs: Floats) -> Floats:
    """The score that most runs give; of several the one that was given first."""
    votes = (runs[:, None] == runs[None]).sum(axis=1)
    best = np.argmax(np.where(np.isnan(runs), -1, votes), axis=0)
    return np.asarray(np.take_along_axis(runs, best[None], axis=0)[0])


def by_response(scores: Scores) -> Scores:
    """The scores with a row for each response, which is a cluster unless it belongs to one."""
    patterns = scores.patterns
    row = np.repeat(np.arange(patterns.counts.size), patterns.counts)
    keys = {name: codes[row] for name, codes in patterns.keys.items()}
    keys.setdefault("cluster", np.arange(row.size))
    each = {name: values[row] for name, values in patterns.scores.items()}
    ones = np.ones(row.size, np.int64)
    labels = {"cluster": (), **patterns.labels}
    return replace(scores, patterns=Patterns(each, ones, keys, labels))


def means_over_runs(runs: Sequence[Sequence[SubsetResults]]) -> list[SubsetResults]:
    """The means over runs of what was found of each; numbers that all runs share stay as they are.

    The ends are means over runs too. The standard error of a mean is at most the mean of the standard
    errors, which it is where all runs move together: intervals are a little wide.
    """
    found = [{made.subset.id: made for made in results} for results in runs]
    means = []
    for place, first in found[0].items():
        alike = [of_run[place] for of_run in found if place in of_run]
        known = [{e.text: e for e in made.estimates} for made in alike]
        estimates = [
            _mean_estimate([of[e.text] for of in known if e.text in of]) for e in first.estimates
        ]
        n = max(made.subset.n for made in alike)
        means.append(first._replace(subset=replace(first.subset, n=n), estimates=estimates))
    return means


def _mean_estimate(each: Sequence[Estimate]) -> Estimate:
    """The mean of one number over the runs that have it; of p-values the largest counts."""
    first, runs = each[0], len(each)
    facts = [(e.value, e.low, e.high, e.se, e.n, e.why) for e in each]
    if len({repr(fact) for fact in facts}) == 1:
        return first
    lost = [e for e in each if isnan(e.value)]
    if lost:
        why = f"undefined in {len(lost)} of {runs} runs: {lost[0].why}"
        return replace(
            first, value=nan, se=nan, low=nan, high=nan, se_analytic=nan, parts={}, why=why
        )
    numbers = np.array([(e.value, e.se, e.low, e.high, e.se_analytic) for e in each])
    value, se, low, high, analytic = numbers.mean(axis=0).tolist()
    parts = {
        name: float((max if name in P_VALUES else np.mean)([e.parts[name] for e in each]))
        for name in first.parts
        if all(name in e.parts for e in each)
    }
    why = next((e.why for e in each if isnan(e.low) and e.why), first.why)
    return replace(
        first, value=value, se=se, low=low, high=high, se_analytic=analytic, parts=parts, why=why,
        n=max(e.n for e in each), method=f"mean over {runs} runs: {first.method}",
    )  # fmt: skip
