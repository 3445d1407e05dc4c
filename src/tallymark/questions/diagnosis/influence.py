"""Single responses: those that move QWK and r most, and those with the greatest differences."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tallymark.defaults import FEW
from tallymark.diagnosis.influence_of_one import Handful, Pairs, handful, with_all, without_one
from tallymark.questions.diagnosis.part import (
    ACCEPTED,
    Cell,
    SystemOnPart,
    finding,
    point,
    result_table,
)
from tallymark.results import Finding, ResultTable
from tallymark.scale import Scale
from tallymark.sources.responses import ListedResponse
from tallymark.study.worst import TOO_MANY
from tallymark.tally import PairPatterns, nearest

HANDFUL = 5
SHARE = 0.01
"""A handful is one response in a hundred, at most five, at least one."""
OUTSIDE = 2.0
"""So many standard errors of the other responses."""
MATERIAL = 0.10
"""A smaller change of QWK turns nothing around, unless it crosses .70."""
SHOWN = 10
LISTED = 20


def influential(on_part: SystemOnPart) -> Iterator[Finding]:
    """Yield a finding where a handful of responses carries QWK."""
    n, pairs = on_part.n, _for_qwk(on_part)
    if n < FEW or pairs is None:
        return
    value = with_all(pairs)[0]
    if math.isnan(value):
        return
    size = min(HANDFUL, max(1, int(SHARE * n)))
    handfuls = [handful(pairs, size, upwards=upwards) for upwards in (True, False)]
    handfuls = [few for few in handfuls if few.taken and few.se >= 0]
    if not handfuls:
        return
    strongest = max(handfuls, key=lambda few: abs(few.without - value) / (few.se or 1e-12))
    crossing = [few for few in handfuls if (few.without >= ACCEPTED) != (value >= ACCEPTED)]
    change = abs(strongest.without - value)
    loud = change > OUTSIDE * strongest.se and (strongest in crossing or change >= MATERIAL)
    if loud or crossing:
        yield _carried(on_part, strongest if loud else crossing[0], value, pairs, loud=loud)


def _carried(
    on_part: SystemOnPart, handful: Handful, value: float, pairs: Pairs, *, loud: bool
) -> Finding:
    """What QWK would be without these responses, and which pairs of scores they have."""
    numbers = {
        "value": value,
        "without": handful.without,
        "se": handful.se,
        "responses": float(len(handful.taken)),
    }
    distinct = list(dict.fromkeys((pairs.first[i], pairs.second[i]) for i in handful.taken))
    scale = on_part.part.scores.gold_scale
    gold, system = (", ".join(point(scale, pair[side]) for pair in distinct) for side in (0, 1))
    texts = {"gold": gold, "system": system}
    return finding(on_part, "influential", numbers, texts=texts, loud=loud)


def influence_table(on_part: SystemOnPart) -> ResultTable | None:
    """The responses whose removal moves QWK and the correlation most."""
    if on_part.rows.counts.size > TOO_MANY:
        return None
    trimmed, rounded = _pairs(on_part)
    qwk, r = without_one(rounded)[0], without_one(trimmed)[1]
    all_qwk, all_r = with_all(rounded)[0], with_all(trimmed)[1]
    size = np.fmax(np.abs(qwk - all_qwk), np.abs(r - all_r))
    size = np.nan_to_num(size).round(12)
    first, second, counts = trimmed
    order = np.lexsort((second, first, -size))[:SHOWN]
    ids, called = _ids(on_part), on_part.part.scores.gold_scale.called
    rows: list[tuple[Cell, ...]] = []
    for i in (i for i in order if size[i] > 0):
        pair = float(first[i]), float(second[i])
        changes = (float(qwk[i]), float(qwk[i]) - all_qwk, float(r[i]), float(r[i]) - all_r)
        rows.append((ids.get(pair), *map(called, pair), int(counts[i]), *changes))
    columns = (
        *("id", "gold", "system", "responses", "qwk_without", "qwk_change"),
        *("r_without", "r_change"),
    )
    title = "Responses whose removal moves QWK and r most"
    note = "One response of each pair of scores is left out; the column of responses counts those that have the pair."
    return result_table("influential", title, columns, rows, note)


def largest_disagreements(listed: Sequence[ListedResponse], scale: Scale) -> ResultTable | None:
    """The responses with the greatest differences, where their ids are known."""
    largest = [response for response in listed if response.id is not None and response.far]
    rows = [
        (
            response.id,
            response.prompt,
            response.trait,
            scale.called(response.gold),
            scale.called(response.score),
            response.score - response.gold,
        )
        for response in largest[:LISTED]
    ]
    if not rows:
        return None
    columns = ("id", "prompt", "trait", "gold", "system", "difference")
    title = "Responses with the greatest differences"
    return result_table("largest_disagreements", title, columns, rows)


def _pairs(on_part: SystemOnPart) -> tuple[Pairs, Pairs]:
    """Distinct pairs of scores as they stand, and those whose concordance is QWK, on points if any."""
    patterns = PairPatterns.of(
        on_part.rows.scores[:, 0], on_part.rows.scores[:, 1], on_part.rows.counts
    )
    counts = patterns.counts.astype(np.int64)
    trimmed = Pairs(patterns.first, patterns.second, counts)
    if on_part.table is None:
        return trimmed, trimmed
    points = on_part.rows.points
    first, second = (
        points[nearest(values, points)] for values in (patterns.first, patterns.second)
    )
    return trimmed, Pairs(first, second, counts)


def _for_qwk(on_part: SystemOnPart) -> Pairs | None:
    """The distinct pairs of scores whose concordance is QWK; None where they are too many."""
    if on_part.table is not None:
        i, j = np.nonzero(on_part.table.counts)
        points = on_part.table.points
        return Pairs(points[i], points[j], on_part.table.counts[i, j].astype(np.int64))
    return None if on_part.rows.counts.size > TOO_MANY else _pairs(on_part)[0]


def _ids(on_part: SystemOnPart) -> dict[tuple[float, float], str]:
    """The ids of a pair of scores, the first few of them."""
    prompt = on_part.part.where.get("prompt")
    ids_of: dict[tuple[float, float], list[str]] = {}
    for response in on_part.part.scores.worst.get(on_part.system, ()):
        if response.id is not None and prompt in (None, response.prompt):
            ids_of.setdefault((response.gold, response.score), []).append(response.id)
    return {pair: ", ".join(ids[:3]) for pair, ids in ids_of.items()}
