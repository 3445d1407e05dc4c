"""Colour and progress, which only a terminal gets."""

import io
import sys
import threading

import pytest

from tallymark.cli.progress import progress
from tallymark.cli.streams import print_lines
from tallymark.render.layout import Line


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Put terminals in the place of the standard streams, once the test itself runs."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def replace_streams():
        monkeypatch.setattr(sys, "stdout", Terminal())
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stdout, sys.stderr

    return replace_streams


def test_headings_are_bold_on_a_terminal_and_markup_is_shown_literally(terminal):
    out, _ = terminal()
    print_lines([Line("[red]title[/red]", "heading"), Line("text")])
    assert out.getvalue() == "\x1b[1m[red]title[/red]\x1b[0m\ntext\n"


def test_no_color_turns_styles_off(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out, _ = terminal()
    print_lines([Line("title", "heading")])
    assert out.getvalue() == "title\n"


def test_progress_is_quiet_where_nobody_watches(capsys):
    with progress() as report:
        assert report is None


def test_what_is_quick_shows_no_progress(terminal):
    _, err = terminal()
    with progress() as report:
        assert report is not None
        report(1, 2)
    assert err.getvalue() == ""


def test_what_takes_long_shows_how_much_is_done(terminal, monkeypatch):
    started = []

    class Soon(threading.Timer):
        def start(self):
            self.function()
            started.append(self)

        def join(self, timeout=None):  # noqa: ARG002 - as in its parent
            assert started == [self]

    monkeypatch.setattr("tallymark.cli.progress.Timer", Soon)
    _, err = terminal()
    with progress() as report:
        assert report is not None
        report(1, 2)
    assert "evaluating" in err.getvalue()
