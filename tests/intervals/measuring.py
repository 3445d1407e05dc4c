"""Every cell of docs/coverage.md is measured here, one after the other, and kept in a file.

``python -m tests.intervals.measuring`` measures all anew, ``… SECTION …`` these sections alone, and
either writes the page. A run that was stopped goes on where it was.
"""

import json
import math
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.ceilings import coverage as ceilings
from tests.intervals import (
    clusters,
    confidences,
    coverage,
    derived,
    groups,
    many_parts,
    panels,
    populations,
)
from tests.intervals import severities as severity
from tests.intervals.coverage import PAIRED, Coverage
from tests.verdict import few_clusters

FILE = Path(__file__).with_name("measured.jsonl")
Cells = dict[str, Coverage]
"""By statistic."""
Measured = dict[str, dict[str, Cells]]
"""By section of the page, and by population and size."""


class Job(NamedTuple):
    """A section, a population and size in words, and what measures it."""

    section: str
    cell: str
    run: Callable[[], Cells]


def jobs() -> Iterator[Job]:
    """All that the page shows, the cheap ones last."""
    for setting in (*populations.SETTINGS, *populations.OTHERS):
        run = partial(coverage.simulate, setting, paired=PAIRED)
        yield Job("two raters", setting.words, run)
    for rare in populations.RARE:
        run = partial(coverage.simulate, rare, paired=PAIRED, statistics=populations.OF_ERRORS)
        yield Job("rare errors", rare.words, run)
    for near in populations.LATTICE:
        run = partial(
            coverage.simulate, near, runs=300, paired=300, statistics=populations.ON_LATTICE
        )
        yield Job("two points", near.words, run)
    for two in populations.SETTINGS:
        if two.k == 2:  # where bias_index is defined
            yield Job("kept", two.words, partial(coverage.simulate_kept, two))
    for panel in panels.PANELS:
        yield Job("panels", panel.words, partial(panels.simulate_panel, panel, runs=160))
    for case in derived.CASES:
        yield Job("derived", case.words, partial(derived.simulate_derived, case, runs=160))
    for level in ceilings.SETTINGS:
        run = partial(derived.simulate_ceilings, level, runs=100)
        yield Job("ceilings", level.words, run)
    for case in many_parts.CASES:
        yield Job("many prompts", case.words, partial(many_parts.simulate_many, case, runs=60))
    yield from _others()


def _others() -> Iterator[Job]:
    for n, skewed in confidences.CASES:
        run = partial(confidences.simulate_confidences, n, skewed=skewed, runs=300)
        yield Job("confidences", confidences.words(n, skewed=skewed), run)
    for cell in few_clusters.cells():
        yield Job("few clusters", cell.words, partial(clusters.simulate_few, cell))
    for cell in clusters.MANY:
        yield Job("clusters", cell.words, partial(clusters.simulate_clusters, cell, runs=300))
    for section, designs in severity.SECTIONS.items():
        for name in designs:
            yield Job(section, name, partial(severity.simulate, section, name))
    for name in groups.SETTINGS:
        yield Job("groups", name, partial(groups.simulate_groups, name))


def read(file: Path = FILE) -> Measured:
    """What was measured."""
    found: Measured = {}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        section, cell, name, *values = json.loads(line)
        numbers: list[Any] = [math.nan if value is None else value for value in values]
        found.setdefault(section, {}).setdefault(cell, {})[name] = Coverage(*numbers)
    return found


def kept(job: Job, found: Cells) -> str:
    """The lines of one cell."""
    rows = ([job.section, job.cell, name, *map(_number, astuple(c))] for name, c in found.items())
    return "".join(json.dumps(row) + "\n" for row in rows)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value if isinstance(value, int) else round(value, 8)


def measure(sections: Collection[str] = (), file: Path = FILE) -> Measured:
    """Measure these sections, or all, and keep each cell as soon as it is known."""
    new = file.with_suffix(".new")
    if sections and not new.exists():
        lines = file.read_text("utf-8").splitlines(keepends=True)
        new.write_text("".join(x for x in lines if json.loads(x)[0] not in sections), "utf-8")
    known = read(new)
    for job in jobs():
        if job.cell not in known.get(job.section, {}):
            with new.open("a", encoding="utf-8") as out:
                out.write(kept(job, job.run()))
    new.replace(file)
    return read(file)


if __name__ == "__main__":
    from tests.intervals.page import PAGE, as_markdown

    PAGE.write_text(as_markdown(measure(sys.argv[1:])), "utf-8")
