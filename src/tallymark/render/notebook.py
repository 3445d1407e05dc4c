"""What a notebook shows of an evaluation: the leading numbers of each system in one table."""

from typing import Any

from tallymark.render.leading import leading
from tallymark.render.literal import literal
from tallymark.render.numbers import count, with_interval
from tallymark.render.text import data_lines, estimates_of, headline_subsets
from tallymark.results import Evaluation

MOST_SYSTEMS = 20
_ONE_LINE = 1_000_000


def first_screen(evaluation: Evaluation) -> str:
    """Return a small HTML table of systems by leading statistics, with intervals."""
    column, subsets = headline_subsets(evaluation)
    shown = leading(evaluation)
    rows = []
    for subset in subsets[:MOST_SYSTEMS]:
        numbers = estimates_of(evaluation, subset)
        found = [one.of(numbers) for one in shown]
        cells = [
            ("-", "") if one is None else (with_interval(one), literal(one.why)) for one in found
        ]
        rows.append({"system": literal(subset.system), "n": count(subset.n), "cells": cells})
    page: str = _template().render(
        lines=[line.text for line in data_lines(evaluation.data, _ONE_LINE)],
        level=f"{100 * float(evaluation.options.get('level', 0.95)):g} %",
        over=f"mean over {column}s, " if column else "",
        shown=shown,
        rows=rows,
        more=len(subsets) - MOST_SYSTEMS,
    )
    return page


def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("tallymark.render", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template(
        "first_screen.html"
    )
