"""Settings: scale, resolution and trimming, which may differ from prompt to prompt."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.errors import OptionError
from tallymark.scale import Scale, trim_steps
from tallymark.sources.resolution import COUNTED, check_rule
from tallymark.sources.roles import PromptOptions
from tallymark.sources.sql import literal
from tallymark.sources.values import MissingWords


class Setting(Struct, frozen=True):
    """What holds for one prompt; ``scale`` is None when it is to be read off the human scores.

    ``system_scale`` is None where systems score on the gold's scale.
    ``needed`` ratings make the gold, where the rule takes the same number from every response.
    """

    scale: Scale | None
    resolve: str
    trim: float
    system_scale: Scale | None = None
    needed: int = 0


class ReadingSettings(Struct, frozen=True):
    """The setting of most prompts, and of those that have their own."""

    usual: Setting
    prompts: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def all(self) -> list[Setting]:
        """Every setting, the usual one first."""
        return [self.usual, *self.prompts.values()]

    @property
    def words(self) -> Mapping[str, float]:
        """The points of the scale's words, when scores are words."""
        return self.usual.scale.words if self.usual.scale is not None else {}

    def by_prompt(self, prompt: str | None, write: Callable[[Setting], str]) -> str:
        """Write one SQL condition per setting, chosen by the prompt."""
        return self._chosen(prompt, [write(setting) for setting in self.all])

    def place(self, prompt: str | None) -> str:
        """Write as SQL which of all settings holds for the prompt."""
        return self._chosen(prompt, [str(i) for i in range(len(self.all))])

    def _chosen(self, prompt: str | None, written: Sequence[str]) -> str:
        usual, *others = written
        if not self.prompts or prompt is None:
            return usual
        named = zip(self.prompts, others, strict=True)
        cases = [f"WHEN {literal(name)} THEN {words}" for name, words in named]
        return f"CASE {prompt} {' '.join(cases)} ELSE {usual} END"


def with_needs(settings: ReadingSettings, most: Sequence[int]) -> ReadingSettings:
    """Fill in how many ratings the gold takes: as many as any response has, two at least."""
    usual, *others = (
        replace(setting, needed=max(number, 2) if setting.resolve in COUNTED else 0)
        for setting, number in zip(settings.all, most, strict=True)
    )
    return ReadingSettings(usual, dict(zip(settings.prompts, others, strict=True)))


class Options(Struct, frozen=True):
    """Everything but the roles that says how a table is to be read."""

    settings: ReadingSettings
    adjudication: str
    adjacency: float
    missing: MissingWords
    exclude: frozenset[str]
    people_only: bool = False
    numbered: bool = False
    positive: str | None = None


def make_settings(usual: Setting, prompts: Mapping[str, PromptOptions]) -> ReadingSettings:
    """Complete what each prompt leaves open with the usual setting."""
    by_prompt = {}
    for prompt, options in prompts.items():
        by_prompt[str(prompt)] = replace(
            usual,
            scale=usual.scale if options.scale is None else Scale.of(options.scale),
            resolve=options.resolve or usual.resolve,
            trim=usual.trim if options.trim is None else trim_steps(options.trim),
            system_scale=two_ends(options.system_scale) or usual.system_scale,
        )
    settings = ReadingSettings(usual, by_prompt)
    words = {setting.scale.labels if setting.scale is not None else () for setting in settings.all}
    if len(words) > 1:
        raise OptionError("a scale of words cannot differ from prompt to prompt; declare one scale")
    return settings


def two_ends(scale: Scale | str | Sequence[object] | None) -> Scale | None:
    """The scale of systems, if one was declared; refuse one without a low and a high end."""
    declared = None if scale is None else Scale.of(scale)
    if declared is not None and len(declared.points) < 2:
        raise OptionError(
            f"--system-scale needs a low and a high end, got {declared}; write low:high"
        )
    return declared


def check_settings(
    settings: ReadingSettings, *, raters: int, adjudication: str, adjacency: float
) -> None:
    """Refuse rules, tolerances and distances that cannot be used."""
    if not (math.isfinite(adjacency) and adjacency >= 0):
        raise OptionError(f"adjacency must be zero or more, got {adjacency}")
    for setting in settings.all:
        check_rule(setting.resolve, raters, adjudication)


def declared(
    scale: Scale | str | Iterable[object] | None,
    categories: Scale | str | Iterable[object] | None,
    resolve: str,
    system_scale: object,
    prompts: Mapping[str, PromptOptions],
) -> Scale | None:
    """The scale that was declared, or labels without an order; None where nothing was."""
    if categories is not None:
        labels = Scale.categories(categories)
        _check_categories(labels, resolve, system_scale, prompts)
        return labels
    return None if scale is None else Scale.of(scale)


def written(scale: Scale | str | Sequence[object] | None) -> str | None:
    """The scale as text, for the record."""
    return None if scale is None else str(Scale.of(scale))


def _check_categories(
    scale: Scale,
    resolve: str,
    system_scale: object,
    prompts: Mapping[str, PromptOptions],
) -> None:
    """Refuse what needs an order, of labels that have none."""
    if resolve != "first":
        raise OptionError(
            f"--resolve {resolve} needs scores in an order, and {scale} has none: name the "
            "label that counts with --gold, or take first"
        )
    if system_scale is not None:
        raise OptionError("--system-scale needs scores in an order: leave it out of --categories")
    if any(options.scale is not None for options in prompts.values()):
        raise OptionError("--categories are the same in every prompt: leave out their scales")


def asked_of(differing: PromptOptions) -> dict[str, object]:
    """What differs for a prompt, for the record."""
    asked = {
        "scale": written(differing.scale),
        "system_scale": written(differing.system_scale),
        "resolve": differing.resolve,
        "trim": differing.trim,
        "lambda": differing.lambda_,
    }
    return {key: value for key, value in asked.items() if value is not None}
