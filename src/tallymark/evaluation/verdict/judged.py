"""Verdict: the limits of a policy held against an evaluation, and nothing else."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tallymark.defaults import FEW
from tallymark.evaluation.verdict import words
from tallymark.evaluation.verdict.evidence import Evidence, Places, why_missing
from tallymark.evaluation.verdict.policy import Limit, Policy
from tallymark.evaluation.verdict.states import (
    Bounds,
    decides,
    effective_clusters,
    inside,
    state_of,
    state_of_all,
)
from tallymark.inference.interval import quantile
from tallymark.inference.making import FEWEST_CLUSTERS
from tallymark.planning.settling import responses_in_clusters, responses_to_settle
from tallymark.results import Criterion, Estimate, Evaluation, Judgement, State, Verdict, split_key

FEWEST = 100
"""With fewer responses a limit stays open: wrong verdicts were then more common than promised."""
FEWEST_OF_PART = FEW
"""With fewer responses of one prompt a mean over prompts stays open: QWK of few is too low."""
FEWEST_OF = {"smd": 30, "dsm": 30}
"""The same for statistics whose verdicts hold with fewer; docs/verdict.md has the simulation."""


def judged(evaluation: Evaluation, policy: Policy) -> Evaluation:
    """Return the evaluation with a policy's verdict on each of its systems."""
    numbers = Places(evaluation)
    systems = tuple(
        _judgement(numbers, system, policy) for system in evaluation.options.get("systems", ())
    )
    still_open = any(one.state == "undecided" for each in systems for one in each.criteria)
    level = float(evaluation.options["level"])
    verdict = Verdict(
        policy=policy.name,
        version=policy.version,
        title=policy.title,
        state=overall([one.state for one in systems]),
        systems=systems,
        cautions=(
            words.AGREEMENT_ONLY,
            *policy.cautions,
            *words.cautions(level, still_open=still_open),
        ),
    )
    return replace(evaluation, verdict=verdict)


def overall(states: Sequence[State]) -> State:
    """Not met if any is; else undecided if any is open; else met. Never averaged."""
    if "not met" in states:
        return "not met"
    return "met" if states and all(state == "met" for state in states) else "undecided"


def _judgement(numbers: Places, system: str, policy: Policy) -> Judgement:
    criteria, missing = [], dict[str, list[str]]()
    for limit in policy.limits:
        evidence, why = numbers.find(system, limit), ""
        if not evidence.rows:
            why = why_missing(numbers.evaluation, system, limit)
            missing.setdefault(words.missing(limit, why), []).append(limit.title)
            if limit.optional:
                continue
        criteria.append(_Case(numbers, limit, evidence, why, policy.minimum_group).criterion())
    state = overall([one.state for one in criteria])
    told = words.judgement(system, policy, state, criteria)
    return Judgement(
        system=system,
        state=state,
        words=told,
        criteria=tuple(criteria),
        missing=tuple(f"{', '.join(titles)}: {why}" for why, titles in missing.items()),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """One limit and the estimates it is held against."""

    numbers: Places
    limit: Limit
    evidence: Evidence
    missing: str
    minimum_group: int

    @property
    def bounds(self) -> Bounds:
        return self.limit.bounds

    @property
    def found(self) -> list[Estimate]:
        return [self.numbers.evaluation.estimates[row] for row in self.evidence.rows]

    def criterion(self) -> Criterion:
        """The state of the limit, in words too."""
        blank = Criterion(
            statistic=self.evidence.statistic,
            title=self.limit.title,
            state="not computable",
            words="",
            at_least=self.limit.at_least,
            at_most=self.limit.at_most,
            decide=self.limit.decide,
            rows=self.evidence.rows,
            source=self.limit.source,
        )
        if not self.found:
            return replace(blank, words=words.not_computable(self.limit, self.missing))
        if all(math.isnan(one.value) for one in self.found):
            why = self.found[0].why or "undefined"
            return replace(blank, words=words.not_computable(self.limit, why))
        told = self._of_one(blank) if self.limit.where == "overall" else self._of_all(blank)
        notes = [told.words, *self._notes(told)]
        return replace(told, words=" ".join(note for note in notes if note))

    def _of_one(self, blank: Criterion) -> Criterion:
        found, fewest = self.found[0], self._fewest()
        state: State = state_of(found.low, found.high, self.bounds)
        part = self.numbers.smallest_part(found)
        small = (
            ""
            if part is None or part.n >= FEWEST_OF_PART
            else words.small_part(part, FEWEST_OF_PART)
        )
        if small or not decides(found, fewest):
            state = "undecided"
        told = self._numbers(blank, found, state, fewest)
        return replace(told, words=words.one(self.limit, found, told, fewest, small=small))

    def _of_all(self, blank: Criterion) -> Criterion:
        """A limit that every group, or every prompt, must keep."""
        fewest = self._fewest()
        together = state_of_all(self.found, self.bounds, minimum=fewest)
        found = self.found[together.decides]
        subset = self.numbers.evaluation.subsets[found.subset]
        state = together.state
        if self.limit.decide == "point":
            found = self._by_points(found)
            subset = self.numbers.evaluation.subsets[found.subset]
        column, part = (
            (subset.group_column, subset.group)
            if self.limit.where == "every group"
            else ("prompt", subset.prompt)
        )
        told = self._numbers(blank, found, state, fewest, several=len(self.found))
        every = all(inside(one.value, self.bounds) for one in self.found)
        told = replace(told, group_column=column, group=part, passes=every)
        if self.limit.decide == "point":
            told = replace(told, state=self._state_of_point(found))
        text = words.several(
            self.limit, found, told, self.found, names=self._names(), fewest=fewest
        )
        return replace(told, words=text)

    def _by_points(self, usual: Estimate) -> Estimate:
        """The part that decides by its point: one outside, else an undefined one."""
        known = [one for one in self.found if not math.isnan(one.value)]
        fails = [one for one in known if not inside(one.value, self.bounds)]
        undefined = [one for one in self.found if math.isnan(one.value)]
        return next(iter([*fails, *undefined]), usual)

    def _state_of_point(self, found: Estimate) -> State:
        if math.isnan(found.value):
            return "undecided"
        return "met" if inside(found.value, self.bounds) else "not met"

    def _names(self) -> list[str]:
        subsets = self.numbers.evaluation.subsets
        own = [subsets[one.subset] for one in self.found]
        if self.limit.where == "every prompt":
            return [f"prompt {s.prompt}" for s in own]
        return [f"{s.group_column} {s.group}" for s in own]

    def _numbers(
        self, blank: Criterion, found: Estimate, state: State, fewest: int, several: int = 1
    ) -> Criterion:
        """The numbers behind a state; the point alone decides where the policy says so."""
        passes = inside(found.value, self.bounds)
        if self.limit.decide == "point":
            state = self._state_of_point(found)
        return replace(
            blank,
            state=state,
            passes=passes,
            value=found.value,
            low=found.low,
            high=found.high,
            n=found.n,
            needed=self._needed(found, fewest, several),
        )

    def _needed(self, found: Estimate, fewest: int, several: int) -> int | None:
        """Responses that would settle it; several tests are adjusted, which widens intervals."""
        widened = quantile(1 - (1 - found.level) / several) / quantile(found.level)
        limits = {"lower": self.bounds.lower, "upper": self.bounds.upper, "widened": widened}
        if "df" in found.parts:
            df = found.parts["df"]
            needed = responses_in_clusters(
                found.value, found.se, found.n, df, level=found.level, **limits
            )
            least = math.ceil(found.n * FEWEST_CLUSTERS / effective_clusters(found))
            fewest = max(fewest, least)
        else:
            needed = responses_to_settle(found.value, found.low, found.high, found.n, **limits)
        return None if needed is None else max(needed, fewest)

    def _fewest(self) -> int:
        """Below so many responses nothing is decided; of a group the policy's own number counts."""
        name = split_key(self.evidence.statistic)[0]
        least = FEWEST_OF.get(name, FEWEST)
        return max(least, self.minimum_group) if self.limit.where == "every group" else least

    def _notes(self, told: Criterion) -> Iterator[str]:
        """What does not fit: other weights than the limit was made for, a ceiling below it."""
        if self.evidence.statistic != self.limit.statistic and "lin_ccc" in self.evidence.statistic:
            yield words.CONTINUOUS
        yield from self._other_weights(told)
        average = self.numbers.evaluation.subsets[self.found[0].subset].average
        if self.limit.where == "overall" and math.isfinite(self.bounds.lower):
            ceiling = self.numbers.ceiling(self.evidence.statistic, average)
            yield words.above_ceiling(ceiling, self.bounds)
        yield words.pooled(self.numbers.evaluation, self.found[0], self.limit)
        if self.limit.where == "overall" and self.found[0].why and not math.isnan(told.low):
            yield f"Note: {self.found[0].why}."

    def _other_weights(self, told: Criterion) -> Iterator[str]:
        name = self.evidence.statistic
        if not words.fits_qwk(name) and self.limit.at_least == words.QWK_LIMIT:
            own = self.numbers.by_subset[self.found[0].subset]
            place = own.get("cohen_kappa[quadratic]")
            qwk = None if place is None else self.numbers.evaluation.estimates[place].value
            yield words.other_weights(told, qwk)
