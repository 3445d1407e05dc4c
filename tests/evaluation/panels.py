"""Panels of raters and a system, for tests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tallymark as tm
from tallymark.inference import Settings
from tallymark.inference.estimate import Kind
from tallymark.questions.people.compute import compared_with_people
from tallymark.results import Estimate, Evaluation
from tallymark.sources import Roles, read_scores
from tallymark.study.parts import parts_of

Floats = NDArray[np.float64]
NAN = np.nan


def exchangeable(
    seed: int, people: int, n: int = 200, severity: float = 0.0, noise: float = 0.7
) -> Floats:
    """Responses x people who all score alike; any one of them may be called a system."""
    rng = np.random.default_rng(seed)
    truth, severities = rng.normal(3, 1, n), rng.normal(0, severity, people)
    heard = truth[:, None] + severities + rng.normal(0, noise, (n, people))
    return np.clip(np.floor(heard + 0.5), 1, 5)


def columns(ratings: Any, system: Any = None) -> dict[str, list[Any]]:
    """Columns r1, r2 ... and sys, gaps as None."""
    rows = np.asarray(ratings, dtype=np.float64)
    found = {f"r{i + 1}": _listed(column) for i, column in enumerate(rows.T)}
    return found if system is None else {**found, "sys": _listed(np.asarray(system, np.float64))}


def _listed(column: Floats) -> list[Any]:
    return [None if np.isnan(value) else float(value) for value in column]


def compared(
    ratings: Any, system: Any, against: str = "people", interval: Kind = "bca"
) -> dict[str, Estimate]:
    """The comparison with people only, which is quick; by statistic's text."""
    data = columns(ratings, system)
    people = tuple(name for name in data if name != "sys")
    data["best"] = [3.0] * len(data["sys"])
    roles = Roles(humans=people, gold="best", systems=("sys",))
    scores = read_scores(data, roles=roles, scale="1:5")
    part = next(iter(parts_of(scores, cross=False)))
    settings = Settings(replicates=200, interval=interval)
    for found in compared_with_people("sys", [part], settings):
        if str(found.subset.against) == against:
            return {estimate.text: estimate for estimate in found.estimates}
    return {}


def evaluated(data: Any, **options: Any) -> Evaluation:
    """Evaluate a wide table of columns r1, r2 ... and sys."""
    people = [name for name in data if name.startswith("r") and name[1:].isdigit()]
    asked: dict[str, Any] = {"humans": people, "systems": ["sys"], "scale": "1:5"}
    return tm.evaluate(data, **{**asked, "replicates": 200, **options})


def of(evaluation: Evaluation, subset: str) -> dict[str, Estimate]:
    """The estimates of one subset, by its id."""
    place = next(i for i, s in enumerate(evaluation.subsets) if s.id == subset)
    return dict(evaluation.numbers[place])
