"""The lowest version of everything that pyproject.toml allows, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path


def lowest(text: str) -> list[str]:
    """Return ``name==version`` for each requirement that says what it needs at least."""
    project = tomllib.loads(text)["project"]
    needed = [*project["dependencies"]]
    needed += [one for extra in project["optional-dependencies"].values() for one in extra]
    found = [re.match(r"([\w.-]+)>=([\w.]+)", one) for one in needed]
    return sorted({f"{one[1]}=={one[2]}" for one in found if one is not None})


if __name__ == "__main__":
    made = lowest((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    sys.stdout.write("\n".join(made) + "\n")
