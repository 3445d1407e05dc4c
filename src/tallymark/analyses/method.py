"""Method: what every number on the page is, and how to get it again."""

from collections.abc import Iterator

from tallymark._version import __version__
from tallymark.defaults import LEVEL
from tallymark.render.literal import literal
from tallymark.render.model import (
    Block,
    Heading,
    Listing,
    Meaning,
    Meanings,
    Section,
    Terms,
    Text,
)
from tallymark.render.numbers import count
from tallymark.render.sentences import Sentence
from tallymark.render.view import View
from tallymark.results.json import SCHEMA
from tallymark.study.again import command, toml

_ROUNDING = (
    "Numbers are rounded to the digits that their interval can carry: two significant digits of "
    "its half-width when they are 10 to 35, else one. Files hold full precision."
)


def method(view: View) -> Section:
    """Put the section together; it comes last, when it is known which numbers were shown."""
    return Section(
        id="method",
        title="Method",
        question="What is each number, and how do I get it again?",
        blocks=tuple(_blocks(view)),
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    yield Terms(tuple(_terms(view)))
    yield Text(_ROUNDING)
    yield Heading("Run it again")
    yield Listing(view.free_id("command"), "On the command line", command(evaluation))
    options = toml(evaluation)
    if options:
        yield Listing(view.free_id("options"), "The same options as a file for --config", options)
    yield Heading("Definitions", folded=True)
    yield Meanings(tuple(meanings(view)))


def _terms(view: View) -> Iterator[tuple[str, str]]:
    evaluation = view.evaluation
    options, all_, shown = evaluation.options, len(evaluation.estimates), len(view.shown)
    level = float(options.get("level", LEVEL))
    yield "intervals", str(Sentence("{level:level} level, each number its own", level=level))
    if "seed" in options:
        replicates = count(int(options.get("replicates", 0)))
        yield "resampling", f"{replicates} replicates, seed {options['seed']}"
    yield "data hash", evaluation.data.hash or "none"
    yield "version", f"Tallymark {__version__}, schema {SCHEMA} of evaluation.json"
    left = f"; all {count(all_)} are in evaluation.json and tables/estimates.csv"
    many = "estimates are" if shown > 1 else "estimate is"
    yield "numbers", f"{count(shown)} {many} on this page{left if shown < all_ else ''}"
    methods = dict.fromkeys(evaluation.estimates[i].method.partition(";")[0] for i in view.shown)
    kinds = [
        literal(method) for method in methods if method and not method.startswith("t interval")
    ]
    if kinds:
        yield "methods", "; ".join(kinds[:12])


def meanings(view: View) -> list[Meaning]:
    """What every statistic on the page is; those that differ only in a parameter together."""
    texts = dict.fromkeys(view.evaluation.estimates[i].text for i in view.shown)
    names: dict[tuple[str, str, str, str], list[str]] = {}
    for text in texts:
        definition = view.evaluation.definitions[text]
        key = (definition.title, definition.reading, definition.formula, definition.reference)
        names.setdefault(key, []).append(text)
    entries = sorted(names.items(), key=lambda entry: entry[0][0].casefold())
    return [
        Meaning(
            id=f"d{place}",
            title=literal(title),
            names=tuple(map(literal, names)),
            reading=literal(reading),
            formula=literal(formula),
            reference=literal(reference),
        )
        for place, ((title, reading, formula, reference), names) in enumerate(entries)
    ]
