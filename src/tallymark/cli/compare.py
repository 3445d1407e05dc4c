"""``tallymark compare``: which system is better, on the same responses, and how sure are we?"""

from pathlib import Path
from typing import Any

from tallymark.cli.config import reading
from tallymark.cli.options import refused

EXAMPLES = """\b
Examples:
  tallymark compare scores.csv --human h1 --human h2 --system engine --system chatbot
  tallymark compare scores.csv --human h1 --system '*_shot' --scale 1:6 --out comparison/
  tallymark compare people.csv --human h1 --id essay --predictions a.csv --predictions new=b.csv
  tallymark compare scores.csv --by mae
"""
NO_TABLE = (
    "compare takes no --table: systems are compared on the same responses, and counts do not say "
    "which these are. Run `tallymark evaluate --table` on the cross-table of each system"
)


@reading("compare", EXAMPLES, refused("--table", NO_TABLE, is_flag=True))
def compare(file: Path, out: Path | None, *, as_json: bool, **given: Any) -> None:
    """Compare the systems in FILE with each other on the responses that all of them scored.

    Differences of all pairs have intervals and tests, adjusted for their number; the ranking says
    which ranks these data settle.
    """
    from tallymark.analyses.compare import compared
    from tallymark.cli.running import show_asked

    show_asked(compared, "compare", file, given, out, as_json=as_json)
