"""Known roles: those of a file that says itself who scored what; whatever was asked wins."""

from msgspec.structs import replace

from tallymark.errors import DataError
from tallymark.scale import Scale
from tallymark.sources.judges.shaping import KnownTable
from tallymark.sources.roles import Roles
from tallymark.sources.settings import ReadingSettings


def known_roles(
    source: str, known: KnownTable, asked: Roles, *, people_only: bool
) -> tuple[Roles, tuple[str, ...]]:
    """Complete the roles with those that the file gives; also what to say of them."""
    given = known.roles
    systems = () if people_only else asked.systems or given.systems
    humans = asked.humans or tuple(name for name in given.humans if name not in systems)
    if not asked.systems:
        systems = tuple(name for name in systems if name not in humans)
    if not systems and not people_only:
        why = f": {known.unjudged}" if known.unjudged else ""
        raise DataError(
            f"{source} has no score by a judge{why}. To look at people alone, use `tallymark raters`."
        )
    if not humans and asked.gold is None:
        raise DataError(_no_person(source, known))
    runs = {name: runs for name, runs in given.repeats.items() if name in systems}
    roles = replace(
        asked,
        humans=humans,
        systems=systems,
        repeats=asked.repeats or runs,
        id=asked.id or given.id,
        prompt=asked.prompt or given.prompt,
        trait=asked.trait or given.trait,
        cluster=asked.cluster or given.cluster,
    )
    return roles, known.guesses


def known_scales(known: KnownTable, roles: Roles, settings: ReadingSettings) -> ReadingSettings:
    """The scales of traits that are read as prompts, unless scales were declared."""
    if settings.prompts or settings.usual.scale is not None or roles.prompt != known.roles.prompt:
        return settings
    usual, kept = settings.usual, known.scales
    return ReadingSettings(usual, {n: replace(usual, scale=Scale.of(s)) for n, s in kept.items()})


def _no_person(source: str, known: KnownTable) -> str:
    if known.people:
        return (
            f"{source} has scores of people under other names than those of the judges; name those "
            f"to compare with --human ({known.people})"
        )
    return (
        f"{source} has no score by a person ({known.guesses[0]}); have people score some of it "
        "(`tallymark labels draw`), and bring their scores with --human-file FILE, joined by --id"
    )
