"""Speed and size of the report of the demo: making it, its bytes, and the browser's time to be ready.

Run it alone: ``python benchmarks/page.py``. Chromium is used where it is installed.
"""

import shutil
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import tallymark as tm
from tallymark.cli.demo import ROLES
from tallymark.demo import SCORES

TIMES = 9
LIMITS = {"made, ms of CPU": 100.0, "size, kB": 300.0, "ready, ms": 300.0}
READY = (
    "(({ domContentLoadedEventEnd: end, fetchStart: start }) => end - start)"
    "(performance.getEntriesByType('navigation')[0])"
)


def main() -> None:
    roles = {key: list(own) if isinstance(own, tuple) else own for key, own in ROLES.items()}
    found = tm.evaluate(SCORES, **roles)
    first = _cpu(found.to_html)
    measured = {
        "made, ms of CPU": statistics.median(_cpu(found.to_html) for _ in range(TIMES)),
        "size, kB": len(found.to_html().encode()) / 1000,
    }
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is not None:
        measured["ready, ms"] = _ready(found, program)
    print(f"made the first time, with what is loaded then: {first:.0f} ms of CPU")
    for name, value in measured.items():
        verdict = "ok" if value < LIMITS[name] else "MISSED"
        print(f"{name}: {value:.0f} (at most {LIMITS[name]:.0f}) {verdict}")


def _cpu(work) -> float:  # noqa: ANN001
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _ready(found: tm.Evaluation, program: str) -> float:
    """The median time from the start of loading to the end of the scripts."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as play:
        path = Path(folder) / "report.html"
        found.to_html(path)
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        times = []
        for _ in range(TIMES):
            page = browser.new_page()
            page.goto(path.as_uri())
            times.append(page.evaluate(READY))
            page.close()
        browser.close()
    return statistics.median(times)


if __name__ == "__main__":
    main()
