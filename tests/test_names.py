"""The public names of the package."""

import subprocess
import sys

import pytest

import tallymark as tm

CLASHES = """
import importlib, pkgutil, tallymark as tm
first = {name: getattr(tm, name) for name in tm.__all__}
for module in pkgutil.walk_packages(tm.__path__, "tallymark."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print([name for name in first if getattr(tm, name) is not first[name]])
"""


def test_dir_is_the_public_names_alone():
    assert dir(tm) == sorted(tm.__all__)


@pytest.mark.parametrize("name", ["lab", "metrics", "plan", "route", "simulation"])
def test_dir_of_a_public_module_is_its_public_names_alone(name):
    module = getattr(tm, name)
    assert dir(module) == sorted(module.__all__)


def test_a_public_name_stays_what_it_is_whatever_is_imported():
    command = [sys.executable, "-c", CLASHES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_an_unknown_name_is_refused_with_a_hint():
    with pytest.raises(AttributeError, match=r"'evalute'\. Did you mean 'evaluate'"):
        _ = tm.evalute
