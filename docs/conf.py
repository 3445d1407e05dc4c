"""How the documentation is built: ``make docs``. The pages are Markdown, readable without it."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from tallymark import __version__

project = "Tallymark"
version = release = __version__
project_copyright = "the contributors, Apache-2.0"
extensions = ["myst_parser"]
exclude_patterns = ["images"]
nitpicky = True
highlight_language = "none"  # what a terminal shows
smartquotes = False  # option names and code keep their dashes and quotes
myst_heading_anchors = 3
myst_links_external_new_tab = False
html_theme = "furo"
html_title = "Tallymark"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"top_of_page_buttons": []}


def navigation(_app: Sphinx, page: str, content: list[str]) -> None:
    """The lists of links on the first page are the navigation, each under its heading."""
    if page != "index":
        return
    for caption, part in re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", content[0], re.MULTILINE):
        links = re.findall(r"^- \[(.+?)\]\(([\w/-]+)\.md\)", part, re.MULTILINE)
        entries = "".join(f"{title} <{target}>\n" for title, target in links)
        content[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", navigation)
