"""Settings of the whole suite: shared data, hypothesis, and no skip without a listed reason."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
SHARED = ROOT / os.environ.get("TALLYMARK_SHARED", "../shared")
ALLOWED_SKIPS = Path(__file__).with_name("allowed_skips.txt")

IN_CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}
REQUIRED = frozenset(filter(None, os.environ.get("TALLYMARK_REQUIRE", "").split(",")))
"""Markers whose tests must run: a skip of one of them fails, whatever its reason."""

hypothesis.settings.register_profile("local", deadline=None, max_examples=50)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.load_profile("ci" if IN_CI else "local")


def shared_path(*parts: str) -> Path:
    """The path of a shared data file; the test is skipped where it is not present."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data not present: {'/'.join(parts)}", allow_module_level=True)
    return path


@pytest.fixture(autouse=True)
def errors_in_words_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test asks from Python, no error names an option of the shell."""
    from tallymark.study import request

    written = request.python_words

    def checked(command: str, text: str) -> str:
        said = written(command, text)
        assert not re.search(r"(?<![\w'\"-])--[a-z]", said), said
        return said

    monkeypatch.setattr(request, "python_words", checked)


@pytest.fixture(scope="session")
def shared() -> Callable[..., Path]:
    """``shared("data", "essays.csv")`` is the path of a shared file, or skips the test."""
    return shared_path


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium of the system, driven by Playwright; nothing is downloaded."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


class SkipGate:
    """Fails the run when a test was skipped that had to run, or for a reason not on the list."""

    def __init__(self, allowed: list[str], required: frozenset[str]) -> None:
        self.allowed = allowed
        self.required = required
        self.refused: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._note(report, self.required & set(report.keywords))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._note(report, frozenset())

    def _note(self, report: pytest.TestReport | pytest.CollectReport, must_run: object) -> None:
        # pytest keeps a skip as (file, line, "Skipped: reason")
        detail = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        reason = detail.removeprefix("Skipped: ")
        if must_run or not any(fnmatch(reason, pattern) for pattern in self.allowed):
            self.refused.append(f"{report.nodeid}: {reason}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.refused and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        if self.refused:
            terminalreporter.section("skipped, but had to run", red=True)
            terminalreporter.line(f"(reasons allowed: {ALLOWED_SKIPS.name})")
            for line in self.refused:
                terminalreporter.line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Watch the skips where nobody would read them; xdist's workers report to their controller."""
    if (IN_CI or REQUIRED) and not hasattr(config, "workerinput"):
        lines = ALLOWED_SKIPS.read_text("utf-8").splitlines()
        allowed = [line for line in lines if line and not line.startswith("#")]
        config.pluginmanager.register(SkipGate(allowed, REQUIRED))
