"""The blocks of a page that run: a shell session (``console``) or Python (``pycon``).

A page's blocks run in their order, in one empty folder. In a session a line that starts with ``$`` is
a command (to ``END`` after ``<<'END'``), and what follows it is all that it prints; ``python -m tests.docs.blocks`` writes these
answers anew. Python is checked as a doctest; its names last to the end of the page.
"""

import doctest
import os
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (?:.*<<'END'\n(?:.*\n)*?END|(?:.*\\\n)*.*)\n", re.MULTILINE)


class Shell:
    """Commands, one after the other, in one folder; ``$?`` is that of the command before."""

    def __init__(self, folder: Path, programs: Path) -> None:
        for name, call in (("tallymark", "-m tallymark"), ("python", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n', "utf-8")
            program.chmod(0o755)
        self.folder = folder
        self.code = 0
        self.env = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
            "PYTHONUTF8": "1",
        }

    def answer(self, command: str) -> str:
        """All that a command prints, on both streams."""
        ended = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {command}"],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.code = ended.returncode
        return ended.stdout.decode().replace("\r\n", "\n")

    def session(self, shown: str) -> str:
        """The commands of a session, each with the answer it gets now."""
        commands = COMMAND.findall(shown)
        return "".join(command + self.answer(command[2:].rstrip()) for command in commands)


def run_page(text: str, folder: Path) -> tuple[str, str]:
    """Return a page with the answers that the shell gives now, and what doctest complains of."""
    inside, programs = folder / "here", folder / "programs"
    inside.mkdir()
    programs.mkdir()
    shell = Shell(inside, programs)
    names: dict[str, Any] = {}
    complaints: list[str] = []

    def run(block: re.Match[str]) -> str:
        if block[1] == "console":
            return f"```console\n{shell.session(block[2])}```"
        with chdir(inside):
            examples = doctest.DocTestParser().get_doctest(block[2], names, "page", None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(examples, out=complaints.append, clear_globs=False)
            names.update(examples.globs)
        return block[0]

    return BLOCK.sub(run, text), "".join(complaints)


if __name__ == "__main__":
    for page in sorted((Path(__file__).parents[2] / "docs").rglob("*.md")):
        before = page.read_text("utf-8")
        if "```console" in before:
            with TemporaryDirectory() as place:
                now, _ = run_page(before, Path(place))
            page.write_text(now, "utf-8")
            sys.stdout.write(f"docs/{page.name}\n")
