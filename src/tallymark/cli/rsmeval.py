"""``tallymark rsmeval``: RSMTool's evaluation from its own configuration, and ours beside it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallymark.cli.options import OUTPUT, PATH, Command, debug_option, note, option, verdict_options
from tallymark.study.fields import VERDICT
from tallymark.study.keywords import POLICY_HELP

if TYPE_CHECKING:
    from tallymark.results import Evaluation
    from tallymark.rsmtool.rsmeval import RsmEvaluated
    from tallymark.sources import ExcludedRow

EXAMPLES = """\b
Examples:
  tallymark rsmeval config.json results/
  tallymark rsmeval run config.json results/ --force
  tallymark rsmeval config.json results/ --policy williamson2012 --gate
"""
FORCE = "Write into a folder that holds results already."


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("words", metavar="[run] CONFIG [OUT]", nargs=-1, type=PATH)
@option(VERDICT, "--policy", "NAME|FILE", POLICY_HELP)
@verdict_options
@option(OUTPUT, "-f --force", None, FORCE, is_flag=True, callback=note)
@debug_option
def rsmeval(
    words: tuple[Path, ...], policy: str | None, summary: Path | None, *, gate: bool, force: bool
) -> None:
    """Evaluate scores as RSMTool's rsmeval does, from its configuration file CONFIG.

    OUT/output gets RSMTool's files with RSMTool's numbers. OUT/evaluation.json, tables and
    summary.txt get Tallymark's numbers of the same responses, with intervals.
    """
    from tallymark.analyses.summary import summary as screen
    from tallymark.cli.running import check_gate, check_targets, end_by
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.render.files import check_folder
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal

    configuration, out = _paths(words)
    check_gate(policy, gate=gate)
    check_targets({} if summary is None else {"--summary": summary})
    check_folder(out, [configuration], option="OUT", force=force)
    _check_empty(out / "output", force=force)
    result, evaluation, excluded = _evaluated(configuration, policy)
    check_folder(out, result.experiment.reads, option="OUT", force=force)
    written = _write(result, evaluation, excluded, out, force=force)
    if summary is not None:
        from tallymark.analyses.files import write_markdown

        write_markdown(evaluation, summary)
    lines = screen(evaluation, width=line_width())
    lines.append(Line(f"{written} files written to {literal(str(out))}"))
    print_lines(lines)
    if gate:
        end_by(evaluation)


def _paths(words: tuple[Path, ...]) -> tuple[Path, Path]:
    """Return the configuration and the folder for results, which is this one unless named."""
    from tallymark.errors import OptionError

    given = words[1:] if words[:1] == (Path("run"),) else words
    if not 1 <= len(given) <= 2:
        raise OptionError(
            f"rsmeval takes a configuration and a folder, got {len(given)} names; write "
            "`tallymark rsmeval CONFIG.json OUT`"
        )
    return given[0], given[1] if len(given) == 2 else Path()


def _check_empty(folder: Path, *, force: bool) -> None:
    from tallymark.errors import OptionError

    if not force and folder.is_dir() and any(folder.iterdir()):
        raise OptionError(
            f"{folder} already holds results; name another folder, or write over them with --force"
        )


def _evaluated(
    configuration: Path, policy: str | None
) -> "tuple[RsmEvaluated, Evaluation, tuple[ExcludedRow, ...]]":
    """Return RSMTool's tables, our evaluation, and which rows were not used."""
    from tallymark.cli.progress import progress
    from tallymark.inference import Settings
    from tallymark.rsmtool.rsmeval import evaluate_ours, read_ours, run_rsmeval
    from tallymark.verdict.judged import judged
    from tallymark.verdict.policy import policy_of

    with progress() as report:
        result = run_rsmeval(configuration)
        scores = read_ours(result.experiment, result.processed)
        evaluation = evaluate_ours(
            result.experiment, result.processed, scores, Settings(), progress=report
        )
    if policy is not None:
        evaluation = judged(evaluation, policy_of(policy))
    return result, evaluation, scores.excluded


def _write(
    result: "RsmEvaluated",
    evaluation: "Evaluation",
    excluded: "tuple[ExcludedRow, ...]",
    out: Path,
    *,
    force: bool,
) -> int:
    """Write everything once all of it is known; return the number of files."""
    from tallymark.analyses.files import write_folder
    from tallymark.analyses.summary import summary
    from tallymark.render.layout import plain_text

    files: dict[str, str | bytes] = {
        f"output/{name}": content for name, content in result.files().items()
    }
    files["summary.txt"] = plain_text(summary(evaluation)) + "\n"
    reads = result.experiment.reads
    return len(write_folder(evaluation, excluded, out, files, reads=reads, force=force))
