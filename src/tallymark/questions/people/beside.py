"""Beside people: does a system agree with people as people agree with each other?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.defaults import FEW, MANY_RATERS
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.formula import Joint
from tallymark.results import (
    AMONG_PEOPLE,
    OTHERS,
    Estimate,
    Subset,
    split_key,
    system_called,
)
from tallymark.scale import Scale
from tallymark.study.average import averaged, joint
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, home, stream_of, subset_id, subset_of
from tallymark.study.pairings import Pairing, pairs_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
Contrast = tuple[list[Pairing], list[Pairing]]
"""Pairings of the system with people, and of people with people, on the same responses."""


def compared_with_people(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Does the system agree with people as people agree with each other, on the same responses?

    First against single raters: of every two raters who share responses, their agreement with
    each other and the system's with each of them, on just these responses. Then, with three raters
    or more, left out in turn: system and rater each against the mean of the other raters.
    """
    joined = _joined(system, part)
    if joined is None:
        return
    rows, raters, scale, pooled = joined
    formulas = formulas_for(scale, texts("compared"), lambda_=part.lambda_)
    formulas = [f for f in formulas if home(f) in ("table", "moments")]
    subset = subset_of(part, system_called(system), n=int(rows.counts.sum()), against=AMONG_PEOPLE)
    pairings = _single(raters, both_ways=pooled)
    pairings = _pooled(pairings) if pooled else pairings
    more = [_disattenuated(len(pairings[0]))]
    estimates = _contrasted(formulas, rows, pairings, settings, part.label, more=more)
    yield SubsetResults(subset, estimates, [])
    wide = _beside_others(rows, raters)
    if not wide.counts.size:
        return
    pairings = _pooled(_left_out(raters)) if pooled else _left_out(raters)
    moments = [f for f in formulas if home(f) == "moments"]
    subset = subset_of(part, system_called(system), n=int(wide.counts.sum()), against=OTHERS)
    yield SubsetResults(subset, _contrasted(moments, wide, pairings, settings, part.label), [])


def averaged_beside_people(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """The mean over prompts of the same, where prompts are on scales of their own.

    All responses together have no one scale then; every prompt must have responses rated twice.
    """
    over = [part for part in parts if set(part.where) == {"prompt"}]
    if parts[0].scales is not None or any(part.many for part in over):
        return
    joined = [_joined(system, part) for part in over]
    prompts = [prompt for prompt in joined if prompt is not None]
    if len(prompts) < 2 or len(prompts) < len(over):
        return
    pairings = [_single(prompt.raters, both_ways=prompt.pooled) for prompt in prompts]
    pairings = [
        _pooled(p) if prompt.pooled else p for p, prompt in zip(pairings, prompts, strict=True)
    ]
    scale = next((prompt.scale for prompt in prompts if prompt.scale.continuous), prompts[0].scale)
    alike = len({part.lambda_ for part in over}) == 1
    names = [name for name in texts("compared") if alike or name != "csrate"]
    estimates: list[Estimate] = []
    for formula in formulas_for(scale, names, lambda_=over[0].lambda_):
        kind = home(formula)
        if kind not in ("table", "moments"):
            continue
        every = zip(prompts, pairings, strict=True)
        units = joint(
            [pairs_of(kind, prompt.rows, [*p[0], *p[1]], [formula]) for prompt, p in every]
        )
        each = zip(*(_contrasts(formula, len(system_)) for system_, _ in pairings), strict=True)
        here = [_mean(of_prompts) for of_prompts in each]
        averages = estimate_all(here, units, settings, key=stream_of("average:prompt"))
        estimates += [replace(estimate, score=_score(estimate)) for estimate in averages]
    n = sum(int(prompt.rows.counts.sum()) for prompt in prompts)
    subject, label = system_called(system), "average:prompt"
    identity = subset_id(subject, AMONG_PEOPLE, label)
    subset = Subset(id=identity, subject=subject, against=AMONG_PEOPLE, average="prompt", n=n)
    yield SubsetResults(subset, estimates, [])


def _mean(of_prompts: Sequence[Formula]) -> Formula:
    """The mean of one formula a prompt; the number of raters may differ between prompts."""
    joint = Joint(of_prompts, lambda values: values.mean(axis=-1))
    return replace(averaged(of_prompts[0], over="prompt"), value=joint.value, joint=joint)


def _single(raters: int, *, both_ways: bool) -> Contrast:
    """The system, in the column after the raters, and one rater, each against another rater."""
    pairs = list(permutations(range(raters), 2))
    system: list[Pairing] = [[(first, raters, second)] for first, second in pairs]
    once = [(first, second) for first, second in pairs if first < second or both_ways]
    return system, [[(first, second, raters)] for first, second in once]


def _left_out(raters: int) -> Contrast:
    """System and rater, each against the mean of the others, which has a column of its own."""
    others = [(rater, raters + 1 + rater) for rater in range(raters)]
    system: list[Pairing] = [[(mean, raters, rater)] for rater, mean in others]
    return system, [[(mean, rater, raters)] for rater, mean in others]


def _pooled(contrast: Contrast) -> Contrast:
    """One tally of all raters in place of one for each: who they are does not matter."""
    system, people = contrast
    return [list(chain(*system))], [list(chain(*people))]


def _beside_others(rows: Rows, raters: int) -> Rows:
    """Add for each rater the mean of the others, on responses with three ratings or more."""
    rows = rows.where((~np.isnan(rows.scores[:, :raters])).sum(axis=1) >= 3)
    ratings = rows.scores[:, :raters]
    given = ~np.isnan(ratings)
    total, number = np.nansum(ratings, axis=1, keepdims=True), given.sum(axis=1, keepdims=True)
    others = np.where(given, (total - ratings) / np.maximum(number - 1, 1), np.nan)
    return replace(rows, scores=np.concatenate([rows.scores, others], axis=1))


def _contrasted(
    formulas: Sequence[Formula],
    rows: Rows,
    contrast: Contrast,
    settings: Settings,
    label: str,
    *,
    more: Sequence[Formula] = (),
) -> list[Estimate]:
    """Estimate means over two sets of pairings, and their difference, with the same resamples.

    ``more`` are further formulas of the moments of all pairings.
    """
    estimates: list[Estimate] = []
    system, people = contrast
    for kind in dict.fromkeys(map(home, formulas)):
        of_kind = [f for f in formulas if home(f) == kind]
        units = pairs_of(kind, rows, [*system, *people], of_kind)
        here = [d for f in of_kind for d in _contrasts(f, len(system))]
        here += more if kind == "moments" else []
        contrasted = estimate_all(here, units, settings, key=stream_of(label))
        estimates += [replace(estimate, score=_score(estimate)) for estimate in contrasted]
    return estimates


def _disattenuated(first: int) -> Formula:
    """The correlation with raters who made no errors, on the responses rated twice."""
    system, people, _ = _contrasts(find("pearson"), first)

    def value(moments: Any) -> Floats:
        among = people.value(moments)
        known = np.real(among) > 0
        root = np.sqrt(np.where(known, among, 1.0))
        return np.asarray(np.where(known, system.value(moments) / root, np.nan))

    return Formula(
        name="disattenuated_r", value=value, undefined="people do not agree beyond chance"
    )


class Joined(NamedTuple):
    """Ratings and, in the last column, the system's scores, where two people and it scored."""

    rows: Rows
    raters: int
    scale: Scale
    pooled: bool


def _joined(system: str, part: Part) -> Joined | None:
    """Bring ratings and the system's scores together.

    A pool of raters, of whom some share few responses, is taken as one: its ratings count, not
    who gave them. Adjudicators are left out: beside raters chosen for their disagreement any
    system looks good.
    """
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return None
    people = people.without_adjudicators()
    given = part.scores.patterns.scores[f"system:{system}"][part.rows]
    rows = people.rows.where(people.rows.twice & ~np.isnan(given))
    if not rows.counts.size:
        return None
    given = given[people.rows.twice & ~np.isnan(given)]
    rows = rows.without_silent()
    shared = (~np.isnan(rows.scores)).astype(np.float64)
    common = (shared * rows.counts[:, None]).T @ shared
    enough = common.min() >= min(FEW, rows.counts.sum())
    pooled = not enough or rows.scores.shape[1] > MANY_RATERS
    ratings = rows.unnamed().scores if pooled else rows.scores
    rows = replace(rows, scores=np.concatenate([ratings, given[:, None]], axis=1))
    rows = rows.distinct() if pooled else rows  # told by rater they are distinct
    return Joined(rows, ratings.shape[1], scales[0], pooled)


def _contrasts(formula: Formula, first: int) -> Iterator[Formula]:
    """The mean over the first pairs, over the others, and the difference of the two."""

    def among(start: int | None, stop: int | None) -> Any:
        def value(pairs: Any) -> Floats:
            each, n = formula.value(pairs)[..., start:stop], np.real(pairs.n[..., start:stop])
            shared = n > 0
            with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
                return np.asarray(np.where(shared, each, 0).sum(axis=-1) / shared.sum(axis=-1))

        return value

    system, people = among(None, first), among(first, None)
    text = formula.key
    plain = replace(
        formula,
        interval="abc",
        linear=None,
        influence=None,
        parts=None,
        closed_form=None,
        analytic="normal",
        ddof=0,
        params={"of": text},
    )
    yield replace(plain, name="human_system", value=system)
    yield replace(plain, name="human_human", value=people)
    least, most = formula.range
    yield replace(
        plain,
        name="degradation",
        value=lambda t: system(t) - people(t),
        range=(least - most, most - least),
    )


def _score(estimate: Estimate) -> str:
    if "of" not in estimate.params:
        return "trimmed"
    return BY_NAME[split_key(str(estimate.params["of"]))[0]].score
