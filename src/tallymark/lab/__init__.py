"""The lab: experiments on metrics with a known truth, as ``tallymark.lab``.

``names()`` lists them, ``run(name)`` repeats one and says which claims of its source hold. One
file in ``experiments/`` is one experiment. Any function of two arrays joins any of them.
"""

from tallymark.lab.outcome import LabRun
from tallymark.lab.running import names, run

__all__ = ["LabRun", "names", "run"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
