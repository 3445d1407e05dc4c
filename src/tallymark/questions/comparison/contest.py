"""Contest: which systems are compared, by which statistic, and on which responses."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.defaults import MANY
from tallymark.errors import DataError, OptionError
from tallymark.questions.comparison.baselines import baseline_notes
from tallymark.questions.comparison.pairs import heading
from tallymark.questions.comparison.testing import MOST_PAIRS, Test, can_be_permuted
from tallymark.scale import Scale, View
from tallymark.sources import Scores
from tallymark.sources.roles import listed
from tallymark.study.asked import Asked
from tallymark.study.formulas import formulas_for, of_set, usual
from tallymark.study.parts import Part, parts_of

BY = "qwk"
"""Systems are ranked by this statistic unless told otherwise."""
HEADLINE = ("trait", "prompt")
"""Over the first of these that has several values statistics are averaged."""


class Contest(Struct, frozen=True):
    """What is compared: the systems, by which statistic, and on which parts of the data."""

    scores: Scores
    systems: tuple[str, ...]
    by: str
    request: Asked
    parts: tuple[Part, ...]
    over: str
    test: Test = "auto"

    @property
    def many(self) -> bool:
        """Whether pairs are too many for more than the leading statistic."""
        return len(self.systems) * (len(self.systems) - 1) // 2 > MOST_PAIRS

    @property
    def better(self) -> str:
        """Whether higher or lower is better."""
        return BY_NAME[find(self.by).name].better


def contest_of(scores: Scores, request: Asked, by: str, test: Test = "auto") -> Contest:
    """Check what was asked, and keep the responses that every system scored."""
    if len(scores.roles.systems) < 2:
        names = ", ".join(scores.roles.systems) or "none"
        raise OptionError(
            f"a comparison needs two systems or more, got {names}. Name them with --system, or "
            "join tables with --predictions"
        )
    scores = _on_same_responses(scores)
    systems, scale = scores.roles.systems, scores.gold_scale
    by = _ranked_by(by, scale, request.lambda_)
    _check_test(scores, by, test)
    parts = tuple(parts_of(scores, cross=request.cross, lambda_=request.lambda_))
    over = next((key for key in HEADLINE if any(set(p.where) == {key} for p in parts)), "")
    averaged = tuple(p for p in parts if not p.where or set(p.where) == {over})
    if len(systems) > MANY:
        parts = averaged = tuple(replace(part, many=True) for part in averaged)
    many = any(part.many for part in averaged)
    statistics = request.statistics or (of_set("by_part", scale) if many else ())
    if by not in _texts(statistics, scale, request.lambda_):
        request = replace(request, statistics=(*(statistics or usual(scale)), by))
    contest = Contest(scores, systems, by, request, parts, over, test)
    notes = (*scores.facts.notes, *baseline_notes(scores), *_limits(contest))
    return replace(contest, scores=replace(scores, facts=replace(scores.facts, notes=notes)))


def _limits(contest: Contest) -> list[str]:
    """Say what is left out because systems are many."""
    number = len(contest.systems)
    notes = []
    if number > MANY and not contest.request.statistics:
        notes.append(
            f"{number} systems: only the leading statistics were computed, on no single part of "
            "the data; name others with --statistic"
        )
    if contest.many:
        notes.append(
            f"{number * (number - 1) // 2} pairs: all are tested, by {heading(contest.by)} alone; those "
            "with the best system and of neighbours in rank are shown, all are in tables/pairs.csv"
        )
    return notes


def _check_test(scores: Scores, by: str, test: Test) -> None:
    """Refuse an unknown test, and permutations of what cannot be permuted."""
    if test not in get_args(Test):
        raise OptionError(f"--test must be one of {', '.join(get_args(Test))}, got {test!r}")
    if test != "permutation":
        return
    if scores.weighted:
        raise OptionError(
            "--test permutation takes responses for exchangeable, which unequal weights say they "
            "are not; leave out --weight, or ask for --test t"
        )
    if not can_be_permuted(by):
        raise OptionError(
            f"{by} cannot be tested by permutation; rank by qwk, pearson or mae, or ask for --test t"
        )


def _texts(names: Sequence[str], scale: Scale, lambda_: float) -> list[str]:
    return [f.key for f in formulas_for(scale, names, lambda_=lambda_)]


def _ranked_by(by: str, scale: Scale, lambda_: float) -> str:
    """The statistic that systems are ranked by, by its full name."""
    if by == BY:
        view: View = "nominal" if scale.view == "binary" else scale.view
        by = "lin_ccc" if scale.continuous else texts("preferred", view)[0]
    row = BY_NAME[find(by).name]
    if row.better not in ("higher", "lower"):
        raise OptionError(
            f"systems cannot be ranked by {by}: neither high nor low is better; rank by qwk or mae"
        )
    if not set(row.tallies) & {"table", "cells", "moments", "ranks", "errors"}:
        raise OptionError(f"systems cannot be ranked by {by}: it is no statistic of two scores")
    with_parameters = _texts([by], scale, lambda_)
    if not with_parameters:
        raise OptionError(
            f"systems cannot be ranked by {by}: the gold is continuous; rank by lin_ccc or mae"
        )
    return with_parameters[0]


def _on_same_responses(scores: Scores) -> Scores:
    """Keep the responses that every system scored, and count the others by system."""
    patterns, systems = scores.patterns, scores.roles.systems
    scored = np.stack([~np.isnan(patterns.scores[f"system:{name}"]) for name in systems])
    common = np.asarray(scored.all(axis=0) & scores.used)
    lacking = [
        f"{name} {count}" for name in systems if (count := scores.facts.missing.get(name, 0))
    ]
    used = int(patterns.counts[common].sum())
    if not used:
        raise DataError(
            f"no response was scored by all {len(systems)} systems; of {scores.facts.used} used ones "
            f"these lack a score: {listed(lacking)}. Leave a system out"
        )
    lost = scores.facts.used - used
    if not lost:
        return scores
    why = (f"not scored by every system (lacking: {listed(lacking)})", lost)
    facts = replace(scores.facts, used=used, exclusions=(*scores.facts.exclusions, why), missing={})
    return replace(scores, patterns=patterns.where(common), facts=facts)
