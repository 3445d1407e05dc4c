"""Any call of any command ends with an answer or a message of one or two lines, and writes nothing else."""

import random
import signal
import warnings

import pytest

from tallymark.cli.main import main
from tallymark.study.request import COMMANDS, fields_of
from tests.fuzz.calls import Drawn, fuzz, options_of, prepared
from tests.fuzz.functions import fuzz_functions
from tests.fuzz.tables import written


@pytest.fixture
def called(capfd):
    """Run the command line in this process; what is written to the streams at any level counts."""

    def run(*words):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(SystemExit) as end:
                main(words)
        return end.value.code, *capfd.readouterr()

    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    yield run
    for each, handler in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), before, strict=True):
        signal.signal(each, handler)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to stand in, and the number of columns of a terminal."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(seeds, place, called):
    failures = [*fuzz(seeds, place, prepared(place, called), called)]
    assert not failures, "\n\n".join(failures)


def test_calls_with_any_options_end_well(place, called):
    check(range(40), place, called)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_thousands_of_new_calls_end_well(place, called, batch):
    first = random.SystemRandom().randrange(10**9)
    check(range(first, first + 600), place, called)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_field_of_a_command_is_drawn(command, tmp_path):
    """A new field is fuzzed by itself: it has a value to draw, whatever its kind."""
    tables = written(tmp_path)
    flags = {field.flag for field in fields_of(command).values() if field.flag}
    options = options_of(tuple(command.split()))
    assert flags <= {flag for option in options.values() for flag in option.opts}
    for table in tables[:2]:
        for flag, option in options.items():
            said = [*Drawn(random.Random(0), table, 0.1).option(option, flag)]
            assert said[0].startswith(flag)
            assert option.is_flag or len(said) > 1 or "=" in said[0]


def test_functions_with_any_keywords_return_or_raise_an_error_of_ours(place, called):
    assert not [*fuzz_functions(range(30), prepared(place, called))]


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_thousands_of_new_calls_of_functions_end_well(place, called, batch):
    first = random.SystemRandom().randrange(10**9)
    failures = [*fuzz_functions(range(first, first + 600), prepared(place, called))]
    assert not failures, "\n\n".join(failures)
