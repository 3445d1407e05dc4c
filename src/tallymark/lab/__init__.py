"""The lab: experiments on metrics with a known truth, as ``tallymark.lab``.

``names()`` lists them, ``run(name)`` repeats one and says which claims of its source hold,
``properties()`` makes a card of what each statistic does where it should stay or move. Any function of two arrays joins any of them.
"""

from tallymark.lab.cards import Properties, properties
from tallymark.lab.runs import LabRun, names, run

__all__ = ["LabRun", "Properties", "names", "properties", "run"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
