"""Options that exclude each other: refused when both are said, whatever their values."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from tallymark.errors import OptionError


class Exclusive(NamedTuple):
    """Two keywords of which one request has at most one, and what is said of both.

    Where ``command`` is named, they exclude each other in the commands that begin with it alone:
    elsewhere a keyword may mean another thing.
    """

    first: str
    second: str
    why: str
    command: str = ""


ONE_CONFIDENCE = (
    "name where the confidence comes from, exactly one of --confidence COL, "
    "--probabilities COL,COL, --repeat COL,COL, --confidence-from boundary and --vectors FILE"
)
EXCLUSIVE = (
    Exclusive(
        "scale",
        "categories",
        "--scale lists points from the lowest to the highest and --categories labels without an "
        "order: name one",
    ),
    *(
        Exclusive(
            name,
            "categories",
            f"{option} measures how far apart two scores are, and --categories have no order: any "
            "disagreement counts",
        )
        for name, option in (("critical", "--critical"), ("lambda_", "--lambda"))
    ),
    Exclusive(
        "positive", "categories", "--positive chooses one of two labels: give them as --scale"
    ),
    Exclusive(
        "critical",
        "lambda_",
        "--critical counts points and --lambda shares of the range: name one",
    ),
    Exclusive("dev_zero", "method", "--dev-zero is a method of its own: leave out --method"),
    Exclusive(
        "dev_zero",
        "margin",
        "--margin needs a --method: --dev-zero chooses a threshold above which these responses "
        "hold no critical error, so that they cannot tell how many others hold",
    ),
    Exclusive(
        "dev_zero",
        "policy",
        "--dev-zero certifies nothing that a --policy could be held against",
    ),
    *(
        Exclusive(first, second, ONE_CONFIDENCE, "route")
        for first, second in combinations(("confidence", "probabilities", "runs", "vectors"), 2)
    ),
    Exclusive(
        "confidence",
        "confidence_from",
        "--confidence is the confidence itself: --confidence-from goes with --probabilities or "
        "--repeat",
    ),
    Exclusive(
        "vectors",
        "confidence_from",
        "the trust score of --vectors, a confidence itself, takes no --confidence-from",
    ),
    Exclusive(
        "vectors",
        "pool",
        "a --pool, whose confidences stand in its table, does not go with --vectors",
    ),
)


def check_exclusive(command: str, given: Mapping[str, Any]) -> None:
    """Refuse two options of which one excludes the other; single prompts have theirs too."""
    for pair in EXCLUSIVE:
        if not command.startswith(pair.command):
            continue
        if _said(given, pair.first) and _said(given, pair.second):
            raise OptionError(pair.why)


def _said(given: Mapping[str, Any], name: str) -> bool:
    """Whether an option was given, to all or to one prompt; a switch that is off was not."""
    if name in given:
        return given[name] is not False
    prompts = given.get("prompts")
    settings = prompts.values() if isinstance(prompts, Mapping) else ()
    return any(_of_prompt(setting, name) is not None for setting in settings)


def _of_prompt(setting: Any, name: str) -> Any:
    """The option of one prompt, in whatever form its options are."""
    if isinstance(setting, Mapping):
        return setting.get(name.rstrip("_"), setting.get(name))
    return getattr(setting, name, None)
