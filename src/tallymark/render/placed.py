"""Blocks as the templates take them: numbers written, and kept for the script of the page."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from tallymark.render.drawing import NAMESPACE, drawn, paired
from tallymark.render.grids import (
    SIGNS,
    cell_text,
    few,
    held_text,
    laid_out,
    legend,
    shown,
    signs_shown,
)
from tallymark.render.limits import Beside
from tallymark.render.literal import literal
from tallymark.render.model import (
    Bare,
    Bench,
    Block,
    Cell,
    Claim,
    Drawing,
    Figure,
    Grid,
    Heading,
    Held,
    Number,
    Rank,
    Remark,
    Responses,
    Says,
    Section,
    Settled,
    Slider,
    Strip,
    Strips,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import MINUS, Sentence, Words, written
from tallymark.render.view import MOST_ROWS, View, counted
from tallymark.results import Estimate

MOST_SAID = 12
"""So many sentences, one on each system, are read; more stand in tables."""
PLOT = 330
"""Width of a small plot, which narrow screens show a little smaller."""


def placed(view: View, section: Section) -> Section:
    """Return a section whose blocks hold text and cells only."""
    return replace(section, blocks=tuple(_told_once(blocks_placed(view, section.blocks))))


def _told_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out what columns say where the same stands below a table above."""
    above = set[tuple[str, str]]()
    for block in blocks:
        if not isinstance(block, Table):
            yield block
            continue
        glosses = [(column.title, column.words) for column in block.columns]
        yield replace(
            block,
            columns=tuple(
                replace(column, words="") if glossed in above else column
                for column, glossed in zip(block.columns, glosses, strict=True)
            ),
        )
        above.update(() if block.folded else glosses)


def blocks_placed(view: View, blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks that hold text and cells only."""
    for small, run in groupby(blocks, lambda b: isinstance(b, Drawing) and b.small):
        made = [drawn_block for block in run for drawn_block in _drawn(view, block)]
        yield from paired(made) if small else made


def _drawn(view: View, block: Block) -> list[Block]:
    if isinstance(block, Strips):
        entries = [
            (column, tuple(_strip(view, strip, f"strip {column.title}") for strip in strips))
            for column, strips in block.entries
        ]
        return [Strips(entries=tuple(entries))]
    if isinstance(block, Slider):
        return _slider(view, block)
    if isinstance(block, Bench):
        heads, corner = map(literal, block.heads), literal(block.corner)
        rows = tuple((literal(label), counts) for label, counts in block.rows)
        name = view.free_id("bench")
        label = written(block.label)
        return [replace(block, id=name, label=label, heads=tuple(heads), corner=corner, rows=rows)]
    if not isinstance(block, Drawing):
        return [_placed(view, block)]
    caption = _said(block.caption)
    return drawn(
        view,
        block.draw,
        *block.args,
        caption=caption,
        small=block.small,
        full=block.full,
        **block.options,
    )


def _slider(view: View, block: Slider) -> list[Block]:
    """The figure with what is read at its points, or why it is not drawn."""
    made = _drawn(view, block.figure)
    if len(made) != 1 or not isinstance(made[0], Figure):
        return made
    texts = {key: tuple(map(written, points)) for key, points in block.texts.items()}
    name, label = view.free_id("slider"), written(block.label)
    return [replace(block, id=name, label=label, figure=made[0], texts=texts)]


def _placed(view: View, block: Block) -> Block:
    match block:
        case Grid():
            return _placed(view, laid_out(block, Rank.PAGE))
        case Table():
            return _table(view, shown(block, Rank.PAGE))
        case Text() | Heading():
            return replace(block, words=_said(block.words))
        case Says():
            said = tuple(map(_said, block.sentences[:MOST_SAID]))
            return replace(
                block, sentences=said, left=block.left + len(block.sentences) - len(said)
            )
        case Remark():
            return remark_text(block)
    return block


def remark_text(remark: Remark) -> Remark:
    """Return a remark whose sentences are written out."""
    title, whose, words, advice = map(
        _said, (remark.title, remark.whose, remark.words, remark.advice)
    )
    return replace(remark, title=title, whose=whose, words=words, advice=advice)


def claim_placed(view: View, claim: Claim) -> Claim:
    """Return a claim whose words are texts and whose limits are drawn."""
    criteria = tuple(
        replace(
            criterion,
            title=_said(criterion.title),
            limit=_said(criterion.limit),
            words=_said(criterion.words),
            strip=criterion.strip
            and _strip(view, criterion.strip, f"limit {criterion.strip.estimate.name}"),
        )
        for criterion in claim.criteria
    )
    return replace(
        claim,
        name=literal(claim.name),
        words=_said(claim.words),
        detail=_said(claim.detail),
        criteria=criteria,
        missing=tuple(map(_said, claim.missing)),
    )


def _strip(view: View, strip: Strip, name: str) -> Strip:
    """Write the number of a small plot and draw it."""
    from tallymark.render.figures.intervals import strip as small_plot
    from tallymark.render.figures.records import Whisker

    row = Whisker.of(strip.estimate, literal(strip.system), series=strip.series, state=strip.state)
    prefix = view.free_id(name)
    drawn = small_plot(row, strip.marks, domain=strip.domain, width=PLOT, prefix=prefix)
    return replace(
        strip,
        system=literal(strip.system),
        number=_beside(view.cell(strip.estimate), strip),
        svg=drawn.svg.replace(NAMESPACE, ""),
    )


def _beside(cell: Cell, strip: Strip) -> Cell:
    """The number of a plot, with the decimals that keep it apart from a limit drawn there."""
    limits = [mark.value for mark in strip.marks if mark.kind == "limit"]
    if not limits or not cell.ends:
        return cell
    value, _, ends = Beside(strip.estimate, limits).written("").replace("-", "−").partition(" ")
    return replace(cell, text=value, ends=ends)


def _table(view: View, table: Table) -> Table:
    rows = tuple(tuple(_cell(view, cell) for cell in row) for row in table.first(MOST_ROWS))
    signs = legend(signs_shown(table.rows), SIGNS)
    return replace(
        table,
        id=view.free_id(f"table {table.id}"),
        caption=_said(table.caption),
        columns=tuple(replace(column, title=literal(column.title)) for column in table.columns),
        rows=rows,
        note=" ".join(filter(None, (signs, _said(table.note), few(table)))),
        left=table.left + len(table.rows) - len(rows),
    )


def _cell(view: View, cell: Value) -> Cell:
    if isinstance(cell, Held):
        value, _, ends = held_text(cell).replace("-", "−").partition(" ")
        return replace(view.cell(cell.number), text=value, ends=ends, state=cell.state)
    if isinstance(cell, Cell | Responses):
        return cell if isinstance(cell, Cell) else counted(cell.n)
    if isinstance(cell, Bare | Settled):
        cell = cell.number
    if cell is None or isinstance(cell, Estimate):
        return view.cell(cell)
    if isinstance(cell, Number):
        return Cell(cell_text(cell).replace("-", "−"), raw=cell.value)
    if isinstance(cell, str | Sentence):
        return Cell(_said(cell))
    return Cell(cell_text(cell).replace("-", "−"), raw=float(cell))


def _said(words: Words) -> str:
    """Write words as the page does, with a true minus."""
    return written(words, MINUS)
