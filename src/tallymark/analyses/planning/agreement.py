"""Responses: for an interval of a given width, for a verdict, to tell two systems apart."""

import math
from typing import Any, Unpack

from tallymark.analyses.planning.answers import (
    answered,
    spoken,
    statistic_name,
    table_of,
)
from tallymark.analyses.planning.pilots import (
    Pilot,
    assumed,
    assumed_difference,
    checked,
    difference_of_scores,
    of_scores,
    only_system,
)
from tallymark.catalogue import BY_NAME, find
from tallymark.errors import OptionError
from tallymark.planning import sizes
from tallymark.results import Evaluation
from tallymark.study.planning import DifferenceKeywords, SettleKeywords, WidthKeywords
from tallymark.study.reading import read
from tallymark.study.request import Request, takes

POWERS = (0.5, 0.8, 0.9, 0.95)
HALVES = (0.02, 0.03, 0.05, 0.1)
ASSUMED = ("cohen_kappa[quadratic]", "lin_ccc")
"""Statistics whose difference can be planned without a pilot: one formula of normal scores."""


@takes("plan width")
def width(pilot: object = None, **asked: Unpack[WidthKeywords]) -> Evaluation:
    """Responses for an interval of value -/+ half_width."""
    request = Request.of("plan width", asked)
    half_width, level, statistic = request.half_width, request.level, request.statistic
    checked({"half_width": half_width, "level": level})
    found = _known(pilot, request)
    name, called = statistic_name(statistic), spoken(statistic)
    n = sizes.for_half_width(found.sd, half_width, level=level)
    rows = [[f"{h:g}", sizes.for_half_width(found.sd, h, level=level)] for h in _near(half_width)]
    words = (
        f"{n:,} responses give {called} = {found.value:.3g} a {100 * level:g} % interval of "
        f"-/+ {half_width:g}"
    )
    notes = [found.words]
    if pilot is None and name == "cohen_kappa[quadratic]":
        normal, fisher = (
            form(found.value, half_width, level=level)
            for form in (sizes.qwk_normal, sizes.qwk_fisher)
        )
        notes.append(
            f"continuous normal scores would need {normal:,} (on Fisher's scale {fisher:,})"
        )
    said = request.some(("half_width", "value", "level"))
    return answered(
        "width", {"statistic": name, **said}, [words], notes, table_of(("-/+", "responses"), rows)
    )


@takes("plan settle")
def settle(pilot: object = None, **asked: Unpack[SettleKeywords]) -> Evaluation:
    """Responses with which the whole interval lies on the value's side of the limits."""
    request = Request.of("plan settle", asked)
    at_least, at_most, power, level = (
        request[name] for name in ("at_least", "at_most", "power", "level")
    )
    checked({"power": power, "level": level})
    if at_least is None and at_most is None:
        raise OptionError("name a limit: at_least, at_most or both")
    low = -math.inf if at_least is None else at_least
    high = math.inf if at_most is None else at_most
    if low >= high:
        raise OptionError(f"at_least must lie below at_most, got {low:g} and {high:g}")
    found = _known(pilot, request)
    least, most = BY_NAME[find(request.statistic).name].range
    ends: dict[str, Any] = {"low": low, "high": high, "level": level}
    ends["coefficient"] = least < 0 and most == 1
    n = sizes.to_settle(found.sd, found.value, **ends, power=power)
    name, called = statistic_name(request.statistic), spoken(request.statistic)
    limits = _limits(at_least, at_most)
    inside = "meets" if low <= found.value <= high else "misses"
    if n is None:
        words = (
            f"{called} = {found.value:.3g} stands on its limit: no number of responses settles it"
        )
    else:
        words = (
            f"{n:,} responses settle that {called} {inside} {limits}, with probability "
            f"{power:g} if {found.value:.3g} is the true value"
        )
    rows = [[f"{p:g}", sizes.to_settle(found.sd, found.value, **ends, power=p)] for p in POWERS]
    said = request.some(("at_least", "at_most", "value", "power", "level"))
    said = {"statistic": name, **said}
    return answered("settle", said, [words], [found.words], table_of(("power", "responses"), rows))


@takes("plan difference")
def difference(pilot: object = None, **asked: Unpack[DifferenceKeywords]) -> Evaluation:
    """Responses, scored by both systems, that tell two systems apart."""
    request = Request.of("plan difference", asked)
    power, level, statistic = request.power, request.level, request.statistic
    checked({"power": power, "level": level})
    found = _known_difference(pilot, request)
    n = sizes.to_settle(found.sd, found.value, low=0.0, power=power, level=level)
    name, called = statistic_name(statistic), spoken(statistic)
    if n is None:
        words = "the two systems are equal: no number of responses tells them apart"
    else:
        words = (
            f"{n:,} responses tell the two systems apart with probability {power:g} if "
            f"{called} differs by {abs(found.value):.3g}"
        )
    rows = [
        [f"{p:g}", sizes.to_settle(found.sd, found.value, low=0.0, power=p, level=level)]
        for p in POWERS
    ]
    said = {"statistic": name, "values": list(request.values), "between": request.between}
    said |= {"power": power, "level": level}
    return answered(
        "difference", said, [words], [found.words], table_of(("power", "responses"), rows)
    )


def _known(pilot: object, request: Request) -> Pilot:
    """What is known of a statistic: from a pilot, where a value given replaces the pilot's."""
    statistic, value = request.statistic, request.value
    if pilot is not None:
        scores = read(pilot, request)
        found = of_scores(scores, statistic, only_system(scores, request.systems))
        return found if value is None else found._replace(value=value)
    if value is None:
        raise OptionError("name a pilot file, or the value that you expect")
    checked({"value": value})
    return assumed(statistic, value, request.shares, request.points)


def _known_difference(pilot: object, request: Request) -> Pilot:
    """What is known of the difference of two systems: from a pilot, or of normal scores."""
    statistic, values, between = request.statistic, request.values, request.between
    if pilot is not None:
        scores = read(pilot, request)
        systems = request.systems or scores.roles.systems
        if len(systems) != 2:
            raise OptionError(f"name the two systems to tell apart, got {', '.join(systems)}")
        return difference_of_scores(scores, statistic, systems)
    if len(values) != 2:
        raise OptionError("name a pilot file with two systems, or the two values to tell apart")
    if statistic_name(statistic) not in ASSUMED:
        raise OptionError(
            f"a difference of {statistic} needs a pilot file; without one take qwk or lin_ccc"
        )
    checked({"first value": values[0], "second value": values[1]})
    if between is not None and not -1 < between < 1:
        raise OptionError(f"between must lie between -1 and 1, got {between:g}")
    return assumed_difference(values, between)


def _near(half_width: float) -> list[float]:
    return sorted({*HALVES, half_width})


def _limits(at_least: float | None, at_most: float | None) -> str:
    if at_least is None:
        return f"at most {at_most:g}"
    return f"at least {at_least:g}" if at_most is None else f"{at_least:g} to {at_most:g}"
