"""``tallymark demo``: an evaluation of bundled scores of which the truth is known."""

from pathlib import Path
from typing import Any

import click

from tallymark.cli.evaluate import evaluate
from tallymark.cli.opening import is_forced
from tallymark.cli.options import OUTPUT, PATH, Command, option, output_options
from tallymark.errors import OptionError

KNOWN = """\
h1 and h2 err alike (SD 0.52 points); h2 is 0.1 points more severe.
engine errs less (SD 0.3), is fair to every group, draws scores 10 % towards the mean, and is 1.5 \
points off on 5 % of the responses.
chatbot errs more (SD 0.85) and takes 0.5 points off candidates whose first language is Mandarin.
Candidates whose first language is Spanish score 0.4 points lower in truth; that alone is no \
unfairness.
engine's confidence sees its own large errors; chatbot's is nearly noise."""
"""What was built into the scores; demo/README.md has the whole list."""

ROLES: dict[str, Any] = {
    "humans": ("h1", "h2"),
    "systems": ("engine", "chatbot"),
    "confidences": {"engine": "engine_confidence", "chatbot": "chatbot_confidence"},
    "prompt": "prompt",
    "groups": ("gender", "first_language"),
    "cluster": "candidate",
    "id": "response",
    "scale": "1:6",
    "lambda_": 0.4,
    "policy": "williamson2012",
}


SCORES_HELP = "Write the scores to FILE, to try other commands on, and evaluate nothing."


@click.command(cls=Command)
@output_options
@option(OUTPUT, "--scores", "FILE", SCORES_HELP, type=PATH)
@click.pass_context
def demo(ctx: click.Context, out: Path | None, scores: Path | None, *, as_json: bool) -> None:
    """Evaluate the bundled scores: 1,200 responses, two raters, two systems.

    The scores are simulated, so what a good tool should find in them is known and printed too.
    """
    if scores is not None:
        if out is not None or as_json:
            raise OptionError("--scores evaluates nothing: leave out --out and --json")
        _write_scores(scores)
        return
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.demo import SCORES
    from tallymark.render.layout import Line, paragraph

    ctx.invoke(evaluate, file=SCORES, out=out, as_json=as_json, **ROLES)
    if as_json:
        return
    lines = [Line(""), Line("What is known to be true here, because it was built in", "heading")]
    for fact in KNOWN.splitlines():
        lines += paragraph(f"- {fact}", line_width(), indent="  ")
    print_lines(lines)


def _write_scores(target: Path) -> None:
    from tallymark.cli.streams import put
    from tallymark.demo import SCORES
    from tallymark.render.files import check_file, write_whole
    from tallymark.render.literal import literal

    same = target.is_file() and target.read_bytes() == SCORES.read_bytes()
    check_file(target, [SCORES], option="--scores", force=same or is_forced())
    write_whole(target, SCORES.read_bytes())
    put(f"{literal(str(target))} written")
