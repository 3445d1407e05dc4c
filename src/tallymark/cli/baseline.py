"""``tallymark baseline``: what do simple models reach that are trained on these very texts?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    asked,
    debug_option,
    force_option,
    json_option,
    option,
)
from tallymark.errors import OptionError

if TYPE_CHECKING:
    from tallymark.scorers.baseline import Prepared
    from tallymark.scorers.predictions import Baseline
    from tallymark.study.request import Request

OUT = (
    "Write predictions.csv and the comparison (report.html, evaluation.json, tables/*.csv) there; "
    "with several rules, in a folder for each. Or the predictions alone, as NAME.csv or NAME.parquet."
)
PROBE_OUT = (
    "Write the probes of --probes there, CSV or Parquet, for your own system to score; --probe-scores "
    "reads what it gave them."
)
CACHE = "Keep what each fold learned there, so that a run that was broken off goes on. DIR-cache beside --out DIR if left out."
EXAMPLES = """\b
Examples:
  tallymark baseline essays.csv --text essay --human h1 --human h2 --system engine --out floor/
  tallymark baseline answers.csv --text answer --reference-text key --prompt question --seeds 5
  tallymark baseline essays.csv --text essay --human h1 --human h2 --resolve sum --resolve mean
  tallymark baseline essays.csv --text essay --human h1 --vectors embeddings.npy
  tallymark baseline essays.csv --text essay --human h1 --probes --probe-out probes.csv
Needs scikit-learn: pip install 'tallymark[text]'.
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@asked("baseline")
@config_option("baseline")
@option(OUTPUT, "--out", "DIR", OUT, type=PATH)
@option(OUTPUT, "--probe-out", "FILE", PROBE_OUT, type=PATH)
@option(OUTPUT, "--cache", "DIR", CACHE, type=PATH)
@force_option
@json_option
@debug_option
def baseline(
    file: Path,
    out: Path | None,
    probe_out: Path | None,
    cache: Path | None,
    *,
    as_json: bool,
    **given: Any,
) -> None:
    """Train reference scorers on the texts in FILE and set your systems beside them.

    From the majority score and the length alone to a small neural network: each response is scored
    by models that never saw it. They are a floor to beat, not a scoring engine.
    """
    from tallymark.cli.progress import progress
    from tallymark.cli.streams import put
    from tallymark.scorers.baseline import prepare
    from tallymark.scorers.view import announced
    from tallymark.study.request import Request

    request = Request.of("baseline", given)
    _check(request, out, probe_out, cache)
    prepared = prepare(file, request)
    if probe_out is not None:
        _write_probes(prepared, probe_out)
    work = prepared.work
    click.echo(str(announced(work, len(prepared.models), request.seeds)), err=True)
    if cache is None and out is not None:
        cache = out.with_name(f"{out.name}-cache")
    try:
        with progress("fitting") as report:
            made = prepared.run(cache, report)
    except KeyboardInterrupt:
        kept = f"what was learned is kept in {cache}; the same command goes on from there."
        click.echo(
            f"Interrupted: {kept if cache else '--cache DIR would have kept what was learned.'}",
            err=True,
        )
        raise
    if out is not None:
        _write(made, out)
    if as_json:
        put(made.evaluation.to_json().encode())
        return
    _print(made, out)


def _check(
    request: "Request", out: Path | None, probe_out: Path | None, cache: Path | None
) -> None:
    """Refuse what cannot be written, before anything is read."""
    from tallymark.cli.running import check_targets
    from tallymark.scorers.predictions import is_table

    alone = out is not None and is_table(out)
    files = {"--probe-out": probe_out, "--out": out if alone else None}
    check_targets({k: v for k, v in files.items() if v}, None if alone else out)
    rules = {*request.resolve}
    for rule in rules if out is not None and not alone and len(rules) > 1 else ():
        check_targets({}, out / rule)
    if cache is not None and cache.exists() and not cache.is_dir():
        raise OptionError(f"--cache must name a folder, but {cache} is a file; name another")
    if alone and len(rules) > 1:
        raise OptionError(f"--out {out} is one table; name a folder for several rules of --resolve")


def _write_probes(prepared: "Prepared", probe_out: Path) -> None:
    from tallymark.render.files import write_whole
    from tallymark.scorers.predictions import contents

    write_whole(probe_out, contents(prepared.probes(), probe_out.suffix.lower()))
    click.echo(f"Probes written to {probe_out}: add a column of scores for your system.", err=True)


def _write(made: "Baseline", out: Path) -> None:
    from tallymark.analyses.files import write_folder
    from tallymark.cli.opening import is_forced
    from tallymark.cli.running import read_files
    from tallymark.render.files import write_whole
    from tallymark.scorers.predictions import csv_of, is_table
    from tallymark.scorers.view import PREDICTIONS, PROBES, labelled

    if is_table(out):
        write_whole(out, made.run.to_file(out))
        return
    for run in made.runs:
        folder = out if len(made.runs) == 1 else out / run.rule
        more = {PREDICTIONS: run.to_csv()}
        if run.probes is not None:
            more[PROBES] = csv_of(run.probes)
        write_folder(
            labelled(run), run.excluded, folder, more, reads=read_files(), force=is_forced()
        )


def _print(made: "Baseline", out: Path | None) -> None:
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.scorers.view import lines

    print_lines([*lines(made, out, line_width())])
