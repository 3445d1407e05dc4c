"""A pytest plugin that plants one mutant before any test is collected.

``TALLYMARK_MUTANT=holm python -m pytest -p tests.mutants.plant tests/inference``
"""

import os
import sys
from importlib import import_module
from typing import Any

from tests.mutants.mutants import MUTANTS, Mutant

MUTANT = "TALLYMARK_MUTANT"


def plant(mutant: Mutant) -> None:
    """Replace what a mutant replaces, in its module and wherever that was imported already."""
    module, _, name = mutant.target.partition(":")
    original = getattr(import_module(f"tallymark.{module}"), name)
    planted: Any = mutant.change(original) if callable(mutant.change) else mutant.change
    for other in [each for key, each in sys.modules.items() if key.startswith("tallymark.")]:
        for key, value in list(vars(other).items()):
            if value is original and (callable(original) or key == name):
                setattr(other, key, planted)


if MUTANT in os.environ:
    plant({mutant.name: mutant for mutant in MUTANTS}[os.environ[MUTANT]])
