"""Tests find mistakes: each mutant fails those that are about it."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS

ROOT = Path(__file__).parents[2]
FAILED = 1
"""The exit code of pytest where tests ran and some failed; others mean that none ran."""


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_found(mutant):
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.mutants.plant", "-p", "no:cacheprovider", "-q", "-x", *mutant.tests.split()],
        cwd=ROOT, env=os.environ | {"TALLYMARK_MUTANT": mutant.name}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == FAILED, (
        f"{mutant.name} survives {mutant.tests}\n{ended.stdout[-2000:]}"
    )


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_what_a_mutant_replaces_and_its_tests_are_there(mutant):
    module, _, name = mutant.target.partition(":")
    assert hasattr(import_module(f"tallymark.{module}"), name)
    assert all((ROOT / path).exists() for path in mutant.tests.split())
