"""Given: who gave which rating, whatever the shape of the table."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError
from tallymark.sources.facts import MadeGold, Scores
from tallymark.sources.resolution import place_of, present
from tallymark.sources.roles import Roles, natural
from tallymark.sources.scoring import SettingPart
from tallymark.sources.tallying import RawTally

SLOT = "slot:"
SECOND = "second"
"""The score that is the second rating present, beside a gold that is the first."""

MOST_RATERS = 1000
"""More raters than this are refused: what is kept by rater grows with the cube of their number."""


def by_rater(
    raw: RawTally, humans: Sequence[str], scores: dict[str, Floats], *, name: str
) -> tuple[tuple[str, ...], list[str]]:
    """Turn slots that name their raters into one score a rater; also the keys that remain.

    The raters of a pool come in natural order, r2 before r10. The slots stay as ``slot:COLUMN``,
    for their order may tell how a gold was made.
    """
    keys = _rater_keys(raw, humans)
    if not keys:
        return tuple(humans), [*raw.keys]
    names = sorted({label for key in keys for label in raw.labels[key]}, key=natural)
    check_number(name, len(names), "take the columns as raters: " + _asked(humans))
    place = {name: i for i, name in enumerate(names)}
    ratings, slots = np.full((len(names), int(raw.readable.sum())), np.nan), dict[str, Floats]()
    for key, human in zip(keys, humans, strict=True):
        column, codes = scores.pop(f"human:{human}"), raw.keys[key][raw.readable]
        slots[f"{SLOT}{human}"] = column
        of_label = np.array([place[label] for label in raw.labels[key]], dtype=np.int64)
        given = np.flatnonzero((codes >= 0) & ~np.isnan(column))
        ratings[of_label[codes[given]], given] = column[given]
    scores |= slots | {f"human:{name}": row for name, row in zip(names, ratings, strict=True)}
    return tuple(names), [key for key in raw.keys if key not in keys]


def check_number(name: str, raters: int, instead: str) -> None:
    """Refuse more raters than can be told apart, and say what to do instead."""
    if raters > MOST_RATERS:
        raise DataError(
            f"{name} has {raters:,} raters, and at most {MOST_RATERS:,} can be told apart; {instead}"
        )


def fewer(roles: Roles) -> str:
    """How to name fewer raters; those of a long table need its columns beside them."""
    if not roles.long:
        return "name fewer columns: --human COL"
    columns = f"--response {roles.response} --rater {roles.rater} --score {roles.score}"
    return f"name fewer of them: {columns} --human NAME"


def _asked(humans: Sequence[str]) -> str:
    return " ".join(f"--human {human}" for human in humans)


def closed_up(scores: Scores) -> Floats:
    """The ratings of each pattern in their order, first, second …, without the gaps between them."""
    columns_of = scores.patterns.scores
    slots = [human.rpartition("@")[0] for human in scores.roles.humans]
    columns = [columns_of[f"{SLOT}{slot}"] for slot in slots if f"{SLOT}{slot}" in columns_of]
    columns = columns or [columns_of[f"human:{name}"] for name in scores.humans]
    ratings = np.stack(columns, axis=1)
    most = int((~np.isnan(ratings)).sum(axis=1).max(initial=1))
    order = np.argsort(np.isnan(ratings), axis=1, kind="stable")[:, :most]
    return np.take_along_axis(ratings, order, axis=1)


def made_gold(
    raw: RawTally,
    humans: Sequence[str],
    panel: Floats,
    here: NDArray[np.bool_],
    rule: str,
    prompt: str | None,
) -> MadeGold:
    """Say how many ratings made the gold of some responses and, of the first, whose it is."""
    number = (~np.isnan(panel[:, here])).sum(axis=0)
    ends = (int(number.min()), int(number.max())) if number.size else (0, 0)
    if rule != "first":
        return MadeGold(prompt, rule, ends)
    first, second = (_raters(raw, humans, panel, here, place) for place in (0, 1))
    return MadeGold(prompt, rule, ends, first, second)


def second_rating(
    panel: Sequence[Floats], golds: Sequence[MadeGold], parts: Sequence[SettingPart]
) -> Floats:
    """The second rating present, where the first is the gold."""
    second = present(np.stack(panel), 1)
    for made, part in zip(golds, parts, strict=True):
        second[part.rows & (made.rule != "first")] = np.nan
    return second


def _raters(
    raw: RawTally, humans: Sequence[str], panel: Floats, here: NDArray[np.bool_], place: int
) -> tuple[tuple[str, int], ...]:
    """Who gave the first or second rating present, and of how many responses."""
    which = np.where(here, place_of(panel, place), -1)
    counts, keys, times = raw.counts[raw.readable], _rater_keys(raw, humans), Counter[str]()
    for column, human in enumerate(humans):
        by_column = which == column
        if not keys:
            times[human] += int(counts[by_column].sum())
            continue
        codes = raw.keys[keys[column]][raw.readable]
        for code in np.unique(codes[by_column]):
            label = raw.labels[keys[column]][code]
            times[label] += int(counts[by_column & (codes == code)].sum())
    rated = [(name, count) for name, count in times.items() if count]
    return tuple(sorted(rated, key=lambda rater: natural(rater[0])) if keys else rated)


def _rater_keys(raw: RawTally, humans: Sequence[str]) -> list[str]:
    """The keys that name the rater of each slot; none unless all slots have one."""
    keys = [f"rater:{name}" for name in humans]
    return keys if all(key in raw.keys for key in keys) else []


def check_elsewhere(name: str, roles: Roles, *, numbered: bool) -> None:
    """Refuse what needs single responses of a table whose rows stay elsewhere."""
    if roles.long:
        raise OptionError(
            f"{name} has one row per rating; where rows stay in Spark, it needs one row per response. "
            "Turn it into one column for each rater first: groupBy(response).pivot(rater)"
        )
    if numbered:
        raise OptionError(
            "this needs each response by itself, and rows stay in Spark; write the columns it needs to a file, "
            "and read that"
        )
