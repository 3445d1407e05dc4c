"""``tallymark plan``: how much data does a question need?"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.options import (
    COLUMNS,
    HUMAN,
    MANY,
    PATH,
    RESOLVE,
    SCALE,
    SCORES,
    SHOWN,
    STATISTICS,
    Command,
    Decorator,
    debug_option,
    json_option,
    option,
    sheet_option,
    together,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation

EXAMPLES = """\b
Examples:
  tallymark plan width --half-width .05 --value .75
  tallymark plan width pilot.csv --human h1 --system engine --half-width .03
  tallymark plan settle pilot.csv --human h1 --system engine --at-least .695
  tallymark plan difference --values .75,.70
  tallymark plan double-scores pilot.csv --half-width .05 --responses 2000
  tallymark plan raters --reliability .9 --single .7
  tallymark plan certify --alpha .02 --rate .005 --coverage .6
"""
SHARES = "How many responses get each point, as shares: .1,.4,.4,.1. Else bell-shaped."
BETWEEN = "Correlation of the two systems. Else their errors are independent."
VALUE = "What you expect; with a pilot, instead of what it shows."
RATE = "Critical errors that you expect among accepted ones. Else a quarter of alpha."
SINGLE = "Reliability of one rater. Else from a pilot with two ratings a response."


def _numbers(ctx: click.Context, parameter: click.Parameter, given: str | None) -> list[float]:
    """Read numbers between commas."""
    try:
        return [float(text) for text in given.split(",")] if given else []
    except ValueError:
        raise click.BadParameter(f"expected numbers, got {given!r}.", ctx, parameter) from None


def number(names: str, text: str, metavar: str = "NUMBER", **settings: Any) -> Decorator:
    """Declare an option that is a number."""
    return option(STATISTICS, names, metavar, text, type=float, **settings)


PILOT = click.argument("pilot", metavar="[PILOT]", required=False, type=PATH)
NUMBERS: dict[str, Any] = {"callback": _numbers}
reading = together(
    [
        option(COLUMNS, "--human humans", "COL", HUMAN, **MANY),
        option(COLUMNS, "--gold", "COL", "Scores that are settled already."),
        option(COLUMNS, "--system systems", "COL", "The system to plan for.", **MANY),
        option(COLUMNS, "--cluster", "COL", "What responses share, such as the candidate."),
        option(SCORES, "--scale", "SCALE", SCALE),
        option(SCORES, "--resolve", "RULE", RESOLVE, default="first", **SHOWN),
        sheet_option,
    ]
)
people_reading = together(
    [
        option(COLUMNS, "--human humans", "COL", HUMAN, **MANY),
        option(SCORES, "--scale", "SCALE", SCALE),
        sheet_option,
    ]
)
statistic = option(STATISTICS, "--statistic", "NAME", "Of which.", default="qwk", **SHOWN)
level = number("--level", "Of the interval.", default=0.95, **SHOWN)
power = number("--power", "Chance that the data settle it.", default=0.8, **SHOWN)
half_width = number("--half-width", "The interval is to be value -/+ this.", required=True)
value = number("--value", VALUE)
shape = together(
    [
        option(STATISTICS, "--points", "N", "Points of the scale.", type=int, default=6, **SHOWN),
        option(STATISTICS, "--shares", "NUMBERS", SHARES, **NUMBERS),
    ]
)
output = together([json_option, debug_option])


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def plan(ctx: click.Context) -> None:
    """Say how many responses, double scores, raters or labels a question needs.

    Each question takes a PILOT file, which is better, or assumed values.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@plan.command(cls=Command)
@PILOT
@half_width
@value
@statistic
@shape
@level
@reading
@output
def width(*, as_json: bool, **asked: Any) -> None:
    """Responses for an interval of a given width."""
    _show("width", asked, as_json=as_json)


@plan.command(cls=Command)
@PILOT
@number("--at-least", "The value must reach this.")
@number("--at-most", "The value must not exceed this.")
@value
@statistic
@shape
@power
@level
@reading
@output
def settle(*, as_json: bool, **asked: Any) -> None:
    """Responses that settle a limit: the whole interval on one side of it."""
    _show("settle", asked, as_json=as_json)


@plan.command(cls=Command)
@PILOT
@option(STATISTICS, "--values", "A,B", "QWK of both systems, without a pilot.", **NUMBERS)
@number("--between", BETWEEN)
@statistic
@power
@level
@reading
@output
def difference(*, as_json: bool, **asked: Any) -> None:
    """Responses that tell two systems apart."""
    _show("difference", asked, as_json=as_json)


@plan.command(cls=Command, name="double-scores")
@PILOT
@half_width
@option(STATISTICS, "--responses", "N", "Responses in all.", type=int, required=True)
@number("--value", "PRMSE that you expect.")
@number("--true-variance", "Variance of true scores.")
@number("--error-variance", "Variance of a rater's errors.")
@level
@reading
@output
def double_scores(*, as_json: bool, **asked: Any) -> None:
    """Responses to be rated twice, for PRMSE."""
    _show("double_scores", asked, as_json=as_json)


@plan.command(cls=Command)
@PILOT
@number("--reliability", "Of the mean of the raters.", required=True)
@number("--single", SINGLE)
@people_reading
@output
def raters(*, as_json: bool, **asked: Any) -> None:
    """Raters for a reliability."""
    _show("raters", asked, as_json=as_json)


@plan.command(cls=Command)
@number("--alpha", "Critical errors allowed among accepted responses.", "SHARE", required=True)
@number("--delta", "Chance that the guarantee fails.", default=0.05, **SHOWN)
@number("--rate", RATE, "SHARE")
@number("--coverage", "Share of responses to be accepted.", "SHARE", default=1.0, **SHOWN)
@power
@option(STATISTICS, "--prompts", "N", "Thresholds, one a prompt.", type=int, default=1, **SHOWN)
@output
def certify(*, as_json: bool, **asked: Any) -> None:
    """Labels for a certified threshold."""
    _show("certify", asked, as_json=as_json)


def _show(question: str, asked: dict[str, Any], *, as_json: bool) -> None:
    from tallymark.analyses import planning
    from tallymark.cli.printing import line_width, print_lines
    from tallymark.cli.streams import put
    from tallymark.render.plan import plan_lines

    answer: Callable[..., Evaluation] = getattr(planning, question)
    pilot: Sequence[Path] = [asked.pop("pilot")] if asked.get("pilot") else []
    asked.pop("pilot", None)
    found = answer(*pilot, **{key: given for key, given in asked.items() if given is not None})
    if as_json:
        put(found.to_json().encode())
        return
    print_lines(plan_lines(found, line_width()))
