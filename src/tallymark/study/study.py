"""Study: scores as they were read, cut into parts, and what is asked of them."""

from functools import cached_property

from msgspec import Struct

from tallymark.inference import Settings
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.parts import Part, parts_of
from tallymark.study.runs import scores_by_run


class Study(Struct, frozen=True, dict=True):
    """What questions are put to; its parts know their scales, people, clusters and gold."""

    scores: Scores
    settings: Settings
    asked: Asked

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Everything, then each prompt, trait, fold and group."""
        return tuple(parts_of(self.scores, cross=self.asked.cross, lambda_=self.asked.lambda_))

    @property
    def whole(self) -> Part:
        """All of the data."""
        return self.parts[0]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in their order."""
        return self.scores.roles.systems

    def by_run(self, system: str) -> list["Study"]:
        """The study with each run of a system in its place; none where it has one score."""
        each = scores_by_run(self.scores, system, self.asked.runs)
        return [Study(scores, self.settings, self.asked) for scores in each]

    @property
    def alike(self) -> bool:
        """Whether responses count alike; what rests on that is left out where weights differ."""
        return not self.scores.weighted
