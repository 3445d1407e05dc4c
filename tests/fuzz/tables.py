"""The folder that calls are fuzzed in: tables with every role, and one file of every other kind."""

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.fuzz.configurations import TOOLS

Columns = dict[str, list[Any]]


class Table(NamedTuple):
    """A file of scores: its columns by role, which options it needs, and those with a set value."""

    file: str
    roles: Mapping[str, Sequence[str]]
    columns: Sequence[str]
    needed: Sequence[str] = ("--human", "--system")
    always: Mapping[str, str] = {}


ROLES = {
    "--human": ("h1", "h2", "h3"),
    "--gold": ("h1", "gold"),
    "--system": ("engine", "judge"),
    "--confidence": ("sure",),
    "--probabilities": ("p1", "p2", "p3", "p4"),
    "--repeat": ("engine", "run2", "run3"),
    "--id": ("id",),
    "--prompt": ("prompt",),
    "--trait": ("trait",),
    "--group": ("gender", "grade"),
    "--cluster": ("candidate",),
    "--candidate": ("candidate",),
    "--fold": ("fold",),
    "--count": ("n",),
    "--weight": ("weight",),
    "--stratum": ("stratum",),
    "--batch": ("batch",),
    "--time": ("date",),
    "--length": ("length", "answer"),
    "--text": ("answer",),
    "--prompt-text": ("question",),
    "--reference-text": ("key",),
    "--show": ("answer",),
    "--by": ("engine", "prompt"),
    "--keep": ("gender",),
    "--flag": ("gender", "batch"),
    "--train": ("fold", "batch"),
}
"""The columns of the wide table that an option is about."""
ODD = (
    "Erste Note", "zweite, Note", "x@y", "Auto=Score", "Ж", "1", "%", "n'ame", "select", '"q"', "a b", "*", "[h]", "-x",
    "rater", "score", "count", "p", "-", "NaN", "\u202eabc", "a.b", "SYSTEM", "é" * 40, "{x}", "$", "table", "#", "null",
    "&lt;", "`", "\\",
)  # fmt: skip
"""Names outside the usual vocabulary."""
WORDS = "yes,no,it depends,no answer"
RESPONSES = 48


def written(folder: Path) -> list[Table]:
    """Write every file of the folder, and return its tables."""
    wide = responses()
    odd = dict(zip(wide, ODD, strict=False))
    alone = {name: wide[name] for name in wide if name not in ("trait", "weight", "stratum")}
    tables = [
        _table(folder, "wide.csv", alone),
        _table(folder, "traits.csv", wide),
        _table(folder, "odd.csv", wide, odd)._replace(
            needed=("--human", "--system", "--id", "--trait")
        ),
        _table(folder, "named.csv", alone, odd),
        _table(folder, "wide.jsonl", alone),
        _table(folder, "wide.parquet", alone),
        _table(folder, "few.csv", {name: column[:3] for name, column in alone.items()}),
        _table(folder, "empty.csv", {name: [] for name in alone}),
        _table(folder, "labels.csv", _labelled(alone))._replace(always={"--categories": WORDS}),
        _long(folder, alone),
        _crossed(folder, alone),
    ]
    _others(folder, wide)
    return tables


def responses() -> Columns:
    """48 responses with a column for every role; every second id is that of another trait."""
    rng, n = np.random.default_rng(1), RESPONSES
    truth = rng.normal(2.5, 1, n)

    def scored(sd: float) -> list[Any]:
        return np.clip(np.rint(truth + rng.normal(0, sd, n)), 1, 4).astype(int).tolist()

    shares = rng.dirichlet(np.ones(4), n).round(3)
    columns: Columns = {
        "id": [f"R{i // 2}" for i in range(n)],
        "h1": scored(0.4),
        "h2": scored(0.5),
        "h3": [score if i % 3 else "" for i, score in enumerate(scored(0.6))],
        "gold": scored(0.2),
        "engine": scored(0.5),
        "judge": np.round(truth + rng.normal(0, 0.5, n), 2).tolist(),
        "sure": [],
        **{f"p{i + 1}": shares[:, i].tolist() for i in range(4)},
        "run2": scored(0.5),
        "run3": scored(0.5),
        "prompt": ["ab"[i // 2 % 2] for i in range(n)],
        "trait": [("style", "content")[i % 2] for i in range(n)],
        "gender": ["xy"[i // 4 % 2] for i in range(n)],
        "grade": ["" if i == 5 else str(7 + i % 3) for i in range(n)],
        "candidate": [f"C{i // 2}" for i in range(n)],
        "fold": [1 + i % 3 for i in range(n)],
        "n": [1 + i % 2 for i in range(n)],
        "weight": [(1.0, 2.5)[i % 2] for i in range(n)],
        "stratum": ["st"[i % 2] for i in range(n)],
        "batch": [1 + i // 24 for i in range(n)],
        "date": [f"2025-01-{1 + i % 28:02d}" for i in range(n)],
        "length": rng.integers(20, 400, n).tolist(),
        "answer": [f"The answer {'and so on ' * (i % 7)}is {i}." for i in range(n)],
        "question": ["What is it?"] * n,
        "key": ["The answer is 4."] * n,
        "note": ["<b>x</b>"] * n,
    }
    right = np.equal(columns["h1"], columns["engine"])
    columns["sure"] = (right / 2 + rng.random(n) / 2).round(3).tolist()
    return columns


def _table(
    folder: Path, file: str, columns: Columns, names: Mapping[str, str] | None = None
) -> Table:
    """Write a table, with its columns under other names where they have them."""
    called = {name: (names or {}).get(name, name) for name in columns}
    plain = {called[name]: list(column) for name, column in columns.items()}
    if "trait" not in columns and "id" in columns:
        plain[called["id"]] = [f"R{i}" for i in range(len(plain[called["id"]]))]
    _WRITE[Path(file).suffix](folder / file, plain)
    roles = {
        flag: tuple(called[name] for name in of_role if name in called)
        for flag, of_role in ROLES.items()
    }
    return Table(file, roles, tuple(plain))


def _labelled(columns: Columns) -> Columns:
    """The same in words, of which none is more than another."""
    words = dict(enumerate(WORDS.split(","), start=1))
    scores = ("h1", "h2", "h3", "gold", "engine", "run2", "run3")
    inside = {name: [words.get(x, x) for x in columns[name]] for name in scores}
    return columns | inside | {"judge": inside["run3"]}


def _long(folder: Path, columns: Columns) -> Table:
    """One row per rating, of people and systems."""
    rows = [
        (f"R{i}", rater, columns[rater][i], columns["prompt"][i], columns["gender"][i])
        for i in range(RESPONSES)
        for rater in ("h1", "h2", "h3", "engine", "judge")
    ]
    names = ("response", "who", "points", "prompt", "gender")
    _csv(folder / "long.csv", dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    roles = {
        "--response": ("response",), "--rater": ("who",), "--score": ("points",), "--human": ("h1", "h2", "h3"),
        "--system": ("engine", "judge"), "--prompt": ("prompt",), "--group": ("gender",),
    }  # fmt: skip
    needed = ("--response", "--rater", "--score", "--system")
    return Table("long.csv", roles, names, needed)


def _crossed(folder: Path, columns: Columns) -> Table:
    """Counts in place of scores: a row for each human score, a column for each of the system."""
    counts = np.zeros((4, 4), int)
    np.add.at(counts, (np.array(columns["h1"]) - 1, np.array(columns["engine"]) - 1), 1)
    cells = {"h1": [1, 2, 3, 4], **{str(j + 1): counts[:, j].tolist() for j in range(4)}}
    _csv(folder / "crossed.csv", cells)
    return Table("crossed.csv", {}, tuple(cells), (), {"--table": ""})


def _csv(path: Path, columns: Columns) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def _json_lines(path: Path, columns: Columns) -> None:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _parquet(path: Path, columns: Columns) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    typed = {
        name: [None if x == "" else str(x) if "" in column else x for x in column]
        for name, column in columns.items()
    }
    parquet.write_table(pa.table(typed), path)


_WRITE: dict[str, Callable[[Path, Columns], None]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}


def _others(folder: Path, wide: Columns) -> None:
    """What options and commands read beside a table of scores."""
    ids = [f"R{i}" for i in range(RESPONSES)]
    _csv(folder / "people.csv", {"id": ids[:30], "h1": wide["h2"][:30]})
    _csv(folder / "predictions.csv", {"id": ids, "other": wide["run2"]})
    _csv(folder / "new.csv", {name: wide[name][:20] for name in wide if name != "id"} | {"id": [f"N{i}" for i in range(20)]})  # fmt: skip
    probes: Columns = {"row": [1, 2, 3, 4], "probe": ["empty", "twice"] * 2}
    _csv(folder / "probes.csv", probes | {"engine": [1, 2, 1, 3], "judge": [1.0, 2, 1, 3]})
    published: Columns = {"system": ["Paper"], "part": [""], "statistic": ["qwk"], "value": [0.7]}
    _csv(folder / "published.csv", published)
    np.save(folder / "vectors.npy", np.random.default_rng(2).normal(size=(RESPONSES, 3)))
    (folder / "policy.toml").write_text(
        'name = "own"\nversion = "1"\ntitle = "Own limits"\nreference = "none"\n'
        '[[criteria]]\nstatistic = "cohen_kappa[quadratic]"\ntitle = "QWK"\nat_least = 0.6\n',
        "utf-8",
    )
    (folder / "options.toml").write_text('human = ["h1", "h2"]\nscale = "1:4"\n', "utf-8")
    (folder / "words.txt").write_text("no table at all\n\n", "utf-8")
    rng = random.Random(1)
    rows = [
        f"r{i},{rng.randint(1, 4)},{rng.randint(1, 4)},{rng.uniform(1, 4):.2f},{'AB'[i % 2]},0,c{i // 2}"
        for i in range(30)
    ]
    (folder / "scores.csv").write_text(
        "\n".join(["id,h1,h2,score,grade,flag,who", *rows]) + "\n", "utf-8"
    )
    for tool, fields in TOOLS.items():
        (folder / f"{tool}.json").write_text(json.dumps(fields), "utf-8")
