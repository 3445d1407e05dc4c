"""The lowest versions that pyproject.toml allows of what the tests need, as requirements for pip."""

import re
import sys
import tomllib
from pathlib import Path

TOOLS = ("furo", "import-linter", "mypy", "myst-parser", "pyspark", "ruff", "sphinx")
"""Of the checks, not of the tests, which need newer packages than we do; and Spark, which needs Java."""


def lowest(text: str) -> list[str]:
    """Return ``name==version`` for each requirement that says what it needs at least."""
    project = tomllib.loads(text)["project"]
    needed = [*project["dependencies"]]
    needed += [one for extra in project["optional-dependencies"].values() for one in extra]
    found = [re.match(r"([\w.-]+)>=([\w.]+)", one) for one in needed]
    return sorted({f"{one[1]}=={one[2]}" for one in found if one and one[1] not in TOOLS})


if __name__ == "__main__":
    made = lowest((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    sys.stdout.write("\n".join(made) + "\n")
