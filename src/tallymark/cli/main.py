"""The command ``tallymark``: which commands there are, and how each of them ends."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from tallymark._version import __version__

DEBUG = "tallymark.debug"
"""Key under which a command notes that it was run with --debug."""
USER_MISTAKE, OUR_BUG, INTERRUPTED = 2, 70, 130
REPORT = (
    "This is a bug in Tallymark, not in your data. Please report it, with the command and what it "
    "prints with --debug added."
)
COMMANDS = ("evaluate", "demo")
"""Each is a module of this room, with a command of the same name."""


class Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"tallymark.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="tallymark %(version)s")
def tallymark() -> None:
    """May this automated scorer be used, for whom, and on which responses?

    Tallymark compares automated scores with human ones and puts an interval on every number.
    Start with `tallymark demo`, then `tallymark evaluate scores.csv`.
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    arguments = list(sys.argv[1:] if args is None else args)
    debug = False
    try:
        with tallymark.make_context("tallymark", arguments) as context:
            try:
                tallymark.invoke(context)
            finally:
                debug = bool(context.meta.get(DEBUG))
        sys.stdout.flush()
        code = 0
    except BrokenPipeError:
        code = _reader_left()
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except click.exceptions.Exit as end:
        code = end.exit_code
    except Exception as problem:  # noqa: BLE001 - the outermost frame: a bug ends in one line too
        code = _failed(problem, debug=debug)
    sys.exit(code)


def _reader_left() -> int:
    """End in silence when whoever read our output has closed it, as in ``| head -1``."""
    # what Python still holds back would fail again at exit
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return 0


def _failed(problem: Exception, *, debug: bool) -> int:
    """Tell the user's mistake in one or two lines, and ours with the way to report it."""
    from tallymark.errors import TallymarkError
    from tallymark.render.literal import literal

    if isinstance(problem, click.ClickException):
        _say(literal(problem.format_message()) + _hint(problem))
        return USER_MISTAKE
    if isinstance(problem, TallymarkError):
        _say(literal(str(problem)))
        return USER_MISTAKE
    if debug:
        import traceback

        traceback.print_exception(problem)
    _say(f"{type(problem).__name__}: {literal(str(problem))[:300]}. {REPORT}")
    return OUR_BUG


def _hint(problem: click.ClickException) -> str:
    context = getattr(problem, "ctx", None)
    return f" See `{context.command_path} --help`." if context is not None else ""


def _say(message: str) -> None:
    click.echo(f"tallymark: {message}", err=True)
