"""The command ``tallymark``: which commands there are, and how each of them ends."""

import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from tallymark._version import __version__

USER_MISTAKE, OUR_BUG, INTERRUPTED = 2, 70, 130
REPORT = (
    "This is a bug in Tallymark, not in your data. Please report it, with the command and what it "
    "prints with --debug added."
)
COMMANDS = {
    "evaluate": "May this system be used? Agreement, fairness, verdict.",
    "compare": "Is one system better than another, and what is settled?",
    "baseline": "What do simple models reach on the same texts?",
    "raters": "How well do people agree, and who is severe?",
    "ceiling": "What agreement with these people is attainable?",
    "whatif": "What if errors, prevalence or scale were different?",
    "route": "Which scores may stand alone? Certify, apply, monitor.",
    "plan": "How many responses, raters or labels are enough?",
    "labels": "Draw the responses that people are to label.",
    "tally": "Count the distinct rows of a table, here or in a warehouse.",
    "report": "Write the page of an evaluation.json.",
    "explain": "What a number is, and how to read and misread it.",
    "lab": "Put metrics to the test, yours among them.",
    "rsmeval": "Evaluate as RSMTool does, from its configuration.",
    "rsmcompare": "Compare experiments, each with the first.",
    "rsmsummarize": "Show the statistics of experiments side by side.",
    "demo": "Evaluate bundled scores of two systems.",
}
"""Each is a module of this room, with a command of the same name: what the help page says of it."""


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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write a line for each command, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


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
    notes: dict[
        str, int
    ] = {}  # "debug" when asked for; "interrupted": the code of Ctrl-C or a kill
    try:
        _note_interrupts(notes)
        _one_thread()
        gc.set_threshold(100_000, 20, 20)  # a short run leaves little to collect
        code = _flushed(_run(list(sys.argv[1:] if args is None else args), notes))
    except KeyboardInterrupt:  # pressed once more, or before anything began
        code = INTERRUPTED
    if args is None and code == notes.get("interrupted", INTERRUPTED):
        os._exit(code)  # the streams are flushed, and nothing is left to say
    sys.exit(code)


def _run(arguments: list[str], notes: dict[str, int]) -> int:
    """Run a command; return the code it ends with."""
    try:
        _check_streams()
        with tallymark.make_context("tallymark", arguments, obj=notes) as context:
            tallymark.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        return notes.get("interrupted", INTERRUPTED)
    except Exception as problem:  # noqa: BLE001 - the outermost frame: a bug ends in one line too
        if "interrupted" in notes:
            return notes["interrupted"]
        return _unwritten(problem) if isinstance(problem, OSError) else _failed(problem, notes)
    return notes.get("interrupted", 0)


def _check_streams() -> None:
    """Refuse to print to a stream that is closed; messages that nobody can read are dropped."""
    for name in ("stdin", "stderr", "stdout"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stand_in = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - till the end
            setattr(sys, name, stand_in)
            if name == "stdout":
                raise click.ClickException(
                    "standard output is closed; send it to a file, or to /dev/null if it is not "
                    "needed"
                )


def _flushed(code: int) -> int:
    """Write what Python still holds back, here and not at exit, where a failure changes the code."""
    from tallymark.cli.streams import silenced

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silenced(sys.stdout)
    except OSError as problem:
        return _unwritten(problem)
    return code


def _one_thread() -> None:
    """Multiply small matrices in one thread, which is several times faster, unless told otherwise.

    NumPy reads this when it is first imported, and no command has imported it yet.
    """
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def _note_interrupts(notes: dict[str, int]) -> None:
    """Remember Ctrl-C, for a database that is interrupted raises an error of its own.

    Being told to end is the same, so that nothing is left on the disk.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        notes["interrupted"] = 128 + number
        sys.unraisablehook = lambda _: None  # one that comes while an object is freed
        signal.default_int_handler(number, frame)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows knows fewer
        # where Ctrl-C is ignored, as in the background of a script, it stays ignored
        if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, interrupt)


def _unwritten(problem: OSError) -> int:
    """End in silence when the reader has left, as in ``| head -1``, else say what is wrong."""
    from tallymark.cli.streams import silenced

    silenced(sys.stdout)
    if isinstance(problem, BrokenPipeError):
        return 0
    where = f" ({problem.filename})" if problem.filename else ""
    _say(f"cannot read or write: {problem.strerror or problem}{where}")
    return USER_MISTAKE


def _failed(problem: Exception, notes: dict[str, int]) -> int:
    """Print the user's mistake in one or two lines, and ours with how to report it."""
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
    from tallymark.cli.streams import silenced

    try:
        click.echo(f"tallymark: {message}", err=True)
    except OSError:
        silenced(sys.stderr)
