"""The section of docs/coverage.md on clusters: clusters.py measures."""

from itertools import product

from tests.intervals.clusters import MANY
from tests.intervals.measuring import Measured
from tests.intervals.tables import both, grid, samples
from tests.verdict.few_clusters import DESIGNS, SHAPES

CLUSTERS = """## Few clusters

Clusters worth fewer than 40 of one size have a t interval with CR2 standard errors. Scores on six points, 1,000 samples a cell (one standard error .007);
[verdict.md](verdict.md#clusters) says how clusters differ and how unequal they are. BCa, when it was chosen against (400 samples): 4 equal clusters that differ strongly .82 (QWK), 10 unequal ones .86, 40 of which one
holds half .87.

{few}

QWK of few clusters that differ strongly is itself too low, and no interval around it can mend that: verdicts ask for 15 clusters.

Clusters worth 40 or more have ABC. {samples}; clusters differ strongly, on six points; in brackets coverage less that of BCa on the same samples:

{many}

What widens the interval where a few responses carry a statistic ([small samples](#small-samples)) does so for a few large clusters: without it the last line was .939, .944, .939, .928.
"""


def clusters(measured: Measured) -> str:
    """The section."""
    few, many = measured["few clusters"], measured["clusters"]
    columns = {
        f"{g} x {m}": {
            f"{name}, {rest}": few[f"{g} x {m}, {rest}"][name]
            for rest, name in product(_kinds(), ("QWK", "SMD"))
        }
        for g, m in DESIGNS
    }
    lines = {name: name for name in next(iter(columns.values()))}
    names = {
        "QWK": "cohen_kappa[quadratic]",
        "AC2": "gwet_ac[quadratic]",
        "mse": "mse",
        "SMD": "smd[unpooled]",
    }
    rows = [
        f"| clusters x responses | {' | '.join(names)} |",
        "|---|" + "---|" * len(names),
        *(
            f"| {words} | {' | '.join(both(many[cell.words][name]) for name in names.values())} |"
            for cell, words in zip(MANY, MANY_WORDS, strict=True)
        ),
    ]
    return CLUSTERS.format(
        samples=samples(many),
        few=grid("clusters x responses", lines, columns),
        many="\n".join(rows),
    )


MANY_WORDS = ("45 x 3", "134 x 3", "60 x 10", "120 x 5, unequal, worth 54")


def _kinds() -> list[str]:
    return [f"{shape}, differ {how}" for shape, how in product(SHAPES, ("somewhat", "strongly"))]
