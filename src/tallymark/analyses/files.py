"""Results as files: a folder with the page, the JSON and the tables, and the summary."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tallymark.analyses.sections import sections
from tallymark.analyses.summary import markdown
from tallymark.errors import OptionError
from tallymark.questions.comparison.papers import paper_table
from tallymark.questions.verdict.benchmark import benchmark, benchmark_rows
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.render import latex
from tallymark.render import markdown as md
from tallymark.render.files import SUMMARY_MARK, write_whole
from tallymark.render.folder import write_run
from tallymark.render.tables import csv_text, tables
from tallymark.results import Evaluation
from tallymark.scale import Scale
from tallymark.sources.checks import ExcludedRow
from tallymark.sources.responses import ListedResponse


def write_markdown(evaluation: Evaluation, path: Path) -> None:
    """Write the summary for a pull request; a file that exists is replaced."""
    try:
        write_whole(path, f"{markdown(evaluation)}\n{SUMMARY_MARK}\n")
    except OSError as problem:
        raise OptionError(
            f"cannot write --summary {path}: {problem.strerror or problem}; name another file"
        ) from None


def write_folder(
    evaluation: Evaluation,
    excluded: Iterable[ExcludedRow],
    folder: Path,
    more: Mapping[str, str | bytes] | None = None,
    *,
    reads: Iterable[Path] = (),
    force: bool = False,
) -> list[Path]:
    """Write report.html, evaluation.json, tables and all; nothing of an earlier run stays."""
    texts: dict[str, str | bytes] = {"evaluation.json": evaluation.to_json() + "\n"}
    texts["report.html"] = evaluation.to_html()
    texts["exclusions.csv"] = exclusions_csv(excluded)
    texts["summary.md"] = markdown(evaluation)
    texts |= {f"tables/{name}": text for name, text in tables(evaluation).items()}
    for section in [matrix(evaluation), *sections(evaluation)]:
        written = latex.section_tables(section)
        texts |= {f"tables/{section.id}.tex": written} if written else {}
    paper = paper_table(evaluation)
    if paper is not None:
        texts[f"tables/{paper.id}.tex"] = latex.booktabs(paper.id, paper)
        texts[f"tables/{paper.id}.md"] = md.paper(paper)
    by_part = benchmark(evaluation)
    if by_part is not None:
        texts["tables/benchmark.csv"] = csv_text(*benchmark_rows(by_part))
    texts.update(more or {})
    try:
        return write_run(folder, texts, evaluation.kind, reads=reads, force=force)
    except OSError as problem:
        raise OptionError(
            f"cannot write to --out {folder}: {problem.strerror or problem}; name another folder"
        ) from None


def exclusions_csv(excluded: Iterable[ExcludedRow]) -> str:
    """Write one row per response that was not used; row 1 is the first row of data."""
    columns = ("row", "id", "column", "value", "reason")
    return csv_text(
        columns, ([getattr(excluded_row, name) for name in columns] for excluded_row in excluded)
    )


def disagreements_csv(worst: Mapping[str, Sequence[ListedResponse]], scale: Scale) -> str:
    """Write the responses with the greatest differences, by id or, where there is none, by row."""
    columns = ("system", "id", "row", "prompt", "trait", "gold", "score", "difference")
    rows = [
        [
            *(system, response.id, response.row, response.prompt, response.trait),
            *(scale.called(response.gold), scale.called(response.score)),
            response.score - response.gold,
        ]
        for system, listed in worst.items()
        for response in listed
        if response.far
    ]
    return csv_text(columns, rows)
