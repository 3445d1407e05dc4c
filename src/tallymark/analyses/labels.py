"""Labels: which responses people are to label, drawn so that every number can be weighted back."""

import csv
import io
from pathlib import Path
from typing import Unpack

from tallymark.errors import OptionError
from tallymark.render.files import check_file, write_whole
from tallymark.results.cells import harmless
from tallymark.sources.drawing import DrawnStratum, LabelSheet, WantedLabels
from tallymark.sources.drawing import draw as draw_from
from tallymark.sources.places import place_of
from tallymark.sources.tables import open_table
from tallymark.study.labels import DrawKeywords
from tallymark.study.request import Request, takes

__all__ = ["DrawnStratum", "LabelSheet", "draw", "write"]


@takes("labels draw")
def draw(source: object, **asked: Unpack[DrawKeywords]) -> LabelSheet:
    """Draw responses for people to label: blind, in random order, stratum by stratum.

    ``by`` are columns to draw by, such as the judge's score; numbers of more than 10 values are
    cut at their quantiles. Every response has a ``draw_code``, which brings its weight and its
    stratum back when the labels are read as ``human_file``.

    >>> judged = {"id": list(range(100)), "judge": [1] * 80 + [2] * 20}
    >>> sheet = draw(judged, n=20, id="id", by="judge")
    >>> sheet.columns, sheet.strata[1]
    (('id', 'drawn_label', 'draw_code'), DrawnStratum(name='judge 2', size=20, drawn=10))
    """
    request = Request.of("labels draw", asked)
    wanted = WantedLabels(**request.some(WantedLabels._fields))
    with open_table(source, **place_of(request.reading)) as table:
        return draw_from(table, wanted)


def check_sheet(path: Path, *, force: bool = False) -> None:
    """Refuse a file that cannot be written or that may hold labels."""
    check_file(path, option="--out", force=True)
    if path.is_file() and not force:
        raise OptionError(
            f"--out {path} exists and may hold labels; name another file, or replace it with --force"
        )


def write(sheet: LabelSheet, path: Path, *, force: bool = False) -> None:
    """Write a sheet as CSV that spreadsheets open; one that exists may hold labels, and stays."""
    check_sheet(path, force=force)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([sheet.columns, *sheet.rows])
    write_whole(path, b"\xef\xbb\xbf" + harmless(text.getvalue()).encode())


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
