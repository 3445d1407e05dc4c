"""Options that commands share, in the sections of their help pages."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Option(click.Option):
    """An option that belongs to a section of the help page."""

    def __init__(self, *args: Any, section: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.section = section


class _Path(click.Path):
    """A path that names something: not the folder one stands in because a variable was empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty path, and one that no system has."""
        if not os.fspath(value):
            self.fail("is empty; name a file or folder.", param, ctx)
        if "\0" in str(value):
            self.fail(f"no path has a null character, got {value!r}.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


class Command(click.Command):
    """A command whose help page lists its options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list of options per section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                section = getattr(parameter, "section", OUTPUT)
                sections.setdefault(section, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def option(section: str, names: str, metavar: str | None, text: str, **settings: Any) -> Decorator:
    """Declare an option of a section; ``names`` are its flag and, if it differs, its parameter."""
    return click.option(
        *names.split(), cls=Option, section=section, metavar=metavar, help=text, **settings
    )


def together(options: Sequence[Decorator]) -> Decorator:
    """Apply several options, the first of them first on the help page."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


def _pairs(
    ctx: click.Context, parameter: click.Parameter, given: Sequence[str], *, last: bool = False
) -> dict[str, str]:
    """Read NAME=COL; a name, such as that of a system, may hold the sign too: ``last`` divides."""
    found: dict[str, str] = {}
    for text in given:
        name, _, column = text.rpartition("=") if last else text.partition("=")
        if not (name and column):
            raise click.BadParameter(f"expected NAME=COL, got {text!r}.", ctx, parameter)
        if name in found:
            raise click.BadParameter(f"{name!r} is given more than once.", ctx, parameter)
        found[name] = column
    return found


def _note(ctx: click.Context, parameter: click.Parameter, given: bool) -> bool:
    """Remember for the end of the command what is no option of the analysis."""
    if isinstance(ctx.obj, dict):
        ctx.obj[str(parameter.name)] = given
    return given


COLUMNS = "Columns (guessed from their names when left out)"
LONG = "Columns of a long table (one row per rating)"
SCORES = "Scores"
STATISTICS = "Statistics and intervals"
VERDICT = "Verdict"
OUTPUT = "Output"
MANY: dict[str, Any] = {"multiple": True}
PAIRS: dict[str, Any] = {"multiple": True, "callback": _pairs}
OF_SYSTEMS: dict[str, Any] = {"multiple": True, "callback": partial(_pairs, last=True)}
SHOWN: dict[str, Any] = {"show_default": True}

HUMAN = "A rater's scores; repeat it for each. SCORE@RATER where a second column names the rater."
SYSTEM = "An automated scorer's scores; repeat it for each. Patterns such as '*_shot' work."
CONFIDENCE = "How sure the system NAME was."
GROUP = "Groups that must be treated alike; repeat it for each column."
CLUSTER = "What responses share, such as the candidate; resampled as one."
REPEAT = "Runs of a system, two or more, to see how steady it is."
BATCH = "The batch, or the time, of a response: do raters drift?"
SEVERITY = (
    "Responses that severity comes from: conditional (rated twice or more), mml (all), auto (all where "
    "they look dealt at random)."
)
RATER = "Who rated it; people and systems are then named by what this column holds."
SCALE = "The raters' score points: 1:6, 0:3:0.5 or 1,2,4. Else read off their scores."
RESOLVE = (
    "Ratings to gold: first (present), sum, mean (of those present), higher, lower, adjudicated."
)
ADJUDICATION = "With --resolve adjudicated: expert or parity."
ADJACENCY = "With --resolve adjudicated: ratings this close need no third."
SHEET = "The sheet of an Excel file. Else the first that is not hidden."
TRIM = (
    "Scores beyond the scale go to half a step beyond its ends (half-step), to its ends (range) "
    "or stay (none)."
)
EXCLUDE = "Count and leave out instead of refusing: text, infinite, off-scale or duplicate."
ZERO = "Take human scores of zero for missing."
FLAG = "Keep only responses whose COL has one of these values; repeat it for each column."
CANDIDATE = "Who gave the response; goes with --min-items."
MIN_ITEMS = "Leave out candidates with fewer usable responses than this."
STATISTIC = "Compute this one, such as qwk or gwet_ac[linear]; repeat it for each. Else all."
ERROR_VARIANCE = "Variance of a rater's error, if known. Else from responses rated twice."
SMALL_GROUP = "Mark groups with fewer responses than this."
CUT = "A pass mark or grade boundary: a score that reaches it has passed; repeat it for each."
CUT_MODEL = "Of true scores at --cut: normal or, for scores crowded at an end, beta-binomial."
LAMBDA = "An error of this share of the score range is critical."
INTERVAL = "bca, percentile or analytic. Else the statistic's own."
OUT = "Write report.html, evaluation.json, exclusions.csv and tables/*.csv there."
POLICY = "Limits: williamson2012, rsmtool-highlights, llm-judge or a TOML file of your own."
GATE = "Exit with 1 if the policy is not met, with 3 if these data do not settle it."
SUMMARY = "Write the verdict and the leading numbers there as Markdown."

_human = option(COLUMNS, "--human humans", "COL", HUMAN, **MANY)
_systems = [
    option(COLUMNS, "--gold", "COL", "Scores that are settled already."),
    option(COLUMNS, "--system systems", "COL", SYSTEM, **MANY),
    option(COLUMNS, "--confidence confidences", "NAME=COL", CONFIDENCE, **OF_SYSTEMS),
    option(COLUMNS, "--repeat repeats", "NAME=COL,COL", REPEAT, **OF_SYSTEMS),
]
_keys = [
    option(COLUMNS, "--prompt", "COL", "The question that a response answers."),
    option(COLUMNS, "--trait", "COL", "The trait that a row scores."),
    option(COLUMNS, "--group groups", "COL", GROUP, **MANY),
    option(COLUMNS, "--cluster", "COL", CLUSTER),
    option(COLUMNS, "--fold", "COL", "The fold of a cross-validation."),
    option(COLUMNS, "--id", "COL", "The response's name, which must not repeat."),
    option(LONG, "--response", "COL", "The response that was rated."),
    option(LONG, "--rater", "COL", RATER),
    option(LONG, "--score", "COL", "The score."),
]
_scale = option(SCORES, "--scale", "SCALE", SCALE)
trim_option = option(SCORES, "--trim", "RULE", TRIM, default="half-step", **SHOWN)
_gold = [
    option(SCORES, "--system-scale", "SCALE", "The systems' scale, if not the gold's."),
    option(SCORES, "--resolve", "RULE", RESOLVE, default="first", **SHOWN),
    option(SCORES, "--adjudication", "RULE", ADJUDICATION, default="expert", **SHOWN),
    option(SCORES, "--adjacency", "POINTS", ADJACENCY, type=float, default=1.0, **SHOWN),
    trim_option,
]
sheet_option = option(SCORES, "--sheet", "NAME", SHEET)
_odd_scores = [
    option(SCORES, "--missing", "TEXT", "A text that means a missing score.", **MANY),
    option(SCORES, "--exclude", "REASON", EXCLUDE, **MANY),
    sheet_option,
]
_filters = [
    option(SCORES, "--exclude-zero", None, ZERO, is_flag=True),
    option(SCORES, "--flag flags", "COL=VALUE,VALUE", FLAG, **PAIRS),
    option(SCORES, "--candidate", "COL", CANDIDATE),
    option(SCORES, "--min-items", "N", MIN_ITEMS, type=int),
]
_named = option(STATISTICS, "--statistic statistics", "NAME", STATISTIC, **MANY)
_lambda = option(STATISTICS, "--lambda lambda_", "SHARE", LAMBDA, type=float, default=0.2, **SHOWN)
_statistics = [
    _named,
    option(STATISTICS, "--error-variance", "NUMBER", ERROR_VARIANCE, type=float),
    option(STATISTICS, "--small-group", "N", SMALL_GROUP, type=int, default=30, **SHOWN),
    option(STATISTICS, "--cut cuts", "SCORE", CUT, type=float, **MANY),
    option(STATISTICS, "--cut-model", "MODEL", CUT_MODEL),
    _lambda,
]
_intervals = [
    option(STATISTICS, "--cross", None, "Also each prompt by each group.", is_flag=True),
    option(STATISTICS, "--level", None, "Of the intervals.", type=float, default=0.95, **SHOWN),
    option(STATISTICS, "--interval", "KIND", INTERVAL),
    option(STATISTICS, "--replicates", None, "Resamples.", type=int, default=2000, **SHOWN),
    option(STATISTICS, "--seed", None, "Same seed, same numbers.", type=int, default=0, **SHOWN),
]
system_options = together(
    [_human, *_systems, *_keys, _scale, *_gold, *_odd_scores, *_filters, *_statistics, *_intervals]
)
"""Of commands that compare systems with people."""
contest_options = together(
    [
        *(_human, *_systems[:3], *_keys, _scale, *_gold, *_odd_scores, *_filters),
        *(_named, _lambda, *_intervals),
    ]
)
"""Of the command that compares systems with each other."""
people_options = together([_human, *_keys, _scale, *_odd_scores, *_intervals])
"""Of commands that look at people alone."""
rater_options = together(
    [
        option(COLUMNS, "--batch", "COL", BATCH),
        option(STATISTICS, "--severity", "METHOD", SEVERITY, default="auto", **SHOWN),
    ]
)
"""Of the command that looks at each rater."""
verdict_options = together(
    [
        option(VERDICT, "--policy", "NAME|FILE", POLICY),
        option(VERDICT, "--gate", None, GATE, is_flag=True),
        option(VERDICT, "--summary", "FILE", SUMMARY, type=PATH),
    ]
)
"""Of commands that can hold a policy against what they found."""
debug_option = option(
    OUTPUT,
    "--debug",
    None,
    "Show a traceback when Tallymark itself fails.",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note,
)
open_option = option(
    OUTPUT,
    "--open",
    None,
    "Show the report in the browser; without this, nothing is opened.",
    is_flag=True,
    expose_value=False,
    callback=_note,
)
json_option = option(
    OUTPUT, "--json as_json", None, "Print the JSON and nothing else.", is_flag=True
)
output_options = together(
    [
        option(OUTPUT, "--out", "DIR", OUT, type=PATH),
        open_option,
        json_option,
        debug_option,
    ]
)
