"""Policy: a named, versioned set of limits, from a TOML file of ours or of the user."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from tallymark.defaults import FEW
from tallymark.errors import TOO_LONG, OptionError, did_you_mean
from tallymark.results import Subset
from tallymark.scale import View
from tallymark.verdict.checked import check, choice
from tallymark.verdict.states import DECIDE, Bounds, bounds_of
from tallymark.verdict.statistics import Limitable, held

FOLDER = Path(__file__).with_name("policies")
SMALL_GROUP = FEW
"""Groups with fewer responses decide nothing, unless the policy says otherwise."""
MOST_DECIMALS = 6
_LEADING_ZERO = ". Numbers need a digit before the point: 0.70, not .70; texts need quotes"
_KEYS = {
    "name": "text", "version": "text", "title": "text", "reference": "text",
    "cautions": "texts", "minimum_group": "whole number", "criteria": "tables",
}  # fmt: skip
_LIMIT_KEYS = {
    "statistic": "text", "title": "text", "at_least": "number", "at_most": "number",
    "within": "number", "decimals": "whole number", "where": "text", "decide": "text",
    "optional": "switch", "precondition": "switch", "source": "text", "scores": "texts",
}  # fmt: skip
OVERALL = "overall"


def _group(subset: Subset) -> str | None:
    return subset.group if subset.prompt is None and subset.trait is None else None


def _prompt(subset: Subset) -> str | None:
    return subset.prompt if subset.group is None and subset.trait is None else None


def _trait(subset: Subset) -> str | None:
    return subset.trait if subset.group is None and subset.prompt is None else None


PARTS: Mapping[str, Callable[[Subset], str | None]] = {
    "every group": _group,
    "every prompt": _prompt,
    "every trait": _trait,
}
"""The name of a part of each kind; None where a subset is no such part."""
WHERE = (OVERALL, *PARTS)


def part_of(subset: Subset, where: str) -> tuple[str, str] | None:
    """Return the column and the name of a part, such as a group; None where it is no such part."""
    name = PARTS[where](subset) if subset.average is None else None
    return None if name is None or subset.column is None else (subset.column, name)


class Limit(Struct, frozen=True, kw_only=True):
    """One limit: a statistic, between which values, for all responses or for every part of them.

    ``decimals`` rounds values half up before they are compared. Where an ``optional`` limit has no
    evidence it is left out, with a note. A ``precondition`` is about the data: unless it is
    met, no system is judged. ``scores`` are the kinds of scores that it is for, if not for all.
    """

    statistic: str
    title: str
    at_least: float | None = None
    at_most: float | None = None
    decimals: int | None = None
    where: str = OVERALL
    decide: str = "interval"
    optional: bool = False
    precondition: bool = False
    source: str = ""
    scores: tuple[str, ...] = ()

    @property
    def bounds(self) -> Bounds:
        """Between which values the limit is kept."""
        return bounds_of(self.at_least, self.at_most, decimals=self.decimals)


class Policy(Struct, frozen=True, kw_only=True):
    """A named, versioned set of limits."""

    name: str
    version: str
    title: str
    limits: tuple[Limit, ...]
    reference: str = ""
    cautions: tuple[str, ...] = ()
    minimum_group: int = SMALL_GROUP


def packaged() -> tuple[str, ...]:
    """The names of our own policies."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def policy_of(given: "str | Path | Policy") -> Policy:
    """Return a policy of ours by name, or read the user's file.

    >>> policy_of("williamson2012").limits[0].at_least
    0.7
    """
    if isinstance(given, Policy):
        return given
    text = str(given)
    if text in packaged():
        return _read(FOLDER / f"{text}.toml", f"policy {text}")
    path = Path(text)
    if path.suffix.lower() == ".toml" or path.is_file():
        return _not_ours(_read(path, f"policy {path}"), f"policy {path}")
    raise OptionError(
        f"unknown policy {text!r}.{did_you_mean(text, packaged())} Known: {', '.join(packaged())}; "
        "or name a TOML file of your own."
    )


def _not_ours(policy: Policy, where: str) -> Policy:
    """Refuse other limits under the name of a policy of ours: a verdict names its policy."""
    if policy.name in packaged() and policy != policy_of(policy.name):
        raise OptionError(
            f"{where} has the name of Tallymark's own policy {policy.name} and is another; give it "
            "a name of your own"
        )
    return policy


def _read(path: Path, where: str) -> Policy:
    import tomllib

    try:
        contents = tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise OptionError(f"cannot read {where}: {problem.strerror}") from None
    except RecursionError:
        raise OptionError(f"{where} is nested too deeply to be a policy") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        hint = "" if isinstance(problem, UnicodeDecodeError) else _LEADING_ZERO
        raise OptionError(f"{where} is not valid TOML: {problem}{hint}") from None
    except ValueError:
        raise OptionError(f"{where} {TOO_LONG}") from None
    check(contents, _KEYS, where)
    for key in ("name", "version", "criteria"):
        if not contents.get(key):
            what = "at least one [[criteria]]" if key == "criteria" else f"the key {key}"
            raise OptionError(f"{where} must have {what}")
    minimum = contents.get("minimum_group", SMALL_GROUP)
    if minimum < 2:
        raise OptionError(f"minimum_group of {where} must be at least 2, got {minimum}")
    return Policy(
        name=contents["name"],
        version=contents["version"],
        title=contents.get("title", contents["name"]),
        limits=_distinct(
            [
                _limit(entry, f"criterion {i} of {where}")
                for i, entry in enumerate(contents["criteria"], start=1)
            ],
            where,
        ),
        reference=contents.get("reference", ""),
        cautions=tuple(contents.get("cautions", ())),
        minimum_group=minimum,
    )


def _limit(given: Mapping[str, Any], where: str) -> Limit:
    """Check one limit: its words, its statistic, and that some value could keep it."""
    check(given, _LIMIT_KEYS, where)
    if "statistic" not in given:
        raise OptionError(f'{where} names no statistic, such as statistic = "qwk"')
    of = held(given["statistic"], where)
    where_ = choice(given, "where", WHERE, where)
    if of.groups_only and where_ != "every group":
        raise OptionError(f'{where}: {of.text} is a number of groups; add where = "every group"')
    at_least, at_most = _ends(given, where)
    decimals = given.get("decimals")
    if decimals is not None and not 0 <= decimals <= MOST_DECIMALS:
        raise OptionError(
            f"{where}: decimals must lie between 0 and {MOST_DECIMALS}, got {decimals}"
        )
    _possible(of, at_least, at_most, where)
    for end in (at_least, at_most):
        if decimals is not None and end is not None and round(end, decimals) != end:
            raise OptionError(f"{where}: the limit {end:g} has more than {decimals} decimals")
    return Limit(
        statistic=of.text,
        title=given.get("title", of.title if where_ == OVERALL else f"{of.title} in {where_}"),
        at_least=at_least,
        at_most=at_most,
        decimals=decimals,
        where=where_,
        decide=choice(given, "decide", tuple(DECIDE), where),
        optional=given.get("optional", False),
        precondition=given.get("precondition", False),
        source=given.get("source", ""),
        scores=_scores(given, where),
    )


def _scores(given: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """The kinds of scores that a limit is for."""
    kinds = tuple(given.get("scores", ()))
    for kind in kinds:
        if kind not in get_args(View):
            raise OptionError(
                f"{where}: unknown scores {kind!r}; choose {', '.join(get_args(View))}."
                + did_you_mean(str(kind), get_args(View))
            )
    return kinds


def _distinct(limits: Sequence[Limit], where: str) -> tuple[Limit, ...]:
    """No two limits under one title: what a limit on every part is about is added to its own."""
    shared = {title for title, n in Counter(limit.title for limit in limits).items() if n > 1}
    named = tuple(
        replace(limit, title=f"{limit.title} in {limit.where}")
        if limit.title in shared and limit.where != OVERALL
        else limit
        for limit in limits
    )
    titles = [limit.title for limit in named]
    for i, title in enumerate(titles):
        if title in titles[:i]:
            raise OptionError(
                f"criteria {titles.index(title) + 1} and {i + 1} of {where} have one title, "
                f"{title!r}: give one of them another, or put at_least and at_most into one"
            )
    return named


def _ends(given: Mapping[str, Any], where: str) -> tuple[float | None, float | None]:
    """``within`` stands for both ends about 0."""
    for key in ("at_least", "at_most", "within"):
        if key in given and not math.isfinite(given[key]):
            raise OptionError(f"{where}: {key} must be a finite number, got {given[key]}")
    if "within" in given:
        if "at_least" in given or "at_most" in given:
            raise OptionError(f"{where}: give within, or at_least and at_most, not both")
        if not given["within"] > 0:
            raise OptionError(
                f"{where}: within must be above 0, got {given['within']:g}: no data can show that "
                "a value is exactly 0"
            )
        return -float(given["within"]), float(given["within"])
    if "at_least" not in given and "at_most" not in given:
        raise OptionError(f"{where} has no limit: give at_least, at_most or within")
    at_least, at_most = (
        float(given[key]) if key in given else None for key in ("at_least", "at_most")
    )
    if at_least is not None and at_most is not None and at_least >= at_most:
        raise OptionError(f"{where}: at_least {at_least:g} must lie below at_most {at_most:g}")
    return at_least, at_most


def _possible(of: Limitable, at_least: float | None, at_most: float | None, where: str) -> None:
    """Refuse limits that no value could keep, and those that every value keeps."""
    low, high = of.range
    for key, end in (("at_least", at_least), ("at_most", at_most)):
        if end is None:
            continue
        never = end > high if key == "at_least" else end < low
        always = end <= low if key == "at_least" else end >= high
        if never or always:
            says = "never" if never else "always"
            raise OptionError(
                f"{where}: {key} = {end:g} would {says} be met, because {of.text} lies between "
                f"{low:g} and {high:g}"
            )
