"""Responses as a routing needs them: each by itself, with trust scores where it rests on vectors."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tallymark.errors import OptionError
from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.trusting import applied_by_trust
from tallymark.sources import Roles
from tallymark.sources.counted import written_out
from tallymark.sources.places import place_of, read_already
from tallymark.study.request import Request


def with_vectors(
    routing: Routing, source: object, request: Request, names: tuple[str, ...]
) -> tuple[object, dict[str, Any]]:
    """The table, with its trust scores if need be, and the named options of reading it."""
    place = place_of(request.reading)
    table = applied_by_trust(
        source,
        request.vectors,
        routing.trained,
        system=routing.system,
        prompt=routing.prompt,
        key=routing.id,
        points=routing.range_,
        place=place,
    )
    options = request.some(names)
    return table, {**options, "place": place} if table is source else options


def each_response(
    source: object, request: Request, roles: Roles, reading: Mapping[str, Any]
) -> tuple[object, Roles, dict[str, Any]]:
    """The table to certify with, its roles and how it is read; a tally is written out."""
    if request.count is None:
        return source, roles, {**reading}
    if request.vectors is not None:
        raise OptionError("--vectors has one vector a response: leave out --count")
    columns = written_out(source, request.count, place_of(reading))
    return columns, replace(roles, count=None), read_already(reading)


def asked_beside(request: Request) -> dict[str, Any]:
    """What the record holds beside the terms and the scores."""
    asked: dict[str, Any] = {} if request.count is None else {"count": request.count}
    if request.vectors is not None:
        columns = {"confidence": None, "vectors": "VECTORS", "train": request.train}
        asked["confidence_columns"] = columns
    return asked if request.pool is None else {**asked, "pooled": True}
