"""Single responses: those that move QWK and r most, and those with the greatest differences."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.defaults import FEW
from tallymark.diagnosis.influence_of_one import Handful, Pairs, handful, with_all, without_one
from tallymark.questions.diagnosis.part import ACCEPTED, Here, finding, point, table_of
from tallymark.results import Finding, ResultTable
from tallymark.scale import Scale
from tallymark.sources.responses import ListedResponse
from tallymark.study.worst import TOO_MANY
from tallymark.tally import PairPatterns, nearest

Floats = NDArray[np.float64]
HANDFUL = 5
SHARE = 0.01
"""A handful is one response in a hundred, at most five, at least one."""
FEWEST = FEW
OUTSIDE = 2.0
"""So many standard errors of the other responses."""
MATERIAL = 0.10
"""A smaller change of QWK turns nothing around, unless it crosses .70."""
SHOWN = 10
LISTED = 20


class _Scored(NamedTuple):
    """Distinct pairs of scores; ``rounded`` are those whose concordance is QWK."""

    trimmed: Pairs
    rounded: Pairs


def influential(here: Here) -> Iterator[Finding]:
    """Yield a finding where a handful of responses carries QWK."""
    n, pairs = here.n, _for_qwk(here)
    if n < FEWEST or pairs is None:
        return
    value = with_all(pairs)[0]
    if math.isnan(value):
        return
    size = min(HANDFUL, max(1, int(SHARE * n)))
    both = [handful(pairs, size, upwards=upwards) for upwards in (True, False)]
    moved = [handful for handful in both if handful.taken and handful.se >= 0]
    if not moved:
        return
    most = max(moved, key=lambda handful: abs(handful.without - value) / (handful.se or 1e-12))
    sides = [handful for handful in moved if (handful.without >= ACCEPTED) != (value >= ACCEPTED)]
    change = abs(most.without - value)
    far = change > OUTSIDE * most.se and (most in sides or change >= MATERIAL)
    if far or sides:
        yield _moved(here, most if far else sides[0], value, pairs, loud=far)


def _moved(here: Here, handful: Handful, value: float, pairs: Pairs, *, loud: bool) -> Finding:
    """What QWK would be without these responses, and which pairs of scores they have."""
    numbers = {
        "value": value,
        "without": handful.without,
        "se": handful.se,
        "responses": float(len(handful.taken)),
    }
    distinct = list(dict.fromkeys((pairs.first[i], pairs.second[i]) for i in handful.taken))
    scale = here.part.scores.gold_scale
    gold, given = (", ".join(point(scale, pair[who]) for pair in distinct) for who in (0, 1))
    return finding(here, "influential", numbers, texts={"gold": gold, "system": given}, loud=loud)


def influence_table(here: Here) -> ResultTable | None:
    """The responses whose removal moves QWK and the correlation most."""
    if here.rows.counts.size > TOO_MANY:
        return None
    scored = _scored(here)
    qwk, r = without_one(scored.rounded)[0], without_one(scored.trimmed)[1]
    all_qwk, all_r = with_all(scored.rounded)[0], with_all(scored.trimmed)[1]
    size = np.fmax(np.abs(qwk - all_qwk), np.abs(r - all_r))
    size = np.nan_to_num(size).round(12)
    first, second, counts = scored.trimmed
    order = np.lexsort((second, first, -size))[:SHOWN]
    names, called = _names(here), here.part.scores.gold_scale.called
    rows = [
        (
            names.get((float(first[i]), float(second[i]))), called(float(first[i])), called(float(second[i])),
            int(counts[i]), float(qwk[i]), float(qwk[i]) - all_qwk, float(r[i]), float(r[i]) - all_r,
        )
        for i in order
        if size[i] > 0
    ]  # fmt: skip
    columns = (
        *("id", "gold", "system", "responses", "qwk_without", "qwk_change"),
        *("r_without", "r_change"),
    )
    title = "Responses whose removal moves QWK and r most"
    note = "One response of each pair of scores is left out; the column of responses counts those that have the pair."
    return table_of("influential", title, columns, rows, note)


def largest_disagreements(listed: Sequence[ListedResponse], scale: Scale) -> ResultTable | None:
    """The responses with the greatest differences, where their ids are known."""
    known = [response for response in listed if response.id is not None and response.far][:LISTED]
    rows = [
        (
            response.id,
            response.prompt,
            response.trait,
            scale.called(response.gold),
            scale.called(response.score),
            response.score - response.gold,
        )
        for response in known
    ]
    if not rows:
        return None
    columns = ("id", "prompt", "trait", "gold", "system", "difference")
    title = "Responses with the greatest differences"
    return table_of("largest_disagreements", title, columns, rows)


def _scored(here: Here) -> _Scored:
    """Pairs of scores as they stand, and on the points of the scale where it has any."""
    patterns = PairPatterns.of(here.rows.scores[:, 0], here.rows.scores[:, 1], here.rows.counts)
    counts = patterns.counts.astype(np.int64)
    trimmed = Pairs(patterns.first, patterns.second, counts)
    if here.table is None:
        return _Scored(trimmed, trimmed)
    points = here.rows.points
    first, second = (
        points[nearest(values, points)] for values in (patterns.first, patterns.second)
    )
    return _Scored(trimmed, Pairs(first, second, counts))


def _for_qwk(here: Here) -> Pairs | None:
    """The distinct pairs of scores whose concordance is QWK; None where they are too many."""
    if here.table is not None:
        i, j = np.nonzero(here.table.counts)
        points = here.table.points
        return Pairs(points[i], points[j], here.table.counts[i, j].astype(np.int64))
    return None if here.rows.counts.size > TOO_MANY else _scored(here).trimmed


def _names(here: Here) -> dict[tuple[float, float], str]:
    """The ids of a pair of scores, the first few of them."""
    prompt = here.part.where.get("prompt")
    ids_of: dict[tuple[float, float], list[str]] = {}
    for response in here.part.scores.worst.get(here.system, ()):
        if response.id is not None and prompt in (None, response.prompt):
            ids_of.setdefault((response.gold, response.score), []).append(response.id)
    return {pair: ", ".join(ids[:3]) for pair, ids in ids_of.items()}
