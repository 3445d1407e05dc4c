"""New responses as a routing file needs them: with trust scores where it rests on vectors."""

from typing import Any

from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.trusting import applied_by_trust
from tallymark.study.request import Request


def with_vectors(
    routing: Routing, source: object, request: Request, names: tuple[str, ...]
) -> tuple[object, dict[str, Any]]:
    """The table, with its trust scores if need be, and the named options of reading it."""
    table = applied_by_trust(
        source,
        request.vectors,
        routing.trained,
        system=routing.system,
        prompt=routing.prompt,
        key=routing.id,
        points=routing.range_,
        sheet=request.sheet,
    )
    options = request.some(names)
    # a table that was read already has no sheets
    return table, options if table is source else {**options, "sheet": None}
