"""``tallymark baseline``: what do simple models reach that are trained on these very texts?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import OUTPUT, PATH, Command, asked, debug_option, json_option, option

if TYPE_CHECKING:
    from tallymark.scorers.baseline import Baseline

OUT = (
    "Write predictions.csv and the comparison (report.html, evaluation.json, tables/*.csv) there; "
    "with several rules, in a folder for each."
)
CACHE = "Keep what each fold learned there, so that a run that was broken off goes on. DIR-cache beside --out DIR if left out."
EXAMPLES = """\b
Examples:
  tallymark baseline essays.csv --text essay --human h1 --human h2 --system engine --out floor/
  tallymark baseline answers.csv --text answer --reference-text key --prompt question --seeds 5
  tallymark baseline essays.csv --text essay --human h1 --human h2 --resolve sum --resolve mean
  tallymark baseline essays.csv --text essay --human h1 --vectors embeddings.npy
Needs scikit-learn: pip install 'tallymark[text]'.
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@asked("baseline")
@config_option("baseline")
@option(OUTPUT, "--out", "DIR", OUT, type=PATH)
@option(OUTPUT, "--cache", "DIR", CACHE, type=PATH)
@json_option
@debug_option
def baseline(
    file: Path, out: Path | None, cache: Path | None, *, as_json: bool, **given: Any
) -> None:
    """Train reference scorers on the texts in FILE and set your systems beside them.

    From the majority score and the length alone to a small neural network: each response is scored
    by models that never saw it. They are a floor to beat, not a scoring engine.
    """
    from tallymark.cli.progress import progress
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import put
    from tallymark.scorers.baseline import prepare
    from tallymark.scorers.say import announced
    from tallymark.study.request import Request

    request = Request.of("baseline", given)
    reads = [file, *([request.vectors] if request.vectors else [])]
    check_targets(reads, {}, out)
    prepared = prepare(file, request)
    work = prepared.work
    click.echo(str(announced(work, len(prepared.models), request.seeds)), err=True)
    if cache is None and out is not None:
        cache = out.with_name(f"{out.name}-cache")
    with progress("fitting") as report:
        made = prepared.run(cache, report)
    if out is not None:
        _write(made, out)
    if as_json:
        put(made.evaluation.to_json().encode())
        return
    _print(made, out)


def _write(made: "Baseline", out: Path) -> None:
    from tallymark.analyses.files import write_folder

    for run in made.runs:
        folder = out if len(made.runs) == 1 else out / run.rule
        write_folder(run.evaluation, run.excluded, folder, {"predictions.csv": run.to_csv()})


def _print(made: "Baseline", out: Path | None) -> None:
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.scorers.view import lines

    print_lines([*lines(made, out, line_width())])
