"""The documentation as a site: strictly built, complete, and nothing of it asks the network."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tallymark.catalogue import CATALOGUE
from tests.docs.api import public_names
from tests.docs.pages import DOCS, with_their_parts

OPTIONS = ("-q", "-W", "--keep-going")
"""As ``make docs`` has them."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages; a warning fails the build."""
    if not all(map(find_spec, ("sphinx", "myst_parser", "furo"))):
        pytest.skip("Sphinx is not installed")
    folder = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "sphinx", *OPTIONS, str(DOCS), str(folder)]
    built = subprocess.run(call, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


class Asked(HTMLParser):
    """Every address that a page loads by itself; links that a reader may follow are not among them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", text)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [
            value or ""
            for name, value in attrs
            if name in {"src", "srcset", "data", "poster", "action"}
            or (name, tag) == ("href", "link")
        ]


def test_no_page_loads_anything_from_outside(site):
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    outside = {
        (file.name, address)
        for file in files
        for address in Asked(file.read_text("utf-8")).addresses
        if urlsplit(address).scheme not in {"", "data"} or address.startswith("//")
    }
    assert len(files) > 20
    assert outside == set()


def test_every_public_name_command_and_statistic_is_in_the_reference(site):
    python, commands, statistics = (
        (site / f"{page}.html").read_text("utf-8") for page in ("api", "commands", "statistics")
    )
    assert [name for name in public_names() if f">{name}<" not in python] == []
    assert [name for name in with_their_parts() if f">tallymark {name}<" not in commands] == []
    assert [row.name for row in CATALOGUE if f">{row.name}<" not in statistics] == []


def test_addresses_in_the_docs_are_well_formed():
    for page in [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")]:
        for address in re.findall(r"https?://[^\s)>`\"]+", page.read_text("utf-8")):
            parts = urlsplit(address)
            assert re.fullmatch(r"[\w-]+(\.[\w-]+)*(:\d+)?", parts.netloc), (page.name, address)


class TestInABrowser:
    pytestmark = pytest.mark.browser

    @pytest.fixture
    def page(self, browser):
        page = browser.new_page()
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        yield page
        page.close()

    def test_search_finds_a_statistic_offline(self, page, site):
        page.goto((site / "search.html").as_uri() + "?q=brennan_prediger")
        hits = page.locator("ul.search a")
        hits.first.wait_for()
        assert "statistics.html" in " ".join(hits.evaluate_all("all => all.map(a => a.href)"))
        assert [url for url in page.asked if not url.startswith("file:")] == []

    @pytest.mark.parametrize("width", [360, 1280])
    @pytest.mark.parametrize("name", ["index", "statistics", "verdict", "commands"])
    def test_no_page_is_wider_than_the_screen(self, page, site, name, width):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_text_stands_out_from_its_background(self, page, site, scheme):
        from axe_playwright_python.sync_playwright import Axe

        page.emulate_media(color_scheme=scheme)
        page.goto((site / "files.html").as_uri())
        found = Axe().run(page, options={"runOnly": ["color-contrast"]})
        assert found.response["violations"] == [], found.generate_report()
