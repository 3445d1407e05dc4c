"""What a plan rests on, as findings: a pilot or assumptions, and what a search costs."""

import math
from collections.abc import Iterator, Mapping

from tallymark.planning.forecast import Forecast
from tallymark.questions.planning.compute import Labels
from tallymark.questions.planning.pilots import Pilot
from tallymark.results import Estimate, Finding


def basis(pilot: Pilot) -> Finding:
    """What is known of a statistic: a pilot, or what was assumed."""
    if pilot.n:
        named = {f"system{i}": name for i, name in enumerate(pilot.systems)}
        return _note("plan_pilot", {"n": pilot.n}, {**named, **_over(pilot.over)})
    if pilot.shares:
        return _note("plan_points", {f"share{i}": share for i, share in enumerate(pilot.shares)})
    given = {"correlation": pilot.correlation}
    return _note("plan_correlation" if pilot.given else "plan_independent", given)


def about_verdict(forecast: Forecast, needed: int | None) -> Iterator[Finding]:
    """What a verdict asks beyond an interval, and what stands for a proportion of 0 or 1."""
    estimate = forecast.estimate
    if estimate is not None and estimate.value != forecast.value and estimate.value in (0, 1):
        yield _note("plan_jeffreys", {"found": estimate.value, "value": forecast.value})
    fewest = max(part.fewest / part.share for part in forecast.parts)
    if needed is not None and needed <= fewest + 1:
        yield _note("plan_fewest", {"fewest": needed})


def continuous(normal: int, fisher: int) -> Finding:
    """How many responses continuous scores would need."""
    return _note("plan_continuous", {"normal": normal, "fisher": fisher})


def variances(model: Mapping[str, float], n: int, over: str) -> Finding:
    """What a plan of double scores assumes; ``n`` responses of a pilot, or none.

    Where the pilot has several prompts or traits, these are means ``over`` them.
    """
    return _note("plan_variances", {**model, "n": n}, _over(over))


def _over(key: str) -> dict[str, str]:
    return {"over": key} if key else {}


def assumed_rater() -> Finding:
    """The reliability of one rater is an assumption."""
    return _note("plan_rater_assumed", {})


def one_rater(reliability: Estimate, over: str = "") -> Finding:
    """The reliability of one rater that a pilot shows, as the mean ``over`` its parts."""
    names = ("value", "low", "high", "n")
    return _note("plan_rater", {name: getattr(reliability, name) for name in names}, _over(over))


def raters_by_part(needed: Mapping[str, int | None], over: str) -> Finding:
    """How many raters the parts need where each is looked at alone; none is enough for some."""
    most = sorted(needed.items(), key=lambda part: math.inf if part[1] is None else part[1])
    (least, fewest), (last, number) = most[0], most[-1]
    numbers = {} if fewest is None else {"fewest": fewest}
    numbers |= {} if number is None else {"most": number}
    return _note("plan_raters_by_part", numbers, {"least": least, "last": last, **_over(over)})


def about_labels(asked: Labels) -> Iterator[Finding]:
    """What the search costs, and the least that can certify."""
    plan = asked.plan()
    if not math.isnan(plan.labels):
        yield _searched(asked, plan.labels)
    without, with_one, with_two = plan.least[:3]
    yield _note("plan_least", {"none": without, "one": with_one, "two": with_two})
    yield _note("plan_clean", {"clean": plan.zero_100})


def _searched(asked: Labels, labels: float) -> Finding:
    """What the same labels do where the threshold must be found with them."""
    search, enough = asked.searched(labels), asked.enough()
    numbers = {"whole": search.whole, "some": search.some, "power": asked.power}
    if math.isnan(enough):
        return _note("plan_search", {**numbers, "most": round(max(labels, asked.most))})
    numbers |= {"enough": round(enough), "prompts": asked.prompts}
    return _note("plan_search", numbers)


def _note(
    name: str, numbers: Mapping[str, float], texts: Mapping[str, str] | None = None
) -> Finding:
    return Finding(name=name, numbers=numbers, texts=texts or {}, weight="quiet")
