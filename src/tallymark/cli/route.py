"""``tallymark route``: which scores may stand alone, with a guarantee that can be stated?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import (
    CLUSTER,
    COLUMNS,
    EXCLUDE,
    GROUP,
    HUMAN,
    LAMBDA,
    MANY,
    OUT,
    OUTPUT,
    PATH,
    RESOLVE,
    SCALE,
    SCORES,
    SHOWN,
    Command,
    Decorator,
    debug_option,
    option,
    sheet_option,
    together,
    trim_option,
)

if TYPE_CHECKING:
    from tallymark.evaluation.routing.calibration import Terms

NOT_CERTIFIED, ALARM = 3, 1
GUARANTEE = "Guarantee"
PRICES = "Work and prices"
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
Exit code 3: these labels certify nothing; the answer says how many more are needed.
"""
CONFIDENCE = "How sure the system was; higher is safer."
PROBABILITIES = "The probability of each score, in the order of --scale."
FROM = "p_no_cse, max, margin, entropy or variance of probabilities; pairwise_no_cse, mode_share or sd of runs. Else the first."
RUNS = "Repeated runs of the system: how close they lie is the confidence."
MARGIN = (
    "No worse than a second rater: critical errors may be so much more frequent than the rater's."
)
METHOD = (
    "ltt: with high probability; batch: on average in a batch; crc: on average of the submitted."
)
BY = "A threshold for each prompt: prompt."
FAMILY = "With --by prompt: bonferroni, sidak or common (one threshold, good for each prompt)."
POOL = "Unlabelled responses with the same columns: their confidences are the thresholds tried."
ONE = "Certify on one response of a cluster, drawn at random."
WEIGH = "With --one-per-cluster: responses (large clusters are kept more often) or clusters count alike."
ALPHA = "The rate of critical errors to certify; only --dev-zero needs none."
DEV_ZERO = "The lowest threshold without a critical error: not a guarantee."
PRICE = "A price: human, machine, adjudication, label or fixed; repeat it for each."
TIME = "When a response was audited. Else the order of the rows counts."


def _list(ctx: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Read columns between commas."""
    names = tuple(name.strip() for name in given.split(",")) if given else ()
    if given is not None and not all(names):
        raise click.BadParameter(f"expected COL,COL, got {given!r}.", ctx, parameter)
    return names


def _prices(
    ctx: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> dict[str, float]:
    """Read NAME=NUMBER."""
    known = ("human", "machine", "adjudication", "label", "fixed")
    found: dict[str, float] = {}
    for text in given:
        name, _, number = text.partition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise click.BadParameter(
                f"expected NAME=NUMBER, got {text!r}.", ctx, parameter
            ) from None
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}.", ctx, parameter)
    return found


def _number(
    names: str, metavar: str, text: str, section: str = GUARANTEE, **more: Any
) -> Decorator:
    return option(section, names, metavar, text, type=float, **more)


certify_options = together(
    [
        option(COLUMNS, "--human humans", "COL", HUMAN, **MANY),
        option(COLUMNS, "--gold", "COL", "Scores that are settled already."),
        option(COLUMNS, "--system", "COL", "The automated scorer's scores.", required=True),
        option(COLUMNS, "--confidence", "COL", CONFIDENCE),
        option(COLUMNS, "--probabilities", "COL,COL", PROBABILITIES, callback=_list),
        option(COLUMNS, "--repeat runs", "COL,COL", RUNS, callback=_list),
        option(COLUMNS, "--confidence-from", "KIND", FROM),
        option(COLUMNS, "--prompt", "COL", "The question that a response answers."),
        option(COLUMNS, "--group groups", "COL", GROUP, **MANY),
        option(COLUMNS, "--cluster", "COL", CLUSTER),
        option(COLUMNS, "--id", "COL", "The response's name, which must not repeat."),
        _number("--alpha", "RATE", ALPHA),
        _number("--delta", "SHARE", "How often it may fail.", default=0.05, **SHOWN),
        _number("--lambda lambda_", "SHARE", LAMBDA, default=0.2, **SHOWN),
        _number("--margin", "RATE", MARGIN),
        option(GUARANTEE, "--method", "NAME", METHOD, default="ltt", **SHOWN),
        option(GUARANTEE, "--by", "prompt", BY, type=click.Choice(["prompt"])),
        option(GUARANTEE, "--family", "NAME", FAMILY, default="bonferroni", **SHOWN),
        option(GUARANTEE, "--pool", "FILE", POOL, type=PATH),
        option(GUARANTEE, "--one-per-cluster", None, ONE, is_flag=True),
        option(GUARANTEE, "--weigh", "NAME", WEIGH, default="responses", **SHOWN),
        option(GUARANTEE, "--dev-zero", None, DEV_ZERO, is_flag=True),
        option(GUARANTEE, "--seed", None, "Same seed, same draw.", type=int, default=0, **SHOWN),
        option(SCORES, "--scale", "SCALE", SCALE),
        option(SCORES, "--system-scale", "SCALE", "The system's scale, if not the gold's."),
        option(SCORES, "--resolve", "RULE", RESOLVE, default="first", **SHOWN),
        option(SCORES, "--missing", "TEXT", "A text that means a missing score.", **MANY),
        option(SCORES, "--exclude", "REASON", EXCLUDE, **MANY),
        *(trim_option, sheet_option),
        option(PRICES, "--volume", "N", "Responses to come.", type=int, default=1000, **SHOWN),
        option(PRICES, "--price prices", "NAME=NUMBER", PRICE, multiple=True, callback=_prices),
        _number("--audit", "SHARE", "Of the accepted, read all the same.", PRICES, default=0.0),
        option(PRICES, "--double", None, "People score twice.", is_flag=True),
    ]
)


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def route(ctx: click.Context) -> None:
    """Accept scores that may stand alone, leave the others to people, and watch over it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@route.command(cls=Command, epilog=CERTIFY_EXAMPLES)
@click.argument("file", metavar="CALIBRATION", type=PATH)
@certify_options
@config_option
@option(OUTPUT, "--out", "FILE", "Write the routing file there.", type=PATH)
@option(OUTPUT, "--report", "DIR", OUT, type=PATH)
@option(OUTPUT, "--json as_json", None, "Print the evaluation as JSON.", is_flag=True)
@debug_option
def certify(
    file: Path, out: Path | None, report: Path | None, *, as_json: bool, **asked: Any
) -> None:
    """Find a threshold on the confidence that comes with a guarantee.

    CALIBRATION holds responses that people scored: a random sample of those to come.
    """
    from tallymark.analyses.files import write_folder
    from tallymark.analyses.summary import summary
    from tallymark.cli.printing import line_width, print_lines
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import put
    from tallymark.evaluation.routing.certified import certify_routing
    from tallymark.render.files import write_whole
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal

    terms = _terms(asked)
    reads = [file, *([asked["pool"]] if asked["pool"] else [])]
    if out is not None:
        _check_out(out)
    check_targets(reads, {} if out is None else {"--out": out}, report, "--report")
    found = certify_routing(file, terms, **_columns(asked), **_reading(asked))
    if out is not None:
        write_whole(out, found.routing.to_json())
    if report is not None:
        write_folder(found.evaluation, found.excluded, report)
    if as_json:
        put(found.evaluation.to_json().encode())
    else:
        written = [Line(f"Written: {literal(str(path))}") for path in (out, report) if path]
        print_lines([*summary(found.evaluation, width=line_width()), *written])
    if not (found.routing.certified or terms.method == "dev_zero"):
        raise click.exceptions.Exit(NOT_CERTIFIED)


def _check_out(path: Path) -> None:
    """Refuse a file in a folder that is not there, before any work is done."""
    from tallymark.errors import OptionError

    if path.is_dir() or not path.absolute().parent.is_dir():
        raise OptionError(f"--out must name a file in a folder that exists, got {path}")


def _terms(asked: Mapping[str, Any]) -> "Terms":
    from tallymark.errors import OptionError
    from tallymark.evaluation.routing.calibration import Terms
    from tallymark.selective.cost import Prices

    if asked["dev_zero"] and asked["method"] != "ltt":
        raise OptionError(f"--dev-zero is a method of its own, got --method {asked['method']} too")
    if asked["alpha"] is None and not asked["dev_zero"]:
        raise OptionError("name --alpha, the rate of critical errors to certify, such as .05")
    same = ("delta", "lambda_", "margin", "family", "one_per_cluster", "weigh", "volume", "audit",
            "double")  # fmt: skip
    return Terms(
        alpha=asked["alpha"] or 0.0,
        method="dev_zero" if asked["dev_zero"] else asked["method"],
        by_prompt=asked["by"] == "prompt",
        prices=Prices(**asked["prices"]),
        seed=asked["seed"],
        **{key: asked[key] for key in same},
    )


def _columns(asked: Mapping[str, Any]) -> dict[str, Any]:
    from tallymark.sources import Roles

    kept = ("system", "confidence", "probabilities", "runs", "confidence_from", "pool")
    named = {key: asked[key] for key in ("humans", "gold", "prompt", "groups", "cluster", "id")}
    return {**{key: asked[key] for key in kept}, "roles": Roles(**named)}


def _reading(asked: Mapping[str, Any]) -> dict[str, Any]:
    from tallymark.cli.running import prompt_options

    kept = ("scale", "system_scale", "resolve", "missing", "exclude", "sheet", "trim")
    return {**{key: asked[key] for key in kept}, "prompts": prompt_options(asked)}


@route.command(cls=Command)
@click.argument("routing", metavar="ROUTING", type=PATH)
@click.argument("file", metavar="NEW", type=PATH)
@option(OUTPUT, "--out", "FILE", "Write one line per response there.", required=True, type=PATH)
@option(SCORES, "--missing", "TEXT", "A text that means a missing value.", **MANY)
@sheet_option
@debug_option
def apply(
    routing: Path, file: Path, out: Path, missing: tuple[str, ...], sheet: str | None
) -> None:
    """Accept responses of NEW or leave them to people, each with the reason.

    Refused: a file that lacks the columns of the calibration, has gaps in the confidence, is on
    another scale, or holds responses of the calibration.
    """
    from tallymark.cli.printing import line_width, print_lines
    from tallymark.cli.running import check_targets
    from tallymark.evaluation.routing.artifact import Routing
    from tallymark.evaluation.routing.decisions import apply_routing, write_decisions
    from tallymark.render.layout import Line, paragraph
    from tallymark.render.literal import literal
    from tallymark.render.routing import decision_lines

    _check_out(out)
    check_targets([routing, file], {"--out": out}, None)
    terms = Routing.read(routing)
    found = apply_routing(terms, file, missing=missing, sheet=sheet)
    write_decisions(found, terms, out)
    width = line_width()
    lines = [*paragraph(literal(terms.statement), width), *decision_lines(found, width)]
    print_lines([*lines, Line(f"Written: {literal(str(out))}")])


@route.command(cls=Command)
@click.argument("routing", metavar="ROUTING", type=PATH)
@click.argument("file", metavar="AUDITED", type=PATH)
@option(COLUMNS, "--time", "COL", TIME)
@option(SCORES, "--missing", "TEXT", "A text that means a missing value.", **MANY)
@sheet_option
@option(GUARANTEE, "--run-length", "AUDITS", "A false alarm of the detector comes so late on average.",
        type=float, default=1000.0, **SHOWN)  # fmt: skip
@debug_option
def monitor(routing: Path, file: Path, **asked: Any) -> None:
    """Say whether a certificate still holds, by accepted responses that people scored since.

    Exit code 1: an alarm.
    """
    from tallymark.cli.printing import line_width, print_lines
    from tallymark.evaluation.routing.artifact import Routing
    from tallymark.evaluation.routing.watched import monitor_routing
    from tallymark.render.routing import watch_lines

    found = monitor_routing(Routing.read(routing), file, **asked)
    print_lines(watch_lines(found, line_width()))
    if not found.valid:
        raise click.exceptions.Exit(ALARM)
