"""What commands share between parsing and rendering: reading the scores and showing the result."""

from collections.abc import Callable, Mapping
from glob import glob
from pathlib import Path
from typing import Any

import click

from tallymark.analyses.summary import summary
from tallymark.cli.config import CONFIG
from tallymark.cli.opening import check_asked, is_forced, open_page
from tallymark.cli.progress import progress
from tallymark.cli.streams import line_width, print_lines, put
from tallymark.errors import OptionError
from tallymark.render.files import ALWAYS, check_file, check_folder
from tallymark.render.layout import Line
from tallymark.render.literal import literal
from tallymark.results import Evaluation
from tallymark.sources import ExcludedRow
from tallymark.study.fields import TYPED
from tallymark.study.reading import Outcome
from tallymark.study.request import FIELDS, Request
from tallymark.verdict.policy import policy_of

EXIT_CODES = {"met": 0, "not met": 1, "undecided": 3, "not computable": 3}
"""How a gate ends, by the state of the verdict."""


def show(
    run: Callable[[], tuple[Evaluation, tuple[ExcludedRow, ...]]],
    out: Path | None,
    *,
    as_json: bool,
    markdown_to: Path | None = None,
    more: Mapping[str, str | bytes] | None = None,
    gate: bool = False,
    full: bool = True,
) -> None:
    """Run an analysis; print its summary or JSON, and write the files that were asked for.

    ``more`` files, which running may add to, are written beside the others; a ``gate`` ends with the
    exit code of the verdict.
    """
    check_asked(out)
    check_targets({} if markdown_to is None else {"--summary": markdown_to}, out)
    evaluation, excluded = run()
    written: list[Path] = []
    if out is not None:
        from tallymark.analyses.files import write_folder  # what a page takes is slow to import

        written = write_folder(
            evaluation, excluded, out, more, reads=read_files(), force=is_forced()
        )
        open_page(out / "report.html")
    if markdown_to is not None:
        from tallymark.analyses.files import write_markdown

        write_markdown(evaluation, markdown_to)
    _print(evaluation, out, len(written), as_json=as_json, full=full)
    if gate:
        end_by(evaluation)


def check_targets(
    files: Mapping[str, Path], folder: Path | None = None, option: str = "--out"
) -> None:
    """Refuse what cannot be written, or would write over what is read or written besides."""
    reads, force = read_files(), is_forced()
    if folder is not None:
        check_folder(folder, reads, option=option, force=force)
        page_files = {(folder / name).resolve() for name in ALWAYS}
        for given, path in files.items():
            if path.resolve() in page_files:
                raise OptionError(f"{given} {path} and {option} {folder} both write {path.name}")
    for given, path in files.items():
        check_file(path, reads, option=given, force=force)
    replaced = [path.resolve() for path in files.values() if path.is_file() or not path.exists()]
    if len({*replaced}) < len(replaced):
        raise OptionError(f"{' and '.join(files)} name one file; name another")


def read_files() -> list[Path]:
    """The files that the command reads: its arguments, tables that options name, and --config."""
    context = click.get_current_context()
    names = {p.name for p in context.command.params if isinstance(p, click.Argument)}
    names |= {field.name for field in FIELDS if field.kind in TYPED}
    paths = [*context.meta.get(CONFIG, ())]
    for value in (context.params.get(name) for name in names):
        for text in map(str, value if isinstance(value, tuple) else (value,) if value else ()):
            paths += [Path(text), Path(text.partition("=")[2] or text)]  # NAME=FILE
            parts = [] if Path(text).exists() else glob(text, recursive=True)  # noqa: PTH207 - ** anywhere
            paths += map(Path, parts)
    return paths


def _print(
    evaluation: Evaluation, out: Path | None, written: int, *, as_json: bool, full: bool
) -> None:
    if as_json:
        put(evaluation.to_json().encode())  # JSON is UTF-8, whatever the terminal speaks
        return
    lines = summary(evaluation, width=line_width(), full=full)
    if out is not None:
        lines.append(Line(f"{written} files written to {literal(str(out))}"))
    print_lines(lines)


def check_gate(policy: Any, *, gate: bool) -> None:
    """Refuse a policy that cannot be read before any work is done; a gate needs one."""
    if policy is not None:
        policy_of(policy)
    elif gate:
        raise OptionError("--gate needs a policy: give --policy a name or a file")


def end_by(evaluation: Evaluation) -> None:
    """End with the exit code of the verdict: 0 met, 1 not met, 3 undecided."""
    state = evaluation.verdict.state if evaluation.verdict is not None else "undecided"
    code = EXIT_CODES[state]
    if code:
        raise click.exceptions.Exit(code)


def show_asked(
    analysis: Callable[..., Outcome],
    command: str,
    file: Path,
    given: Mapping[str, Any],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Run what a command is asked for and show it."""
    request = Request.of(command, given)

    def run() -> Outcome:
        with progress() as report:
            return analysis(file, request, progress=report)

    show(run, out, as_json=as_json)
