"""``tallymark ceiling``: what agreement with these people is attainable, before a system exists?"""

from pathlib import Path
from typing import Any

from tallymark.cli.config import reading

EXAMPLES = """\b
Examples:
  tallymark ceiling scores.csv --human h1 --human h2 --scale 1:6
  tallymark ceiling scores.csv --human h1 --human h2 --gold final
  tallymark ceiling scores.csv --human 'rater_*' --reference "best published=.856"
"""


@reading("ceiling", EXAMPLES)
def ceiling(file: Path, out: Path | None, *, as_json: bool, **given: Any) -> None:
    """Say what agreement with the people in FILE is attainable, and how many raters are needed.

    Two ratings of some responses are needed, and no system. Scores contain rater error, so that
    even a perfect scorer stays below 1.
    """
    from tallymark.analyses.ceiling import ceiling_asked
    from tallymark.cli.running import show_asked

    show_asked(ceiling_asked, "ceiling", file, given, out, as_json=as_json)
