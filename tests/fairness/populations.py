"""Fair systems with a known truth: how often a fairness question errs, how often intervals hold."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tallymark.inference import Settings
from tallymark.inference.multiplicity import holm
from tallymark.questions.fairness.compute import _measured
from tallymark.questions.fairness.grouped import Grouped
from tallymark.scale import Scale
from tallymark.study.rows import Rows, grouped

SHARES = (0.40, 0.25, 0.15, 0.10, 0.06, 0.04)
"""Six groups, the smallest of which has a hundredth of what one would wish."""
POINTS = tuple(float(point) for point in range(1, 7))


@dataclass(frozen=True, slots=True)
class Setting:
    """Responses, the shares of the groups, and clusters: whole groups' candidates, or classes.

    ``clusters`` responses share a cluster, with a correlation of errors of .3; in ``classes`` every
    group occurs in every cluster, else a cluster lies in one group. ``ability`` is by how much the
    second group is worse in truth, ``shift`` what the system gives it too much.
    """

    n: int
    shares: tuple[float, ...] = SHARES
    cluster: int = 0
    classes: bool = False
    ability: float = 0.0
    shift: float = 0.0
    rounded: bool = True

    @property
    def words(self) -> str:
        """The setting in words."""
        inside = "classes" if self.classes else "candidates"
        held = f", {self.n // self.cluster} {inside} of {self.cluster}" if self.cluster else ""
        return f"{self.n} responses{held}"


def sample(setting: Setting, rng: np.random.Generator) -> Grouped:
    """Two raters and a system on six points, by group."""
    n, size = setting.n, setting.cluster or 1
    units = n // size
    unit = np.repeat(np.arange(units), size)
    n = unit.size
    draw = rng.random(n) if setting.classes else rng.random(units)[unit]
    group = np.searchsorted(np.cumsum(setting.shares)[:-1], draw)
    true = rng.normal(3.5, 1.1, n) - setting.ability * (group == 1)
    ratings = np.clip(np.rint(true[:, None] + rng.normal(0, 0.5, (n, 2))), 1, 6)
    shared = rng.normal(0, 1, units)[unit] * (0.3**0.5 if setting.cluster else 0.0)
    noise = 0.6 * (shared + rng.normal(0, 1, n) * (1 - 0.3 * bool(setting.cluster)) ** 0.5)
    system = true + noise + setting.shift * (group == 1)
    system = np.clip(np.rint(system) if setting.rounded else system, 1, 6)
    counts = np.bincount(group, minlength=len(setting.shares))
    order = [g for g in np.argsort(-counts, kind="stable") if counts[g]]
    place = np.full(counts.size, -1)
    place[order] = np.arange(len(order))
    ones, points = np.ones(n, np.int64), np.array(POINTS)
    clusters = unit if setting.cluster else None
    rows = Rows(np.column_stack([ratings[:, 0], system]), ones, points, clusters)
    return Grouped(
        names=tuple(str(g) for g in order),
        sizes=tuple(int(counts[g]) for g in order),
        rows=rows,
        used=np.ones(n, dtype=bool),
        place=place[group],
        ratings=Rows(np.column_stack([ratings, system]), ones, points, clusters),
        scale=Scale(POINTS),
        units=grouped(rows),
    )


@dataclass(frozen=True, slots=True)
class Rates:
    """Of so many samples: any adjusted p <= .05 by max-T, by Holm within each statistic, plain."""

    runs: int
    family: float
    holm: float
    plain: float


def error_rates(setting: Setting, runs: int, *, seed: int = 0, only: tuple[str, ...] = ()) -> Rates:
    """How often something is called significant although nothing differs."""
    rng, hits = np.random.default_rng(seed), Counter[str]()
    for run in range(runs):
        _, each = _measured(sample(setting, rng), Settings(seed=run), 0)
        tested = [e for own in each for e in own if "p" in e.parts]
        tested = [e for e in tested if not only or e.text in only]
        hits["family"] += any(e.parts["p_adjusted"] <= 0.05 for e in tested)
        hits["plain"] += any(e.parts["p"] <= 0.05 for e in tested)
        texts = {e.text for e in tested}
        within = [holm([e.parts["p"] for e in tested if e.text == text]) for text in texts]
        hits["holm"] += any(p <= 0.05 for one in within for p in one)
    return Rates(runs, *(hits[name] / runs for name in ("family", "holm", "plain")))


def coverage(
    setting: Setting, runs: int, *, seed: int = 0, truth: dict[str, float] | None = None
) -> dict[tuple[str, str], tuple[int, int]]:
    """By statistic and group: intervals that hold the truth, 0 unless told, and all intervals."""
    rng = np.random.default_rng(seed)
    held, made = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for _ in range(runs):
        own = sample(setting, rng)
        _, each = _measured(own, Settings(), 0)
        for name, found in zip(own.names, each, strict=True):
            for e in found:
                if "p" in e.parts:
                    key = e.text, name
                    true = (truth or {}).get(e.text, 0.0) if name == "1" else 0.0
                    made[key] += 1
                    held[key] += e.low <= true <= e.high
    return {key: (held[key], made[key]) for key in made}
