"""Study: scores as they were read, cut into parts, and what is asked of them."""

from functools import cached_property

from msgspec import Struct

from tallymark.inference import Settings
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.parts import Part, parts_of


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

    @property
    def alike(self) -> bool:
        """Whether responses count alike; what rests on that is left out where weights differ."""
        return not self.scores.weighted
