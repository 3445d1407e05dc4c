"""Worst: the responses that a system scores most differently, found again by id or by row."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.diagnosis.influence_of_one import Pairs, with_all, without_one
from tallymark.sources.checks import ExcludedRow
from tallymark.sources.responses import ListedResponse, ListedResponses, sought
from tallymark.sources.tallying import RawTally
from tallymark.tally.patterns import group_rows

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
Named = Literal["ids", "rows"]
"""How responses are listed: by id where there is one, or else also by row."""
LISTED = 200
"""At most this many differences are listed per system."""
ALL_SYSTEMS = 2000
"""At most this many differences are listed of all systems together."""
INFLUENTIAL = 30
"""Also listed: a few responses of this many of the most influential pairs of scores."""
EXAMPLES = 3
TOO_MANY = 100_000
"""Among more distinct responses than this a single one moves nothing."""


Worst = dict[str, tuple[ListedResponse, ...]]


def list_worst(responses: ListedResponses, named: Named) -> tuple[Worst, tuple[ExcludedRow, ...]]:
    """List the responses with the greatest differences of each system, and influential ones.

    Nothing is listed by ids where there are none. Responses that are not used come from the same scan.
    """
    raw, scores, by = responses.raw, responses.scores, responses.by
    systems = [name.partition(":")[2] for name in scores if name.startswith("system:")]
    if not systems or (named == "ids" and by != "id"):
        return {}, responses.find(np.array([], np.intp), 0).excluded
    most = min(LISTED, ALL_SYSTEMS // len(systems))
    usable = np.flatnonzero(raw.usable)
    size = {
        system: np.abs(scores[f"system:{system}"] - scores["gold"]) / responses.width
        for system in systems
    }
    chosen = {system: _chosen(responses, system, size[system], most) for system in systems}
    every = np.unique(np.concatenate([np.concatenate(two) for two in chosen.values()]))
    names, excluded = responses.find(usable[every], LISTED)

    def listed(system: str, which: Whole, few: int, *, far: bool) -> Iterator[ListedResponse]:
        for at in which:
            place = int(usable[at])
            for name in names.get(place, [])[:few]:
                yield ListedResponse(
                    id=name if by == "id" else None,
                    row=int(name) if by == "row" else None,
                    prompt=responses.label("prompt", place),
                    trait=responses.label("trait", place),
                    gold=float(scores["gold"][at]),
                    score=float(scores[f"system:{system}"][at]),
                    size=float(size[system][at]),
                    far=far,
                )

    worst = {
        system: (
            *sorted(listed(system, far, most, far=True), key=_order)[:most],
            *sorted(listed(system, moving, EXAMPLES, far=False), key=_order),
        )
        for system, (far, moving) in chosen.items()
    }
    return worst, excluded


def _chosen(
    responses: ListedResponses, system: str, size: Floats, most: int
) -> tuple[Whole, Whole]:
    """The patterns of the greatest differences of a system, and others that move its statistics most."""
    raw, scores = responses.raw, responses.scores
    columns, counts = _columns(raw), raw.counts[raw.usable]
    far = _ahead(size, columns, counts, most)
    moves = _moves(scores["gold"], scores[f"system:{system}"], counts)
    moving = [_ahead(moved, columns, np.ones(moved.size), INFLUENTIAL) for moved in moves]
    return far, np.setdiff1d(np.concatenate([far[:0], *moving]), far)


def _order(response: ListedResponse) -> tuple[object, ...]:
    """Greatest difference first; then whatever makes the order the same for any order of rows."""
    return (
        -response.size,
        response.prompt or "",
        response.gold,
        response.score,
        response.id or "",
        response.row or 0,
    )


def _columns(raw: RawTally) -> list[NDArray[np.generic]]:
    """What tells usable patterns apart when they are looked for again."""
    keys = [raw.keys[key][raw.usable] for key in ("prompt", "trait") if key in raw.keys]
    return [*keys, *(values[raw.usable] for name, values in raw.scores.items() if sought(name))]


def _ahead(
    strength: Floats, columns: Sequence[NDArray[np.generic]], counts: NDArray[Any], most: int
) -> Whole:
    """Distinct patterns of the greatest strength above 0, until they hold this many responses.

    Equals stand in the order of their scores, which is the same for any order of rows.
    """
    ahead = np.flatnonzero(strength > 0)
    if ahead.size > most:
        limit = np.partition(strength[ahead], -most)[-most]
        ahead = ahead[strength[ahead] >= limit]
    if not ahead.size:
        return ahead
    order, starts = group_rows([-strength[ahead], *(column[ahead] for column in columns)])
    times = np.add.reduceat(counts[ahead][order], starts)
    before = np.cumsum(times) - times
    return ahead[order[starts]][before < most]


def _moves(gold: Floats, score: Floats, counts: NDArray[np.int64]) -> Iterator[Floats]:
    """How far leaving a response of each pattern out moves QWK, and how far the correlation."""
    both = np.flatnonzero(~np.isnan(gold + score))
    if both.size > TOO_MANY:
        return
    pairs = Pairs(gold[both], score[both], counts[both])
    for without, whole in zip(without_one(pairs), with_all(pairs), strict=True):
        moved = np.zeros(gold.size)
        moved[both] = np.nan_to_num(np.abs(without - whole)).round(12)  # equals stay equal
        yield moved
