"""Whatever a file holds: it is read as it stands, or refused in a sentence of ours."""

import gzip
import json
import math
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from tallymark.cli.main import main
from tallymark.errors import TallymarkError
from tallymark.sources import Roles, read_scores
from tests.sources.hostile import Pairs, Refused, hostile, read_again

ROLES = Roles(humans=("h1",), systems=("engine",))
OURS = re.compile(r"SELECT|FROM |TRY_CAST|read_\w+\(|[Dd]uck|Traceback|LINE 1:|Error:|bug")


def pairs_of(path: Path) -> Pairs:
    scores = read_scores(path, roles=ROLES)
    facts, found = scores.facts, scores.patterns
    assert facts.read == facts.used + sum(count for _, count in facts.exclusions)
    gold = found.scores["human:h1"]
    system = found.scores.get("raw:engine", found.scores["system:engine"])
    both = zip(gold.tolist(), system.tolist(), found.counts.tolist(), strict=True)
    rated = [(a, b, times) for a, b, times in both if not math.isnan(a + b)]
    return sorted((a, b) for a, b, times in rated for _ in range(times))


def check(seed: int, folder: Path) -> None:
    path, rows, harmed = hostile(seed, folder)
    try:
        expected = read_again(path, rows)
    except (Refused, ValueError, LookupError, AttributeError, OSError, EOFError, zlib.error):
        expected = None
    try:
        found = pairs_of(path)
    except TallymarkError as error:
        text = str(error)
        assert len(text) < 700
        assert not OURS.search(text), text
        usable = expected and not harmed and len(set(map(str.strip, rows[0]))) == len(rows[0])
        assert not usable or refusable(rows, path), f"{path.name}, seed {seed}: {text}"
        return
    if path.suffix == ".parquet" and harmed:
        return  # a Parquet file need not know whether its numbers were changed
    assert expected is not None, f"{path.name}, seed {seed} must be refused"
    assert len(found) == len(expected), f"{path.name}, seed {seed}"
    assert np.allclose(found, expected, rtol=0, atol=1e-9), f"{path.name}, seed {seed}"


def refusable(rows: list[list[str]], path: Path) -> bool:
    """Names that may be refused though numbers stand beneath them."""
    names = [name.casefold() for name in rows[0]]
    nameless = ".jsonl" in path.name and "" in names
    capitals = ".jsonl" in path.name and len(set(names)) < len(names)
    cells = [cell for row in rows for cell in row]
    mixed = any("\r" in cell or "\n" in cell for cell in cells)
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return (
        capitals
        or nameless
        or mixed
        or any(len(name) > 300 for name in names)
        or not content.isascii()
    )


@pytest.mark.parametrize("start", range(0, 200, 40))
def test_what_is_accepted_is_what_stands_there(start, tmp_path):
    for seed in range(start, start + 40):
        check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 7000, 500))
def test_what_is_accepted_is_what_stands_there_at_length(start, tmp_path):
    for seed in range(start, start + 500):
        check(seed, tmp_path)


@pytest.mark.parametrize("seed", range(500, 524))
def test_the_command_ends_in_two_lines_at_most(seed, tmp_path, capsys):
    path, _, _ = hostile(seed, tmp_path)
    arguments = ["evaluate", str(path), "--human", "h1", "--system", "engine", "--json"]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--statistic", "qwk", "--replicates", "100"])
    said = capsys.readouterr()
    assert ended.value.code in (0, 2), said.err
    assert said.err.count("\n") <= 2
    assert not OURS.search(said.err.replace(str(tmp_path), "")), said.err
    if ended.value.code == 0:
        data = json.loads(said.out)["data"]
        assert data["read"] == data["used"] + sum(one[1] for one in data["exclusions"])
