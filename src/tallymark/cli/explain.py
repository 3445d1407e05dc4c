"""``tallymark explain``: what a number is, how to read it and where it comes from."""

import shutil

import click

from tallymark.cli.options import Command, debug_option

EXAMPLES = """\b
Examples:
  tallymark explain
  tallymark explain QWK
  tallymark explain ceiling_theoretical
"""
_WIDEST = 100


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("name", nargs=-1)
@debug_option
def explain(name: tuple[str, ...]) -> None:
    """Explain the number NAME: how to read and misread it, its formula, where it appears.

    NAME is the name in the results, or the word that another program or paper uses for it; case does
    not matter. Without NAME, all numbers are listed.
    """
    from tallymark.analyses.explain import explain as explained
    from tallymark.cli.streams import put

    width = min(shutil.get_terminal_size().columns, _WIDEST)
    put(explained(" ".join(name) if name else None).to_text(width))
