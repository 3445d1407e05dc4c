"""What a question needs: a number of responses, double scores, raters or labels, or none at all."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tallymark.planning import double_scores as doubles
from tallymark.planning import sizes
from tallymark.planning.forecast import Forecast, Jointly, of_difference
from tallymark.questions.planning.pilots import Pilot
from tallymark.questions.planning.say import TRUE_RATE, beyond
from tallymark.reliability.ceiling import raters_needed
from tallymark.results import Estimate, ResultTable
from tallymark.selective.certify import part_of
from tallymark.selective.plan import MOST_SEARCHED, Plan, Search, plan, search_labels, search_power

POWERS = (0.5, 0.8, 0.9, 0.95)
HALVES = (0.02, 0.03, 0.05, 0.1)
TWICE = (50, 100, 200, 500, 1000)
TARGETS = (0.7, 0.8, 0.85, 0.9, 0.95)
RATES = (0.1, 0.25, 0.5, 0.75)
"""Shares of alpha that stand for the true rate in the table."""


class PlanAnswer(NamedTuple):
    """How many are needed, None if no number is enough, and the same for other sizes."""

    needed: int | None
    others: ResultTable


def for_width(pilot: Pilot, half_width: float, level: float) -> PlanAnswer:
    """Responses for an interval of value -/+ half_width."""
    needed = {h: sizes.for_half_width(pilot.sd, h, level=level) for h in (*HALVES, half_width)}
    rows = [[f"{half:g}", needed[half]] for half in sorted(needed)]
    return PlanAnswer(needed[half_width], _table(("±", "responses"), rows))


def to_settle(forecast: Forecast, power: float) -> PlanAnswer:
    """Responses that decide a limit on the side of the value."""
    rows = [[f"{100 * chance:g} %", forecast.needed(chance)] for chance in POWERS]
    return PlanAnswer(forecast.needed(power), _table(("power", "responses"), rows))


def to_settle_policy(
    titles: Sequence[str], alone: Sequence[Forecast], together: Jointly, power: float
) -> PlanAnswer:
    """Responses that decide all limits of a policy, and those that decide each alone."""
    each = zip(titles, alone, strict=True)
    rows = [[title, forecast.needed(power)] for title, forecast in each]
    return PlanAnswer(
        together.needed(power), _table(("limit", "responses to decide it alone"), rows)
    )


def to_tell_apart(pilot: Pilot, power: float, level: float) -> PlanAnswer:
    """Responses with which the interval of a difference excludes 0."""
    return to_settle(of_difference(pilot.value, pilot.sd, 1, level), power)


def for_prmse(half_width: float, level: float, **model: Any) -> PlanAnswer:
    """Responses to be rated twice for an interval of PRMSE -/+ half_width."""
    needed, responses = doubles.needed(half_width, level=level, **model), int(model["responses"])
    rows = []
    for twice in sorted({m for m in (*TWICE, needed or responses) if m <= responses}):
        whole = doubles.standard_error(twice, **model)
        whole_or_none = whole if math.isfinite(whole) else "unbounded"
        rows.append([twice, whole_or_none, doubles.error_part(twice, **model)])
    columns = ("rated twice", "standard error", "from rater error alone")
    return PlanAnswer(needed, _table(columns, rows))


def for_reliability(reliability: float, single: float) -> PlanAnswer:
    """Raters a response, for their mean to have a reliability, when one has ``single``."""
    rows = [[f"{target:g}", raters_for(target, single)] for target in TARGETS]
    return PlanAnswer(raters_for(reliability, single), _table(("reliability", "raters"), rows))


def raters_for(target: float, single: float) -> int | None:
    """Whole raters for a reliability; None where one tells nothing."""
    return whole(float(raters_needed(np.array(single), target)))


def for_needed(needed: Mapping[float, Estimate], goal: float) -> PlanAnswer:
    """Raters a response, as a pilot shows them for several targets."""
    rows = [[f"{target:g}", whole(needed[target].value)] for target in TARGETS]
    return PlanAnswer(whole(needed[goal].value), _table(("reliability", "raters"), rows))


def whole(raters: float) -> int | None:
    """Whole raters; None where no number is enough."""
    return None if math.isnan(raters) else max(1, math.ceil(raters - 1e-9))


class Labels(NamedTuple):
    """What is to be certified, and what is expected of the responses."""

    alpha: float
    delta: float
    rate: float
    coverage: float
    power: float
    prompts: int

    def plan(self) -> Plan:
        """Labels for a threshold that was fixed beforehand."""
        return plan(
            self.alpha, self.delta, true_rate=self.rate, coverage=self.coverage, power=self.power,
            prompts=self.prompts,
        )  # fmt: skip

    def searched(self, labels: float) -> Search:
        """What this many labels do where the threshold must be found with them."""
        accepted = math.floor(labels * self.coverage + 1e-9)
        return search_power(accepted, int(labels), self.alpha, self._each, self.rate)

    def enough(self) -> float:
        """Labels of each prompt with which the search succeeds often enough; NaN beyond ``most``."""
        return search_labels(self.alpha, self._each, self.rate, self.coverage, self.power)

    @property
    def most(self) -> float:
        """The largest number of labels examined."""
        return MOST_SEARCHED / self.alpha / self.coverage

    @property
    def _each(self) -> float:
        return part_of(self.delta, self.prompts, "bonferroni")


def other_rates(asked: Labels) -> ResultTable:
    """Labels at other true rates: accepted and in all at a fixed threshold, and with the search."""
    rows = []
    for share in RATES:
        here = asked._replace(rate=share * asked.alpha)
        plan = here.plan()
        fixed = [None if math.isnan(n) else int(n) for n in (plan.stays, plan.labels_in_all)]
        searched = asked.prompts * here.enough()
        most = max(asked.prompts * asked.most, plan.labels_in_all)
        last = str(beyond(most)) if math.isnan(searched) else int(searched)
        rows.append([float(here.rate), *fixed, last])
    return _table((TRUE_RATE, "accepted labels", "labels in all", "with the search"), rows)


def _table(columns: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> ResultTable:
    return ResultTable(
        name="plan", title="The same for others", columns=columns, rows=tuple(map(tuple, rows))
    )
