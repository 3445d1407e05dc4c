"""How the command ends when its output is closed, full, unbuffered or left, or at Ctrl-C."""

import os
import random
import subprocess
import sys

import pytest

from tests.cli.conftest import SCORES

RUN = f"{sys.executable} -m tallymark"
QUICK = "--replicates 100"
CERTIFY = "route certify scores.csv --human h1 --system engine --confidence h1 --alpha .01"
ENV = {**os.environ, "PYTHONUNBUFFERED": "1"}
BUFFERED = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}


@pytest.fixture
def shell(tmp_path):
    """``shell("tallymark ... | head")`` is the code of the first program, output and errors."""
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")

    def run(words, *, env=BUFFERED):
        command = words.replace("tallymark ", f"{RUN} ")
        ended = subprocess.run(
            ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
            capture_output=True, text=True, check=False, cwd=tmp_path, env=env, timeout=120,
        )  # fmt: skip
        return ended.returncode, ended.stdout, ended.stderr

    return run


GATED = f"evaluate scores.csv {QUICK} --policy williamson2012 --gate"
LEFT = [
    (f"{CERTIFY} | head -n 1", ENV),
    (f"{CERTIFY} | true", BUFFERED),
    (f"{CERTIFY} --json | head -n 1", BUFFERED),
    (f"{CERTIFY} --json | true", ENV),
    (f"{GATED} | head -n 1", BUFFERED),
    (f"{GATED} --json | true", ENV),
]


@pytest.mark.parametrize(("words", "env"), LEFT)
def test_a_reader_that_leaves_changes_no_exit_code(shell, words, env):
    code, _, err = shell(f"tallymark {words}", env=env)
    assert (code, err) == (3, "")


def test_help_that_nobody_reads_ends_well(shell):
    assert shell("tallymark evaluate --help | true") == (0, "", "")


FULL = {
    "json": f"tallymark evaluate scores.csv {QUICK} --json > /dev/full",
    "text": f"tallymark evaluate scores.csv {QUICK} > /dev/full",
    "help": "tallymark --help > /dev/full",
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize(
    ("case", "env"), [("json", ENV), ("json", BUFFERED), ("text", BUFFERED), ("help", ENV)]
)
def test_a_full_disk_ends_with_2_and_one_line(shell, case, env):
    code, out, err = shell(FULL[case], env=env)
    assert (code, out) == (2, "")
    assert err == "tallymark: cannot read or write: No space left on device\n"


PARTS = """
import io, sys
from tallymark.cli import streams

class Slow(io.RawIOBase):
    taken = b""
    def writable(self): return True
    def write(self, content):
        self.taken += bytes(content[:7])
        return min(7, len(content))

class Text:
    encoding, buffer = "ascii", Slow()
    def flush(self): pass

sys.stdout, before = Text(), sys.stdout
streams.put("κ " + "x" * 50)
print(sys.stdout.buffer.taken, file=before)
"""


def test_output_that_takes_a_part_at_a_time_gets_all_of_it():
    ended = subprocess.run([sys.executable, "-c", PARTS], capture_output=True, check=True)
    assert ended.stdout.decode().strip() == repr(b"\\u03ba " + b"x" * 50 + b"\n")


def test_closed_output_is_told_and_closed_errors_are_no_matter(shell):
    code, out, err = shell(f"tallymark evaluate scores.csv {QUICK} >&-")
    assert (code, out) == (2, "")
    assert err.startswith("tallymark: standard output is closed; ")
    assert err.count("\n") == 1
    assert shell(f"tallymark evaluate scores.csv {QUICK} >&- 2>&-") == (2, "", "")
    assert shell("tallymark evaluate nowhere.csv 2>&-") == (2, "", "")
    assert shell("tallymark evaluate nowhere.csv 2> /dev/full") == (2, "", "")
    code, out, err = shell(f"tallymark evaluate scores.csv {QUICK} --json 2>&- <&-")
    assert (code, err) == (0, "")
    assert out.startswith("{")


INTERRUPTED = """
import os, runpy, signal, sys

moment, seen = int(sys.argv.pop(1)), 0

def watch(event, args):
    global seen
    if event in ("import", "open", "exec", "compile", "os.mkdir", "os.rename"):
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGINT)

sys.argv[0] = "tallymark"
signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
from tallymark.__main__ import main
sys.addaudithook(watch)
main()
"""


def interrupted(moment, folder):
    """Run an evaluation that gets Ctrl-C at its n-th import, file or compilation."""
    words = ("evaluate", "scores.csv", "--replicates", "100", "--out", "out")
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(moment), *words],
        capture_output=True, text=True, check=False, cwd=folder, timeout=120,
    )  # fmt: skip


def check_interrupts(moments, folder):
    (folder / "scores.csv").write_text(SCORES, "utf-8")
    codes = set()
    for moment in moments:
        ended = interrupted(moment, folder)
        codes.add(ended.returncode)
        if ended.returncode == 130:
            assert (moment, ended.stdout, ended.stderr) == (moment, "", "")
        else:
            assert (moment, ended.returncode, ended.stderr) == (moment, 0, "")
        left = {path.name for path in folder.iterdir()} - {"scores.csv", "out"}
        assert left == set(), moment
    return codes


def test_ctrl_c_ends_in_silence_from_the_first_moment(tmp_path):
    assert check_interrupts([1, 5, 20, 60, 200, 400], tmp_path) == {130}


@pytest.mark.slow
def test_ctrl_c_ends_in_silence_at_any_moment(tmp_path):
    assert check_interrupts(random.Random(13).sample(range(1, 2500), 60), tmp_path) <= {0, 130}


def test_ctrl_c_that_is_ignored_stays_ignored(shell):
    code, out, err = shell("trap '' INT; kill -INT $$; tallymark --version")
    assert (code, out.startswith("tallymark "), err) == (0, True, "")
