"""What the sources say, claim by claim: whether it holds, and the command that shows it."""

from collections.abc import Iterator

import tallymark as tm
from tests.docs.decided import DECIDED, DO, FU, RSM, UT, YC

Row = tuple[str, str, str, str, str]
"""Source and place in it, claim, verdict, numbers, command."""
OURS = "*Beyond the source*: "
HEAD = """# What the sources say

Every claim of the five sources that Tallymark rests on: whether it holds, the numbers that decide it, and the command that shows it. All are
decided when this page is written: by an experiment of the [lab](lab.md), or from the published numbers (`tests/docs/decided.py`). The command repeats the
experiment, or shows the same statistic on a `FILE` of yours; the tests run each with the scores of `tallymark demo`. What is marked *beyond the
source* is ours; *not repeated* is what rests on data that are not at hand.
"""


def sources_page() -> str:
    """The whole page."""
    rows = [*_from_numbers(), *_of_the_lab()]
    lines = [HEAD]
    for source in (YC, DO, UT, FU, RSM):
        lines += [
            f"## {source}",
            "",
            "| claim | where | holds? | numbers | command |",
            "|---|---|---|---|---|",
        ]
        for of, claim, verdict, numbers, command in rows:
            if of.startswith(source.partition(" (")[0]):
                where = of.removeprefix(source).lstrip(", ")
                cells = (claim, where, f"**{verdict}**", numbers, f"`{command}`")
                lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _from_numbers() -> Iterator[Row]:
    for claim in DECIDED:
        source = f"{claim.source}, {claim.where}"
        yield source, f"{OURS * claim.ours}{claim.says}", *claim.decide(), claim.command


def _of_the_lab() -> Iterator[Row]:
    for name in tm.lab.names():
        for claim in tm.lab.run(name).claims:
            says = f"{OURS * (claim['by'] != 'source')}{claim['claim']}"
            yield claim["source"], says, claim["verdict"], claim["evidence"], claim["command"]
