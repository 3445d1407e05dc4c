"""What a run was called with that is no option of the analysis: --open, --force, --debug."""

from pathlib import Path

import click


def notes() -> dict[str, int]:
    """What this run was called with that is no option of the analysis: open, force, debug."""
    context = click.get_current_context(silent=True)
    run_notes = None if context is None else context.obj
    return run_notes if isinstance(run_notes, dict) else {}


def is_asked() -> bool:
    """Whether this run was called with --open."""
    return bool(notes().get("open"))


def is_forced() -> bool:
    """Whether files that Tallymark did not write may be replaced."""
    return bool(notes().get("force"))


def check_asked(out: Path | None) -> None:
    """Refuse --open where no page is written, before any work is done."""
    if out is None and is_asked():
        from tallymark.errors import OptionError

        raise OptionError("--open shows report.html, which only --out writes; add --out DIR")


def open_page(path: Path) -> None:
    """Open a file in the browser, if it was asked for."""
    if is_asked():
        import webbrowser

        webbrowser.open(path.absolute().as_uri())
