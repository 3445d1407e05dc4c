"""``tallymark plan``: how much data does a question need?"""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    PATH,
    Command,
    Decorator,
    asked,
    debug_option,
    json_option,
    together,
)

if TYPE_CHECKING:
    from tallymark.results import Evaluation

EXAMPLES = """\b
Examples:
  tallymark plan width --half-width .05 --value .75
  tallymark plan width pilot.csv --human h1 --system engine --half-width .03
  tallymark plan settle pilot.csv --human h1 --system engine --at-least .695
  tallymark plan settle pilot.csv --human h1 --human h2 --system judge --policy llm-judge
  tallymark plan difference --values .75,.70
  tallymark plan double-scores pilot.csv --half-width .05 --responses 2000
  tallymark plan raters --reliability .9 --single .7
  tallymark plan certify --alpha .02 --rate .005 --coverage .6
"""
PILOT = click.argument("pilot", metavar="[PILOT]", required=False, type=PATH)
QUESTIONS = {
    "width": "Responses for an interval of a given width.",
    "settle": "Responses with which a verdict decides a limit, or a policy.",
    "difference": "Responses that tell two systems apart.",
    "double-scores": "Responses to be rated twice, for PRMSE.",
    "raters": "Raters for a reliability.",
    "certify": "Labels for a certified threshold.",
}


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def plan(ctx: click.Context) -> None:
    """Say how many responses, double scores, raters or labels a question needs.

    Each question takes a PILOT file, which is better, or assumed values.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _question(name: str, text: str) -> click.Command:
    """The command of a question; to certify, nothing is read off a pilot."""
    command = f"plan {name}"
    piloted: list[Decorator] = [] if name == "certify" else [PILOT, config_option(command)]

    @together([asked(command), *piloted, json_option, debug_option])
    def ask(*, as_json: bool, **given: Any) -> None:
        _show(name.replace("-", "_"), given, as_json=as_json)

    return click.command(name, cls=Command, help=text)(ask)


for _name, _text in QUESTIONS.items():
    plan.add_command(_question(_name, _text))


def _show(question: str, given: dict[str, Any], *, as_json: bool) -> None:
    from inspect import unwrap

    from tallymark.analyses import plan as plans
    from tallymark.cli.progress import progress
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.questions.planning.view import section
    from tallymark.render.terminal import section_lines

    answer: Callable[..., Evaluation] = unwrap(getattr(plans, question))  # errors name options
    pilot: Path | None = given.pop("pilot", None)
    watched = progress("planning") if question == "settle" else nullcontext()
    with watched as report:
        more = {} if report is None else {"progress": report}
        plan = answer(*([] if pilot is None else [pilot]), **given, **more)
    if as_json:
        put(plan.to_json().encode())
        return
    print_lines(section_lines([section(plan)], line_width())[:-1])
