"""Random calls of the Python functions: those of the command line, with frames in the place of files."""

import contextlib
import io
import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

import tallymark as tm
from tallymark.study.request import fields_of
from tests.fuzz.calls import call_of, commands
from tests.fuzz.tables import Table

FUNCTIONS = ("evaluate", "compare", "raters", "ceiling", "whatif")


def asked(seed: int, tables: Sequence[Table]) -> tuple[str, str, dict[str, Any]] | None:
    """The function, the file and the keywords of the call of a seed; None where it is of none."""
    words = call_of(seed, tables)
    if words[0] not in FUNCTIONS:
        return None
    command = commands()[words[0],]
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            given = command.make_context(words[0], words[1:]).params
    except (click.ClickException, tm.TallymarkError):
        return None
    keywords = {name: given[name] for name in fields_of(words[0]) if given.get(name) is not None}
    return words[0], str(given["file"]), keywords


def frame_of(file: str, rng: random.Random) -> Any:
    """The table of a file as a frame or a dict of columns, with types that frames have."""
    frame = pd.read_csv(file)
    kind = rng.randrange(5)
    if kind == 0:
        return {name: frame[name].tolist() for name in frame}
    if kind == 1:
        return frame.convert_dtypes()
    if kind == 2:
        return frame.astype({name: "category" for name in frame if rng.random() < 0.3})
    return frame.set_index(frame.index * 7) if kind == 3 else frame


def fuzz_functions(seeds: Sequence[int], tables: Sequence[Table]) -> Iterator[str]:
    """Call the functions of some seeds; what ends neither with results nor with our errors."""
    for seed in seeds:
        call = asked(seed, tables)
        if call is None or Path(call[1]).suffix != ".csv" or not Path(call[1]).exists():
            continue
        name, file, keywords = call
        frame = frame_of(file, random.Random(seed))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                str(getattr(tm, name)(frame, **keywords))
        except (tm.TallymarkError, OSError):
            continue
        except Exception as problem:  # noqa: BLE001 - any other is a bug
            yield _shown(seed, name, file, keywords, problem)


def _shown(seed: int, name: str, file: str, keywords: Mapping[str, Any], problem: Exception) -> str:
    said = ", ".join(f"{key}={value!r}" for key, value in keywords.items())
    return f"{seed}: tm.{name}({file}, {said})\n{type(problem).__name__}: {problem}"
