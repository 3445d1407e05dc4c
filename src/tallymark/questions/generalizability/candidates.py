"""Candidates by raters by prompts, or by the traits of one prompt: where variance comes from."""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability import generalizability as g
from tallymark.results import Estimate
from tallymark.sources import Scores
from tallymark.study.measured import stream_of
from tallymark.study.parts import People
from tallymark.study.raters_needed import COEFFICIENTS, ONCE, T_INTERVAL
from tallymark.study.units import Rows, summed
from tallymark.tally.crossed import FacetSums


def component(design: str, name: str, facet: str = "prompt") -> Formula:
    """One component; what candidates and raters are crossed with is a prompt or a trait."""
    of = name.replace("_", " x ").replace("prompt", facet)
    return Formula(
        name="variance_component",
        params={"design": design, "of": of},
        value=lambda parts: getattr(parts, name),
        undefined=ONCE,
        **T_INTERVAL,
    )


FEW_CANDIDATES = 10


class _Cube(NamedTuple):
    """Scores of candidates by raters by prompts or traits; are raters the same throughout?"""

    scores: NDArray[np.float64]
    same: bool
    facet: str


def with_prompts(scores: Scores, people: People, settings: Settings) -> list[Estimate]:
    """Components of candidates, raters and prompts, where every candidate answered every prompt.

    Of one prompt, traits take the place of prompts, in the names of what is reported too.
    """
    cube = _cube(scores, people)
    if cube is None:
        return []
    n, raters, prompts = cube.scores.shape
    solve = g.candidates_raters_prompts if cube.same else g.raters_within_prompts
    facets = f"{cube.facet}s"
    design = facets if cube.same else f"raters within {facets}"
    values = FacetSums.rows(cube.scores - cube.scores.mean())
    every = np.arange(n)
    flat = Rows(cube.scores.reshape(n, -1), np.ones_like(every), people.rows.points, every)
    units = summed(flat, values, lambda sums: solve(FacetSums(sums, raters, prompts)))
    names = (
        g.Facets._fields
        if cube.same
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
    whole = single.reshape(candidates.size, prompts.size).all(axis=1)
    kept = np.flatnonzero(whole[candidate])
    if not kept.size:
        return None
    panels = [~np.isnan(rows.scores[kept[prompt[kept] == p]]) for p in range(prompts.size)]
    readers = [np.flatnonzero(panel.all(axis=0)) for panel in panels]
    sizes = {who.size for who in readers}
    same = all(np.array_equal(who, readers[0]) for who in readers)
    distinct = np.unique(np.concatenate(readers)).size == sum(who.size for who in readers)
    fair = len(sizes) == 1 and min(sizes) >= 2 and (same or distinct)
    if not fair or int(whole.sum()) < FEW_CANDIDATES:
        return None
    order = kept[np.lexsort([prompt[kept], candidate[kept]])].reshape(-1, prompts.size)
    cube = np.stack([rows.scores[order[:, p]][:, readers[p]] for p in range(prompts.size)], axis=2)
    return _Cube(cube, same, facet)
