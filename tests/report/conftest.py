"""The pages that the tests of the report look at."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report import cases


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``written("demo")`` is the file of the report of a case."""
    folder = tmp_path_factory.mktemp("reports")

    def write(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            getattr(cases, name)().to_html(path)
        return path

    return write


class Seen:
    """A page, what it asked for from outside, and what it complained about."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.own = path.as_uri()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._refuse)
        page.goto(self.own)

    def _refuse(self, dialog: Any) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)


@pytest.fixture(scope="session")
def seen(browser: Any, written: Callable[[str], Path]) -> Iterator[Callable[..., Seen]]:
    """``seen("demo", width=320)`` is a page that tests share; they change no more than its size."""
    pages: dict[str, Seen] = {}

    def show(name: str, *, width: int = 1200, scheme: str = "light", media: str = "screen") -> Seen:
        if name not in pages:
            pages[name] = Seen(browser.new_page(), written(name))
        page = pages[name]
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media=media, color_scheme=scheme)
        return page

    yield show
    for page in pages.values():
        page.close()


@pytest.fixture
def opened(browser: Any, written: Callable[[str], Path]) -> Iterator[Callable[..., Seen]]:
    """``opened("demo")`` is a page of the test's own."""
    pages = []

    def show(name: str, **options: Any) -> Seen:
        size = {"width": 1200, "height": 900}
        pages.append(Seen(browser.new_page(viewport=size, **options), written(name)))
        return pages[-1]

    yield show
    for page in pages:
        page.close()
