"""From a request to what it asks of the rooms below: roles, options of reading, settings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from tallymark import sources
from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.results import Evaluation
from tallymark.sources import ExcludedRow, PromptOptions, Roles, Scores
from tallymark.sources.places import place_of, read_already, recorded
from tallymark.sources.probes import join_probes
from tallymark.study.fields import STATISTICS
from tallymark.study.request import Request, fields_of, prompt_fields
from tallymark.study.worst import Named, list_worst

_ROLES = Roles.__struct_fields__
_SETTINGS = Settings.__struct_fields__
NOT_ALIKE = (
    "a plan takes every response of a pilot alike, and the labels of --human-file have weights: give "
    "the --value that `tallymark evaluate` finds in place of the pilot"
)
_MAPPINGS = tuple(name for name, default in asdict(Roles()).items() if default == {})


class Outcome(NamedTuple):
    """What an analysis gives: the evaluation, and the rows that it could not use."""

    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]


def roles_of(request: Request) -> Roles:
    """What the columns mean, as far as it was said."""
    named = request.some(_ROLES)
    given = {key: named[key] for key in _MAPPINGS if isinstance(named.get(key), Mapping)}
    return Roles(
        **{key: columns for key, columns in named.items() if key not in _MAPPINGS}, **given
    )


def settings_of(request: Request) -> Settings:
    """How intervals are made."""
    return Settings(**request.some(_SETTINGS))


def reading_of(request: Request) -> dict[str, Any]:
    """How scores are read."""
    given = request.reading
    by_prompt = given.pop("prompts", None) or {}
    return {
        **given,
        "prompts": {prompt: _prompt(setting, request) for prompt, setting in by_prompt.items()},
    }


def _prompt(setting: Any, request: Request) -> PromptOptions:
    """What differs for one prompt."""
    if isinstance(setting, PromptOptions):
        return setting
    known = prompt_fields(request.command)
    return PromptOptions(**{known[key].name: value for key, value in setting.items()})


def noted(evaluation: Evaluation, request: Request) -> Evaluation:
    """Add to the record what was asked of the statistics and is not in it yet."""
    more = {
        field.recorded: list(value) if isinstance(value, tuple) else value
        for name, field in fields_of(request.command).items()
        for value in (request[name],)
        if field.section == STATISTICS and field.recorded not in evaluation.options
        if value and value != field.default
    }
    return replace(evaluation, options={**evaluation.options, **more}) if more else evaluation


def read(source: object, request: Request, **more: Any) -> Scores:
    """Read the scores that a request is about; a plan takes all responses of its pilot alike."""
    scores = sources.read_scores(source, roles=roles_of(request), **reading_of(request), **more)
    if scores.weighted and request.command.startswith("plan"):
        raise OptionError(NOT_ALIKE)
    return scores


def read_with_worst(source: object, request: Request, named: Named) -> Scores:
    """Read the scores, and list the responses that systems score most differently."""
    joined = with_probes(source, roles_of(request), reading_of(request), request.probe_scores)
    with sources.open_scores(joined.source, roles=joined.roles, **joined.reading) as opened:
        worst, excluded = list_worst(opened.responses, named)
        return joined.noted(replace(opened.listing(excluded), worst=worst))


class WithProbes(NamedTuple):
    """What is read, with the scores of probes beside the responses, and what to say of them."""

    source: object
    roles: Roles
    reading: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = MappingProxyType({})

    def noted(self, scores: Scores) -> Scores:
        """The scores that were read, with notes and options."""
        facts = replace(scores.facts, notes=(*scores.facts.notes, *self.notes))
        return replace(scores, facts=facts, options={**scores.options, **self.options})


def with_probes(
    source: object, roles: Roles, reading: Mapping[str, Any], given: object
) -> WithProbes:
    """Bring the scores of probes beside the responses, where there are some."""
    if given is None:
        return WithProbes(source, roles, reading)
    place = place_of(reading)
    joined = join_probes(source, given, roles, place)
    return WithProbes(
        joined.columns,
        replace(roles, probed=joined.probed),
        read_already(reading),
        joined.notes,
        {"probe_scores": "PROBES"} | recorded(place),
    )
