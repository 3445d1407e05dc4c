"""``tallymark report``: the HTML page of an evaluation that was made before."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallymark.cli.opening import notes, open_page
from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    debug_option,
    force_option,
    open_option,
    option,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation

EXAMPLES = """\b
Examples:
  tallymark report results/evaluation.json
  tallymark report evaluation.json --out engine.html --open
"""
OUT = "Where to write the page. report.html beside the evaluation if left out."


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="EVALUATION", type=PATH)
@option(OUTPUT, "--out", "FILE", OUT, type=PATH)
@force_option
@open_option
@debug_option
def report(file: Path, out: Path | None) -> None:
    """Write the HTML report of EVALUATION, an evaluation.json that --out wrote.

    The page holds everything it needs and asks for nothing from the network. The same evaluation
    gives the same bytes.
    """
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import put
    from tallymark.errors import OptionError
    from tallymark.render.files import write_whole
    from tallymark.render.literal import literal
    from tallymark.results import Evaluation

    target = file.with_name("report.html") if out is None else out
    check_targets({"--out": target})
    try:
        text = file.read_bytes()
    except OSError as problem:
        raise OptionError(f"cannot read {file}: {problem.strerror or problem}") from None
    page = _page(Evaluation.from_json(text), file.name)
    try:
        write_whole(target, page)
    except OSError as problem:
        raise OptionError(f"cannot write {target}: {problem.strerror or problem}") from None
    put(f"{literal(str(target))} written")
    open_page(target)


def _page(evaluation: "Evaluation", name: str) -> str:
    """Return the page of an evaluation that was read; what is edited need not hold together."""
    from tallymark.errors import DataError

    try:
        return evaluation.to_html()
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        if notes().get("debug"):
            raise
        raise DataError(
            f"{name} does not hold together: {type(problem).__name__}: {problem}. If it was edited, "
            "write it again with `tallymark evaluate --out`; if not, report it, with what --debug "
            "prints."
        ) from None
