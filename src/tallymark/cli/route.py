"""``tallymark route``: which scores may stand alone, with a guarantee that can be stated?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    GATE,
    OUT,
    OUTPUT,
    PATH,
    Command,
    Decorator,
    Option,
    asked,
    debug_option,
    force_option,
    option,
    refused,
    together,
)
from tallymark.study.fields import GUARANTEE, VERDICT

if TYPE_CHECKING:
    from tallymark.analyses.route import Certified

NOT_CERTIFIED, ALARM = 3, 1
PARTIAL = "With --by prompt: exit with 0 where some prompts are certified, not only where all are."
EXAMPLES = """\b
Examples:
  tallymark route certify cal.csv --human h1 --system engine --confidence conf \\
      --lambda .2 --alpha .02 --out routing.json
  tallymark route apply routing.json new.csv --out decisions.csv
  tallymark route monitor routing.json audited.csv
"""
CERTIFY_EXAMPLES = """\b
Examples:
  tallymark route certify cal.csv --human h1 --system engine --confidence conf --alpha .02
  tallymark route certify cal.csv --human h1 --system gpt --probabilities p0,p1,p2,p3 \\
      --scale 0:3 --alpha .05 --by prompt --out routing.json
  tallymark route certify cal.csv --human h1 --system run1 --repeat run1,run2,run3,run4 \\
      --alpha .05 --price human=1.2 --price machine=.01 --volume 50000
Exit code 3: these labels certify nothing, or with --by prompt not every prompt (--allow-partial
takes that for enough); the answer says how many more are needed.
"""
NO_TABLE = (
    "route takes no --table: a threshold needs the confidence of each response, and a cross-table "
    "holds scores alone. Name the file of responses"
)

NO_COUNTS = (
    "route {} takes no --count-column: it looks at each response by itself, and a tally has none. "
    "Name the file of responses"
)


def _no_counts(command: str) -> Decorator:
    """Say why tallies are of no use to a command."""
    why = NO_COUNTS.format(command)
    return together([refused("--count", why), refused("--count-column", why)])


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def route(ctx: click.Context) -> None:
    """Accept scores that may stand alone, leave the others to people, and watch over it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _refused(_: click.Context, __: click.Parameter, given: str | None) -> None:
    """Say why an option of the other commands is none here."""
    from tallymark.errors import OptionError
    from tallymark.questions.routing.certification import NO_WEIGHTS

    if given is not None:
        raise OptionError(NO_WEIGHTS)


@route.command(cls=Command, epilog=CERTIFY_EXAMPLES)
@click.argument("file", metavar="CALIBRATION", type=PATH)
@asked("route certify")
@click.option("--weight", cls=Option, hidden=True, expose_value=False, callback=_refused)
@refused("--table", NO_TABLE, is_flag=True)
@option(VERDICT, "--gate", None, GATE, is_flag=True)
@option(GUARANTEE, "--allow-partial", None, PARTIAL, is_flag=True)
@config_option("route certify")
@option(OUTPUT, "--out", "FILE", "Write the routing file there.", type=PATH)
@option(OUTPUT, "--report", "DIR", OUT, type=PATH)
@force_option
@option(OUTPUT, "--json as_json", None, "Print the evaluation as JSON.", is_flag=True)
@debug_option
def certify(
    file: Path,
    out: Path | None,
    report: Path | None,
    *,
    gate: bool,
    allow_partial: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Find a threshold on the confidence that comes with a guarantee.

    CALIBRATION holds responses that people scored: a random sample of those to come.
    """
    from tallymark.analyses.files import write_folder
    from tallymark.analyses.route import certified
    from tallymark.cli.opening import is_forced
    from tallymark.cli.running import check_gate, check_targets, end_by, read_files
    from tallymark.render.files import write_whole
    from tallymark.study.request import Request

    request = Request.of("route certify", given)
    check_gate(request.policy, gate=gate)
    if out is not None:
        _check_out(out)
    check_targets({} if out is None else {"--out": out}, report, "--report")
    certified_run = certified(file, request)
    if out is not None:
        write_whole(out, certified_run.routing.to_json())
    if report is not None:
        write_folder(
            certified_run.evaluation,
            certified_run.excluded,
            report,
            reads=read_files(),
            force=is_forced(),
        )
    _print(certified_run, [path for path in (out, report) if path], as_json=as_json)
    if not (request.dev_zero or certified_run.routing.holds(partly=allow_partial)):
        raise click.exceptions.Exit(NOT_CERTIFIED)
    if gate:
        end_by(certified_run.evaluation)


def _print(certified: "Certified", written: list[Path], *, as_json: bool) -> None:
    from tallymark.analyses.summary import summary
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.questions.routing.view import lacking_prompts
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal

    if as_json:
        put(certified.evaluation.to_json().encode())
        return
    lines = summary(certified.evaluation, width=line_width())
    lines += [Line(str(words)) for words in lacking_prompts(certified.routing)]
    print_lines([*lines, *(Line(f"Written: {literal(str(path))}") for path in written)])


def _check_out(path: Path) -> None:
    """Refuse a file in a folder that is not there, before any work is done."""
    from tallymark.errors import OptionError

    if path.is_dir() or not path.absolute().parent.is_dir():
        raise OptionError(f"--out must name a file in a folder that exists, got {path}")


@route.command(cls=Command, short_help="Accept scores of new responses, or leave them to people.")
@click.argument("routing", metavar="ROUTING", type=PATH)
@click.argument("file", metavar="NEW", type=PATH)
@option(OUTPUT, "--out", "FILE", "Write one line per response there.", required=True, type=PATH)
@asked("route apply")
@_no_counts("apply")
@force_option
@debug_option
def apply(routing: Path, file: Path, out: Path, **given: Any) -> None:
    """Accept responses of NEW or leave them to people, each with the reason.

    Refused: a file that lacks the columns of the calibration, has gaps in the confidence, is on
    another scale, or holds responses of the calibration.
    """
    from inspect import unwrap

    from tallymark.analyses import route as routed
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.questions.routing.view import decisions_section
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal
    from tallymark.render.terminal import section_lines

    _check_out(out)
    check_targets({"--out": out})
    terms = routed.Routing.read(routing)
    decided = unwrap(routed.apply)(terms, file, **given)  # errors name options
    routed.write_decisions(decided, terms, out)
    lines = section_lines([decisions_section(decided, terms)], line_width())
    print_lines([*lines, Line(f"Written: {literal(str(out))}")])


@route.command(cls=Command, short_help="Say whether a certificate still holds.")
@click.argument("routing", metavar="ROUTING", type=PATH)
@click.argument("file", metavar="AUDITED", type=PATH)
@asked("route monitor")
@_no_counts("monitor")
@debug_option
def monitor(routing: Path, file: Path, **given: Any) -> None:
    """Say whether a certificate still holds, by accepted responses that people scored since.

    Exit code 1: an alarm.
    """
    from inspect import unwrap

    from tallymark.analyses import route as routed
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.questions.routing.view import audits_section
    from tallymark.render.terminal import section_lines

    audited = unwrap(routed.monitor)(routed.Routing.read(routing), file, **given)
    print_lines(section_lines([audits_section(audited)], line_width())[:-1])
    if not audited.valid:
        raise click.exceptions.Exit(ALARM)
