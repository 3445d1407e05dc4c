"""Other programs, each in an environment of its own."""

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clock import program

HERE = Path(__file__).parent
IRRCAC, PINGOUIN = "irrCAC==0.4.4", "pingouin==0.7.0"


def environment(*packages: str) -> str | None:
    """The Python that has these packages; None, and said why, where they cannot be had."""
    home = HERE.parent / f".venv-peers-{packages[0].partition('=')[0].lower()}"
    python = str(home / "bin" / "python")
    try:
        if not Path(python).exists():
            print(f"making {home.name} ...", file=sys.stderr, flush=True)
            venv.create(home, with_pip=True)
        pip = ["-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check"]
        subprocess.run([python, *pip, *packages], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        lines = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        print(f"skipped: {packages[0]} cannot be installed ({lines[-1]})", file=sys.stderr)
        return None
    return python


def found_by(package: str, script: str, arguments: Sequence[str]) -> dict[str, Any]:
    """What a script of ours finds in the environment of a peer; empty without it."""
    python = environment(package)
    if python is None:
        return {}
    found: dict[str, Any] = json.loads(
        program([str(HERE / script), *arguments], python=python).output
    )
    return found
