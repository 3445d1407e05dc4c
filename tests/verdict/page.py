"""The measured error rates in docs/verdict.md: the part of the page that the simulation writes."""

from collections.abc import Mapping
from pathlib import Path

from tallymark.verdict.judged import FEWEST, FEWEST_OF
from tests.verdict.errors_at_limit import NAMES, POINTS, RUNS, SIZES, Errors, Key

PAGE = Path(__file__).parents[2] / "docs" / "verdict.md"
START, END = "<!-- measured: start -->", "<!-- measured: end -->"
PROMISED, BAND = 0.025, 0.01


def as_markdown(found: Mapping[Key, Errors]) -> str:
    """Two tables: how often limits were called met, and not met, with the truth just at them."""
    lines = [
        f"{RUNS:,} samples a cell ({RUNS // 2:,} for degradation): one standard error of a share of .025 is .0035 (.005).",
        "**Bold**: more than .035, which is the promised .025 and one point.",
        "",
        *_table(found, "Wrongly met", "met"),
        "",
        *_table(found, "Wrongly not met", "not_met"),
    ]
    return "\n".join(lines)


def outside(found: Mapping[Key, Errors]) -> list[Key]:
    """Cells above the band with so many responses that a verdict would be given."""
    return [
        key
        for key, errors in found.items()
        if key[2] >= fewest(key[0])
        and max(errors.met, errors.not_met) / errors.runs > PROMISED + BAND
    ]


def fewest(name: str) -> int:
    """Below so many responses the verdict leaves this case open."""
    of = {"SMD": FEWEST_OF["smd"], "DSM": FEWEST_OF["dsm"]}
    return next((number for word, number in of.items() if word in name), FEWEST)


def written(page: str, found: Mapping[Key, Errors]) -> str:
    """The page with its measured part replaced."""
    before, _, rest = page.partition(START)
    return f"{before}{START}\n{as_markdown(found)}\n{END}{rest.partition(END)[2]}"


def _table(found: Mapping[Key, Errors], title: str, which: str) -> list[str]:
    columns = [(k, n) for k in POINTS for n in SIZES]
    head = " | ".join(f"K={k} n={n}" for k, n in columns)
    lines = [f"| {title} | {head} |", "|---|" + "---|" * len(columns)]
    for name in NAMES:
        cells = [_share(found[name, k, n], which) for k, n in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _share(errors: Errors, which: str) -> str:
    share = getattr(errors, which) / errors.runs
    text = f"{share:.3f}".lstrip("0")
    return f"**{text}**" if share > PROMISED + BAND else text
