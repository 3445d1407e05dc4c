"""Findings: what is to be known about the numbers of an evaluation."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field


class Finding(Struct, frozen=True, kw_only=True):
    """Something to know about the numbers: a name, such as ``kappa_paradox``, and what shows it.

    The question that found it has the words. ``weight`` is ``loud`` for what may turn a decision
    around, ``quiet`` for what is worth knowing, ``note`` for what stands before the numbers.
    """

    name: str
    system: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    weight: Literal["loud", "quiet", "note"] = "loud"
    subset: int = -1

    @property
    def loud(self) -> bool:
        """Whether it may turn a decision around."""
        return self.weight == "loud"
