"""``tallymark ceiling``: what agreement with these people is attainable, before a system exists?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import COLUMNS, PAIRS, PATH, STATISTICS, Command, option, output_options
from tallymark.cli.options import people_options as people

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.sources import ExcludedRow

EXAMPLES = """\b
Examples:
  tallymark ceiling scores.csv --human h1 --human h2 --scale 1:6
  tallymark ceiling scores.csv --human h1 --human h2 --gold final
  tallymark ceiling scores.csv --human 'rater_*' --reference "best published=.856"
"""
GOLD = "Scores that are settled already: which rule made them of the ratings is found out."
REFERENCE = "A published coefficient, to be placed among the ceilings; repeat it for each."


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@people
@option(COLUMNS, "--gold", "COL", GOLD)
@option(STATISTICS, "--reference references", "NAME=VALUE", REFERENCE, **PAIRS)
@config_option
@output_options
def ceiling(file: Path, out: Path | None, *, as_json: bool, **asked: Any) -> None:
    """Say what agreement with the people in FILE is attainable, and how many raters are needed.

    Two ratings of some responses are needed, and no system. Scores contain rater error, so that
    even a perfect scorer stays below 1.
    """
    from tallymark.cli.running import show

    show(lambda: _evaluated(file, asked), out, as_json=as_json, reads=[file])


def _evaluated(
    file: Path, asked: Mapping[str, Any]
) -> "tuple[Evaluation, tuple[ExcludedRow, ...]]":
    """Return what was found, and which rows were not used."""
    from tallymark.cli.progress import progress
    from tallymark.cli.running import scores_of, settings_of
    from tallymark.evaluation.ceilings.ceiling import ceilings_of_scores

    settings, references = settings_of(asked), _numbers(asked["references"])
    with progress() as report:
        scores = scores_of(file, asked, people_only=True)
        found = ceilings_of_scores(
            scores, settings, references=references, cross=asked["cross"], progress=report
        )
    return found, scores.excluded


def _numbers(given: Mapping[str, str]) -> dict[str, float]:
    """Read the numbers of NAME=VALUE."""
    from tallymark.errors import OptionError
    from tallymark.evaluation.ceilings.ceiling import checked_references

    found = {}
    for name, text in given.items():
        try:
            found[name] = float(text)
        except ValueError:
            raise OptionError(
                f"--reference takes NAME=VALUE such as human=.85, got {name}={text}"
            ) from None
    return checked_references(found)
