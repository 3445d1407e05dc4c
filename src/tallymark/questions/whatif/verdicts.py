"""The verdict on a table alone: those limits of a policy that its counts can be held against."""

from collections.abc import Mapping

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME
from tallymark.results import Data, Estimate, Evaluation, State, Subset, split_key, system_called
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import OVERALL, Policy

_ON_TABLE = {"table", "cells", "moments"}


def limits_on_tables(policy: Policy) -> Policy:
    """The policy with those of its limits that a table of two scores has numbers for."""
    kept = [
        limit
        for limit in policy.limits
        if limit.where == OVERALL and _ON_TABLE & {*BY_NAME[split_key(limit.statistic)[0]].tallies}
    ]
    return replace(policy, limits=tuple(kept))


def state_of(system: str, n: int, numbers: Mapping[str, Estimate], policy: Policy) -> State | None:
    """What the limits say of these numbers; None where some limit has no number."""
    if not policy.limits or any(limit.statistic not in numbers for limit in policy.limits):
        return None
    subset = Subset(id=system, subject=system_called(system), n=n)
    evaluation = Evaluation(
        kind="evaluate",
        options={"systems": (system,)},
        data=Data(read=n, used=n, scale=""),
        definitions={},
        subsets=(subset,),
        estimates=tuple(replace(number, subset=0) for number in numbers.values()),
    )
    verdict = judged(evaluation, policy).verdict
    return None if verdict is None else verdict.state
