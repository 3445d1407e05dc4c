"""``tallymark whatif``: what would the same system get if one thing about its table were different?"""

from pathlib import Path
from typing import Any

from tallymark.cli.config import reading

EXAMPLES = """\b
Examples:
  tallymark whatif scores.csv --human h1 --human h2 --system engine
  tallymark whatif --table counts.csv --exchange 1:3 --prevalence 1=.8
  tallymark whatif scores.csv --system engine --limit .75 --out whatif/
"""


@reading("whatif", EXAMPLES)
def whatif(file: Path, out: Path | None, *, as_json: bool, **given: Any) -> None:
    """Say what agreement would be if one thing about the table of gold and system were different.

    Agreement at other scores, another prevalence, more or fewer errors, fewer score points, another
    rule of resolution; the page has sliders. Limits are those of williamson2012 unless --policy
    names others.
    """
    from tallymark.analyses.whatif import whatif_asked
    from tallymark.cli.running import show_asked

    show_asked(whatif_asked, "whatif", file, given, out, as_json=as_json)
