"""Results as files: a folder with the JSON and the tables, each written whole or not at all."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from tallymark.errors import OptionError
from tallymark.render.papers import paper_tables
from tallymark.render.tables import exclusions_csv, tables
from tallymark.results import Evaluation
from tallymark.sources.checks import ExcludedRow


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written, before any work is done."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise OptionError(f"--out must name a folder, but {nearest} is a file; name another")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write to --out {folder}: no permission; name another folder")


def check_file(path: Path) -> None:
    """Refuse a file for the Markdown summary that cannot be written, before any work is done."""
    if path.is_dir():
        raise OptionError(f"--summary must name a file, but {path} is a folder; name another")
    nearest = next(place for place in path.absolute().parents if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write --summary {path}: no permission; name another file")


def write_markdown(evaluation: Evaluation, path: Path) -> None:
    """Write the summary for a pull request; a file that exists is replaced."""
    from tallymark.render.markdown import markdown

    try:
        write_whole(path, markdown(evaluation))
    except OSError as problem:
        raise OptionError(
            f"cannot write --summary {path}: {problem.strerror or problem}; name another file"
        ) from None


def write_folder(
    evaluation: Evaluation,
    excluded: Iterable[ExcludedRow],
    folder: Path,
    more: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write report.html, evaluation.json, exclusions.csv and tables; old files are replaced."""
    texts = {"evaluation.json": evaluation.to_json() + "\n"}
    texts["report.html"] = evaluation.to_html()
    texts["exclusions.csv"] = exclusions_csv(excluded)
    if evaluation.kind == "evaluate":
        from tallymark.render.markdown import markdown

        texts["summary.md"] = markdown(evaluation)
    texts |= {f"tables/{name}": text for name, text in tables(evaluation).items()}
    texts |= {f"tables/{name}": text for name, text in paper_tables(evaluation).items()}
    texts.update(more or {})
    try:
        for name, text in texts.items():
            write_whole(folder / name, text)
    except OSError as problem:
        raise OptionError(
            f"cannot write to --out {folder}: {problem.strerror or problem}; name another folder"
        ) from None
    return [folder / name for name in texts]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under a temporary name, then rename it, so that no reader sees half of it.

    A device such as /dev/null, a pipe or a link is written to, not replaced.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
