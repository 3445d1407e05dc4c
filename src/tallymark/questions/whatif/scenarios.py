"""Scenarios: ways in which one table could be different, each with the move that makes it so."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

import numpy as np
from msgspec import Struct, field

from tallymark.diagnosis.binning import coarser
from tallymark.diagnosis.moving import (
    agreement_exchanged,
    agreement_moved,
    errors_scaled,
    point_raised,
    points_merged,
)
from tallymark.diagnosis.position import evened
from tallymark.errors import OptionError, did_you_mean
from tallymark.render.sentences import Sentence
from tallymark.scale import Scale
from tallymark.tally import PairCounts

SHARES = (0.5, 0.7, 0.9)
"""The most common score is given to this share of the responses, where it has less."""
TIMES = (0.5, 1.5, 2.0)
"""Errors are made so many times as often."""
MOST_EXCHANGED = 5
"""The agreement at the most common score is exchanged with that at so many others."""
ELSEWHERE = ("observed", "exchanged", "moved", "evened")
"""Kinds of scenario in which the same agreement stands at other scores."""
NAMES = {
    "observed": "as it is",
    "exchanged": "{first} and {second} exchanged",
    "moved": "{amount:percent} of {first} moved to {second}",
    "evened": "spread evenly",
    "prevalence": "gold {first} at {amount:percent}",
    "errors": "errors {amount:g} times",
    "points": "{amount:g} score points",
    "rule": "gold: {rule}",
}
"""What is different, by kind."""
Kind = Literal["observed", "moved", "exchanged", "evened", "prevalence", "errors", "points", "rule"]


class Scenario(Struct, frozen=True, kw_only=True):
    """One thing that is different: of which kind, at which points, and how much of it."""

    kind: Kind
    move: Callable[[PairCounts], PairCounts] = lambda pairs: pairs
    points: tuple[str, ...] = ()
    amount: float = 0.0
    rule: str = ""


class Moves(Struct, frozen=True, kw_only=True):
    """What was asked to be different, beside what is always shown."""

    exchange: Sequence[str] = ()
    move: Mapping[str, float] = field(default_factory=dict)
    prevalence: Mapping[str, float] = field(default_factory=dict)
    errors: Sequence[float] = ()

    def check(self) -> None:
        """Refuse shares and numbers that nothing can have."""
        for option, shares in (("--prevalence", self.prevalence), ("--move", self.move)):
            for point, share in shares.items():
                if not 0 < share < 1 and not (option == "--move" and share == 1):
                    raise OptionError(f"{option} {point} must lie between 0 and 1, got {share:g}")
        for times in self.errors:
            if not 0 <= times < np.inf:
                raise OptionError(f"--errors must be 0 or more, got {times:g}")


def scenarios(table: PairCounts, scale: Scale, moves: Moves) -> Iterator[Scenario]:
    """Yield the table as it is, what was asked for, and what is always shown."""
    labels = labels_of(scale)
    yield Scenario(kind="observed")
    yield from _chosen(moves, labels, table)
    yield from _standard(table, labels)
    for bins in reversed(coarser(len(labels))):
        move = partial(points_merged, bins=bins)
        yield Scenario(kind="points", move=move, amount=bins)


def _chosen(moves: Moves, labels: Sequence[str], table: PairCounts) -> Iterator[Scenario]:
    for pair in moves.exchange:
        first, second = _two(pair, labels, "--exchange")
        yield _exchanged(first, second, labels)
    for pair, share in moves.move.items():
        first, second = _two(pair, labels, "--move")
        move = partial(agreement_moved, source=first, target=second, share=share)
        points = labels[first], labels[second]
        yield Scenario(kind="moved", move=move, points=points, amount=share)
    for label, share in moves.prevalence.items():
        point = _place(label, labels, "--prevalence")
        if not table.counts[point].sum():
            raise OptionError(
                f"--prevalence {label}: no response has this gold, so it has no errors"
            )
        yield _raised(point, share, labels)
    for times in moves.errors:
        yield Scenario(kind="errors", move=partial(errors_scaled, times=times), amount=times)


def _standard(table: PairCounts, labels: Sequence[str]) -> Iterator[Scenario]:
    """The diagonal swap and agreement spread evenly, a score that dominates, more or fewer errors."""
    agreed = np.diagonal(table.counts)
    fullest = int(np.argmax(agreed))
    others = [point for point in range(len(labels)) if agreed[point] != agreed[fullest]]
    for other in others if len(others) <= MOST_EXCHANGED else (others[0], others[-1]):
        yield _exchanged(fullest, other, labels)
    yield Scenario(kind="evened", move=evened)
    common = int(np.argmax(table.counts.sum(axis=1)))
    for share in SHARES:
        if table.margins[0][common] < share:
            yield _raised(common, share, labels)
    if agreed.sum() < table.n:
        for times in TIMES:
            yield Scenario(kind="errors", move=partial(errors_scaled, times=times), amount=times)


def _exchanged(point: int, other: int, labels: Sequence[str]) -> Scenario:
    first, second = sorted((point, other))
    move = partial(agreement_exchanged, first=first, second=second)
    return Scenario(kind="exchanged", move=move, points=(labels[first], labels[second]))


def _raised(point: int, share: float, labels: Sequence[str]) -> Scenario:
    move = partial(point_raised, point=point, share=share)
    return Scenario(kind="prevalence", move=move, points=(labels[point],), amount=share)


def _two(text: str, labels: Sequence[str], option: str) -> tuple[int, int]:
    """Two points, as 1:3."""
    first, colon, second = text.partition(":")
    if not colon:
        raise OptionError(f"{option} takes two score points such as 1:3, got {text!r}")
    places = _place(first, labels, option), _place(second, labels, option)
    if places[0] == places[1]:
        raise OptionError(f"{option} takes two different score points, got {text!r}")
    return places


def _place(label: str, labels: Sequence[str], option: str) -> int:
    if label.strip() not in labels:
        points = ", ".join(labels)
        hint = did_you_mean(label, labels)
        raise OptionError(f"{option}: {label!r} is no point of the scale ({points}).{hint}")
    return [*labels].index(label.strip())


def labels_of(scale: Scale) -> tuple[str, ...]:
    """The points as a user writes them."""
    return scale.labels or tuple(f"{point:g}" for point in scale.points)


def name(scenario: Scenario) -> str:
    """What is different.

    >>> name(Scenario(kind="errors", amount=1.5))
    'errors 1.5 times'
    """
    first, second = (*scenario.points, "", "")[:2]
    return str(
        Sentence(
            NAMES[scenario.kind],
            first=first,
            second=second,
            amount=scenario.amount,
            rule=scenario.rule,
        )
    )
