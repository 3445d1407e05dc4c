"""Verdict: the limits of a policy held against an evaluation, and nothing else."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tallymark.catalogue import texts
from tallymark.defaults import FEW, POWER
from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.planning.forecast import Forecast, LimitEnds, PartForecast, sampling_of
from tallymark.results import (
    Criterion,
    Estimate,
    Evaluation,
    Judgement,
    Lack,
    Missing,
    Note,
    PartState,
    State,
    Verdict,
    split_key,
)
from tallymark.verdict.evidence import MEANS, Evidence, Places, lack_of
from tallymark.verdict.policy import OVERALL, Limit, Policy, part_of
from tallymark.verdict.states import (
    DECIDE,
    Bounds,
    Together,
    decides,
    effective_clusters,
    inside,
    state_of,
    state_of_all,
)
from tallymark.verdict.statistics import CCC, QWK

FEWEST = 100
"""With fewer responses a limit stays open: wrong verdicts were then more common than promised."""
FEWEST_OF_PART = FEW
"""With fewer responses of one prompt a mean over prompts stays open: QWK of few is too low."""
FEWEST_OF = {"smd": 30, "dsm": 30}
"""The same for statistics whose verdicts hold with fewer; docs/verdict.md has the simulation."""
EACH = ("every trait", "every prompt")
"""Parts that a limit on all responses is held against too, each alone."""
QWK_LIMIT = 0.70
"""Commonly cited for QWK."""


class Foreseen(NamedTuple):
    """A limit, the statistic as it was computed, and how many responses decide it.

    No ``forecast`` is made without evidence or an interval.
    """

    limit: Limit
    statistic: str
    lack: Lack | None
    forecast: Forecast | None


def judged(evaluation: Evaluation, policy: Policy) -> Evaluation:
    """Return the evaluation with a policy's verdict on each of its systems."""
    places = Places(evaluation)
    systems = tuple(
        _judgement(places, system, policy) for system in evaluation.options.get("systems", ())
    )
    verdict = Verdict(
        policy=policy.name,
        version=policy.version,
        title=policy.title,
        state=overall([judgement.state for judgement in systems]),
        systems=systems,
        cautions=policy.cautions,
    )
    return replace(evaluation, verdict=verdict)


def fewest_for(statistic: str) -> int:
    """The fewest responses from which a limit on a statistic is decided."""
    return FEWEST_OF.get(split_key(statistic)[0], FEWEST)


def overall(states: Sequence[State]) -> State:
    """Not met if any is; else undecided if any is open; else met. Never averaged."""
    if "not met" in states:
        return "not met"
    return "met" if states and all(state == "met" for state in states) else "undecided"


def of_criteria(criteria: Sequence[Criterion]) -> State:
    """The state of all limits; undecided unless every precondition is met."""
    if any(each.precondition and each.state != "met" for each in criteria):
        return "undecided"
    return overall([each.state for each in criteria])


def _judgement(places: Places, system: str, policy: Policy) -> Judgement:
    cases = _cases(places, system, policy)
    criteria = [case.criterion() for case in cases if case.lack is None or not case.limit.optional]
    missing = [
        Missing(
            title=case.limit.title,
            where=case.limit.where,
            lack=case.lack,
            optional=case.limit.optional,
        )
        for case in cases
        if case.lack is not None
    ]
    return Judgement(
        system=system,
        state=of_criteria(criteria),
        criteria=tuple(criteria),
        missing=tuple(missing),
    )


def _cases(places: Places, system: str, policy: Policy) -> list["_Case"]:
    """Each limit that is for such scores, with the evidence or what lacks."""
    view = places.evaluation.data.view
    cases = []
    for limit in policy.limits:
        if limit.scores and view not in limit.scores:
            continue
        evidence = places.find(system, limit)
        lack = None if evidence.rows else lack_of(places.evaluation, system, limit)
        cases.append(_Case(places, system, limit, evidence, lack, policy.minimum_group))
    return cases


def forecasts(
    evaluation: Evaluation, system: str, policy: Policy, *, of: int | None = None
) -> list[Foreseen]:
    """What it takes to decide each limit of a policy, as far as the data hold evidence."""
    return [
        Foreseen(case.limit, case.evidence.statistic, case.lack, case.forecast(of))
        for case in _cases(Places(evaluation), system, policy)
        if case.lack is None or not case.limit.optional
    ]


class _Case(Struct, frozen=True):
    """One limit and the estimates it is held against."""

    places: Places
    system: str
    limit: Limit
    evidence: Evidence
    lack: Lack | None
    minimum_group: int

    @property
    def bounds(self) -> Bounds:
        return self.limit.bounds

    @property
    def estimates(self) -> list[Estimate]:
        return [self.places.evaluation.estimates[row] for row in self.evidence.rows]

    @property
    def by_part(self) -> bool:
        return self.limit.where != OVERALL

    def criterion(self) -> Criterion:
        """The state of the limit, with the numbers behind it."""
        blank = Criterion(
            statistic=self.evidence.statistic,
            title=self.limit.title,
            state="not computable",
            at_least=self.limit.at_least,
            at_most=self.limit.at_most,
            decimals=self.limit.decimals,
            where=self.limit.where,
            decide=self.limit.decide,
            precondition=self.limit.precondition,
            rows=self.evidence.rows,
            lack=self.lack,
            source=self.limit.source,
        )
        if all(math.isnan(estimate.value) for estimate in self.estimates):
            return blank
        return self._decided(blank)

    def _decided(self, blank: Criterion) -> Criterion:
        fewest, averaged = self._fewest(), self.places.averaged(self.estimates[0])
        small = None if self.by_part else self._small_part(averaged)
        state, place = self._state(fewest)
        if small is not None and not DECIDE[self.limit.decide].by_value:
            state = "undecided"
        deciding = self.estimates[place]
        subset = self.places.evaluation.subsets[deciding.subset]
        part = part_of(subset, self.limit.where) if self.by_part else None
        ceiling, forecast = self._ceiling(subset.average), self.forecast()
        return replace(
            blank,
            state=state,
            passes=all(inside(estimate.value, self.bounds) for estimate in self.estimates),
            value=deciding.value,
            low=deciding.low,
            high=deciding.high,
            n=deciding.n,
            needed=None if forecast is None else forecast.needed(POWER),
            planned=math.nan if forecast is None else forecast.value,
            fewest=fewest,
            group_column=part and part[0],
            group=part and part[1],
            decided_by=self.evidence.rows[place],
            kept=sum(self._keeps(estimate, fewest) for estimate in self.estimates),
            few=self._rows(lambda estimate: estimate.n < fewest),
            few_clusters=self._rows(
                lambda estimate: estimate.n >= fewest and not decides(estimate, fewest)
            ),
            small_part=small,
            parts=tuple(self._parts(fewest)),
            mean_over="" if self.by_part else subset.average or "",
            mean_of=0 if self.by_part else subset.parts or 0,
            ceiling=ceiling[0],
            ceiling_high=ceiling[1],
            notes=tuple(self._notes(deciding)),
        )

    def _state(self, fewest: int) -> Together:
        decide, estimates = self.limit.decide, self.estimates
        if not self.by_part:
            return Together(DECIDE[decide].alone(estimates[0], self.bounds, fewest), 0)
        return state_of_all(estimates, self.bounds, minimum=fewest, decide=decide)

    def _parts(self, fewest: int) -> Iterator[PartState]:
        """What each part says of the limit: each prompt and trait of one on all responses."""
        every = self.places.evaluation
        for where in (self.limit.where,) if self.by_part else EACH:
            rows = self.evidence.rows
            if not self.by_part:
                rows = self.places.find(self.system, replace(self.limit, where=where)).rows
            estimates = [every.estimates[row] for row in rows]
            states = DECIDE[self.limit.decide].parts(estimates, self.bounds, fewest)
            for row, estimate, part in zip(rows, estimates, states, strict=True):
                column, name = part_of(every.subsets[estimate.subset], where) or ("", "")
                yield PartState(
                    column=column, name=name, state=part.state, row=row, adjusted=part.adjusted
                )

    def _rows(self, chosen: Callable[[Estimate], bool]) -> tuple[int, ...]:
        rows = zip(self.evidence.rows, self.estimates, strict=True)
        return tuple(row for row, estimate in rows if chosen(estimate))

    def _keeps(self, estimate: Estimate, fewest: int) -> bool:
        return (
            decides(estimate, fewest)
            and state_of(estimate.low, estimate.high, self.bounds) == "met"
        )

    def _small_part(self, averaged: Sequence[int]) -> int | None:
        """The part that is too small for the mean over such parts."""
        subsets = self.places.evaluation.subsets
        return next((part for part in averaged if subsets[part].n < FEWEST_OF_PART), None)

    def forecast(self, of: int | None = None) -> Forecast | None:
        """How many responses decide the limit: of those of the number that decides it now.

        Where responses in all are planned, ``of`` are those that there are now.
        None where that number has no interval; others without one are left out.
        """
        if all(math.isnan(estimate.value) for estimate in self.estimates):
            return None
        deciding = self.estimates[self._state(self._fewest()).decides]
        parts = {e.subset: self._part(e, of or deciding.n) for e in self.estimates}
        decisive = parts[deciding.subset]
        if decisive is None:
            return None
        return Forecast(
            decisive.sampling.value,
            tuple(part for part in parts.values() if part is not None),
            deciding,
        )

    def _part(self, estimate: Estimate, of: int) -> PartForecast | None:
        """One number of the forecast, with the fewest responses that decide anything."""
        sampling = sampling_of(estimate)
        if sampling is None:
            return None
        tests = len(self.estimates) if self.by_part else 0
        by_value = DECIDE[self.limit.decide].by_value
        limits = LimitEnds(*self.bounds, tests=tests, by_value=by_value)
        fewest: float = 1 if by_value else self._fewest()
        if not by_value and "df" in estimate.parts:
            fewest = max(fewest, estimate.n * FEWEST_CLUSTERS / effective_clusters(estimate))
        if not (by_value or self.by_part):
            subsets, averaged = self.places.evaluation.subsets, self.places.averaged(estimate)
            smallest = min((subsets[part].n for part in averaged), default=estimate.n)
            fewest = max(fewest, estimate.n * FEWEST_OF_PART / max(smallest, 1))
        return PartForecast(sampling, limits, estimate.n / of, fewest, estimate)

    def _fewest(self) -> int:
        """Below this many responses nothing is decided; of a group the policy's own number counts."""
        least = fewest_for(self.evidence.statistic)
        return max(least, self.minimum_group) if self.limit.where == "every group" else least

    def _ceiling(self, average: str | None) -> tuple[float, float]:
        """The ceiling where it lies below the limit, and its upper end; else NaN."""
        if self.by_part or math.isinf(self.bounds.lower):
            return math.nan, math.nan
        value, high = self.places.ceiling(self.evidence.statistic, average)
        return (value, high) if value < self.bounds.lower else (math.nan, math.nan)

    def _notes(self, estimate: Estimate) -> Iterator[Note]:
        """What does not fit: other weights than the limit was made for, responses taken together."""
        statistic = self.evidence.statistic
        if statistic != self.limit.statistic and CCC in (statistic, split_key(statistic)[1]):
            yield Note.CONTINUOUS
        corrected = split_key(statistic)[0] in texts("chance_corrected")
        if corrected and statistic != QWK and self.limit.at_least == QWK_LIMIT:
            yield Note.OTHER_WEIGHTS
        if self.by_part:
            return
        subsets = self.places.evaluation.subsets
        if not subsets[estimate.subset].average and any(s.average in MEANS for s in subsets):
            yield Note.POOLED
        if estimate.why and not math.isnan(estimate.low):
            yield Note.CAUTION
