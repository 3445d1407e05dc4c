"""The command ``tallymark``: which commands there are, and how each of them ends."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click

from tallymark._version import __version__

USER_MISTAKE, OUR_BUG, INTERRUPTED = 2, 70, 130
REPORT = (
    "This is a bug in Tallymark, not in your data. Please report it, with the command and what it "
    "prints with --debug added."
)
COMMANDS = (
    "evaluate",
    "compare",
    "raters",
    "ceiling",
    "plan",
    "route",
    "report",
    "rsmeval",
    "rsmcompare",
    "rsmsummarize",
    "demo",
)
"""Each is a module of this room, with a command of the same name."""


class Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,
        cmd_name: str,
    ) -> click.Command:
        """Import a command."""
        if cmd_name not in COMMANDS:
            from tallymark.errors import did_you_mean

            hint = did_you_mean(cmd_name, COMMANDS)
            raise click.UsageError(f"There is no command {cmd_name!r}.{hint}", ctx)
        command: click.Command = getattr(import_module(f"tallymark.cli.{cmd_name}"), cmd_name)
        return command


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="tallymark %(version)s")
@click.pass_context
def tallymark(ctx: click.Context) -> None:
    """May this automated scorer be used, for whom, and on which responses?

    Tallymark compares automated scores with human ones and puts an interval on every number.
    Start with `tallymark demo`, then `tallymark evaluate scores.csv`.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    arguments = list(sys.argv[1:] if args is None else args)
    notes: dict[str, bool] = {}  # "debug" when asked for, "interrupted" when Ctrl-C was pressed
    _note_interrupts(notes)
    _one_thread()
    try:
        with tallymark.make_context("tallymark", arguments, obj=notes) as context:
            tallymark.invoke(context)
        sys.stdout.flush()
        code = 0
    except click.exceptions.Exit as end:
        code = end.exit_code
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except OSError as problem:
        code = _output_failed(problem)
    except Exception as problem:  # noqa: BLE001 - the outermost frame: a bug ends in one line too
        code = INTERRUPTED if notes.get("interrupted") else _failed(problem, notes)
    sys.exit(code)


def _one_thread() -> None:
    """Multiply small matrices in one thread, which is several times faster, unless told otherwise.

    NumPy reads this when it is first imported, and no command has imported it yet.
    """
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def _note_interrupts(notes: dict[str, bool]) -> None:
    """Remember Ctrl-C, for a database that is interrupted raises an error of its own."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        notes["interrupted"] = True
        signal.default_int_handler(number, frame)

    # where Ctrl-C is ignored, as in the background of a script, it stays ignored
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def _output_failed(problem: OSError) -> int:
    """End in silence when the reader has left, as in ``| head -1``, else say what is wrong."""
    # what Python still holds back would fail again at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(problem, BrokenPipeError):
        return 0
    where = f" ({problem.filename})" if problem.filename else ""
    _say(f"cannot read or write: {problem.strerror or problem}{where}")
    return USER_MISTAKE


def _failed(problem: Exception, notes: dict[str, bool]) -> int:
    """Tell the user's mistake in one or two lines, and ours with the way to report it."""
    from tallymark.errors import TallymarkError
    from tallymark.render.literal import literal

    if isinstance(problem, click.ClickException):
        _say(literal(problem.format_message()) + _hint(problem))
        return USER_MISTAKE
    if isinstance(problem, TallymarkError):
        _say(literal(str(problem)))
        return USER_MISTAKE
    if notes.get("debug"):
        import traceback

        traceback.print_exception(problem)
    _say(f"{type(problem).__name__}: {literal(str(problem))[:300]}. {REPORT}")
    return OUR_BUG


def _hint(problem: click.ClickException) -> str:
    context = getattr(problem, "ctx", None)
    return f" See `{context.command_path} --help`." if context is not None else ""


def _say(message: str) -> None:
    click.echo(f"tallymark: {message}", err=True)
